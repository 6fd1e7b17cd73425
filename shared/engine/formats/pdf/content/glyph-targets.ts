import type { CharPlace } from '../text/char-place.ts'

/** The places on a page whose glyphs must go. */
export type Targets = {
  /** Whether any of them reaches into this part of the page; where not, no glyph that stands in it can be hit. */
  near(left: number, bottom: number, right: number, top: number): boolean
  /**
   * Whether a glyph stands in one of them: its origin is that of a character to remove, or its middle lies in the box of
   * one (a second copy of the same letter, drawn to look bold), unless its origin is rather that of a character that
   * stays, or its width where both have one origin. `em` is the height of the font, `width` that of the glyph where its text is
   * level, all in page units.
   */
  hit(x: number, y: number, middleX: number, middleY: number, em: number, width?: number): boolean
}

const bucket = 16

/** Farthest that an origin may be from another to count as the same, page units. */
const reach = 2

/** Heights of the font by which the widths of a glyph and of its place differ at most. */
const sameWidth = 0.1

/** Places of one height, and how far to the left and to the right they reach with their origins. */
type Row = { places: CharPlace[]; left: number; right: number }

type Rows = Map<number, Row>

/** Sorts places by height, each into every row that it reaches. */
const rowsOf = (places: CharPlace[]): Rows => {
  const rows: Rows = new Map()
  for (const place of places) {
    const box = roomy(place)
    const from = Math.floor(Math.min(box.bottom, box.y) / bucket)
    const to = Math.min(from + 4096, Math.floor(Math.max(box.top, box.y) / bucket))
    for (let row = from - 1; row <= to + 1; row++) {
      const known = rows.get(row) ?? { places: [], left: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY }
      rows.set(row, known)
      known.places.push(box)
      known.left = Math.min(known.left, box.left, box.x)
      known.right = Math.max(known.right, box.right, box.x)
    }
  }
  return rows
}

/** Gathers places. `staying` lists the characters of the page that stay; asked for only where places overlap. */
export const targetsOf = (places: CharPlace[], staying: () => CharPlace[] = () => []): Targets => {
  const rows = rowsOf(places)
  let others: Rows | undefined
  const stayingAt = (y: number) => {
    others ??= rowsOf(staying())
    return others.get(Math.floor(y / bucket))
  }
  return {
    near: (left, bottom, right, top) => {
      const [from, to] = [Math.floor(bottom / bucket), Math.floor(top / bucket)]
      if (!(to - from < 64)) return rows.size > 0
      const reaches = (p: CharPlace) =>
        !(
          Math.min(p.left, p.x) - reach > right ||
          Math.max(p.right, p.x) + reach < left ||
          Math.min(p.bottom, p.y) - reach > top ||
          Math.max(p.top, p.y) + reach < bottom
        )
      for (let row = from; row <= to; row++) if (rows.get(row)?.places.some(reaches)) return true
      return false
    },
    hit: (x, y, middleX, middleY, em, width) => {
      const [own, other] = [rows.get(Math.floor(y / bucket)), rows.get(Math.floor(middleY / bucket))]
      if (isBeside(own, x, middleX) && isBeside(other, x, middleX)) return false
      const near = Math.min(reach, Math.max(0.02, 0.06 * em))
      const from = distance(own, x, y)
      // The usual case: the glyph begins where the reader says, but for rounding.
      if (from <= 0.1 * near) {
        if (width === undefined) return true
        const apart = widthsApart(own, x, y, near, width)
        if (apart <= sameWidth * em) return true
        return apart <= widthsApart(stayingAt(y), x, y, near, width) + sameWidth * em
      }
      if (from > near && !isCovered(own, middleX, middleY) && !isCovered(other, middleX, middleY)) return false
      const next = distance(stayingAt(y), x, y)
      return next > near || from <= next
    },
  }
}

/** Whether two points of one glyph lie to the left or to the right of all places of a row. */
const isBeside = (row: Row | undefined, x: number, middleX: number): boolean =>
  !row || Math.max(x, middleX) + reach < row.left || Math.min(x, middleX) - reach > row.right

/** Whether a point lies in the box of one of some places. */
const isCovered = (row: Row | undefined, x: number, y: number): boolean => {
  if (!row) return false
  for (const p of row.places) if (p.left <= x && x <= p.right && p.bottom <= y && y <= p.top) return true
  return false
}

/** How far a point is from the nearest origin, along the axis on which it is farther. */
const distance = (row: Row | undefined, x: number, y: number): number => {
  let least = Number.POSITIVE_INFINITY
  if (!row) return least
  for (const p of row.places) least = Math.min(least, Math.max(Math.abs(p.x - x), Math.abs(p.y - y)))
  return least
}

/** By how much the width of a glyph differs from that of the likest place with its origin: a mark that takes no room has that of the next letter. */
const widthsApart = (row: Row | undefined, x: number, y: number, near: number, width: number): number => {
  let least = Number.POSITIVE_INFINITY
  if (!row) return least
  for (const p of row.places)
    if (Math.abs(p.x - x) <= near && Math.abs(p.y - y) <= near)
      least = Math.min(least, Math.abs(p.right - p.left - width))
  return least
}

/** Fonts without measures have flat boxes; a glyph is at least half as high as it is wide. */
const roomy = (place: CharPlace): CharPlace => {
  const width = place.right - place.left
  const height = place.top - place.bottom
  if (height >= 0.4 * width || height > 2) return place
  return { ...place, bottom: place.y - 0.25 * width, top: place.y + width }
}
