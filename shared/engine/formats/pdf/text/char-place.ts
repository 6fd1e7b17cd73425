import { likestFont } from '../fonts/standard-fonts.ts'
import type { Reader } from '../page-reader.ts'
import { borrow } from '../pdfium.ts'

/** Where a character stands, in the page's own coordinates: the origin of its glyph and the box around its advance. */
export type CharPlace = { x: number; y: number; left: number; bottom: number; right: number; top: number }

/** Where one character of an open text stands; undefined when the reader does not know. */
export const placeOf = (reader: Reader, text: number, char: number): CharPlace | undefined => {
  const { pdfium } = reader
  const { scratch } = pdfium
  if (!pdfium.FPDFText_GetCharOrigin(text, char, scratch, scratch + 8)) return undefined
  const boxed = pdfium.FPDFText_GetLooseCharBox(text, char, scratch + 16)
  const { HEAPF64: doubles, HEAPF32: floats } = pdfium.pdfium
  const [x, y] = [doubles[scratch >> 3]!, doubles[(scratch >> 3) + 1]!]
  if (!boxed) return { x, y, left: x, bottom: y, right: x, top: y }
  // FS_RECTF is left, top, right, bottom.
  const at = (scratch >> 2) + 4
  return { x, y, left: floats[at]!, top: floats[at + 1]!, right: floats[at + 2]!, bottom: floats[at + 3]! }
}

/** Whether a character stands upright. */
export const isUpright = (reader: Reader, text: number, char: number): boolean =>
  Math.abs(Math.sin(reader.pdfium.FPDFText_GetCharAngle(text, char) / 2)) <= 0.1

/** The direction in which the line of a character goes, radians clockwise: the reader's angle leaves out a negative size. */
export const directionOf = ({ pdfium }: Reader, text: number, char: number): number =>
  pdfium.FPDFText_GetCharAngle(text, char) + (pdfium.FPDFText_GetFontSize(text, char) < 0 ? Math.PI : 0)

/** The reader's font of one character of an open text; 0 when it does not know. */
const fontOf = ({ pdfium }: Reader, text: number, char: number): number => {
  const object = pdfium.FPDFText_GetTextObject(text, char)
  return object === 0 ? 0 : pdfium.FPDFTextObj_GetFont(object)
}

/** Whether one character of an open text is of a font without a name: a drawing each letter, in units of the font's own. */
const isDrawing = (reader: Reader, text: number, char: number): boolean => {
  const font = fontOf(reader, text, char)
  return font !== 0 && reader.pdfium.FPDFFont_GetBaseFontName(font, 0, 0) <= 1
}

/** The standard font that looks most like that of one character of an open text; undefined when the reader does not know. */
export const likestFontOf = (reader: Reader, text: number, char: number): string | undefined => {
  const { pdfium } = reader
  const font = fontOf(reader, text, char)
  if (font === 0) return undefined
  const length = pdfium.FPDFFont_GetBaseFontName(font, 0, 0)
  const name = borrow(pdfium, length, pointer => {
    pdfium.FPDFFont_GetBaseFontName(font, pointer, length)
    return Buffer.from(pdfium.pdfium.HEAPU8.subarray(pointer, pointer + Math.max(0, length - 1))).toString('latin1')
  })
  return likestFont(name, pdfium.FPDFFont_GetFlags(font))
}

/** Height of a font as the box of one of its letters tells, which may be flat; no letter is much wider than its font is high. */
const heightByLetter = (place: CharPlace | undefined, nominal: number): number => {
  if (!place) return nominal
  const sides = [Math.abs(place.right - place.left), Math.abs(place.top - place.bottom)] as const
  const [width, height] = sides[0] > 2 * sides[1] ? [Math.max(...sides), nominal] : sides
  return Math.max(width, height)
}

/** Height of the font of one character of an open text, in page units; undefined when the reader does not know. */
export const heightOf = (reader: Reader, text: number, char: number): number | undefined => {
  const { pdfium } = reader
  const { scratch } = pdfium
  if (!pdfium.FPDFText_GetMatrix(text, char, scratch)) return undefined
  const floats = pdfium.pdfium.HEAPF32
  const at = (scratch >> 2) + 2
  const height = Math.hypot(floats[at]!, floats[at + 1]!) * pdfium.FPDFText_GetFontSize(text, char)
  if (!Number.isFinite(height)) return undefined
  return isDrawing(reader, text, char) ? heightByLetter(placeOf(reader, text, char), height) : height
}
