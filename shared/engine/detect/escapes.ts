import { entityText } from '../formats/text/named-entities.ts'
import { codesIn, shortestCode } from './codes.ts'
import { aside, clusters, noteNumber, reading, readingOf, respelt, seam, telling } from './normalise.ts'
import { separator } from './regex/separator.ts'
import { lazyUnits, nextUnit, type Units } from './units.ts'

/** What a text, a line or a cell says once its escapes are resolved and its characters are spelt as usual. */
export type ResolvedText = {
  text: string
  /** Where it begins in the source. */
  base: number
  /** Of each character that is escaped or spelt otherwise, in turn: where it begins and ends in `text`, and in the source. */
  escaped: number[]
}
const perEscape = 4

/**
 * Short escapes of strings in programs, logs and calendars. In Markdown, TeX and shells a backslash takes its meaning from a sign:
 * `ann\_b`. One that is escaped itself escapes nothing.
 */
const short: Record<string, string> = { n: '\n', N: '\n', r: '\r', t: '\t' }

/**
 * Names of tags that stand within a line, and often within a name: those of HTML and of text/enriched (RFC 1896). Others
 * part what is in front of them from what follows.
 */
const inline = new Set(
  'b i u s q em strong strike del ins big small span font a abbr mark code kbd tt wbr nobr bold italic underline fixed smaller bigger color fontfamily'.split(
    ' ',
  ),
)
/** What reads otherwise within a tag is read there, and such a tag is not seen through. */
const plainAttributes = String.raw`(?:[^<>%&\\\u0080-\u{10ffff}]|\\["'])`
const wholeTag = String.raw`<(?:\\?/)?([A-Za-z]{1,10})(?:\s${plainAttributes}{0,300})?(?:\\?/)?>`
const tagStart = String.raw`<(?:\\?/)?[A-Za-z]{1,10}(?=[\s>/\\])`

/**
 * What sets colours of a terminal or erases a line, by the character that begins it or as strings, logs and people write that one.
 * What moves to another place parts what is in front of it from what follows, and is left. Commands end with a bell or a sign of
 * their own: links (8), titles.
 */
const command = String.raw`\x1b\](?:(8);)?[^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)`
const colour = String.raw`(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e)|#033|\^\[)(?:\[(?:\d{1,3}[;:]{1,2}){0,20}\d{0,3}[mK]|\(B)`
/** What printers and terminals strike over one another: a letter made bold or underlined, as pages of manuals have it. */
const overstruck = String.raw`(?:[^\n\x08]\x08)+[^\n\x08]`
const colourStart = String.raw`\x1b|#033\[|\^\[\[`

/** The escapes of URLs, of JSON and of markup, and characters that are spelt otherwise than rules expect. */
const escapes = new RegExp(
  [
    `(${colour}|${command.replace('(8)', '8')})`,
    String.raw`((?:%[0-9A-Fa-f]{2})+|(?:\\x[0-9A-Fa-f]{2})+)`,
    String.raw`\\(?:u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([\/nNrt\n\x20'()*+,\-.:;=@[\]_#~])|\\)`,
    '&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));',
    `(${respelt.pattern})`,
    wholeTag,
    `(${noteNumber.pattern})`,
    `(${overstruck})`,
  ].join('|'),
  'uy',
)
/** The units that they begin with. */
const beginnings = lazyUnits(String.raw`[%\\&<\x08\x1b#^${noteNumber.units}]|${respelt.units}`, 'u')
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const pair = (high: string, low: string) =>
  0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff)

/** The characters of bytes, each written as `%41` or `\x41`, in UTF-8 or else in Latin-1. */
function resolveBytes(escaped: string): { text: string; length: number }[] {
  const mark = escaped.startsWith('%') ? '%' : '\\x'
  const width = mark.length + 2
  const single = escaped.length === width ? Number.parseInt(escaped.slice(mark.length), 16) : 0x80
  if (single < 0x80) return [{ text: String.fromCharCode(single), length: width }]
  const bytes = Buffer.from(escaped.replaceAll(mark, ''), 'hex')
  const resolved = (text: string, length: number) => ({ text: readingOf(text), length: length * width })
  try {
    return Array.from(decoder.decode(bytes), text => resolved(text, Buffer.byteLength(text)))
  } catch {
    return Array.from(bytes.toString('latin1'), text => resolved(text, 1))
  }
}

