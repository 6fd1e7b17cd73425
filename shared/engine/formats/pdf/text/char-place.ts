import { borrow, memory } from '../pdfium.ts'
import type { Reader } from '../reader.ts'

/** Where a character stands, in the page's own coordinates: the origin of its glyph and the box around its advance. */
export type CharPlace = { x: number; y: number; left: number; bottom: number; right: number; top: number }

/** Where one character of an open text stands; undefined when the reader does not know. */
export const placeOf = (reader: Reader, text: number, char: number): CharPlace | undefined => {
  const { pdfium } = reader
  return borrow(pdfium, 32, scratch => {
    if (!pdfium.FPDFText_GetCharOrigin(text, char, scratch, scratch + 8)) return undefined
    const boxed = pdfium.FPDFText_GetLooseCharBox(text, char, scratch + 16)
    const view = memory(pdfium, scratch, 32)
    const x = view.getFloat64(0, true)
    const y = view.getFloat64(8, true)
    if (!boxed) return { x, y, left: x, bottom: y, right: x, top: y }
    const at = (i: number) => view.getFloat32(16 + i * 4, true)
    // FS_RECTF is left, top, right, bottom.
    return { x, y, left: at(0), top: at(1), right: at(2), bottom: at(3) }
  })
}

/** Height of the font of one character of an open text, in page units; undefined when the reader does not know. */
export const heightOf = ({ pdfium }: Reader, text: number, char: number): number | undefined =>
  borrow(pdfium, 24, matrix => {
    if (!pdfium.FPDFText_GetMatrix(text, char, matrix)) return undefined
    const view = memory(pdfium, matrix, 24)
    const scale = Math.hypot(view.getFloat32(8, true), view.getFloat32(12, true))
    const height = scale * pdfium.FPDFText_GetFontSize(text, char)
    return Number.isFinite(height) ? height : undefined
  })
