import { fence } from './regex/fence.ts'

/** What a line of text says once its escapes are resolved. */
export type Said = {
  text: string
  /** Where the line begins in the source. */
  base: number
  /** Of each escaped character, in turn: where it begins and ends in `text`, and where it begins and ends in the source. */
  escaped: number[]
}
const perEscape = 4

/** Text as it is, or the UTF-8 bytes of a text as characters. */
type Form = 'text' | 'bytes'

/** The escapes of URLs, JSON and markup. */
const escapes =
  /((?:%[0-9A-Fa-f]{2})+)|\\(?:u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(\/))|&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|commat));/g
const named: Record<string, number> = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160, commat: 64 }
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
  const code =
    high !== undefined
      ? pair(high, low!)
      : slash !== undefined
        ? slash.charCodeAt(0)
        : decimal !== undefined
          ? Number(decimal)
          : name !== undefined
            ? named[name]!
            : Number.parseInt(unit ?? hex!, 16)
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000)
  return isCharacter ? [{ text: String.fromCodePoint(code), length: whole.length }] : []
}

const isEnd = (code: number) => code === 10 || code === 13 || code === fence.charCodeAt(0)

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

/**
 * The lines of a source that hold escapes, as they read once these are resolved; in bytes they stay UTF-8.
 */
export function linesWithEscapes(source: string, form: Form = 'text'): Said[] {
  const lines: Said[] = []
  const candidates = /[%\\&]/g
  for (let found = candidates.exec(source); found; found = candidates.exec(source)) {
    let start = found.index
    let end = found.index
    while (start > 0 && !isEnd(source.charCodeAt(start - 1))) start--
    while (end < source.length && !isEnd(source.charCodeAt(end))) end++
    const line = read(source.slice(start, end), start, form)
    if (line) lines.push(line)
    candidates.lastIndex = end
  }
  return lines
}

/** Where a place in a line is in the source: for one within an escaped character, where that begins. */
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

/**
 * Where something found in a line stands in the source, or nothing if it holds no escape: then it is found in the source
 * itself.
 */
export function placeOf(line: Said, start: number, end: number): { start: number; end: number } | undefined {
  const place = { start: sourceOf(line, start), end: sourceOf(line, end) }
  return place.end - place.start > end - start ? place : undefined
}

/** A stretch of text with all escapes resolved. */
export const withoutEscapes = (text: string): string => read(text, 0, 'text')?.text ?? text

/** A replacement as it must be written where a value stood whose escapes are these, so that what is around stays valid. */
export function escapedLike(source: string, replacement: string): string {
  if (/%[0-9A-Fa-f]{2}/.test(source)) return encodeURIComponent(replacement.toWellFormed())
  if (source.includes('\\')) return JSON.stringify(replacement).slice(1, -1)
  return replacement.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
