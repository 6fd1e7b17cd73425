import { apply, type Matrix, multiply, unit } from '../content/matrix.ts'
import { isShownAsOthers } from '../fonts/letter-shapes.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, fourFloats } from '../pdfium.ts'
import { kinds, matrixOf, maxDepth, objectsOf, partsOf } from './page-objects.ts'

/** From where to where something reaches in one direction, in points. */
type Stretch = readonly [from: number, to: number]

/** What an object of a page takes up, along its lower side and along its left one. */
type Box = { across: Stretch; upwards: Stretch }

/** Where an object stands that is in a form which a matrix puts on the page; undefined if the reader can't tell. */
const boxOf = ({ pdfium }: Reader, object: number, form: Matrix): Box | undefined =>
  borrow(pdfium, 16, sides => {
    if (!pdfium.FPDFPageObj_GetBounds(object, sides, sides + 4, sides + 8, sides + 12)) return undefined
    const [left, bottom, right, top] = fourFloats(pdfium, sides)
    const corners = [left, right].flatMap(x => [bottom, top].map(y => apply(form, x, y)))
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
    return { across: [Math.min(...xs), Math.max(...xs)], upwards: [Math.min(...ys), Math.max(...ys)] }
  })

/** How far lines may lean and still run along a side of the page. */
const level = 0.05

/** A text that is shown as others: its box, and whether its lines run along one side of the page only. */
type Doubted = { box: Box | undefined; runsAcross: boolean; runsUpwards: boolean }

/** The texts that are shown as others in an object, which is one or a form with some. */
const doubtedIn = (reader: Reader, object: number, outer: Matrix = unit, depth = 0): Doubted[] => {
  const kind = reader.pdfium.FPDFPageObj_GetType(object)
  const matrix = () => multiply(matrixOf(reader, object), outer)
  if (kind === kinds.form && depth < maxDepth)
    return partsOf(reader, object).flatMap(part => doubtedIn(reader, part, matrix(), depth + 1))
  if (kind !== kinds.text || !isShownAsOthers(reader, object)) return []
  const [a, b, c, d] = matrix().map(Math.abs) as [number, number, number, number]
  const most = Math.max(a, b, c, d) * level
  return [
    { box: boxOf(reader, object, outer), runsAcross: b <= most && c <= most, runsUpwards: a <= most && d <= most },
  ]
}

/** How far lines are from the next ones at most, in heights of their letters: texts go on over them. */
const betweenLines = 3

/** Whether two stretches meet, or are no further from each other than the second one's next line is. */
const meet = ([from, to]: Stretch, [start, end]: Stretch): boolean => {
  const room = betweenLines * (end - start)
  return from <= end + room && to >= start - room
}

const isNear = (box: Box, { box: other, runsAcross, runsUpwards }: Doubted): boolean =>
  other === undefined ||
  (!runsUpwards && meet(box.upwards, other.upwards)) ||
  (!runsAcross && meet(box.across, other.across))

/**
 * The texts of a loaded page that stand in no line with one that is shown as others, nor next to such a line: what is read there
 * is what is shown.
 */
export const linesApart = (reader: Reader, page: number): number[] => {
  const all = objectsOf(reader, page).map(object => ({ object, doubted: doubtedIn(reader, object) }))
  const doubted = all.flatMap(one => one.doubted)
  return all.flatMap(({ object, doubted: own }) => {
    if (own.length > 0 || reader.pdfium.FPDFPageObj_GetType(object) !== kinds.text) return []
    const box = boxOf(reader, object, unit)
    return box && !doubted.some(other => isNear(box, other)) ? [object] : []
  })
}
