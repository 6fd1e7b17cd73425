import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'

/** Rows and columns of the grid on which letters are compared, and the size in points at which they are drawn on it. */
const side = 16
const points = 100

/** A letter in its box: one bit of a grid for each place that it covers; and how much wider than high the box is, as a power of 2. */
type Shape = { rows: Int32Array; ratio: number }

type Point = readonly [x: number, y: number]

/** What a path does next: PDFium's numbers. */
const kinds = { line: 0, curve: 1, move: 2 } as const

/** Straight pieces that a curve is drawn with. */
const pieces = 4

const curve = (a: Point, b: Point, c: Point, d: Point): Point[] =>
  Array.from({ length: pieces }, (_, i) => {
    const t = (i + 1) / pieces
    const at = (axis: 0 | 1) =>
      (1 - t) ** 3 * a[axis] + 3 * t * (1 - t) ** 2 * b[axis] + 3 * t * t * (1 - t) * c[axis] + t ** 3 * d[axis]
    return [at(0), at(1)] as const
  })

/** The outlines of a letter as a font draws it; none where it has none. */
const outlinesOf = ({ pdfium }: Reader, font: number, letter: string): Point[][] => {
  const path = pdfium.FPDFFont_GetGlyphPath(font, letter.charCodeAt(0), points)
  const count = path === 0 ? 0 : pdfium.FPDFGlyphPath_CountGlyphSegments(path)
  const outlines: Point[][] = []
  borrow(pdfium, 8, scratch => {
    const view = memory(pdfium, scratch, 8)
    const segmentAt = (index: number) => pdfium.FPDFGlyphPath_GetGlyphPathSegment(path, index)
    const pointOf = (segment: number): Point => {
      pdfium.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
      return [view.getFloat32(0, true), view.getFloat32(4, true)]
    }
    for (let i = 0; i < count; i++) {
      const segment = segmentAt(i)
      const kind = pdfium.FPDFPathSegment_GetType(segment)
      const last = outlines.at(-1)
      if (kind === kinds.move) outlines.push([pointOf(segment)])
      else if (kind === kinds.curve && i + 2 < count) {
        const [second, third] = [segmentAt(++i), segmentAt(++i)]
        last?.push(...curve(last.at(-1) as Point, pointOf(segment), pointOf(second), pointOf(third)))
      } else last?.push(pointOf(segment))
    }
  })
  return outlines.filter(outline => outline.length > 2)
}

/** What outlines cover, by the rule of non-zero winding. */
const shapeOf = (outlines: readonly Point[][]): Shape | undefined => {
  const far = Number.POSITIVE_INFINITY
  const box = { left: far, right: -far, bottom: far, top: -far }
  for (const outline of outlines)
    for (const [x, y] of outline) {
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.bottom = Math.min(box.bottom, y)
      box.top = Math.max(box.top, y)
    }
  const [width, height] = [box.right - box.left, box.top - box.bottom]
  if (!(width > 0 && height > 0)) return undefined
  const turns = new Int8Array(side * side)
  const addEdge = ([x0, y0]: Point, [x1, y1]: Point) => {
    const rowOf = (y: number) => Math.max(0, Math.ceil(((y - box.bottom) / height) * side - 0.5))
    for (let row = rowOf(Math.min(y0, y1)), end = rowOf(Math.max(y0, y1)); row < Math.min(side, end); row++) {
      const y = box.bottom + ((row + 0.5) / side) * height
      const x = x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)
      const column = Math.max(0, Math.ceil(((x - box.left) / width) * side - 0.5))
      for (let at = column; at < side; at++) turns[row * side + at]! += y1 > y0 ? 1 : -1
    }
  }
  for (const outline of outlines) for (const [i, point] of outline.entries()) addEdge(outline.at(i - 1) as Point, point)
  // Two rows of the grid in each number.
  const rows = new Int32Array(side / 2)
  for (let at = 0; at < side * side; at++) if (turns[at] !== 0) rows[at >> 5]! |= 1 << (at & 31)
  return { rows, ratio: Math.log2(width / height) }
}

/** How many bits of 32 are set. */
const ones = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** What a box of twice the width counts as: letters of condensed and wide fonts differ as much. */
const perRatio = 0.04

