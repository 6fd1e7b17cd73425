import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { anonymise } from '../shared/engine/anonymise.ts'
import { EngineError } from '../shared/engine/errors.ts'
import { bufferInput } from '../shared/engine/input.ts'
import { call, regexRule } from '../test/engine/call.ts'
import type { Ended } from './guarded.ts'
import { peakMegabytes } from './peak.ts'

/** A file, and what it is to `text-readers.py`. */
export type Job = { path: string; kind: string }

/** What became of a file: `clean`, or the type of an error of the engine, or what else happened. */
export type Outcome = Ended & {
  /** Why a file was refused. */
  why?: string
  /** Words that were replaced and that the other reader still finds. */
  left?: string[]
  /** Other words that it no longer finds as often, how many there were, and what the report says was left out. */
  missing?: string[]
  words?: number
  dropped?: string[]
}

const home = mkdtempSync(join(tmpdir(), 'text-readers-'))
process.on('exit', () => rmSync(home, { recursive: true }))
process.on('disconnect', () => process.exit())

const programme = join(import.meta.dirname, 'text-readers.py')
const python: ChildProcess = spawn(process.env.PYTHON ?? 'python3', [programme], { stdio: ['pipe', 'pipe', 'ignore'] })
const answers = createInterface({ input: python.stdout! })[Symbol.asyncIterator]()

/** What the other reader finds in a file; nothing where it can't read it. */
const textOf = async (job: Job): Promise<string | undefined> => {
  python.stdin!.write(`${JSON.stringify(job)}\n`)
  const { value } = await answers.next()
  return (JSON.parse(value as string) as { text?: string }).text
}

const letters = '[\\p{L}\\p{M}]'

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .toLowerCase()
    .match(new RegExp(`${letters}+`, 'gu')) ?? []

const counted = (words: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The two most frequent words of a text, and three that are spread over its list of words. */
const chosen = (counts: ReadonlyMap<string, number>): string[] => {
  const long = [...counts].filter(([word]) => word.length >= 5 && word.length < 30)
  const words = long.map(([word]) => word)
  const frequent = long.toSorted((a, b) => b[1] - a[1]).map(([word]) => word)
  const spread = [1, 3, 5].map(sixth => words[Math.floor((words.length * sixth) / 6)])
  return [...new Set([...frequent.slice(0, 2), ...spread])].filter(word => word !== undefined)
}

const work = async ({ path, kind }: Job): Promise<Outcome> => {
  const counts = counted(wordsOf((await textOf({ path, kind })) ?? ''))
  const words = chosen(counts)
  const pattern = words.map(word => `(?<!${letters})${word}(?!${letters})`).join('|') || 'nothing at all'
  const rules = [regexRule('word', pattern, { flags: 'iu', replacement: { text: '#' } })]
  writeFileSync('/proc/self/clear_refs', '5')
  const start = process.cpuUsage()
  const used = () => {
    const { user, system } = process.cpuUsage(start)
    return { seconds: (user + system) / 1e6, mebibytes: peakMegabytes() }
  }
  try {
    const { output, report } = await anonymise(call({ input: bufferInput(basename(path), readFileSync(path)), rules }))
    const outcome = { kind: 'clean', ...used() }
    const after = join(home, `output.${kind}`)
    writeFileSync(after, await output.read(0, output.size))
    const text = await textOf({ path: after, kind })
    if (text === undefined) return { ...outcome, kind: counts.size > 0 ? 'clean, but no longer read' : 'clean' }
    const now = counted(wordsOf(text))
    const others = [...counts].filter(([word]) => !words.includes(word))
    return {
      ...outcome,
      left: words.filter(word => now.has(word)),
      missing: others.flatMap(([word, times]) => Array<string>(Math.max(0, times - (now.get(word) ?? 0))).fill(word)),
      words: others.reduce((sum, [, times]) => sum + times, 0),
      dropped: report.dropped.map(({ what }) => what),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) return { kind: String(error), ...used() }
    return { kind: error.type, ...used(), why: error.message }
  }
}

process.on('message', async job => process.send?.(await work(job as Job)))
