import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { EngineError } from '../shared/engine/errors.ts'
import { frequentWords, maskWords } from '../test/engine/formats/corpus-files.ts'
import { layers } from '../test/engine/formats/hiding.ts'
import type { Ended } from './guarded.ts'
import { peakMegabytes } from './peak.ts'

/** A file, and where to write what comes out of it. */
export type Job = { path: string; output: string }

/** What became of a file: `clean`, or the type of an error of the engine, or what else happened. */
export type Outcome = Ended & {
  /** Why a file was refused. */
  why?: string
  /** How many words were masked, and those that a layer of the output still holds. */
  words?: number
  left?: string[]
}

process.on('disconnect', () => process.exit())

const work = async ({ path, output }: Job): Promise<Outcome> => {
  const bytes = readFileSync(path)
  writeFileSync('/proc/self/clear_refs', '5')
  const start = process.cpuUsage()
  const used = () => {
    const { user, system } = process.cpuUsage(start)
    return { seconds: (user + system) / 1e6, mebibytes: peakMegabytes() }
  }
  try {
    const words = await frequentWords(basename(path), bytes)
    const after = await maskWords(path, bytes, words)
    const outcome = { kind: 'clean', ...used(), words: words.length }
    writeFileSync(output, after)
    const texts = [...layers(after)].map(layer => layer.toLowerCase())
    return { ...outcome, left: words.filter(word => texts.some(text => text.includes(word))) }
  } catch (error) {
    if (!(error instanceof EngineError)) return { kind: String(error), ...used() }
    return { kind: error.type, ...used(), why: error.message }
  }
}

process.on('message', async job => process.send?.(await work(job as Job)))
