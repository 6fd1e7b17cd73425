import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymise } from '../shared/engine/anonymise.ts'
import { EngineError } from '../shared/engine/errors.ts'
import { bufferInput } from '../shared/engine/input.ts'
import { call, regexRule } from '../test/engine/call.ts'
import { countWords, fold } from '../test/engine/formats/pdf-redacted.ts'
import { peakMegabytes } from './peak.ts'

/** What became of a file; figures of outputs only where there is one. */
export type Outcome = {
  /** `clean`, the type of an error of the engine, or what else happened. */
  kind: string
  /** Processor time of the engine, and the most memory that the process held while it ran (2^20 bytes). */
  seconds: number
  mebibytes: number
  /** Which reader still finds which word. */
  leaks?: string[]
  /** Pages on which one of the readers found a word, and pages that became pictures. */
  touched?: number
  pictures?: number[]
  why?: string[]
  /** Other words on pages that are still text: how many poppler misses, and how many there were. */
  missing?: number
  words?: number
}

const home = mkdtempSync(join(tmpdir(), 'pdf-readers-'))
process.on('exit', () => rmSync(home, { recursive: true }))
process.on('disconnect', () => process.exit())
const [input, output] = [join(home, 'in.pdf'), join(home, 'out.pdf')]

/** The text of each page as either reader puts it; both end a page by a form feed. */
const readers = {
  poppler: (file: string) => ['pdftotext', file, '-'],
  mutool: (file: string) => ['mutool', 'draw', '-q', '-F', 'txt', file],
}

const pagesOf = (reader: keyof typeof readers, file: string): string[] => {
  const [program = '', ...options] = readers[reader](file)
  const { stdout } = spawnSync(program, options, { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 20_000 })
  return stdout.replace(/\f$/, '').split('\f')
}

/** No letter or digit: labels in a row are no word. */
const label = '#'

/** Letters that MuPDF writes as they are drawn, from left to right, where a text runs the other way. */
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

/** The spellings of the three most frequent words of a text. */
const frequent = (pages: readonly string[], reader: keyof typeof readers): { words: string[]; spellings: string[] } => {
  const first = [...countWords(pages.join('\n'))]
    .filter(([word]) => reader !== 'mutool' || !fromRight.test(word))
    .sort(([a, x], [b, y]) => y.times - x.times || (a < b ? -1 : 1))
    .slice(0, 3)
  return { words: first.map(([word]) => word), spellings: first.flatMap(([, { spellings }]) => [...spellings]) }
}

/** A page as words are looked for in it: as it is, and with the words joined that a line ends within. */
const shown = (page: string): string => `${fold(page)}\n${fold(page.replace(/[-\u00ad\u2010]\s*\n\s*/g, ''))}`

/** Words that a page of the output lacks, but for those that were to go. */
const lost = (before: string, after: string, gone: readonly string[]): { missing: number; words: number } => {
  const left = countWords(after)
  let [missing, words] = [0, 0]
  for (const [word, { times }] of countWords(before)) {
    if (gone.some(value => word.includes(value))) continue
    words += times
    missing += Math.max(0, times - (left.get(word)?.times ?? 0))
  }
  return { missing, words }
}

const forgetPeak = () => writeFileSync('/proc/self/clear_refs', '5')

const work = async (path: string): Promise<Outcome> => {
  const bytes = readFileSync(path)
  writeFileSync(input, bytes)
  const names = ['poppler', 'mutool'] as const
  const before = names.map(name => pagesOf(name, input))
  const chosen = before.map((pages, i) => frequent(pages, names[i]!))
  const words = [...new Set(chosen.flatMap(each => each.words))]
  const spellings = [...new Set(chosen.flatMap(each => each.spellings))]
  const rules = [
    regexRule('word', spellings.join('|') || 'nothing at all', { flags: 'i', replacement: { text: label } }),
  ]
  forgetPeak()
  const start = process.cpuUsage()
  const used = () => {
    const { user, system } = process.cpuUsage(start)
    return { seconds: (user + system) / 1e6, mebibytes: peakMegabytes() }
  }
  try {
    const result = await anonymise(call({ input: bufferInput('file.pdf', bytes), rules }))
    const outcome = { kind: 'clean', ...used(), pictures: result.report.rasterised }
    writeFileSync(output, await result.output.read(0, result.output.size))
    const after = names.map(name => pagesOf(name, output))
    const leaks = names.flatMap((name, i) =>
      words.filter(word => after[i]!.some(page => shown(page).includes(word))).map(word => `${name}: ${word}`),
    )
    const pages = Math.max(...before.map(each => each.length))
    const touched = Array.from({ length: pages }, (_, i) => i).filter(i =>
      before.some(each => words.some(word => shown(each[i] ?? '').includes(word))),
    ).length
    const kept = before[0]!.flatMap((page, i) =>
      outcome.pictures.includes(i + 1) ? [] : [lost(page, after[0]![i] ?? '', words)],
    )
    return {
      ...outcome,
      leaks,
      touched,
      missing: kept.reduce((sum, { missing }) => sum + missing, 0),
      words: kept.reduce((sum, each) => sum + each.words, 0),
    }
  } catch (error) {
    return { kind: error instanceof EngineError ? error.type : String(error), ...used() }
  }
}

process.on('message', async path => process.send?.(await work(String(path))))
