import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymise } from '../shared/engine/anonymise.ts'
import { EngineError } from '../shared/engine/errors.ts'
import { verifyBytes } from '../shared/engine/formats/pdf/verify/checks.ts'
import { bufferInput } from '../shared/engine/input.ts'
import { call, regexRule } from '../test/engine/call.ts'
import { differing, drawnByPoppler } from '../test/engine/formats/pdf-poppler.ts'
import { countWords, fold, isSyntax } from '../test/engine/formats/pdf-redacted.ts'
import { peakMegabytes } from './peak.ts'

/** What became of a file; figures of outputs only where there is one. */
export type Outcome = {
  /** `clean`, the type of an error of the engine, or what else happened. */
  kind: string
  /** Processor time of the engine, and the most memory that the process held while it ran (2^20 bytes). */
  seconds: number
  mebibytes: number
  /** Why a file was refused, and which other programs complain about it as well. */
  why?: string
  complaints?: string[]
  /** Which reader still finds which word. */
  leaks?: string[]
  /** The same of a word that this reader alone finds and puts together of two that the other one finds apart. */
  glued?: string[]
  /** What qpdf says of the output, if anything, of an input that it found whole. */
  damage?: string
  /** Pages on which one of the readers found a word, and pages that became pictures. */
  touched?: number
  pictures?: number[]
  /** Pages that were compared as poppler draws them, as none of the words was on them, and those that differ. */
  compared?: number
  differing?: { page: number; share: number }[]
  /** What the report says of a file with such pages. */
  reported?: string[]
  /**
   * Other words on pages that are still text: how many poppler misses, those that it only puts together otherwise, as all of
   * their letters stand at their place, and how many there were.
   */
  missing?: number
  rejoined?: number
  words?: number
}

const home = mkdtempSync(join(tmpdir(), 'pdf-readers-'))
process.on('exit', () => rmSync(home, { recursive: true }))
process.on('disconnect', () => process.exit())
const [input, output, unpacked] = ['in.pdf', 'out.pdf', 'unpacked.pdf'].map(name => join(home, name)) as [
  string,
  string,
  string,
]

/** The text of each page as either reader puts it; both end a page by a form feed. */
const readers = {
  poppler: (file: string) => ['pdftotext', file, '-'],
  mutool: (file: string) => ['mutool', 'draw', '-q', '-F', 'txt', file],
}
const names = ['poppler', 'mutool'] as const

const run = ([program = '', ...options]: string[]) =>
  spawnSync(program, options, { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 20_000 })

const pagesOf = (reader: keyof typeof readers, file: string): string[] =>
  run(readers[reader](file))
    .stdout.replace(/\f\s*$/, '')
    .split('\f')

/** The programs that complain about the input. */
const complaintsAbout = (file: string): string[] =>
  Object.entries({ ...readers, qpdf: (path: string) => ['qpdf', '--check', path] }).flatMap(([name, command]) => {
    const { status, stderr } = run(command(file))
    return status !== 0 || stderr.replace('warning: ICC support is not available', '').trim() !== '' ? [name] : []
  })

/** No letter or digit: labels in a row are no word. */
const label = '#'

/** Letters that MuPDF writes as they are drawn, from left to right, where a text runs the other way. */
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

type Counts = ReturnType<typeof countWords>

/** The most frequent words first. */
const frequent = (counts: Counts): string[] =>
  [...counts].sort(([a, x], [b, y]) => y.times - x.times || (a < b ? -1 : 1)).map(([word]) => word)

/** Three words of a document, such that both readers find where there are any, and one that only either finds. */
const chosen = (before: readonly (readonly string[])[]): { words: string[]; spellings: string[] } => {
  const [poppler, mutool] = before.map(pages => countWords(pages.join('\n'))) as [Counts, Counts]
  for (const word of mutool.keys()) if (fromRight.test(word)) mutool.delete(word)
  const both = frequent(poppler).filter(word => mutool.has(word))
  const single = [
    frequent(poppler).filter(word => !mutool.has(word)),
    frequent(mutool).filter(word => !poppler.has(word)),
  ]
  const alone = single.flatMap(words => words.slice(0, 1))
  const words = [...new Set([...[...both, ...single.flat()].slice(0, 3), ...alone])]
  const spellings = words.flatMap(word => [poppler, mutool].flatMap(counts => [...(counts.get(word)?.spellings ?? [])]))
  return { words, spellings: [...new Set(spellings)] }
}

/** A page as words are looked for in it: as it is, and with the words joined that a line ends within. */
const shown = (page: string): string => `${fold(page)}\n${fold(page.replace(/[-\u00ad\u2010]\s*\n\s*/g, ''))}`

const tokensOf = (pages: readonly string[]) => new Set(fold(pages.join('\n')).match(/[\p{L}\p{N}]{2,}/gu))

/** Whether a word is none of these but two of them. */
const isGlued = (word: string, tokens: ReadonlySet<string>): boolean =>
  !tokens.has(word) &&
  Array.from(word, (_, at) => at).some(at => tokens.has(word.slice(0, at)) && tokens.has(word.slice(at)))