/** How much two letters differ, from 0 on. */
const distance = (a: Shape, b: Shape): number => {
  let different = 0
  for (let at = 0; at < a.rows.length; at++) different += ones((a.rows[at] as number) ^ (b.rows[at] as number))
  return different / side ** 2 + perRatio * Math.abs(a.ratio - b.ratio)
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']

/** Letters that many fonts draw alike count as one; so do small and capital ones. */
const alike = new Map(Object.entries({ '0': 'o', '1': 'l', i: 'l', j: 'l', q: 'g', '9': 'g', u: 'v', y: 'v' }))
const kindOf = (letter: string): string => alike.get(letter.toLowerCase()) ?? letter.toLowerCase()

/** The fonts that letters are compared with: the standard ones of each kind, which the reader brings along. */
const standard = ['Helvetica', 'Helvetica-Bold', 'Times-Roman', 'Times-Bold', 'Times-Italic', 'Courier']

/** A letter as a font shows it, and what it is read as. */
type Letter = { kind: string; shape: Shape }

const lettersOf = (reader: Reader, font: number): Letter[] =>
  letters.flatMap(letter => {
    const shape = shapeOf(outlinesOf(reader, font, letter))
    return shape ? [{ kind: kindOf(letter), shape }] : []
  })

let known: Map<string, Letter[]> | undefined

/** The letters of the standard fonts by what they are. */
const knownLetters = (reader: Reader): Map<string, Letter[]> => {
  const { pdfium, document } = reader
  known ??= Map.groupBy(
    standard.flatMap(name => lettersOf(reader, pdfium.FPDFText_LoadStandardFont(document, name))),
    ({ kind }) => kind,
  )
  return known
}

/** How near a shape is to the nearest of some letters. */
const nearest = (shape: Shape, letters: readonly Letter[] = []): number => {
  let least = Number.POSITIVE_INFINITY
  for (const letter of letters) least = Math.min(least, distance(letter.shape, shape))
  return least
}

/**
 * A letter is shown as another one if it is no further than `near` from how that is shown, and further by `more` from what it
 * is read as. One letter of a font may be near to another by its style; several, or one that is the other, are not.
 */
const lies = { several: { near: 0.14, more: 0.1 }, one: { near: 0.08, more: 0.2 } }

/** Whether a font shows other letters than it is read as, by their outlines. */
const showsOthers = (reader: Reader, font: number): boolean => {
  const all = knownLetters(reader)
  const wrong = lettersOf(reader, font).flatMap(letter => {
    const { kind, shape } = letter
    const same = nearest(shape, all.get(kind))
    if (same <= lies.several.more) return []
    const other = nearest(
      shape,
      [...all].flatMap(([name, letters]) => (name === kind ? [] : letters)),
    )
    return other <= lies.several.near && same > other + lies.several.more ? [{ ...letter, same, other }] : []
  })
  const kindsOf = Map.groupBy(wrong, ({ shape }) => shape.rows.join())
  // What many letters share is the box that stands for all that a font lacks.
  const told = [...kindsOf.values()].filter(sharing => new Set(sharing.map(({ kind }) => kind)).size <= 2).flat()
  return (
    new Set(told.map(({ kind }) => kind)).size > 1 ||
    told.some(({ same, other }) => other <= lies.one.near && same > other + lies.one.more)
  )
}

const judged = new WeakMap<Reader, Map<number, boolean>>()

/** Whether a text on a page, one of PDFium's objects, is shown in an embedded font that shows other letters than it is read as. */
export const isShownAsOthers = (reader: Reader, object: number): boolean => {
  const { pdfium, document } = reader
  const fonts = judged.get(reader) ?? new Map<number, boolean>()
  judged.set(reader, fonts)
  const font = pdfium.FPDFTextObj_GetFont(object)
  let verdict = fonts.get(font)
  if (verdict === undefined) {
    verdict = pdfium.FPDFFont_GetIsEmbedded(font) === 1 && showsOthers(reader, font)
    // Holds the font: another one that took its place in memory would be taken for it.
    if (pdfium.FPDFPageObj_CreateTextObj(document, font, 1) !== 0) fonts.set(font, verdict)
  }
  return verdict
}
