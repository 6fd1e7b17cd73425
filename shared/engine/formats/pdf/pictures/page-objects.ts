import { type Matrix, unit } from '../content/matrix.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'

/** Kinds of objects as the reader counts them. */
export const kinds = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const

/** Deepest nesting of forms that is looked into. */
export const maxDepth = 12

/** The objects of a loaded page, those inside forms left out. */
export const objectsOf = ({ pdfium }: Reader, page: number): number[] =>
  Array.from({ length: pdfium.FPDFPage_CountObjects(page) }, (_, i) => pdfium.FPDFPage_GetObject(page, i))

/** The objects of a form. */
export const partsOf = ({ pdfium }: Reader, form: number): number[] =>
  Array.from({ length: pdfium.FPDFFormObj_CountObjects(form) }, (_, i) => pdfium.FPDFFormObj_GetObject(form, i))

/** Visits the objects of a loaded page, those inside forms included. */
export const eachObject = (reader: Reader, page: number, visit: (object: number, kind: number) => void): void => {
  const take = (object: number, depth: number) => {
    const kind = reader.pdfium.FPDFPageObj_GetType(object)
    visit(object, kind)
    if (kind === kinds.form && depth < maxDepth) for (const part of partsOf(reader, object)) take(part, depth + 1)
  }
  for (const object of objectsOf(reader, page)) take(object, 0)
}

/** The matrix of an object. */
export const matrixOf = ({ pdfium }: Reader, object: number): Matrix =>
  borrow(pdfium, 24, pointer => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, pointer)) return unit
    const view = memory(pdfium, pointer, 24)
    return [0, 4, 8, 12, 16, 20].map(at => view.getFloat32(at, true)) as unknown as Matrix
  })
