import { PDFArray, type PDFDict, PDFName, PDFNumber, type PDFObject, PDFStream } from '@cantoo/pdf-lib'
import { arrayAt, decode, dictAt, nameAt, numberAt, numbersAt, resolve, value } from '../objects/objects.ts'
import { type CMap, identity, parseCMap, predefined } from './cmap.ts'
import { standardWidth } from './standard-fonts.ts'

/** One code of a shown string: how many bytes it takes, and the measures of its glyph in units of the font size. */
export type Glyph = {
  length: number
  /** Advance along the line: to the right, or (vertical writing) upwards. */
  advance: number
  /** From the point where the code is shown to the origin of its glyph; not 0 in vertical writing only. */
  shiftX: number
  shiftY: number
  /** Whether word spacing applies. */
  space: boolean
}

/** How a font cuts strings into glyphs. */
export type Font = { vertical: boolean; glyphs(bytes: Uint8Array): Glyph[] }

/** Reads a font's dictionary; without one it is Helvetica. */
export const readFont = (dict: PDFDict | undefined): Font =>
  dict && nameAt(dict, 'Subtype') === 'Type0' ? composite(dict) : simple(dict)

const simple = (dict: PDFDict | undefined): Font => {
  const type3 = nameAt(dict, 'Subtype') === 'Type3'
  const scale = type3 ? Math.abs(numbersAt(dict, 'FontMatrix')?.[0] ?? 0.001) : 0.001
  const first = numberAt(dict, 'FirstChar') ?? 0
  const widths = numbersAt(dict, 'Widths')
  const missing = numberAt(dictAt(dict, 'FontDescriptor'), 'MissingWidth')
  const base = nameAt(dict, 'Encoding') ?? nameAt(dictAt(dict, 'Encoding'), 'BaseEncoding')
  const fallback = standardWidth(nameAt(dict, 'BaseFont') ?? 'Helvetica', base, glyphNames(dict))
  const width = (code: number): number =>
    scale * (widths?.[code - first] ?? (type3 ? 0 : (missing ?? (widths ? 0 : fallback(code)))))
  const known = Array.from(
    { length: 256 },
    (_, code): Glyph => ({ length: 1, advance: width(code), shiftX: 0, shiftY: 0, space: code === 32 }),
  )
  return {
    vertical: false,
    glyphs: bytes => {
      const glyphs: Glyph[] = new Array(bytes.length)
      for (let at = 0; at < bytes.length; at++) glyphs[at] = known[bytes[at] as number] as Glyph
      return glyphs
    },
  }
}

/** Glyph names that a font's encoding gives to codes in deviation from its base. */
export const glyphNames = (dict: PDFDict | undefined): Map<number, string> => {
  const names = new Map<number, string>()
  let code = 0
  for (const item of arrayAt(dictAt(dict, 'Encoding'), 'Differences') ?? []) {
    if (item instanceof PDFNumber) code = item.asNumber()
    else if (item instanceof PDFName) names.set(code++, item.decodeText())
  }
  return names
}

const readEncoding = (encoding: PDFObject | undefined, depth = 0): CMap => {
  if (encoding instanceof PDFName) return predefined(encoding.decodeText())
  if (!(encoding instanceof PDFStream) || depth > 4) return identity('H')
  const parent = value(encoding.dict, 'UseCMap')
  const base = parent ? readEncoding(parent, depth + 1) : undefined
  const bytes = decode(encoding)
  return bytes ? parseCMap(bytes, base, numberAt(encoding.dict, 'WMode') === 1) : identity('H')
}

const composite = (dict: PDFDict): Font => {
  const map = readEncoding(value(dict, 'Encoding'))
  const descendants = arrayAt(dict, 'DescendantFonts')?.[0]
  const font = descendants && 'get' in descendants ? (descendants as PDFDict) : undefined
  const widths = readWidths(font, 'W', 1)
  const standard = numberAt(font, 'DW') ?? 1000
  const [originY = 880, advanceY = -1000] = numbersAt(font, 'DW2') ?? []
  const verticals = map.vertical ? readWidths(font, 'W2', 3) : new Map<number, number[]>()
  return {
    vertical: map.vertical,
    glyphs: bytes => {
      const glyphs: Glyph[] = []
      for (let at = 0; at < bytes.length; ) {
        const length = Math.max(1, map.codeLength(bytes, at))
        const end = Math.min(bytes.length, at + length)
        let code = 0
        for (let i = at; i < end; i++) code = code * 256 + (bytes[i] as number)
        const cid = map.cid(code, end - at)
        const width = widths.get(cid)?.[0] ?? standard
        const [w1, vx, vy] = verticals.get(cid) ?? [advanceY, width / 2, originY]
        glyphs.push({
          length: end - at,
          advance: (map.vertical ? (w1 as number) : width) / 1000,
          shiftX: map.vertical ? -(vx as number) / 1000 : 0,
          shiftY: map.vertical ? -(vy as number) / 1000 : 0,
          space: end - at === 1 && code === 32,
        })
        at = end
      }
      return glyphs
    },
  }
}

/** Reads `c [w ...]` and `first last w` entries; `per` numbers belong to each glyph (PDF 32000-1, 9.7.4.3). */
const readWidths = (font: PDFDict | undefined, key: string, per: number): Map<number, number[]> => {
  const widths = new Map<number, number[]>()
  const entries = arrayAt(font, key)
  const numeric = (item: PDFObject | undefined) => {
    const found = font && resolve(font.context, item)
    return found instanceof PDFNumber ? found.asNumber() : 0
  }
  for (let i = 0; entries && i < entries.length; ) {
    const first = numeric(entries[i])
    const next = entries[i + 1]
    if (next instanceof PDFArray) {
      const list = next.asArray().map(numeric)
      for (let k = 0; k + per <= list.length; k += per) widths.set(first + k / per, list.slice(k, k + per))
      i += 2
    } else {
      const last = Math.min(numeric(next), first + 65_535)
      const measures = entries.slice(i + 2, i + 2 + per).map(numeric)
      for (let cid = first; cid <= last; cid++) widths.set(cid, measures)
      i += 2 + per
    }
  }
  return widths
}
