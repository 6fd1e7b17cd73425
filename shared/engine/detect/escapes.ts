import { marksAndRuns } from './byte-marks.ts'
import type { Codes } from './code-search.ts'
import { codesIn, type Places } from './codes.ts'
import { colourStart, escapesIn, plusForBlank, quoteSigns, tagStart, withBlanks } from './escape-forms.ts'
import { aside, choiceMark, fallbackMark, seam, telling, wrapMark } from './normalise.ts'
import { separator } from './regex/separator.ts'
import { perEscape, type ResolvedText, resolvedAgain } from './resolved-text.ts'
import { lazyUnits, nextUnit, type Units } from './units.ts'

/** A stretch of the source, which begins there at `base`; nothing if it reads as it stands after all. */
function read(source: string, base: number): ResolvedText | undefined {
  const escaped: number[] = []
  let text = ''
  let copied = 0
  for (const { at: begin, said } of escapesIn(source)) {
    let at = begin
    for (const { text: character, length } of said) {
      text += source.slice(copied, at)
      const begun = text.length
      text += character
      escaped.push(begun, text.length, base + at, base + at + length)
      at += length
      copied = at
    }
  }
  if (escaped.length === 0) return undefined
  return { text: text + source.slice(copied), base, escaped }
}

/** How often escapes are escaped: a link within a link within a link. */
const deepest = 3

/** The same as it reads, and where that holds escapes again, as what these say. */
function readings(source: string, base: number): ResolvedText[] {
  const all: ResolvedText[] = []
  for (
    let resolved = read(source, base);
    resolved && all.length <= deepest;
    resolved = resolvedAgain(resolved, escapesIn)
  )
    all.push(resolved)
  return all
}

const none: ResolvedText[] = []

/** What a text must hold to read otherwise. In texts with characters beyond Latin-1 the units that it begins with are faster to find. */
type Candidates = { pattern: RegExp; wide?: { units: () => Units; sticky: RegExp } }

const candidates = (pattern: string, units: string): Candidates => ({
  pattern: new RegExp(pattern, 'g'),
  wide: { units: lazyUnits(units), sticky: new RegExp(pattern, 'y') },
})

const beyondLatin = /[^\0-\xff]/

/** Where the first of them stands in a source from a place on; -1 where none does. */
function marksIn(source: string, { pattern, wide }: Candidates): Places {
  if (!wide || !beyondLatin.test(source))
    return from => {
      pattern.lastIndex = from
      return pattern.exec(source)?.index ?? -1
    }
  const units = wide.units()
  return from => {
    for (let at = nextUnit(source, units, from); at >= 0; at = nextUnit(source, units, at + 1)) {
      wide.sticky.lastIndex = at
      if (wide.sticky.test(source)) return at
    }
    return -1
  }
}

/** Where the marks and the texts in base64 of a source are, for places that are asked for in order. */
type Finder = { marks: Places; codes: Codes }

const finderOf = (source: string, wanted: Candidates): Finder => ({
  marks: marksIn(source, wanted),
  codes: codesIn(source),
})

/** Where the first of both begins. */
function firstOfBoth({ marks, codes }: Finder): Places {
  let mark: number | undefined
  return from => {
    if (mark === undefined || (mark >= 0 && mark < from)) mark = marks(from)
    const code = codes(from)?.start ?? -1
    return mark < 0 || code < 0 ? Math.max(mark, code) : Math.min(mark, code)
  }
}

/** The stretches of a source between ends that hold one of the places, as they read; a text in base64 is never cut. */
function stretches(source: string, finder: Finder, isEnd: (code: number) => boolean, by = readings): ResolvedText[] {
  const next = firstOfBoth(finder)
  const endFrom = (from: number) => {
    let end = from
    while (end < source.length && !isEnd(source.charCodeAt(end))) end++
    return end
  }
  let at = next(0)
  if (at < 0) return none
  const found: ResolvedText[] = []
  while (at >= 0) {
    let start = at
    while (start > 0 && !isEnd(source.charCodeAt(start - 1))) start--
    let end = endFrom(at)
    for (let code = finder.codes(at); code && code.start < end && end < source.length; code = finder.codes(code.end))
      end = Math.max(end, endFrom(code.end))
    found.push(...by(source.slice(start, end), start))
    at = next(Math.max(end, at + 1))
  }
  return found
}

