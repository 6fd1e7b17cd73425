import type { Picture } from './picture.ts'

/** Pixels of the smallest picture that is worth two readers. */
const smallest = 1_500_000
/** How much darker than paper ink is, of 255. */
const contrast = 64
/** Rows without ink that part two lines for certain. */
const thinnest = 3
/** White across some lines that may part two columns, as a share of the width. */
const gutter = 0.03
/** Rows above and below the cut that are looked at for columns, as a share of the height. */
const around = 0.1

/** How light the darkest colour of each dot is: ink of any colour lacks one. */
export const levelsOf = ({ width, height, channels, pixels }: Picture): Uint8Array => {
  if (channels === 1) return pixels
  const levels = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < levels.length; at++, from += 3)
    levels[at] = Math.min(pixels[from]!, pixels[from + 1]!, pixels[from + 2]!)
  return levels
}

/** The brightness that most dots have. */
export const paperOf = (levels: Uint8Array): number => {
  const counts = new Uint32Array(256)
  for (let at = 0; at < levels.length; at++) counts[levels[at] as number]!++
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))
}

/** The longest run of zeros between the first and the last number that is none; Infinity where all are. */
const widestGap = (counts: Uint32Array): number => {
  let [last, widest] = [-1, 0]
  counts.forEach((count, at) => {
    if (count === 0) return
    if (last >= 0) widest = Math.max(widest, at - last - 1)
    last = at
  })
  return last < 0 ? Number.POSITIVE_INFINITY : widest
}

/**
 * The row at which a picture of a page can be cut in two, so that reading both gives the lines of the whole in their
 * order: in the middle third, in a white band from side to side. Undefined where there is none (slanted or turned pages,
 * pictures, dark paper), and where columns may run across it, which are read one after the other.
 */
export const cutRow = (picture: Picture): number | undefined => {
  const { width, height } = picture
  if (width * height < smallest) return undefined
  const levels = levelsOf(picture)
  const ink = paperOf(levels) - contrast
  if (ink < contrast) return undefined
  const bands: { middle: number; high: number }[] = []
  let from = Math.floor(height / 3)
  const end = Math.ceil((2 * height) / 3)
  for (let y = from; y <= end; y++) {
    let blank = y < end
    for (let at = y * width; blank && at < (y + 1) * width; at++) blank = (levels[at] as number) >= ink
    if (blank) continue
    if (y - from >= thinnest) bands.push({ middle: (from + y) >> 1, high: y - from })
    from = y + 1
  }
  const highest = bands.reduce((most, { high }) => Math.max(most, high), 0)
  const off = ({ middle }: { middle: number }) => Math.abs(middle - height / 2)
  const [best] = bands.filter(({ high }) => high >= highest / 2).sort((a, b) => off(a) - off(b))
  if (!best) return undefined
  const cut = best.middle
  const columns = new Uint32Array(width)
  const [top, bottom] = [cut - Math.round(around * height), cut + Math.round(around * height)]
  for (let y = top; y < bottom; y++)
    for (let x = 0; x < width; x++) if ((levels[y * width + x] as number) < ink) columns[x]!++
  return widestGap(columns) < gutter * width ? cut : undefined
}

/** Rows of a picture, up to `to`. */
export const rowsOf = ({ width, channels, pixels }: Picture, from: number, to: number): Picture => ({
  width,
  height: to - from,
  channels,
  pixels: pixels.subarray(from * width * channels, to * width * channels),
})
