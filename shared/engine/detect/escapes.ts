import { entityText } from '../entities.ts'
import { fence } from './regex/fence.ts'

/** What a text, a line or a cell says once its escapes are resolved. */
export type Said = {
  text: string
  /** Where it begins in the source. */
  base: number
  /** Of each escaped character, in turn: where it begins and ends in `text`, and where it begins and ends in the source. */
  escaped: number[]
}
const perEscape = 4

/** Text as it is, or the UTF-8 bytes of a text as characters. */
type Form = 'text' | 'bytes'

/** The escapes of URLs, JSON and markup. */
const escapes =
  /((?:%[0-9A-Fa-f]{2})+)|\\(?:u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(\/))|&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}));/g
const percentLength = 3
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const pair = (high: string, low: string) =>
  0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff)

/** The characters of one escape, each with its length in the source; nothing where it stands for no character. */
function resolve(found: RegExpExecArray): { text: string; length: number }[] {
  const [whole, percent, high, low, unit, slash, decimal, hex, name] = found
  if (percent !== undefined) {
    const single = percent.length === percentLength ? Number.parseInt(percent.slice(1), 16) : 0x80
    if (single < 0x80) return [{ text: String.fromCharCode(single), length: percentLength }]
    const bytes = Buffer.from(percent.replaceAll('%', ''), 'hex')
    try {
      return Array.from(decoder.decode(bytes), text => ({ text, length: Buffer.byteLength(text) * percentLength }))
    } catch {
      return Array.from(bytes.toString('latin1'), text => ({ text, length: percentLength }))
    }
  }
  if (name !== undefined) {
    const text = entityText(name)
    return text === undefined ? [] : [{ text, length: whole.length }]
  }
  const code =
    high !== undefined
      ? pair(high, low!)
      : slash !== undefined
        ? slash.charCodeAt(0)
        : decimal !== undefined
          ? Number(decimal)
          : Number.parseInt(unit ?? hex!, 16)
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000)
  return isCharacter ? [{ text: String.fromCodePoint(code), length: whole.length }] : []
}

/** A stretch of the source, which begins there at `base`; nothing if it holds no escape after all. */
function read(source: string, base: number, form: Form): Said | undefined {
  const escaped: number[] = []
  let text = ''
  let copied = 0
  escapes.lastIndex = 0
  for (let found = escapes.exec(source); found; found = escapes.exec(source)) {
    let at = found.index
    for (const { text: character, length } of resolve(found)) {
      text += source.slice(copied, at)
      const begun = text.length
      text += form === 'text' || character < '\x80' ? character : Buffer.from(character).toString('latin1')
      escaped.push(begun, text.length, base + at, base + at + length)
      at += length
      copied = at
    }
  }
  if (escaped.length === 0) return undefined
  return { text: text + source.slice(copied), base, escaped }
}

/** The stretches of a source between ends that hold escapes, as they read once these are resolved. */
function stretches(source: string, form: Form, isEnd: (code: number) => boolean): Said[] {
  const found: Said[] = []
  const candidates = /[%\\&]/g
  for (let candidate = candidates.exec(source); candidate; candidate = candidates.exec(source)) {
    let start = candidate.index
    let end = candidate.index
    while (start > 0 && !isEnd(source.charCodeAt(start - 1))) start--
    while (end < source.length && !isEnd(source.charCodeAt(end))) end++
    const said = read(source.slice(start, end), start, form)
    if (said) found.push(said)
    candidates.lastIndex = end
  }
  return found
}

/** A whole text if it holds escapes: for patterns, which may ask where it begins and ends. */
export const textWithEscapes = (source: string): Said[] => stretches(source, 'text', () => false)

/** The lines of a text that hold escapes: for models, which take their time. */
export const linesWithEscapes = (source: string): Said[] =>
  stretches(source, 'text', code => code === 10 || code === 13)

/** The cells that hold escapes, of many joined by fences as UTF-8; what they say is UTF-8 as well. */
export const cellsWithEscapes = (bytes: string): Said[] =>
  stretches(bytes, 'bytes', code => code === fence.charCodeAt(0))

/** Where a place of it is in the source: for one within an escaped character, where that begins. */
function sourceOf({ base, escaped }: Said, at: number): number {
  let low = 0
  let high = escaped.length / perEscape
  while (low < high) {
    const middle = (low + high) >> 1
    if (escaped[middle * perEscape]! <= at) low = middle + 1
    else high = middle
  }
  if (low === 0) return base + at
  const [, end = 0, from = 0, to = 0] = escaped.slice((low - 1) * perEscape, low * perEscape)
  return at < end ? from : to + at - end
}

/** Where something found in it stands in the source, and whether it holds an escape there. */
export function placeOf(line: Said, start: number, end: number): { start: number; end: number; escaped?: true } {
  const place = { start: sourceOf(line, start), end: sourceOf(line, end) }
  return place.end - place.start > end - start ? { ...place, escaped: true } : place
}

/** The first place of it that begins at `at` in the source, or later; beyond its end, how far. */
export function placeIn({ base, escaped }: Said, at: number): number {
  let said = at - base
  for (let next = 0; next < escaped.length && escaped[next + 2]! < at; next += perEscape) {
    said = escaped[next + 1]! + Math.max(0, at - escaped[next + 3]!)
  }
  return Math.max(0, said)
}

/** A stretch of text with all escapes resolved. */
export const withoutEscapes = (text: string): string => read(text, 0, 'text')?.text ?? text

/** A replacement as it must be written where a value stood whose escapes are these, so that what is around stays valid. */
export function escapedLike(source: string, replacement: string): string {
  if (/%[0-9A-Fa-f]{2}/.test(source)) return encodeURIComponent(replacement.toWellFormed())
  if (source.includes('\\')) return JSON.stringify(replacement).slice(1, -1)
  return replacement.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
