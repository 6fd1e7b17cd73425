import type { CharPlace } from './text.ts'

/** The places on a page whose glyphs must go. */
export type Targets = {
  /** Whether any of them lies between these heights, give or take the height of a line. */
  near(low: number, high: number): boolean
  /**
   * Whether a glyph stands in one of them: its origin is that of a character to remove, or its middle lies in the box of
   * one (a second copy of the same letter, drawn to look bold). `em` is the height of the font, all in page units.
   */
  hit(x: number, y: number, middleX: number, middleY: number, em: number): boolean
}

const bucket = 16

/** Gathers places, sorted by height for quick look-up. */
export const targetsOf = (places: CharPlace[]): Targets => {
  const rows = new Map<number, CharPlace[]>()
  for (const place of places) {
    const box = roomy(place)
    const from = Math.floor(Math.min(box.bottom, box.y) / bucket)
    const to = Math.min(from + 4096, Math.floor(Math.max(box.top, box.y) / bucket))
    for (let row = from - 1; row <= to + 1; row++) {
      const list = rows.get(row)
      if (list) list.push(box)
      else rows.set(row, [box])
    }
  }
  return {
    near: (low, high) => {
      const [from, to] = [Math.floor(low / bucket), Math.floor(high / bucket)]
      if (!(to - from < 64)) return rows.size > 0
      for (let row = from; row <= to; row++) if (rows.has(row)) return true
      return false
    },
    hit: (x, y, middleX, middleY, em) => {
      const near = Math.min(2, Math.max(0.02, 0.06 * em))
      const found = (row: number) =>
        rows
          .get(row)
          ?.some(
            p =>
              (Math.abs(p.x - x) <= near && Math.abs(p.y - y) <= near) ||
              (p.left <= middleX && middleX <= p.right && p.bottom <= middleY && middleY <= p.top),
          ) ?? false
      const row = Math.floor(y / bucket)
      const middleRow = Math.floor(middleY / bucket)
      return found(row) || (middleRow !== row && found(middleRow))
    },
  }
}

/** Fonts without measures have flat boxes; a glyph is at least half as high as it is wide. */
const roomy = (place: CharPlace): CharPlace => {
  const width = place.right - place.left
  const height = place.top - place.bottom
  if (height >= 0.4 * width || height > 2) return place
  return { ...place, bottom: place.y - 0.25 * width, top: place.y + width }
}