/** A word as it stands in a line of a page, with the hyphen that parts it from the next line. */
type Placed = { text: string; left: number; right: number; top: number }

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** The words of each page as they stand in its lines, which poppler joins none of. */
const placedWords = (file: string): Placed[][] =>
  run(['pdftotext', '-bbox', file, '-'])
    .stdout.split('<page ')
    .slice(1)
    .map(page =>
      [...page.matchAll(/<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax=".+?">(.*?)<\/word>/g)].map(
        ([, left, top, right, text = '']) => ({
          text: fold(text.replace(/&\w+;/g, entity => entities[entity] ?? entity)),
          left: Number(left),
          right: Number(right),
          top: Number(top),
        }),
      ),
    )

const isAround = (a: Placed, b: Placed) => Math.abs(a.top - b.top) < 1 && a.left < b.right && b.left < a.right

const lettersAtEnd = /([\p{L}\p{N}]+)[-\u00ad\u2010]$/u

/** The words of a page by their parts: as they stand, and joined where a hyphen parts them at the end of a line. */
const partsOf = (places: readonly Placed[]): [string, Placed][][] =>
  places.flatMap((place, i) => {
    const whole = [...place.text.matchAll(/[\p{L}\p{N}]+/gu)].map(([text]): [string, Placed][] => [[text, place]])
    const next = places[i + 1]
    const [, first] = lettersAtEnd.exec(place.text) ?? []
    const [second] = /^[\p{L}\p{N}]+/u.exec(next?.text ?? '') ?? []
    const parted: [string, Placed][] =
      next && first && second
        ? [
            [first, place],
            [second, next],
          ]
        : []
    return parted.length > 0 ? [...whole, parted] : whole
  })

/**
 * How often a word stands on a page, how often another one lacks it at the same place, and how often it is but a half of a
 * word that was to go.
 */
const occurrences = (word: string, [before, after]: readonly [Placed[], Placed[]], gone: readonly string[]) => {
  const all = partsOf(before).map(parts => ({ parts, joined: parts.map(([part]) => part).join('') }))
  const halves = all
    .filter(({ parts, joined }) => parts.length > 1 && gone.some(value => joined.includes(value)))
    .flatMap(({ parts }) => parts)
    .filter(([part]) => part === word).length
  const found = all.filter(({ joined }) => joined === word)
  const stands = ([part, place]: [string, Placed]) =>
    after.some(each => isAround(each, place) && each.text.includes(part))
  return { times: found.length, lacking: found.filter(({ parts }) => !parts.every(stands)).length, halves }
}

/** The words of each page of the input and of the output at their places, which are read once they are asked for. */
const placesOf = () => {
  let places: [Placed[][], Placed[][]] | undefined
  return (page: number): [Placed[], Placed[]] => {
    places ??= [placedWords(input), placedWords(output)]
    return [places[0][page] ?? [], places[1][page] ?? []]
  }
}

/** Words that a page of the output lacks, but for those that were to go. */
const lost = (before: string, after: string, gone: readonly string[], places: () => [Placed[], Placed[]]) => {
  const left = countWords(after)
  const totals = { missing: 0, rejoined: 0, words: 0 }
  for (const [word, { times }] of countWords(before)) {
    if (gone.some(value => word.includes(value))) continue
    totals.words += times
    const unread = Math.max(0, times - (left.get(word)?.times ?? 0))
    if (unread === 0) continue
    const found = occurrences(word, places(), gone)
    const halves = Math.min(unread, found.halves)
    // What poppler shows at no place may be gone.
    const missing = Math.min(unread, found.lacking + Math.max(0, times - found.times)) - halves
    totals.words -= halves
    totals.missing += Math.max(0, missing)
    totals.rejoined += unread - halves - Math.max(0, missing)
  }
  return totals
}

/** The objects of a file that qpdf unpacked, one after the other: pages that are pictures don't fit into one string. */
function* objectsIn(bytes: Buffer): Generator<Buffer> {
  for (let [from, to] = [0, 0]; from < bytes.length; from = to) {
    const end = bytes.indexOf('endobj', from)
    to = end < 0 ? bytes.length : end + 'endobj'.length
    yield bytes.subarray(from, to)
  }
}

/** Words that stand in the bytes of the output, as qpdf unpacks it; names of the format stand in every file. */
const inBytes = (words: readonly string[], spellings: readonly string[]): string[] => {
  run(['qpdf', '--qdf', '--no-original-object-ids', '--object-streams=disable', '--warning-exit-0', output, unpacked])
  const sought = words.filter(word => !isSyntax(word))
  if (sought.length === 0) return []
  const found = new Set<string>()
  for (const object of objectsIn(readFileSync(unpacked))) {
    const strings = object
      .toString('latin1')
      .replace(/^%%.*/gm, '')
      .replace(/<([0-9A-Fa-f\s]{1,20000})>/g, (_, hex: string) =>
        Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1'),
      )
    for (const text of [fold(strings), fold(strings.replaceAll('\0', ''))])
      for (const [word] of text.matchAll(/[\p{L}\p{N}]{1,100}/gu)) if (sought.includes(word)) found.add(word)
  }
  // Another word may hold one without its accents.
  const gone = spellings.filter(spelling => sought.includes(fold(spelling)))
  const scanned = verifyBytes(readFileSync(output), { digest: '', visible: [], gone }, 2 ** 31)
  return [...[...found].map(word => `bytes: ${word}`), ...scanned.map(() => 'scan of the bytes')]
}

