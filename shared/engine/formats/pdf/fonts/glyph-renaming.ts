import { Font, type IFontNames } from '@cantoo/pdf-lib/standard-fonts'
import { lettersOfName } from './glyph-names.ts'

const telling = /\p{L}{4}/u
const numbered = /^(?:glyph|char|index|font|afii|cid|gid|uni)[\dA-F._-]*$/i

let standard: ReadonlySet<string> | undefined

/** Whether a name is that of a glyph of the standard fonts, as any document has them. */
export const isStandardGlyph = (name: string): boolean => {
  standard ??= new Set(
    ['Helvetica', 'Symbol', 'ZapfDingbats'].flatMap(font =>
      Font.load(font as IFontNames).CharMetrics.map(({ N }) => N),
    ),
  )
  return standard.has(name)
}

/** Whether the name of a glyph says more than which letter or sign it is. */
export const isTellingGlyph = (name: string): boolean => {
  const own = name.split('.')[0] as string
  if (!telling.test(name) || numbered.test(own) || (own === name && lettersOfName(name) !== undefined)) return false
  return !isStandardGlyph(name)
}

/** A stretch of a font program that names a glyph. */
type Named = { start: number; end: number }

/** The parts of an INDEX (Adobe Technical Note 5176, 5) that begins at `at`, and where it ends. */
const readIndex = (font: Buffer, at: number): { parts: Named[]; end: number } => {
  const count = font.readUInt16BE(at)
  if (count === 0) return { parts: [], end: at + 2 }
  const size = font.readUInt8(at + 2)
  const base = at + 2 + (count + 1) * size
  const offset = (n: number) => base + font.readUIntBE(at + 3 + n * size, size)
  return {
    parts: Array.from({ length: count }, (_, n) => ({ start: offset(n), end: offset(n + 1) })),
    end: offset(count),
  }
}

const compactNames = (font: Buffer, from = 0): Named[] => {
  const names = readIndex(font.subarray(from), font.readUInt8(from + 2))
  const dicts = readIndex(font.subarray(from), names.end)
  return readIndex(font.subarray(from), dicts.end).parts.map(({ start, end }) => ({
    start: from + start,
    end: from + end,
  }))
}

const tableNames = (font: Buffer): Named[] => {
  const found: Named[] = []
  for (let n = 0, count = font.readUInt16BE(4); n < count; n++) {
    const entry = 12 + 16 * n
    const tag = font.toString('latin1', entry, entry + 4)
    const [start, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)]
    if (tag === 'CFF ') found.push(...compactNames(font, start))
    if (tag !== 'post' || length < 34 || font.readUInt32BE(start) !== 0x20000) continue
    const end = Math.min(font.length, start + length)
    for (let at = start + 34 + 2 * font.readUInt16BE(start + 32); at < end; at += 1 + font.readUInt8(at))
      found.push({ start: at + 1, end: Math.min(end, at + 1 + font.readUInt8(at)) })
  }
  return found
}

/** Numbers of the encryption of Type 1 fonts (Adobe Type 1 Font Format, 7.1). */
const eexec = { key: 55_665, factor: 52_845, summand: 22_719 }

/** Takes the encryption of a font's private part away, or puts it on again, in place. */
const crypt = (bytes: Buffer, encrypts: boolean): void => {
  let key = eexec.key
  for (let at = 0; at < bytes.length; at++) {
    const before = bytes[at] as number
    const after = before ^ (key >> 8)
    bytes[at] = after
    key = (((encrypts ? after : before) + key) * eexec.factor + eexec.summand) & 0xffff
  }
}

const glyphKey = /\/([^\s/{}[\]()<>%]+)(?=\s+(?:\d+\s+(?:RD|-\|)\s|put\b))/g

const keysIn = (part: Buffer, from: number): Named[] =>
  Array.from(part.toString('latin1').matchAll(glyphKey), ({ 1: name = '', index }) => ({
    start: from + index + 1,
    end: from + index + 1 + name.length,
  }))

/** Where the private part of a Type 1 font stands; undefined where it is not of bytes, as fonts in a PDF are. */
const privatePart = (font: Buffer): Buffer | undefined => {
  const mark = font.indexOf('eexec')
  if (mark < 0) return undefined
  const start = mark + 5 + (font[mark + 5] === 13 && font[mark + 6] === 10 ? 2 : 1)
  const part = font.subarray(start)
  return /^[\dA-Fa-f\s]{4}/.test(part.toString('latin1', 0, 4)) ? undefined : part
}

const namedGlyphs = (font: Buffer, inner: Buffer | undefined): Named[] => {
  const kind = font.toString('latin1', 0, 4)
  try {
    if (kind === '\0\x01\0\0' || kind === 'true' || kind === 'OTTO') return tableNames(font)
    if (kind.startsWith('%!')) {
      const clear = font.subarray(0, inner ? inner.byteOffset - font.byteOffset : font.length)
      return [...keysIn(clear, 0), ...(inner ? keysIn(inner, clear.length) : [])]
    }
    return font[0] === 1 && (font[2] as number) >= 4 ? compactNames(font) : []
  } catch (error) {
    // A damaged font is left as it is.
    if (error instanceof RangeError) return []
    throw error
  }
}

const opened = (bytes: Uint8Array) => {
  const font = Buffer.from(bytes)
  const inner = font.toString('latin1', 0, 2) === '%!' ? privatePart(font) : undefined
  if (inner) crypt(inner, false)
  return { font, inner, named: namedGlyphs(font, inner) }
}

const isText = (name: string) => /^[\x21-\x7e]{4,127}$/.test(name)

/** The names that a font program gives to its glyphs, of those that tell something. */
export const tellingGlyphs = (program: Uint8Array): string[] => {
  const { font, named } = opened(program)
  return named
    .map(({ start, end }) => font.toString('latin1', start, end))
    .filter(name => isText(name) && isTellingGlyph(name))
}

/** A font program whose glyphs have other names, each as long as before; undefined where none changes. */
export const renameGlyphs = (program: Uint8Array, fresh: ReadonlyMap<string, string>): Uint8Array | undefined => {
  const { font, inner, named } = opened(program)
  let changed = false
  for (const { start, end } of named) {
    const name = fresh.get(font.toString('latin1', start, end))
    if (name?.length !== end - start) continue
    font.write(name, start, 'latin1')
    changed = true
  }
  if (inner) crypt(inner, true)
  return changed ? font : undefined
}

const first = 'a'.charCodeAt(0)

/** The names that glyphs take in place of others: as long, and of letters that say nothing. */
export const meaninglessNames = (names: Iterable<string>): Map<string, string> => {
  const fresh = new Map<string, string>()
  for (const name of names) {
    let letters = ''
    for (let number = fresh.size, at = 0; at < 3; at++, number = Math.floor(number / 26))
      letters += String.fromCharCode(first + (number % 26))
    fresh.set(name, letters.padStart(name.length, 'q'))
  }
  return fresh
}
