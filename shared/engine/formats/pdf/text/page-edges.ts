import type { Reader } from '../page-reader.ts'
import { fourFloats } from '../pdfium.ts'
import { heightOf, placeOf } from './char-place.ts'

/** A line of a text: where it begins and ends there, and how it stands on its page; `size` is the height of its font. */
export type EdgeLine = { from: number; to: number; left: number; right: number; y: number; size: number }

/**
 * The first and the last lines of a page's text, in its order, and how far up and down the page goes. `samePlace`: how far from each
 * other, in heights of its letters, what runs along with the text stands on two pages; `sameSize`: share by which the sizes of letters of
 * one text differ at most.
 */
export type PageEdges = {
  first: EdgeLine[]
  last: EdgeLine[]
  top: number
  bottom: number
  samePlace: number
  sameSize: number
}

/** A text and the reader's characters behind each unit of it, see `PageText`. */
type Letters = { text: string; chars: Int32Array; ends: Int32Array }

/** Characters at either end of a text that are looked at. */
const reach = 700

/** Reads the edges of a loaded page; none of one that is turned. */
export const edgesOf = (reader: Reader, page: number, text: number, own: Letters): PageEdges | undefined => {
  const { pdfium } = reader
  if (pdfium.FPDFPage_GetRotation(page) !== 0) return undefined
  if (!pdfium.FPDF_GetPageBoundingBox(page, pdfium.scratch)) return undefined
  const [, top, , bottom] = fourFloats(pdfium, pdfium.scratch)
  const { length } = own.text
  const begin = Math.max(0, length - reach)
  const last = linesIn(reader, text, own, begin, length)
  return {
    first: linesIn(reader, text, own, 0, Math.min(length, reach)),
    // The first of them may have begun before.
    last: begin > 0 ? last.slice(1) : last,
    top,
    bottom,
    samePlace: 0.2,
    sameSize: 0.08,
  }
}

/** The lines of a stretch of a text; one may only end where the reader has something that the page does not show, in the text or left out. */
function linesIn(reader: Reader, text: number, own: Letters, begin: number, end: number): EdgeLine[] {
  const { chars, ends } = own
  const isShown = (at: number) => chars[at]! >= 0 && own.text[at]!.trim() !== ''
  const lines: EdgeLine[] = []
  let line: EdgeLine | undefined
  let [last, isApart] = [-1, true]
  for (let at = begin; at < end; at++) {
    if (!isShown(at)) {
      isApart ||= chars[at]! < 0
      continue
    }
    if (isApart || chars[at] !== ends[last]! + 1) {
      const place = placeOf(reader, text, chars[at]!)
      if (!place) return lines
      if (!line || Math.abs(place.y - line.y) > level * line.size) {
        if (line) endLine(reader, text, ends[last]!, line)
        const size = heightOf(reader, text, chars[at]!) ?? place.top - place.bottom
        line = { from: at, to: at, left: place.left, right: place.left, y: place.y, size }
        lines.push(line)
      }
    }
    line!.to = at + 1
    last = at
    isApart = false
  }
  if (line) endLine(reader, text, ends[last]!, line)
  return lines
}

function endLine(reader: Reader, text: number, char: number, line: EdgeLine): void {
  line.right = placeOf(reader, text, char)?.right ?? line.right
}

/** How far apart the letters of one line are in height at most, in heights of the font. */
const level = 0.6