/** Of the pages without a match: how many were compared with how they were drawn before, and those that differ. */
const drawnOtherwise = (before: Uint8Array, after: Uint8Array, pages: ReadonlySet<number>) => {
  const [old, fresh] = [drawnByPoppler(before, 40, 20), drawnByPoppler(after, 40, 20)]
  const both = old.flatMap((page, i) => (pages.has(i) ? [{ page: i + 1, share: differing(page, fresh[i]) }] : []))
  return { compared: both.length, differing: both.filter(({ share }) => share > 0.0005) }
}

const forgetPeak = () => writeFileSync('/proc/self/clear_refs', '5')

const anonymised = async (bytes: Uint8Array, pattern: string) => {
  const rules = [regexRule('word', pattern, { flags: 'i', replacement: { text: label } })]
  const { output, report } = await anonymise(call({ input: bufferInput('file.pdf', bytes), rules }))
  const reported = [...report.dropped.map(({ what }) => what), ...report.warnings]
  return { after: await output.read(0, output.size), pictures: report.rasterised, reported }
}

/** Compares the pages without a match; of a short document that has none, all pages after a run that finds nothing. */
const looksOf = async (
  bytes: Uint8Array,
  done: Awaited<ReturnType<typeof anonymised>> & { seconds: number },
  touched: readonly boolean[],
) => {
  const pages = (pictures: readonly number[]) =>
    new Set(touched.flatMap((found, i) => (found || pictures.includes(i + 1) ? [] : [i])))
  const without = pages(done.pictures)
  if (without.size > 0 || touched.length > 4 || done.seconds > 2) return drawnOtherwise(bytes, done.after, without)
  const { after, pictures } = await anonymised(bytes, 'nothing at all')
  return drawnOtherwise(bytes, after, new Set(touched.flatMap((_, i) => (pictures.includes(i + 1) ? [] : [i]))))
}

const work = async (path: string): Promise<Outcome> => {
  const bytes = readFileSync(path)
  writeFileSync(input, bytes)
  const before = names.map(name => pagesOf(name, input))
  const { words, spellings } = chosen(before)
  forgetPeak()
  const start = process.cpuUsage()
  const used = () => {
    const { user, system } = process.cpuUsage(start)
    return { seconds: (user + system) / 1e6, mebibytes: peakMegabytes() }
  }
  try {
    const done = await anonymised(bytes, spellings.join('|') || 'nothing at all')
    const outcome = { kind: 'clean', ...used(), pictures: done.pictures }
    writeFileSync(output, done.after)
    const after = names.map(name => pagesOf(name, output))
    const { leaks = [], glued = [] } = Object.groupBy(
      names.flatMap((name, i) =>
        words
          .filter(word => after[i]!.some(page => shown(page).includes(word)))
          .map(word => ({ name, word, other: 1 - i })),
      ),
      ({ word, other }) => (isGlued(word, tokensOf(before[other]!)) ? 'glued' : 'leaks'),
    )
    const told = (found: typeof leaks) => found.map(({ name, word }) => `${name}: ${word}`)
    const pages = Math.max(...before.map(each => each.length))
    const touched = Array.from({ length: pages }, (_, i) =>
      before.some(each => words.some(word => shown(each[i] ?? '').includes(word))),
    )
    const places = placesOf()
    const kept = before[0]!.flatMap((page, i) =>
      outcome.pictures.includes(i + 1) ? [] : [lost(page, after[0]![i] ?? '', words, () => places(i))],
    )
    const { status, stderr } = run(['qpdf', '--check', output])
    const wasWhole = status === 0 || run(['qpdf', '--check', input]).status === 0
    return {
      ...outcome,
      leaks: [...told(leaks), ...inBytes(words, spellings)],
      glued: told(glued),
      ...(status !== 0 && wasWhole && { damage: stderr.replaceAll(output, '').slice(0, 200) }),
      touched: touched.filter(Boolean).length,
      ...(await looksOf(bytes, { ...done, ...outcome }, touched)),
      reported: done.reported,
      missing: kept.reduce((sum, { missing }) => sum + missing, 0),
      rejoined: kept.reduce((sum, { rejoined }) => sum + rejoined, 0),
      words: kept.reduce((sum, each) => sum + each.words, 0),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) return { kind: String(error), ...used() }
    return { kind: error.type, ...used(), why: error.message, complaints: complaintsAbout(input) }
  }
}

process.on('message', async path => process.send?.(await work(String(path))))
