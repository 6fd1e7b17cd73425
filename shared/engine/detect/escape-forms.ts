import { entityText } from '../formats/text/named-entities.ts'
import { codesIn } from './codes.ts'
import { clusters, noteNumber, reading, readingOf, respelt } from './normalise.ts'
import { lazyUnits } from './units.ts'

/**
 * Short escapes of strings in programs, logs and calendars. In Markdown, TeX and shells a backslash takes its meaning from a sign:
 * `ann\_b`. One that is escaped itself escapes nothing.
 */
const short: Record<string, string> = { n: '\n', N: '\n', r: '\r', t: '\t' }

/**
 * Names of tags that stand within a line, and often within a name: those of HTML and of text/enriched (RFC 1896). Others
 * part what is in front of them from what follows.
 */
export const inlineTags = new Set(
  'b i u s q em strong strike del ins big small span font a abbr mark code kbd tt wbr nobr bold italic underline fixed smaller bigger color fontfamily'.split(
    ' ',
  ),
)
/** What reads otherwise within a tag is read there, and such a tag is not seen through. */
const plainAttributes = String.raw`(?:[^<>%&\\\u0080-\u{10ffff}]|\\["'])`
export const wholeTag = String.raw`<(?:\\?/)?([A-Za-z]{1,10})(?:\s${plainAttributes}{0,300})?(?:\\?/)?>`
export const tagStart = String.raw`<(?:\\?/)?[A-Za-z]{1,10}(?=[\s>/\\])`

/**
 * What sets colours of a terminal or erases a line, by the character that begins it or as strings, logs and people write that one.
 * What moves to another place parts what is in front of it from what follows, and is left. Commands end with a bell or a sign of
 * their own: links (8), titles.
 */
export const command = String.raw`\x1b\](?:(8);)?[^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)`
export const colour = String.raw`(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e)|#033|\^\[)(?:\[(?:\d{1,3}[;:]{1,2}){0,20}\d{0,3}[mK]|\(B)`
/** What printers and terminals strike over one another: a letter made bold or underlined, as pages of manuals have it. */
const overstruck = String.raw`(?:[^\n\x08]\x08)+[^\n\x08]`
export const colourStart = String.raw`\x1b|#033\[|\^\[\[`
/** The signs in front of a line that is quoted, as mail does. */
export const quoteSigns = String.raw`(?<=[\n\r])>(?:[\t ]?>)*[\t ]?`
/** Not in front of the name of a mailbox's list or folder: `ann+news@example.org`. */
const betweenWords = String.raw`(?![\w.\-]{0,64}(?:@|%40))`
/**
 * A plus that is a blank: in an address, and in the value of a field of a form (`q=Anna+Berg`). One that begins the value, as in front
 * of a number, is none.
 */
export const plusForBlank = String.raw`\+(?=[^\0-\x20&"'<>=+])(?<=(?::\/\/|(?:^|[\0-\x20?&;"'(>])[\w.\-~%[\]$]{1,60}=)[^\0-\x20"'<>]{0,120}?[^\0-\x20"'<>&=+]\+)${betweenWords}`
const plusInValue = new RegExp(String.raw`(?<=[^\s+])\+(?=[^\s+])${betweenWords}`, 'g')

/** A value that was found where a plus is a blank, perhaps. */
export const withBlanks = (value: string): string =>
  value.includes('+') && !/\s/.test(value) ? value.replace(plusInValue, ' ') : value

/** The escapes of URLs, of JSON and of markup, and characters that are spelt otherwise than rules expect. */
const escapes = new RegExp(
  [
    `(${colour}|${command.replace('(8)', '8')})`,
    String.raw`((?:%[0-9A-Fa-f]{2})+|(?:\\x[0-9A-Fa-f]{2})+)`,
    String.raw`\\(?:\\{0,8}u([Dd][89ABab][0-9A-Fa-f]{2})\\{1,9}u([Dd][C-Fc-f][0-9A-Fa-f]{2})|\\{0,8}u(?:([0-9A-Fa-f]{4})|\{0{0,8}([0-9A-Fa-f]{1,6})\})|([\/nNrt\n\x20'()*+,\-.:;=@[\]_#~])|\\)`,
    '&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));',
    `(${respelt.pattern})`,
    wholeTag,
    `(${noteNumber.pattern})`,
    `(${overstruck})`,
    `(${plusForBlank})`,
    `(${quoteSigns})`,
  ].join('|'),
  'uy',
)
/** The units that they begin with. */
const beginnings = lazyUnits(String.raw`[%\\&<>+\x08\x1b#^${noteNumber.units}]|${respelt.units}`, 'u')
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
  const [
    whole,
    terminal,
    percent,
    high,
    low,
    unit,
    point,
    letter,
    decimal,
    hex,
    name,
    spelt,
    tagName,
    number,
    struck,
    plus,
    quote,
  ] = found
  if (terminal !== undefined || number !== undefined || quote !== undefined) return [{ text: '', length: whole.length }]
  if (struck !== undefined) {
    const letter = Array.from(struck).findLast(sign => sign !== '_' && sign !== '\b') ?? '_'
    return [{ text: readingOf(letter), length: whole.length }]
  }
  if (plus !== undefined) return [{ text: ' ', length: 1 }]
  if (spelt !== undefined) {
    const text = readingOf(spelt)
    return text === spelt ? [] : [{ text, length: spelt.length }]
  }
  if (tagName !== undefined) {
    const lower = tagName.toLowerCase()
    return lower === 'br' || inlineTags.has(lower) ? [{ text: lower === 'br' ? '\n' : '', length: whole.length }] : []
  }
  if (percent !== undefined) return resolveBytes(percent)
  if (letter !== undefined) return [{ text: short[letter] ?? letter, length: whole.length }]
  if (name !== undefined) {
    const text = entityText(name)
    return text === undefined ? [] : [{ text: readingOf(text), length: whole.length }]
  }
  const digits = unit ?? point ?? hex
  if (high === undefined && digits === undefined && decimal === undefined) return []
  const code =
    high !== undefined ? pair(high, low!) : decimal !== undefined ? Number(decimal) : Number.parseInt(digits!, 16)
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000)
  return isCharacter ? [{ text: readingOf(String.fromCodePoint(code)), length: whole.length }] : []
}

/** Where an escape begins, and the characters that it says, each with its length in the source. */
type Escape = { at: number; said: { text: string; length: number }[] }

/** A text that is in base64, and behind it what it says where it holds escapes, or texts in base64, itself. */
function withReading(text: string): string {
  let read = ''
  let copied = 0
  for (const { at: begin, said } of escapesIn(text)) {
    let at = begin
    for (const { text: character, length } of said) {
      read += text.slice(copied, at) + character
      at += length
      copied = at
    }
  }
  return copied === 0 ? text : `${text}\n${read}${text.slice(copied)}`
}

/** The escapes of a stretch, in order, and the texts in base64. */
export function* escapesIn(source: string): Generator<Escape> {
  const next = codesIn(source)
  const codeAt = (from: number): (Escape & { end: number }) | undefined => {
    const code = next(from)
    if (code === undefined) return undefined
    const { start, end, text } = code
    return { at: start, end, said: [{ text: reading(withReading(text)), length: end - start }] }
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
