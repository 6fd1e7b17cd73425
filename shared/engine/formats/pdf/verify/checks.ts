import type { PDFDocument } from '@cantoo/pdf-lib'
import { EngineError } from '../../../errors.ts'
import { ocrLanguages, startOcr } from '../../../ocr/ocr.ts'
import { OcrPending } from '../../../ocr/pending.ts'
import { byteScan } from '../../../verify/byte-scan.ts'
import { buildSearch, shortestSought } from '../../../verify/search.ts'
import type { Expected, FormatContext, Leak, Look } from '../../format.ts'
import { unknownLetter } from '../fonts/standard-fonts.ts'
import type { Reader } from '../page-reader.ts'
import { type PictureText, pictureReader, wordPlaces } from '../pictures/pictures.ts'
import type { CharPlace } from '../text/char-place.ts'
import { spelling, unaccented } from '../text/normalise-text.ts'
import { plainText, readPage } from '../text/page-text.ts'
import { layers } from './decoded-streams.ts'
import { fineLookOf, lookOf, looksTheSame } from './looks.ts'
import { spokenByStructure } from './spoken.ts'

/** Runs of spaces but for a single plain one, which stays as it is. */
const spaces = / \s+|[^\S ]\s*/gu

/** Text as values are looked for in it: spelt as rules see it, one space for any run of them. */
const plain = (text: string): string => spelling(text).replace(spaces, ' ')

/** Spaces, hyphens and what isn't seen: readers set and drop these as they like. */
const ignored = /[\s\p{Cf}\p{Cc}\ufffd-]/u

/** For each UTF-16 unit, what it counts as; 0 for those that don't count. */
const classes = Int32Array.from({ length: 65_536 }, (_, unit) => {
  const char = String.fromCharCode(unit)
  if (ignored.test(char)) return 0
  // Readers turn brackets around in text that runs from right to left.
  return '()[]{}<>«»'.includes(char) ? 40 : unit
})

/** What a page shows beyond what is expected of it, and what it lacks, in characters. */
type Difference = { extra: number; missing: number }

/** What labels write for letters that their font lacks. */
const dot = unknownLetter.charCodeAt(0)

/** How many more of each kind were expected than are there; of none between two comparisons. */
const balance = new Int32Array(65_536)

/**
 * Counts characters, wherever they stand, without their accents: ligatures and other forms count as what they mean. A
 * dot that a label writes for a letter of another alphabet is no loss that matters.
 */
const compare = (expected: string, actual: string): Difference => {
  const kinds: number[] = []
  const count = (text: string, by: number) => {
    for (let i = 0; i < text.length; i++) {
      const kind = classes[text.charCodeAt(i)] as number
      if (kind === 0) continue
      if (balance[kind] === 0) kinds.push(kind)
      balance[kind]! += by
    }
  }
  const [wanted, shown] = [unaccented(expected), unaccented(actual)]
  count(wanted, 1)
  count(shown, -1)
  let [extra, missing, dots] = [0, 0, 0]
  for (const kind of kinds) {
    const left = balance[kind] as number
    balance[kind] = 0
    if (left > 0) missing += left
    else if (kind === dot) dots -= left
    else extra -= left
  }
  return { extra, missing: Math.max(0, missing - dots) }
}

const leak = (page: number, reason: string): Leak => ({
  type: 'leak_detected',
  place: { kind: 'body', page },
  reason,
  escalation: { kind: 'rasterise', page },
})

/** Whether a page is one picture and no text: a scan, or a page that was turned into pixels. */
const isPicture = (reader: Reader, index: number): boolean =>
  reader.page(index, page => {
    const { pdfium } = reader
    const count = pdfium.FPDFPage_CountObjects(page)
    return count === 1 && pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, 0)) === 3
  })

