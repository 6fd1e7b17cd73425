import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { anonymise } from '../shared/engine/anonymise.ts'
import { EngineError } from '../shared/engine/errors.ts'
import { bufferInput } from '../shared/engine/input.ts'
import { call, regexRule } from '../test/engine/call.ts'
import { damaged } from './damage.ts'
import type { Ended } from './guarded.ts'
import { peakMegabytes } from './peak.ts'

/** A file, and the number that its damage is made from; 0 leaves it as it is. */
export type Job = { path: string; seed: number }

const rules = [regexRule('word', '\\b\\p{Lu}\\p{L}{5,}\\b', { flags: 'u', replacement: { text: '#' } })]

const work = async ({ path, seed }: Job): Promise<Ended> => {
  const bytes = await damaged(readFileSync(path), seed)
  writeFileSync('/proc/self/clear_refs', '5')
  const start = process.cpuUsage()
  let kind = 'clean'
  try {
    await anonymise(call({ input: bufferInput(basename(path), bytes), rules }))
  } catch (error) {
    kind = error instanceof EngineError ? error.type : String(error instanceof Error ? error.stack : error)
  }
  const { user, system } = process.cpuUsage(start)
  return { kind, seconds: (user + system) / 1e6, mebibytes: peakMegabytes() }
}

process.on('disconnect', () => process.exit())
process.on('message', async job => process.send?.(await work(job as Job)))