const written = String.raw`[%\\&\0\x08]|${tagStart}|${colourStart}|${plusForBlank}|${quoteSigns}`
const writtenUnits = String.raw`[%\\&\0\x08<>\x1b#^+]`
const inText = candidates(`${written}|${telling.all.pattern}`, `${writtenUnits}|${telling.all.units}`)
const inWords = candidates(`${written}|${telling.words.pattern}`, `${writtenUnits}|${telling.words.units}`)
/** The same in UTF-8 read as characters, or at least the first bytes that lead to one of them. */
const anyByte = String.raw`${written}|\xd8\x9c|\xf3\xa0|\xc2[\xa0\xad\xb2\xb3\xb9]|[\xcc\xcd\xe0]|\xd9[\xa0-\xa9]|\xdb[\xb0-\xb9]|\xdf[\x80-\x89]|\xe1[\x81\x9f\xa0]|\xe3\x80\x80|\xe2(?:\x80[\x80-\x91\xaa-\xaf]|\x81[\x9f-\xb9]|[\xbc-\xbf]|(?:\x80[\x92\x93]|\x88\x92)(?:(?=[0-9])|(?<=[0-9]...)))|\xef[\xac-\xbf]|\xf0\x9d`
export const inBytes = { search: new RegExp(anyByte, 'g'), sticky: new RegExp(anyByte, 'y') }

/** A hyphen that may belong to the word or only part it at the end of a line, and a space that may be none, behind a hyphen too. */
const parting = /-\u00ad|-? \u2060/g

/** Signs that say nothing, so many as a stretch has. */
const nothing = (stretch: string) => '\u00ad'.repeat(stretch.length)

/** A hyphen that may only part a word at the end of a line, and one that does so by all appearances: small letters follow. */
export const brokenAt = '-\u00ad'
const smallLetter = /\p{Ll}/u
const hyphenated = /-\u00ad(?=\p{Ll})/gu
const lineEnds = new RegExp(`${brokenAt}|${wrapMark}`, 'g')
const wraps = new RegExp(`[ \\n]${wrapMark}`, 'g')
const brokenTwice = /-\u00ad[^\s\u00ad]*-\u00ad/

/** A text with the words joined that line ends hyphenate by all appearances, and no marks of wraps; nothing where it has none. */
export function withoutHyphenation(source: string): ResolvedText | undefined {
  if (!source.includes(brokenAt) && !source.includes(wrapMark)) return undefined
  const escaped: number[] = []
  let text = ''
  let copied = 0
  for (const { index, 0: mark } of source.matchAll(lineEnds)) {
    const isKept = mark !== wrapMark && !smallLetter.test(source.charAt(index + mark.length))
    const from = isKept ? index + 1 : index
    text += source.slice(copied, from)
    copied = index + mark.length
    escaped.push(text.length, text.length, from, copied)
  }
  return { text: text + source.slice(copied), base: 0, escaped }
}

/** Ends of lines by all appearances between words: what stands on both sides is of two kinds. */
const betweenWords = new RegExp(
  `(?<=\\p{Ll})[ \\n]${wrapMark}(?=[\\p{Lu}\\p{N}])|(?<=\\p{N})[ \\n]${wrapMark}(?=\\p{L})`,
  'gu',
)

/**
 * What a stretch says where no line ends but where its words do, by all appearances and all of them joined; with hyphens at such ends,
 * and without.
 */
function unwrapped(source: string, base: number): ResolvedText[] {
  if (!source.includes(wrapMark)) return none
  const joined = [
    source.replaceAll(wraps, nothing),
    source.replaceAll(betweenWords, ' \u00ad').replaceAll(wraps, nothing),
  ]
  const bare = joined.map(text => text.replaceAll(parting, nothing))
  return [...new Set([...joined, ...bare])].flatMap(text => ({ ...read(text, base)!, isWrapped: true as const }))
}

const otherLineEnd = new RegExp(`\\n(?!${wrapMark})`)

/** What the lines of a text say that such ends may join. */
function unwrappedLines(source: string): ResolvedText[] {
  if (!source.includes(wrapMark)) return none
  let base = 0
  return source.split(otherLineEnd).flatMap(lines => {
    const start = base
    base += lines.length + 1
    return lines.includes(wrapMark) ? unwrapped(lines, start) : none
  })
}

/** The parts of a stretch that stand on lines of their own. */
export const wrappedParts = (stretch: string): string[] => stretch.split(wraps)

/** What a stretch says with all joined that may be parted or not; where line ends part a word twice, also what it is by all appearances. */
function joinedReadings(source: string, base: number): ResolvedText[] {
  const joined = source.replaceAll(parting, nothing).replaceAll(asides, nothing).replaceAll(seam, nothing)
  const likely = brokenTwice.test(source) ? source.replaceAll(hyphenated, nothing) : source
  return [...new Set([joined, likely])].flatMap(text => (text === source ? [] : (read(text, base) ?? [])))
}
const asides = new RegExp(`${aside}[^\ufeff]*${aside}`, 'g')
const marks = ['\u00ad', '\u2060', '\ufeff', wrapMark]
const choices = new RegExp(`${choiceMark}[^]*?${choiceMark}`, 'g')
const fallbacks = new RegExp(`${fallbackMark}[^]*?${fallbackMark}`, 'g')
const branchMarks = new RegExp(`${choiceMark}|${fallbackMark}`, 'g')