/** The characters of one escape, each with its length in the source; nothing where it stands for no character. */
function resolve(found: RegExpExecArray): { text: string; length: number }[] {
  const [whole, terminal, percent, high, low, unit, letter, decimal, hex, name, spelt, tagName, number, struck] = found
  if (terminal !== undefined || number !== undefined) return [{ text: '', length: whole.length }]
  if (struck !== undefined) {
    const letter = Array.from(struck).findLast(sign => sign !== '_' && sign !== '\b') ?? '_'
    return [{ text: readingOf(letter), length: whole.length }]
  }
  if (spelt !== undefined) {
    const text = readingOf(spelt)
    return text === spelt ? [] : [{ text, length: spelt.length }]
  }
  if (tagName !== undefined) {
    const lower = tagName.toLowerCase()
    return lower === 'br' || inline.has(lower) ? [{ text: lower === 'br' ? '\n' : '', length: whole.length }] : []
  }
  if (percent !== undefined) return resolveBytes(percent)
  if (letter !== undefined) return [{ text: short[letter] ?? letter, length: whole.length }]
  if (name !== undefined) {
    const text = entityText(name)
    return text === undefined ? [] : [{ text: readingOf(text), length: whole.length }]
  }
  if (high === undefined && unit === undefined && decimal === undefined && hex === undefined) return []
  const code =
    high !== undefined
      ? pair(high, low!)
      : decimal !== undefined
        ? Number(decimal)
        : Number.parseInt((unit ?? hex)!, 16)
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000)
  return isCharacter ? [{ text: readingOf(String.fromCodePoint(code)), length: whole.length }] : []
}

type Escape = { at: number; said: { text: string; length: number }[] }

/** The escapes of a stretch, in order, and the texts in base64. */
function* escapesIn(source: string): Generator<Escape> {
  const next = codesIn(source)
  const codeAt = (from: number): (Escape & { end: number }) | undefined => {
    const code = next(from)
    if (code === undefined) return undefined
    const { start, end, text } = code
    return { at: start, end, said: [{ text: reading(text), length: end - start }] }
  }
  let code = codeAt(0)
  let passed = 0
  for (const found of clusters(source, escapes, beginnings())) {
    for (; code !== undefined && code.at <= found.index; code = codeAt(passed)) {
      yield code
      passed = code.end
    }
    // A tag that holds a text in base64 is not seen through.
    const end = found.index + found[0].length
    if (found.index >= passed && (code === undefined || end <= code.at)) yield { at: found.index, said: resolve(found) }
  }
  for (; code !== undefined; code = codeAt(code.end)) yield code
}

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

const none: ResolvedText[] = []

/** What a text must hold to read otherwise. In texts with characters beyond Latin-1 the units that it begins with are faster to find. */
type Candidates = { pattern: RegExp; wide?: { units: () => Units; sticky: RegExp } }

const candidates = (pattern: string, units: string): Candidates => ({
  pattern: new RegExp(pattern, 'g'),
  wide: { units: lazyUnits(units), sticky: new RegExp(pattern, 'y') },
})

const beyondLatin = /[^\0-\xff]/