/** Why a page of the output is not what it should be, but for its pictures; nothing when it is. */
const faultOf = (reader: Reader, index: number, wanted: string, holds: Holds, second: string): Leak | undefined => {
  const page = index + 1
  const text = plainText(reader, index)
  let { extra, missing } = compare(wanted, text)
  // Copies of letters that make them look bold are read as the letters once.
  if (extra > 0) ({ extra, missing } = compare(wanted, readPage(reader, index).text))
  if (extra > 0) return { ...leak(page, 'The page shows text that was not expected'), unexpected: text }
  if (missing > 0 && !(text.trim() === '' && isPicture(reader, index)))
    return leak(page, 'The page lacks text that was expected')
  if (holds(text) || holds(second)) return leak(page, 'A reader still finds a replaced value on the page')
  return undefined
}

/** Compares what the pages of the output show with what they should show, in text and in pictures. */
export const verifyPages = async (
  reader: Reader,
  expected: Expected,
  second: readonly string[],
  doubtful: ReadonlySet<number>,
  context: FormatContext,
): Promise<Leak[]> => {
  const wanted = new Map<number, string>()
  for (const { place, text } of expected.visible)
    if (place.kind === 'body' && place.page) wanted.set(place.page, (wanted.get(place.page) ?? '') + text)
  if (wanted.size > 0 && Math.max(...wanted.keys()) > reader.pages)
    throw new EngineError('leak_detected', 'The output lacks pages')
  const { gone } = expected
  const holds = holdsOneOf(gone)
  const { readings, options, signal } = context
  const pictures = pictureReader(reader, doubtful, () => startOcr(ocrLanguages(options), signal), readings?.known)
  const looks = Map.groupBy(expected.looks ?? [], ({ page }) => page - 1)
  const changed: Leak[] = []
  const look = (index: number) => changed.push(...verifyLooks(reader, looks.get(index) ?? []))
  const leaks: Leak[] = []
  // A page that is to become a picture is read when it is one.
  const shown: number[] = []
  for (let index = 0; index < reader.pages; index++) {
    signal.throwIfAborted()
    const fault = faultOf(reader, index, wanted.get(index + 1) ?? '', holds, second[index] ?? '')
    if (!fault && gone.length > 0 && pictures.shows(index)) shown.push(index)
    else {
      // While the page is loaded.
      look(index)
      if (fault) leaks.push(fault)
    }
  }
  const seen = await verifyPictures(reader, pictures, shown, look, holds, leaks.length > 0, context)
  return [...changed, ...leaks, ...seen]
}

/** Compares how pages look with how they did. */
const verifyLooks = (reader: Reader, looks: readonly Look[]): Leak[] =>
  looks.flatMap(look => {
    const now = reader.page(look.page - 1, page => (look.fine ? fineLookOf : lookOf)(reader, page))
    if (looksTheSame(look, now)) return []
    return [{ ...leak(look.page, 'The page does not look as it did'), type: 'corrupt_file' as const }]
  })

/** Most words of a picture among which a value is looked for. */
const mostWords = 12

/** Where the fewest words stand that hold a replaced value, in what was read of a page that is a picture. */
const placesHolding = (reader: Reader, index: number, read: PictureText, holds: Holds): CharPlace[] => {
  const { text, wordAt, words } = read
  const [starts, ends] = [words.map(() => text.length), words.map(() => 0)]
  wordAt.forEach((word, at) => {
    if (word < 0) return
    starts[word] = Math.min(starts[word]!, at)
    ends[word] = at + 1
  })
  const holdsFrom = (first: number, last: number) => first <= last && holds(text.slice(starts[first], ends[last]))
  return words.flatMap((_, last) => {
    let first = last
    while (first > Math.max(0, last - mostWords) && !holdsFrom(first, last)) first--
    if (!holdsFrom(first, last) || holdsFrom(first, last - 1)) return []
    return wordPlaces(reader, index, read, starts[first]!, ends[last]!)
  })
}

/**
 * Looks at pages of the output and reads their pictures, each decoded once for both. Those too many for one run are left to
 * the next where it is sure to come.
 */
