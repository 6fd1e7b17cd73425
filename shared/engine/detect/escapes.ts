import { fence } from './regex/fence.ts'

/** What a line of text says once its escapes are resolved. */
export type Said = {
  text: string
  /** Where each unit of `text` begins in the source, and, as the last entry, where the line ends there. */
  at: number[]
}

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
  const parts: string[] = []
  const at: number[] = []
  let copied = 0
  const copy = (to: number) => {
    parts.push(source.slice(copied, to))
    for (; copied < to; copied++) at.push(base + copied)
  }
  for (const found of source.matchAll(escapes)) {
    const characters = resolve(found)
    if (characters.length > 0) copy(found.index)
    for (const { text, length } of characters) {
      const units = form === 'text' ? text : Buffer.from(text).toString('latin1')
      parts.push(units)
      for (let unit = 0; unit < units.length; unit++) at.push(base + copied)
      copied += length
    }
  }
  if (copied === 0) return undefined
  copy(source.length)
  at.push(base + source.length)
  return { text: parts.join(''), at }
}

/**
 * The lines of a source that hold escapes, as they read once these are resolved; in bytes they stay UTF-8. What is found
 * in such a line stands in the source from `at[start]` to `at[end]`.
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

/**
 * Where something found in a line stands in the source, or nothing if it holds no escape: then it is found in the source
 * itself.
 */
export function placeOf({ at }: Said, start: number, end: number): { start: number; end: number } | undefined {
  const place = { start: at[start]!, end: at[end]! }
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