/** Where the first of them stands in a source from a place on; -1 where none does. */
function marksIn(source: string, { pattern, wide }: Candidates): (from: number) => number {
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

/** The same, or where a text in base64 begins, for places that are asked for in order. */
function finderOf(source: string, wanted: Candidates): (from: number) => number {
  const marks = marksIn(source, wanted)
  const codes = codesIn(source)
  let mark: number | undefined
  return from => {
    if (mark === undefined || (mark >= 0 && mark < from)) mark = marks(from)
    const code = codes(from)?.start ?? -1
    return mark < 0 || code < 0 ? Math.max(mark, code) : Math.min(mark, code)
  }
}

/** The stretches of a source between ends that hold one of the candidates, as they read. */
function stretches(source: string, wanted: Candidates, isEnd: (code: number) => boolean, by = read): ResolvedText[] {
  const next = finderOf(source, wanted)
  let at = next(0)
  if (at < 0) return none
  const found: ResolvedText[] = []
  while (at >= 0) {
    let start = at
    let end = at
    while (start > 0 && !isEnd(source.charCodeAt(start - 1))) start--
    while (end < source.length && !isEnd(source.charCodeAt(end))) end++
    const resolved = by(source.slice(start, end), start)
    if (resolved) found.push(resolved)
    at = next(Math.max(end, at + 1))
  }
  return found
}

const written = String.raw`[%\\&\0\x08]|${tagStart}|${colourStart}`
const writtenUnits = String.raw`[%\\&\0\x08<\x1b#^]`
const inText = candidates(`${written}|${telling.all.pattern}`, `${writtenUnits}|${telling.all.units}`)
const inWords = candidates(`${written}|${telling.words.pattern}`, `${writtenUnits}|${telling.words.units}`)
/** The same in UTF-8 read as characters, or at least the first bytes that lead to one of them. */
const inBytes: Candidates = {
  pattern:
    /[%\\&]|<(?:\\?\/)?[A-Za-z]{1,10}(?=[\s>/\\])|\xc2[\xa0\xad\xb2\xb3\xb9]|[\xcc\xcd\xe0]|\xd9[\xa0-\xa9]|\xdb[\xb0-\xb9]|\xdf[\x80-\x89]|\xe1[\x81\x9f\xa0]|\xe3\x80\x80|\xe2(?:\x80[\x80-\x91\xaa-\xaf]|\x81[\x9f-\xb9]|[\xbc-\xbf]|(?:\x80[\x92\x93]|\x88\x92)(?:(?=[0-9])|(?<=[0-9]...)))|\xef[\xac-\xbf]|\xf0\x9d/g,
}
/** More of them, each of which is looked for by itself first: the search for all together takes four times as long as that without. */
const rareInBytes = ['\0', '\b', '\x1b', '#033[', '^[[', '\xd8\x9c', '\xf3\xa0']
const allInBytes: Candidates = {
  pattern: new RegExp(`[\0\b]|${colourStart}|\xd8\x9c|\xf3\xa0|${inBytes.pattern.source}`, 'g'),
}
const inAscii: Candidates = { pattern: new RegExp(written, 'g') }

/** A hyphen that may belong to the word or only part it at the end of a line, and a space that may be none, behind a hyphen too. */
const parting = /-\u00ad|-? \u2060/g

/** Signs that say nothing, so many as a stretch has. */
const nothing = (stretch: string) => '\u00ad'.repeat(stretch.length)
const asides = new RegExp(`${aside}[^\ufeff]*${aside}`, 'g')

/** A whole text as it reads where that is otherwise than it stands: for patterns, which may ask where it begins and ends. */
export function textWithEscapes(source: string): ResolvedText[] {
  const found = stretches(source, inText, () => false)
  if (found === none || !['\u00ad', '\u2060', '\ufeff'].some(mark => source.includes(mark))) return found
  const apart = source.replaceAll(parting, nothing).replaceAll(asides, nothing).replaceAll(seam, nothing)
  const joined = apart === source ? undefined : read(apart, 0)
  return joined ? [...found, joined] : found
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

/**
 * The lines of a text that read otherwise: for models. Those that read words see through spaces and hyphens of other kinds
 * themselves, and take their time; the others are `literal`.
 */
export const linesWithEscapes = (source: string, literal = true): ResolvedText[] =>
  stretches(source, literal ? inText : inWords, endsLine)

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

/** The same as {@link read}, of a cell in UTF-8. */
function readBytes(bytes: string, base: number): ResolvedText | undefined {
  const cell = Buffer.from(bytes, 'latin1').toString('utf8')
  const resolved = finderOf(cell, inText)(0) >= 0 ? read(cell, 0) : undefined
  if (!resolved) return undefined
  const { text, escaped } = resolved
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
export function cellsWithEscapes(bytes: string, ascii = false): ResolvedText[] {
  const inAny = () => (rareInBytes.some(mark => bytes.includes(mark)) ? allInBytes : inBytes)
  return stretches(bytes, ascii ? inAscii : inAny(), endsCell, readBytes)
}

const endsCell = (code: number) => code === separator.charCodeAt(0)

/** How many escapes begin before `at`, or at it. */
function escapesUntil({ escaped }: ResolvedText, at: number): number {
  let low = 0
  let high = escaped.length / perEscape
  while (low < high) {
    const middle = (low + high) >> 1
    if (escaped[middle * perEscape]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a place of it is in the source, behind what says nothing there: for one within an escape, where that begins. */
function startOf(resolved: ResolvedText, at: number): number {
  const last = escapesUntil(resolved, at)
  if (last === 0) return resolved.base + at
  const [, end = 0, from = 0, to = 0] = resolved.escaped.slice((last - 1) * perEscape, last * perEscape)
  return at < end ? from : to + at - end
}

/** The same for an end, before what says nothing there: for one within an escape, where that ends. */
function endOf(resolved: ResolvedText, at: number): number {
  const last = escapesUntil(resolved, at - 1)
  if (last === 0) return resolved.base + at
  const [, end = 0, , to = 0] = resolved.escaped.slice((last - 1) * perEscape, last * perEscape)
  return to + Math.max(0, at - end)
}

/** Whether a place of it is within a text in base64: no other escape is so long and stands for more than a character. */
function isCoded(resolved: ResolvedText, at: number): boolean {
  const last = escapesUntil(resolved, at)
  const [begun = 0, end = 0, from = 0, to = 0] = resolved.escaped.slice((last - 1) * perEscape, last * perEscape)
  return last > 0 && at < end && to - from >= shortestCode && end - begun > 2
}

/**
 * Where something found in it stands in the source, and whether it reads otherwise there, as `coded` because it is a part of a text
 * in base64.
 */
export function placeOf(
  resolved: ResolvedText,
  start: number,
  end: number,
): { start: number; end: number; escaped?: true; coded?: true } {
  const place = { start: startOf(resolved, start), end: endOf(resolved, end) }
  const last = escapesUntil(resolved, end - 1)
  const inside = last > 0 && resolved.escaped[last * perEscape - 1]! > place.start
  if (!inside) return place
  const coded = isCoded(resolved, start) || isCoded(resolved, end - 1)
  return coded ? { ...place, escaped: true, coded } : { ...place, escaped: true }
}

/** Characters of the shortest escape that is one for sure: `\\n` may be the end of a directory and the beginning of a name. */
const shortestSure = 3

/** Where the escape ends that a place of the source is in the middle of; nothing where it is in none. */
export function escapeAround({ escaped }: ResolvedText, at: number): number | undefined {
  let low = 0
  let high = escaped.length / perEscape
  while (low < high) {
    const middle = (low + high) >> 1
    if (escaped[middle * perEscape + 2]! < at) low = middle + 1
    else high = middle
  }
  const [from = at, to = at] = escaped.slice((low - 1) * perEscape + 2, low * perEscape)
  return low > 0 && at < to && to - from >= shortestSure ? to : undefined
}

/** The first place of it that begins at `at` in the source, or later; beyond its end, how far. */
export function placeIn({ base, escaped }: ResolvedText, at: number): number {
  let resolved = at - base
  for (let next = 0; next < escaped.length && escaped[next + 2]! < at; next += perEscape) {
    resolved = escaped[next + 1]! + Math.max(0, at - escaped[next + 3]!)
  }
  return Math.max(0, resolved)
}

/** A stretch of text as it reads, without what only some see within it. */
export const withoutEscapes = (text: string): string =>
  read(text.includes(aside) ? text.replaceAll(asides, nothing) : text, 0)?.text ?? text

/** Tags and colours within a value: what begins there ends behind it. */
const tags = new RegExp(wholeTag, 'gu')
const colours = new RegExp(`${colour}|${command}`, 'gu')

/** A colour as it is, and the command of a link without its address; others go. */
function shadeOf(shade: string, link: string | undefined): string {
  if (!shade.startsWith('\x1b]')) return shade
  return link === undefined ? '' : `\x1b]8;;${shade.endsWith('\x07') ? '\x07' : '\x1b\\'}`
}

/**
 * A replacement as it must be written where a value stood whose escapes are these, so that what is around stays valid. Tags in
 * the value follow it, without their attributes, for those may hold more of it.
 */
export function escapedLike(source: string, replacement: string): string {
  const shades = Array.from(source.matchAll(colours), ([shade, link]) => shadeOf(shade, link))
  if (shades.length > 0) return escapedLike(source.replace(colours, ''), replacement) + shades.join('')
  const kept = [...source.matchAll(tags)].filter(([, name = '']) => inline.has(name.toLowerCase()))
  const bare = kept.map(([whole, name = '']) => `${whole.slice(0, whole.indexOf(name) + name.length)}>`)
  return asWritten(source.replace(tags, ''), replacement) + bare.join('')
}

function asWritten(source: string, replacement: string): string {
  if (/^.(?:\0.)+$/su.test(source)) return [...replacement].join('\0')
  if (/%[0-9A-Fa-f]{2}/.test(source)) return encodeURIComponent(replacement.toWellFormed())
  if (source.includes('\\')) return JSON.stringify(replacement).slice(1, -1)
  if (!/&(?:#\w+|[A-Za-z]\w+);/.test(source)) return replacement
  return replacement.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