const hasBranches = (text: string) => text.includes(choiceMark) || text.includes(fallbackMark)
const withoutBranch = (text: string, branch: RegExp) =>
  text.replaceAll(branch, nothing).replaceAll(branchMarks, nothing)

/** A whole text as it reads where that is otherwise than it stands: for patterns, which may ask where it begins and ends. */
export function textWithEscapes(source: string): ResolvedText[] {
  const found = stretches(source, finderOf(source, inText), () => false)
  if (found === none || !marks.some(mark => source.includes(mark))) return found
  const branches = [fallbacks, choices]
  const texts = hasBranches(source) ? branches.map(branch => withoutBranch(source, branch)) : [source]
  const more = texts
    .flatMap(text => [text === source ? undefined : read(text, 0), ...joinedReadings(text, 0), ...unwrapped(text, 0)])
    .filter(one => one !== undefined)
  return more.length > 0 ? [...found, ...more] : found
}

/** What is left of a stretch that two kinds of programs show otherwise: what the others show where it ends within that. */
function ofOneBranch(stretch: string): string {
  const chosen = stretch.replaceAll(fallbacks, nothing)
  return withoutBranch(stretch, chosen.includes(fallbackMark) ? choices : fallbacks)
}

/** The same for texts of one asset: one that is asked for several times in a row is read once. */
export function readingTexts(): typeof textWithEscapes {
  let last: string | undefined
  let found = none
  return source => {
    if (source !== last) [last, found] = [source, textWithEscapes(source)]
    return found
  }
}

const endsLine = (code: number) => code === 10 || code === 13

/** Letters that are spaced out. */
const spacedOut = /\S \u2060\S \u2060/

/** The same as {@link readings}, and what a line says where a word goes on behind the hyphen of a line end, or is spaced out. */
const readingsOfLine = (line: string, base: number): ResolvedText[] =>
  line.includes(brokenAt) || (line.includes('\u2060') && spacedOut.test(line))
    ? [...readings(line, base), ...joinedReadings(line, base)]
    : readings(line, base)

/**
 * The lines of a text that read otherwise: for models. Those that read words see through spaces and hyphens of other kinds
 * themselves, and take their time; the others are `literal`.
 */
export function linesWithEscapes(source: string, literal = true): ResolvedText[] {
  if (!literal) return stretches(source, finderOf(source, inWords), endsLine)
  const found = stretches(source, finderOf(source, inText), endsLine, readingsOfLine)
  const more = unwrappedLines(source)
  return more.length > 0 ? [...found, ...more] : found
}

/** Turns ascending offsets in a text into offsets in its UTF-8 form. */
function toBytes(text: string, places: readonly number[]): number[] {
  let unit = 0
  let byte = 0
  return places.map(place => {
    byte += Buffer.byteLength(text.slice(unit, place))
    unit = place
    return byte
  })
}

/** The same as {@link readings}, of a cell in UTF-8. */
function readBytes(bytes: string, base: number): ResolvedText[] {
  const cell = Buffer.from(bytes, 'latin1').toString('utf8')
  if (firstOfBoth(finderOf(cell, inText))(0) < 0) return none
  return readings(cell, 0).map(resolved => inBytesOf(cell, resolved, base))
}

/** A cell as it reads, as UTF-8. */
function inBytesOf(cell: string, { text, escaped }: ResolvedText, base: number): ResolvedText {
  const places = (first: number) => escaped.filter((_, index) => (index % perEscape) >> 1 === first)
  const [within, outside] = [toBytes(text, places(0)), toBytes(cell, places(1))]
  return {
    text: Buffer.from(text).toString('latin1'),
    base,
    escaped: within.flatMap((start, index) =>
      index % 2 === 1 ? [] : [start, within[index + 1]!, base + outside[index]!, base + outside[index + 1]!],
    ),
  }
}

/** The cells that read otherwise, of many joined by fences as UTF-8; what they say is UTF-8 as well. */
export function cellsWithEscapes(bytes: string): ResolvedText[] {
  const { marks, runs } = marksAndRuns(bytes, inBytes)
  return stretches(bytes, { marks, codes: codesIn(bytes, runs) }, endsCell, readBytes)
}

const endsCell = (code: number) => code === separator.charCodeAt(0)

/** A stretch of text as it reads, without what only some see within it. */
export function withoutEscapes(stretch: string): string {
  const branch = hasBranches(stretch) ? ofOneBranch(stretch) : stretch
  const whole = branch.includes(aside) ? branch.replaceAll(asides, nothing) : branch
  const text = withBlanks(withoutHyphenation(whole)?.text ?? whole)
  return readings(text, 0).at(-1)?.text ?? text
}
