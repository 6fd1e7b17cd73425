import { type Matrix, multiply, unit } from '../content/matrix.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'
import { kinds, matrixOf, maxDepth } from './page-objects.ts'

/** A stretch of a page as it is drawn, in inches from the top left, and how many dots per inch its pictures have there. */
export type DenseRegion = { left: number; top: number; right: number; bottom: number; dpi: number }

const pixelsOf = ({ pdfium }: Reader, image: number): { width: number; height: number } =>
  borrow(pdfium, 8, size => {
    if (!pdfium.FPDFImageObj_GetImagePixelSize(image, size, size + 4)) return { width: 0, height: 0 }
    const view = memory(pdfium, size, 8)
    return { width: view.getUint32(0, true), height: view.getUint32(4, true) }
  })

/** Visits every picture of a loaded page with the matrix that puts the unit square where it is drawn. */
export const eachImage = (reader: Reader, page: number, visit: (image: number, matrix: Matrix) => void): void => {
  const { pdfium } = reader
  const take = (object: number, outer: Matrix, depth: number) => {
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind !== kinds.image && kind !== kinds.form) return
    const matrix = multiply(matrixOf(reader, object), outer)
    if (kind === kinds.image) return visit(object, matrix)
    if (depth >= maxDepth) return
    const count = pdfium.FPDFFormObj_CountObjects(object)
    for (let i = 0; i < count; i++) take(pdfium.FPDFFormObj_GetObject(object, i), matrix, depth + 1)
  }
  const count = pdfium.FPDFPage_CountObjects(page)
  for (let i = 0; i < count; i++) take(pdfium.FPDFPage_GetObject(page, i), unit, 0)
}

/** A unit in which places are told by PDFium as whole numbers, per inch. */
const fine = 1200

/** Where a loaded page shows what a matrix makes of the unit square, as far as the page reaches, in inches from the top left. */
export const regionOf = ({ pdfium }: Reader, page: number, matrix: Matrix): Omit<DenseRegion, 'dpi'> => {
  const scale = fine / 72
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map(points =>
    Math.round(points * scale),
  ) as [number, number]
  const [a, b, c, d, e, f] = matrix
  const corners = [
    [e, f],
    [a + e, b + f],
    [c + e, d + f],
    [a + c + e, b + d + f],
  ].map(([x, y]) =>
    borrow(pdfium, 8, point => {
      pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x!, y!, point, point + 4)
      const view = memory(pdfium, point, 8)
      return [view.getInt32(0, true) / fine, view.getInt32(4, true) / fine] as const
    }),
  )
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const within = (value: number, most: number) => Math.min(most / fine, Math.max(0, value))
  return {
    left: within(Math.min(...xs), width),
    right: within(Math.max(...xs), width),
    top: within(Math.min(...ys), height),
    bottom: within(Math.max(...ys), height),
  }
}

const touches = (a: DenseRegion, b: DenseRegion): boolean => {
  // A strip of a scan begins where the last one ends, give or take what was rounded.
  const room = 0.02
  return a.left <= b.right + room && b.left <= a.right + room && a.top <= b.bottom + room && b.top <= a.bottom + room
}

/**
 * Where a loaded page shows pictures of more dots per inch than `dpi` that take up less than `most` square inches: drawn at
 * `dpi`, small type in them would be lost. Pictures that touch count as one.
 */
export const denseRegions = (reader: Reader, page: number, dpi: number, most: number): DenseRegion[] => {
  let regions: DenseRegion[] = []
  eachImage(reader, page, (image, matrix) => {
    const { width, height } = pixelsOf(reader, image)
    const [a, b, c, d] = matrix
    const inches = [Math.hypot(a, b) / 72, Math.hypot(c, d) / 72] as const
    const own = Math.max(width / Math.max(inches[0], 0.01), height / Math.max(inches[1], 0.01))
    let region: DenseRegion = { ...regionOf(reader, page, matrix), dpi: own }
    for (let grown = true; grown; ) {
      const near = regions.filter(other => touches(region, other))
      grown = near.length > 0
      regions = regions.filter(other => !near.includes(other))
      for (const other of near)
        region = {
          left: Math.min(region.left, other.left),
          top: Math.min(region.top, other.top),
          right: Math.max(region.right, other.right),
          bottom: Math.max(region.bottom, other.bottom),
          dpi: Math.max(region.dpi, other.dpi),
        }
    }
    regions.push(region)
  })
  const area = ({ left, top, right, bottom }: DenseRegion) => (right - left) * (bottom - top)
  return regions.filter(region => region.dpi > dpi && area(region) > 0 && area(region) < most)
}