const verifyPictures = async (
  reader: Reader,
  pictures: ReturnType<typeof pictureReader>,
  pages: number[],
  look: (index: number) => void,
  holds: Holds,
  comesAgain: boolean,
  { readings, signal }: FormatContext,
): Promise<Leak[]> => {
  const leaks: Leak[] = []
  try {
    if (readings) {
      const unread = pictures.unread(pages)
      if (unread.length > readings.most && comesAgain) {
        pages.forEach(look)
        return []
      }
      if (unread.length > readings.most) throw new OcrPending(unread, 'output')
    }
    for (const [i, index] of pages.entries()) {
      signal.throwIfAborted()
      look(index)
      const read = await pictures.read(index, pages[i + 1])
      if (!read || !holds(read.text)) continue
      const found = leak(index + 1, 'A picture still shows a replaced value')
      const places = isPicture(reader, index) ? placesHolding(reader, index, read, holds) : []
      leaks.push(places.length > 0 ? { ...found, escalation: { kind: 'cover', page: index + 1, places } } : found)
    }
  } finally {
    await pictures.close()
  }
  return leaks
}

const brokenLine = /-\u00ad|[-\u00ad\u2010\u2011]\s*\n\s*/gu

/** Whether a text, as a reader found it, holds one of some values. */
type Holds = (text: string) => boolean

/** Characters of the shortest value that is looked for over the ends of lines: of fewer, some stand there by chance. */
const shortestWrapped = 10
const withoutLineEnds = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .join('')

const holdsOneOf = (values: readonly string[]): Holds => {
  const gone = values.map(plain)
  const isIn = searchFor(gone)
  const wrapped = gone.filter(text => text.length >= shortestWrapped && !/\s/.test(text))
  const isWrapped = wrapped.length > 0 ? searchFor(wrapped) : () => false
  return text => {
    const joined = text.replace(brokenLine, '')
    const readings = joined === text ? [text] : [text, joined, text.replace(brokenLine, '-')]
    return readings.some(read => isIn(plain(read)) || isWrapped(plain(withoutLineEnds(read))))
  }
}

const searchFor = (gone: readonly string[]): Holds => {
  const patterns = gone.map((text, value) => ({ bytes: Buffer.from(text, 'utf8'), value }))
  const search = buildSearch(patterns)
  // Spelt as rules see it a value may be shorter than what the search takes.
  const short = patterns.filter(({ bytes }) => bytes.length < shortestSought).map(({ value }) => gone[value] as string)
  return text => {
    let found = short.some(value => text.includes(value))
    search.run(Buffer.from(text, 'utf8'), () => {
      found = true
      return true
    })
    return found
  }
}

/** Looks for replaced values in what the structure of the output says in several texts. */
export const verifySpoken = (document: PDFDocument, { gone }: Expected): Leak[] => {
  const spoken = spokenByStructure(document)
  // Fewer letters stand by chance where one text follows another.
  const long = spoken.length > 0 ? gone.filter(text => Buffer.byteLength(plain(text)) >= shortestSought) : []
  if (long.length === 0 || !spoken.some(holdsOneOf(long))) return []
  const reason = 'The structure of the file still holds a replaced value'
  return [{ type: 'leak_detected', place: { kind: 'meta' }, reason }]
}

/** Looks for replaced values in everything that can be decompressed from the output's bytes. */
export const verifyBytes = (bytes: Uint8Array, expected: Expected, inflatedLimit: number): Leak[] => {
  if (expected.gone.length === 0) return []
  const scan = byteScan(expected.gone)
  for (const layer of layers(bytes, expected.gone, inflatedLimit)) {
    scan.next()
    scan.push(layer)
  }
  const { plain: seen, hidden } = scan.found()
  if (seen.size + hidden.size === 0) return []
  return [
    {
      type: 'leak_detected',
      place: { kind: 'meta' },
      reason: 'The bytes of the file still hold a replaced value',
    },
  ]
}
