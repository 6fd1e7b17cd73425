import { levelsOf, paperOf } from './halves.ts'
import { isDoubtful, worth } from './orientation.ts'
import type { Box, OcrResult, OcrWord, Picture } from './picture.ts'

const degree = Math.PI / 180

/** How steep lines may be, the steps in which their slant is looked for, and those in which it is told, in radians. */
const slants = { steepest: 16 * degree, coarse: 0.25 * degree, fine: 0.05 * degree }
/** Slant up to which lines are read as if they were level, and up to which it is hardly harder to read them. */
const [level, slight] = [0.4 * degree, 1.5 * degree]

/** Difference, of 255, between dots so far apart that is the edge of a letter: photographs are blurred and pale. */
const edge = { difference: 32, dots: 3 }
/** Fewest edges that tell anything, and how many are looked at: more of them say no more. */
const [fewest, most] = [200, 8192]

/** How much closer than at most other slants edges gather where lines may be, where all are parallel, and where there are hardly any. */
const [lines, parallel, none] = [1.3, 1.7, 1.15]
/** How close they gather at no slant, as a share of the closest, where lines may as well be level. */
const asGood = 0.85

/** Places of edges: how far along the lines each is, and how far across. */
type Edges = { along: Float32Array; across: Float32Array; length: number }

/** Edges below what is darker, or of `lying` lines to its right: letters stand there. */
const edgesOf = (levels: Uint8Array, width: number, lying: boolean): Edges => {
  const [right, down] = lying ? [edge.dots, 0] : [0, edge.dots]
  const step = down * width + right
  const places = new Uint32Array(2 * most)
  let [found, every, kept] = [0, 1, 0]
  for (let row = 0; row + step < levels.length; row += width)
    for (let at = row; at < row + width - right; at++) {
      if (levels[at + step]! - levels[at]! <= edge.difference || found++ % every !== 0) continue
      places[kept++] = at
      if (kept < places.length) continue
      kept = most
      for (let i = 0; i < kept; i++) places[i] = places[2 * i]!
      every *= 2
    }
  const columns = Float32Array.from(places.subarray(0, kept), at => at % width)
  const rows = Float32Array.from(places.subarray(0, kept), at => Math.floor(at / width))
  const [along, across] = lying ? [rows, columns.map(x => -x)] : [columns, rows]
  return { along, across, length: levels.length / width }
}

/** How close edges gather on lines of a slant: the mean square of how many stand on each, 1 where as many stand on all. */
const gathering = ({ along, across }: Edges, slant: number, thickness: number): number => {
  const [cos, sin] = [Math.cos(slant) / thickness, Math.sin(slant) / thickness]
  const on = new Int32Array(along.length)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < on.length; i++) {
    const line = Math.floor(across[i]! * cos - along[i]! * sin)
    on[i] = line
    low = Math.min(low, line)
    high = Math.max(high, line)
  }
  const counts = new Uint32Array(high - low + 1)
  let squares = 0
  // The square of a number is the sum of the first odd numbers, as many as it says.
  for (let i = 0; i < on.length; i++) squares += 2 * counts[on[i]! - low]!++ + 1
  return (squares * counts.length) / on.length ** 2
}

/** The slant at which edges gather closest, how close, and whether they do so at no other; undefined where they tell nothing. */
type Found = { slant: number; closeness: number; isClear: boolean }

const closestOf = (edges: Edges): Found | undefined => {
  if (edges.along.length < fewest) return undefined
  const at = (slant: number, step: number) => gathering(edges, slant, Math.max(2, (edges.length * step) / 2))
  const steps = Math.round(slants.steepest / slants.coarse)
  const all = Array.from({ length: 2 * steps + 1 }, (_, i) => at((i - steps) * slants.coarse, slants.coarse))
  const usual = all.toSorted((a, b) => a - b)[steps]!
  const best = all.indexOf(Math.max(...all))
  const [closeness, atNone] = [all[best]! / usual, all[steps]! / usual]
  // What gathers ever closer beyond is no line.
  if (closeness < lines || best === 0 || best === 2 * steps) return undefined
  const coarse = (best - steps) * slants.coarse
  if (atNone >= asGood * closeness) return { slant: 0, closeness, isClear: true }
  const fine = Array.from({ length: 11 }, (_, i) => coarse + (i - 5) * slants.fine)
  const slant = fine.reduce((a, b) => (at(b, slants.fine) > at(a, slants.fine) ? b : a), coarse)
  return { slant, closeness, isClear: closeness >= parallel && (atNone < none || Math.abs(slant) < slight) }
}

/** By how much the lines of a picture slant, clockwise; undefined where they don't, or where there are none. */
export const slantOf = (picture: Picture): Found | undefined => {
  const levels = levelsOf(picture)
  const upright = closestOf(edgesOf(levels, picture.width, false))
  if (upright?.slant === 0) return undefined
  const lying = closestOf(edgesOf(levels, picture.width, true))
  const found = (lying?.closeness ?? 0) > (upright?.closeness ?? 0) ? lying : upright
  return found && Math.abs(found.slant) >= level ? found : undefined
}

