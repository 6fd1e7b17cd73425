import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnonymiseResult, anonymise } from '../../../shared/engine/anonymise.ts'
import { isDefined, keywords } from '../../../shared/engine/formats/pdf/content/operators.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { plainText } from '../../../shared/engine/formats/pdf/text/page-text.ts'
import { verifyBytes } from '../../../shared/engine/formats/pdf/verify/checks.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

/** The folder of test documents beside the project, which may be absent. */
export const shared = fileURLToPath(new URL('../../../../shared/', import.meta.url))

const leakTool = join(shared, 'tools/leak.mjs')

/** A text as the search for leaks compares it: no accents, no case, no forms of letters. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

const wordPattern = /[\p{L}\p{N}\p{M}]{4,}/gu

/** A text in the forms that stand for letters; vowels of Thai and Lao, which NFKC parts, as they are written. */
const composed = (text: string): string =>
  text.normalize('NFKC').replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')

/** Words of a text by their folded form, with how often they stand in it and how they are spelt. */
export const countWords = (text: string): Map<string, { times: number; spellings: Set<string> }> => {
  const counts = new Map<string, { times: number; spellings: Set<string> }>()
  for (const word of composed(text).match(wordPattern) ?? []) {
    const folded = fold(word)
    if (folded.length < 4) continue
    const known = counts.get(folded) ?? { times: 0, spellings: new Set() }
    known.times++
    known.spellings.add(word.toLowerCase())
    counts.set(folded, known)
  }
  return counts
}

/** Names and keywords of the format, which every file holds whatever it says, and numbers, of which it is made. */
export const isSyntax = (() => {
  const source = readFileSync(
    new URL('../../../shared/engine/formats/pdf/content/operators.ts', import.meta.url),
    'utf8',
  )
  const names = (source.match(/[A-Za-z][A-Za-z0-9-]*/g) ?? []).filter(name => isDefined(name) || keywords.has(name))
  const folded = new Set(names.flatMap(name => name.split('-')).map(fold))
  return (word: string) => folded.has(word) || /^\d+$/.test(word)
})()

/** The text of each page, as the reader of the engine puts it, words joined that line ends hyphenate. */
export const pageTexts = async (bytes: Uint8Array): Promise<string[]> => {
  const reader = await openReader(bytes)
  try {
    return Array.from({ length: reader.pages }, (_, page) => plainText(reader, page).replaceAll('-\u00ad', ''))
  } finally {
    reader.close()
  }
}

/** A document before and after its three most frequent words were replaced, in any case and with any accents. */
export type Redacted = { words: string[]; texts: string[]; before: Uint8Array; after: Uint8Array } & Pick<
  AnonymiseResult,
  'report' | 'findings'
>

/** Replaces the three most frequent words of a document, of those that aren't words of the format itself. */
export const redact = async (before: Uint8Array): Promise<Redacted> => {
  const texts = await pageTexts(before)
  const frequent = [...countWords(texts.join('\n'))]
    .filter(([word]) => !isSyntax(word))
    .sort(([a, x], [b, y]) => y.times - x.times || (a < b ? -1 : 1))
    .slice(0, 3)
  const spellings = frequent.flatMap(([, { spellings: all }]) => [...all])
  const pattern = spellings.length > 0 ? spellings.join('|') : 'nothing at all'
  const rules = [regexRule('word', pattern, { flags: 'i' })]
  const { output, report, findings } = await anonymise(call({ input: bufferInput('file.pdf', before), rules }))
  const after = await output.read(0, output.size)
  return { words: frequent.map(([word]) => word), texts, before, after, report, findings }
}

const installed = (name: string) => spawnSync(name, ['-v']).error === undefined

/** Readers of other makers that are installed, and the search for leaks where it is there. */
export const outsiders = [
  { name: 'pdftotext', program: 'pdftotext', there: installed('pdftotext'), options: (file: string) => [file, '-'] },
  {
    name: 'mutool',
    program: 'mutool',
    there: installed('mutool'),
    options: (file: string) => ['draw', '-q', '-F', 'txt', file],
  },
]

/** Whether the search for leaks is there. */
export const canSearch = existsSync(leakTool)

const run = (program: string, options: string[]): string =>
  spawnSync(program, options, { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 60_000 }).stdout

/** What others still find of the replaced words in an output; `file` is where the output is put for them. */
export const leaksOf = ({ words, after }: Redacted, file: string): string[] => {
  if (words.length === 0) return []
  writeFileSync(file, after)
  const leaks = verifyBytes(after, { digest: '', visible: [], gone: words }, 2 ** 31).map(() => 'scan of the bytes')
  for (const { name, program, there, options } of outsiders) {
    if (!there) continue
    const text = run(program, options(file))
    const read = fold(text) + fold(text.replace(/-?\n\s*/g, ''))
    leaks.push(...words.filter(word => read.includes(word)).map(word => `${name}: ${word}`))
  }
  if (!canSearch) return leaks
  writeFileSync(`${file}.txt`, words.join('\n'))
  const found = run(process.execPath, [leakTool, '--strings', `${file}.txt`, '--out', file, '--json'])
  const report = JSON.parse(found) as { leaks: { layer: string; string: string }[] }
  return [...leaks, ...report.leaks.map(({ layer, string }) => `leak.mjs, ${layer}: ${string}`)]
}

/** Of the words that were to stay, on pages that are still text: how many are missing, and how many there were. */
export const lostWords = async ({
  words,
  texts,
  after,
  report,
}: Redacted): Promise<{ missing: number; all: number }> => {
  const left = await pageTexts(after)
  let [missing, all] = [0, 0]
  texts.forEach((text, page) => {
    if (report.rasterised.includes(page + 1)) return
    const shown = countWords(left[page] ?? '')
    for (const [word, { times }] of countWords(text)) {
      if (words.some(gone => word.includes(gone))) continue
      all += times
      missing += Math.max(0, times - (shown.get(word)?.times ?? 0))
    }
  })
  return { missing, all }
}
