import type { Reader } from '../page-reader.ts'
import { borrow, fourFloats } from '../pdfium.ts'

/** Where a form field stands on its page, in the page's own coordinates. */
export type FieldBox = { left: number; bottom: number; right: number; top: number }

/** The flag of a text field that is divided into a cell for each letter (PDF 32000-1, 12.7.4.3). */
const comb = 1 << 24

/** The form fields of a loaded page that show each letter in a cell of its own. */
export const combFields = ({ pdfium }: Reader, page: number, form: number): FieldBox[] =>
  Array.from({ length: pdfium.FPDFPage_GetAnnotCount(page) }, (_, i) => i).flatMap(i => {
    const annotation = pdfium.FPDFPage_GetAnnot(page, i)
    if (annotation === 0) return []
    const isComb = (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & comb) !== 0
    const boxes = isComb ? [boxOf(pdfium, annotation)] : []
    pdfium.FPDFPage_CloseAnnot(annotation)
    return boxes
  })

const boxOf = (pdfium: Reader['pdfium'], annotation: number): FieldBox =>
  borrow(pdfium, 16, rect => {
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    // FS_RECTF is left, top, right, bottom.
    const [left, top, right, bottom] = fourFloats(pdfium, rect)
    return { left, bottom, right, top }
  })