type Size = { width: number; height: number }

/** Size of the box around a box of that size that is turned by a slant. */
const around = ({ width, height }: Size, slant: number): Size => {
  const [cos, sin] = [Math.cos(slant), Math.abs(Math.sin(slant))]
  return { width: width * cos + height * sin, height: width * sin + height * cos }
}

/** Size of a box whose lines slant so, by that of the box around it. */
const inside = ({ width, height }: Size, slant: number): Size => {
  const [cos, sin] = [Math.cos(slant), Math.abs(Math.sin(slant))]
  const scale = cos * cos - sin * sin
  return {
    width: Math.max(0, (width * cos - height * sin) / scale),
    height: Math.max(0, (height * cos - width * sin) / scale),
  }
}

const sizeOf = ({ left, top, right, bottom }: Box): Size => ({ width: right - left, height: bottom - top })

/** Size of a word along and across its line, where that doesn't lie on its side. */
export const wordSize = (word: Box & { slant?: number }): Size => inside(sizeOf(word), word.slant ?? 0)

/** The slant that all of some words have; none where they don't have the same. */
export const commonSlant = ([first, ...others]: readonly { slant?: number }[]): number =>
  others.every(({ slant }) => slant === first?.slant) ? (first?.slant ?? 0) : 0

/** The size of the copy of a picture in which lines of that slant are level. */
const levelledSize = (size: Size, slant: number): Size => {
  const { width, height } = around(size, slant)
  return { width: Math.ceil(width), height: Math.ceil(height) }
}

/** A box moved with its middle, from the middle of one picture to that of another that is turned clockwise by an angle. */
const moved = <T extends Box>(box: T, from: Size, to: Size, angle: number, { width, height }: Size): T => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [x, y] = [(box.left + box.right - from.width) / 2, (box.top + box.bottom - from.height) / 2]
  const [left, top] = [to.width / 2 + x * cos - y * sin - width / 2, to.height / 2 + x * sin + y * cos - height / 2]
  return { ...box, left, top, right: left + width, bottom: top + height }
}

/** Where a box of a picture, or the word in it, comes to lie in the copy in which lines of that slant are level. */
export const levelledBox = <T extends Box & { slant?: number }>(box: T, slant: number, size: Size): T => {
  if (slant === 0) return box
  const own = (box.slant === slant ? inside : around)(sizeOf(box), slant)
  return { ...moved(box, size, levelledSize(size, slant), -slant, own), slant: undefined }
}

/** A picture turned so that lines of that slant are level, on more of its paper, with even steps between its pixels. */
export const levelled = (picture: Picture, slant: number): Picture => {
  if (slant === 0) return picture
  const { width, height, channels, pixels } = picture
  const size = levelledSize(picture, slant)
  const [cos, sin] = [Math.cos(slant), Math.sin(slant)]
  const result = new Uint8Array(size.width * size.height * channels).fill(paperOf(levelsOf(picture)))
  for (let y = 0; y < size.height; y++) {
    const [right, down] = [0.5 - size.width / 2, y + 0.5 - size.height / 2]
    let fromX = right * cos - down * sin + width / 2 - 0.5
    let fromY = right * sin + down * cos + height / 2 - 0.5
    for (let x = 0, to = y * size.width * channels; x < size.width; x++, fromX += cos, fromY += sin, to += channels) {
      const [column, row] = [Math.floor(fromX), Math.floor(fromY)]
      if (column < 0 || row < 0 || column + 1 >= width || row + 1 >= height) continue
      const [across, below] = [fromX - column, fromY - row]
      const at = (row * width + column) * channels
      const under = at + width * channels
      for (let channel = 0; channel < channels; channel++) {
        const upper = pixels[at + channel]! * (1 - across) + pixels[at + channels + channel]! * across
        const lower = pixels[under + channel]! * (1 - across) + pixels[under + channels + channel]! * across
        result[to + channel] = upper * (1 - below) + lower * below + 0.5
      }
    }
  }
  return { ...size, channels, pixels: result }
}

/**
 * Reads a picture whose lines slant in a copy in which they are level; Tesseract loses most of a page that is turned by a few
 * degrees. Where it isn't clear that all lines slant, or what is read is doubtful, it is read as it came as well. Boxes are those of
 * the picture as it came.
 */
export const readLevel = async (
  picture: Picture,
  read: (picture: Picture) => Promise<OcrResult>,
): Promise<OcrResult> => {
  const { slant = 0, isClear } = slantOf(picture) ?? {}
  if (slant === 0) return read(picture)
  const copy = levelled(picture, slant)
  const result = await read(copy)
  const back = (word: OcrWord): OcrWord => ({
    ...moved(word, copy, picture, slant, around(sizeOf(word), slant)),
    slant,
  })
  const slanted = { ...result, lines: result.lines.map(line => line.map(back)) }
  if (isClear && !isDoubtful(result)) return slanted
  const asItCame = await read(picture)
  return worth(asItCame.lines.flat()) > worth(result.lines.flat()) ? asItCame : slanted
}
