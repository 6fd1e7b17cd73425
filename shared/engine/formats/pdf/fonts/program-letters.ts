import { folded, lettersOfName } from './glyph-names.ts'

/** What a font program says of its glyphs by itself. */
export type ProgramLetters = {
  /** Letters, folded, that a glyph is known to be; several where it stands for look-alikes. */
  glyph(number: number): ReadonlySet<string> | undefined
  /** The same of a code of one byte in the program's own encoding. */
  code(code: number): ReadonlySet<string> | undefined
  /** Whose tables of codes alone a TrueType font has. */
  only?: 'mac' | 'windows'
}

const nothing: ProgramLetters = { glyph: () => undefined, code: () => undefined }

/** Reads what a font program says of its glyphs; nothing of programs of no known kind, and of damaged ones. */
export const programLetters = (bytes: Uint8Array): ProgramLetters => {
  const font = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    const kind = font.toString('latin1', 0, 4)
    if (kind === '\0\x01\0\0' || kind === 'true') return fromTables(font)
    if (kind.startsWith('%!')) return fromType1(font)
    return nothing
  } catch (error) {
    if (error instanceof RangeError) return nothing
    throw error
  }
}

const single = (letters: string | undefined): ReadonlySet<string> | undefined =>
  letters ? new Set([letters]) : undefined

const coded = /dup\s+(\d+)\s*\/([^\s/]+)\s+put/g

const fromType1 = (font: Buffer): ProgramLetters => {
  const end = font.indexOf('eexec')
  const names = new Map<number, string>()
  for (const [, code, name] of font.toString('latin1', 0, Math.max(0, end)).matchAll(coded))
    names.set(Number(code), name as string)
  return { ...nothing, code: code => single(lettersOfName(names.get(code) ?? '')) }
}

type Cmaps = { unicode: Map<number, number>[]; symbol?: Map<number, number>; mac?: Map<number, number> }

const fromTables = (font: Buffer): ProgramLetters => {
  const tables = new Map<string, Buffer>()
  for (let n = 0, count = font.readUInt16BE(4); n < count; n++) {
    const entry = 12 + 16 * n
    const start = font.readUInt32BE(entry + 8)
    tables.set(font.toString('latin1', entry, entry + 4), font.subarray(start, start + font.readUInt32BE(entry + 12)))
  }
  const { unicode, symbol, mac } = readCmaps(tables.get('cmap'))
  const letters = new Map<number, Set<string>>()
  const add = (glyph: number, text: string | undefined) => {
    if (!text || glyph === 0) return
    const known = letters.get(glyph) ?? new Set()
    letters.set(glyph, known.add(text))
  }
  for (const map of unicode)
    for (const [code, glyph] of map) if (!isPrivate(code)) add(glyph, folded(String.fromCodePoint(code)))
  for (const [glyph, text] of postLetters(tables.get('post')).entries()) add(glyph, text)
  const glyphOf = (code: number) => symbol?.get(0xf000 + code) ?? symbol?.get(code) ?? mac?.get(code)
  const windows = unicode.length > 0 || symbol !== undefined
  const only = mac && !windows ? 'mac' : windows && !mac ? 'windows' : undefined
  return { glyph: number => letters.get(number), code: code => letters.get(glyphOf(code) ?? 0), only }
}

const isPrivate = (code: number) => code >= 0xe000 && code < 0xf900

const readCmaps = (table: Buffer | undefined): Cmaps => {
  const found: Cmaps = { unicode: [] }
  for (let n = 0, count = table ? table.readUInt16BE(2) : 0; table && n < count; n++) {
    const entry = 4 + 8 * n
    const [platform, encoding] = [table.readUInt16BE(entry), table.readUInt16BE(entry + 2)]
    const map = readCmap(table.subarray(table.readUInt32BE(entry + 4)))
    if (platform === 3 && encoding === 0) found.symbol = map
    else if (platform === 1) found.mac = map
    else if (platform === 0 || platform === 3) found.unicode.push(map)
  }
  return found
}

/** Codes that are read of a table: as many as a font can have glyphs. */
const maxCodes = 0x10000

const readCmap = (table: Buffer): Map<number, number> => {
  const map = new Map<number, number>()
  const format = table.readUInt16BE(0)
  if (format === 0) for (let code = 0; code < 256; code++) map.set(code, table.readUInt8(6 + code))
  if (format === 6)
    for (let i = 0, first = table.readUInt16BE(6), count = table.readUInt16BE(8); i < count; i++)
      map.set(first + i, table.readUInt16BE(10 + 2 * i))
  if (format === 4) readSegments(table, map)
  if (format === 12)
    for (let n = 0, count = table.readUInt32BE(12), left = maxCodes; n < count && left > 0; n++) {
      const at = 16 + 12 * n
      const [first, last] = [table.readUInt32BE(at), Math.min(table.readUInt32BE(at + 4), 0x10ffff)]
      for (let code = first; code <= last && left-- > 0; code++)
        map.set(code, table.readUInt32BE(at + 8) + code - first)
    }
  return map
}

const readSegments = (table: Buffer, map: Map<number, number>): void => {
  const size = table.readUInt16BE(6)
  let left = maxCodes
  for (let at = 14; at < 14 + size && left > 0; at += 2) {
    const [last, first] = [table.readUInt16BE(at), table.readUInt16BE(at + size + 2)]
    const delta = table.readUInt16BE(at + 2 * size + 2)
    const place = at + 3 * size + 2
    const offset = table.readUInt16BE(place)
    for (let code = first; code <= last && code < 0xffff && left-- > 0; code++) {
      const glyph = offset === 0 ? code : table.readUInt16BE(place + offset + 2 * (code - first))
      if (glyph !== 0) map.set(code, (glyph + delta) & 0xffff)
    }
  }
}

/** Glyphs that the format numbers itself; its letters and digits stand in the order of ASCII, 29 before their codes. */
const standardGlyphs = 258

/** The letters that the table `post` of version 2 gives for glyphs, by number. */
const postLetters = (table: Buffer | undefined): (string | undefined)[] => {
  if (!table || table.length < 34 || table.readUInt32BE(0) !== 0x20000) return []
  const count = table.readUInt16BE(32)
  const own: string[] = []
  for (let at = 34 + 2 * count; at < table.length; at += 1 + table.readUInt8(at))
    own.push(table.toString('latin1', at + 1, at + 1 + table.readUInt8(at)))
  return Array.from({ length: count }, (_, glyph) => {
    const index = table.readUInt16BE(34 + 2 * glyph)
    if (index >= standardGlyphs) return lettersOfName(own[index - standardGlyphs] ?? '')
    return index + 29 < 0x7f ? folded(String.fromCharCode(index + 29)) : undefined
  })
}
