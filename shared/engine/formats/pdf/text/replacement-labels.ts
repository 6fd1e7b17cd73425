import { wordSize } from '../../../ocr/slant.ts'
import { written } from '../content/text-state-writer.ts'
import { encodeLabel } from '../fonts/standard-fonts.ts'
import type { CharPlace } from './char-place.ts'

/**
 * A replaced value on a page: where its characters stood, in order, and what the label says. `em`: height of its font in
 * page units, where it is known. `isAlike`: what it says reads like the value, so it stands in the line without a box, in the
 * standard `font` that looks most like the one around it. `slant`: by how much its lines, on a picture, are turned
 * anticlockwise beside the quarter turns of `angle`, in radians; places are the boxes around the words then.
 */
export type Label = {
  places: CharPlace[]
  text: string
  angle: number
  slant?: number
  em?: number
  isAlike?: true
  font?: string
}

/** The font of what stands in a box. */
const usualFont = 'Helvetica'

/** Name of a font of labels in the resources of a page. */
export const labelFontName = (font = usualFont): string => `AnonymisedLabel${font === usualFont ? '' : font}`

/** The standard fonts that labels are written in. */
export const labelFontsOf = (labels: readonly Label[]): Set<string> =>
  new Set([usualFont, ...labels.flatMap(({ isAlike, font }) => (isAlike && font ? [font] : []))])

/** A box on a page. */
export type Box = { left: number; bottom: number; right: number; top: number }

/** Characters that follow each other on one line share a box. `upright`: the line runs along the page's x axis. */
export const boxesOf = (places: CharPlace[], upright: boolean): Box[] => {
  const boxes: Box[] = []
  for (const place of places) {
    const box = tall(place)
    const last = boxes.at(-1)
    if (last && joins(last, box, upright)) {
      last.left = Math.min(last.left, box.left)
      last.right = Math.max(last.right, box.right)
      last.bottom = Math.min(last.bottom, box.bottom)
      last.top = Math.max(last.top, box.top)
    } else boxes.push(box)
  }
  return boxes
}

const tall = ({ left, bottom, right, top, y }: CharPlace): Box => {
  // Fonts without measures have flat boxes; a word of a picture is long, but never that flat.
  const flat = top - bottom < 0.02 * (right - left)
  return { left, right, bottom: flat ? y - 0.2 * (right - left) : bottom, top: flat ? y + (right - left) : top }
}

/** How far letters reach above and below their line, in heights of the font. */
const [above, below] = [0.95, 0.3]

/** A place no higher than its letters are: fonts for all scripts claim room that belongs to the lines around. */
const lower = (place: CharPlace, em: number, turns: number): CharPlace => {
  const { x, y, left, bottom, right, top } = place
  const reach = (low: number, high: number, from: number, to: number): [number, number] => {
    const clipped: [number, number] = [Math.max(low, from), Math.min(high, to)]
    // A line that stands elsewhere than its origin says is left as it is.
    return clipped[1] - clipped[0] > 0.3 * em ? clipped : [low, high]
  }
  if (turns % 2 === 0) {
    const [down, up] = turns === 0 ? [below, above] : [above, below]
    const [from, to] = reach(bottom, top, y - down * em, y + up * em)
    return { ...place, bottom: from, top: to }
  }
  const [before, behind] = turns === 1 ? [above, below] : [below, above]
  const [from, to] = reach(left, right, x - before * em, x + behind * em)
  return { ...place, left: from, right: to }
}

const joins = (a: Box, b: Box, upright: boolean): boolean => {
  const [height, gap, overlap] = upright
    ? [
        a.top - a.bottom,
        Math.max(b.left - a.right, a.left - b.right),
        Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom),
      ]
    : [
        a.right - a.left,
        Math.max(b.bottom - a.top, a.bottom - b.top),
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
      ]
  return gap < height && overlap > 0.4 * height
}

/** Vertical writing: upright letters below each other. */
const runsDown = (places: CharPlace[]): boolean =>
  places.length > 1 &&
  places.slice(1).every((place, i) => {
    const before = places[i] as CharPlace
    return before.y - place.y > 2 * Math.abs(before.x - place.x)
  })

/** The boxes of a stretch, one for each of its lines, and the quarter turns of these. */
export const linesOf = ({ places, angle, em }: Omit<Label, 'text'>, generous: boolean) => {
  const down = runsDown(places)
  const turns = down ? 3 : Math.round(angle / (Math.PI / 2)) & 3
  const fits = em !== undefined && em > 0 && !generous && !down
  return { turns, boxes: boxesOf(fits ? places.map(place => lower(place, em, turns)) : places, turns % 2 === 0) }
}

/** The places of a label on a page that is turned about its origin so that its lines are level. */
export const levelPlaces = ({ places, slant = 0 }: Pick<Label, 'places' | 'slant'>): CharPlace[] => {
  if (slant === 0) return places
  const [cos, sin] = [Math.cos(slant), Math.sin(slant)]
  return places.map(({ left, bottom, right, top }) => {
    const { width, height } = wordSize({ left, top: bottom, right, bottom: top, slant })
    const [x, y] = [(left + right) / 2, (bottom + top) / 2]
    const box = { left: x * cos + y * sin - width / 2, bottom: y * cos - x * sin - height / 2 }
    return { ...box, right: box.left + width, top: box.bottom + height, x: box.left, y: box.bottom }
  })
}

const grey = '0.85 g'

/**
 * The operators that draw grey boxes in place of what has gone, the label in the widest of each; what reads like a value
 * has no box. `generous` boxes also
 * cover what a slanted letter reaches beyond its own. `readable`: size below which letters are too small to read.
 */
export const drawLabels = (labels: Label[], generous: boolean, readable = 6): string => {
  const out: string[] = []
  for (const label of labels) {
    const { text, slant = 0 } = label
    const { turns, boxes } = linesOf({ ...label, places: levelPlaces(label) }, generous)
    const upright = turns % 2 === 0
    const length = (box: Box) => (upright ? box.right - box.left : box.top - box.bottom)
    const widest = boxes.reduce<Box | undefined>(
      (best, box) => (best && length(best) >= length(box) ? best : box),
      undefined,
    )
    if (!widest) continue
    // Nothing is put in place of a value that is removed; only on pictures is the value still there to be covered.
    if (text === '' && !generous) continue
    const { em: size, font } = label
    const line = label.isAlike && !generous ? { size, base: baseOf(label, widest, turns), font } : undefined
    if (slant !== 0) out.push(`q ${rotation(slant).map(written).join(' ')} 0 0 cm`)
    for (const { left, bottom, right, top } of line ? [] : boxes) {
      const pad = generous ? 0.1 * Math.min(right - left, top - bottom) : 0
      const sides = [left - pad, bottom - pad, right - left + 2 * pad, top - bottom + 2 * pad]
      out.push(`${grey} ${sides.map(written).join(' ')} re f`)
    }
    if (text !== '') out.push(drawText(text, widest, { turns, readable, line }))
    if (slant !== 0) out.push('Q')
  }
  return out.join('\n')
}

/** The part of a matrix that turns what is drawn anticlockwise. */
const rotation = (angle: number): number[] => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [cos, sin, -sin, cos]
}

/** Letters below this share of their line's height are too small beside others, whatever their size. */
const leastShare = 0.55

/** Fewest letters that still tell what a label names. */
const fewestLetters = 3

/** What may stand for a label, from the whole one to ever less of its name; part of any other text would be another one. */
const shorter = (text: string): string[] => {
  const name = /^[[<{(«](.+)[\]>})»]$/u.exec(text)?.[1]
  if (name === undefined) return [text]
  const bare = Array.from(name.replace(/[\s_#:.-]*\d+$/u, ''))
  const parts = bare.map((_, less) =>
    bare
      .slice(0, bare.length - less)
      .join('')
      .replace(/[\s_#:.-]+$/u, ''),
  )
  return [text, name, ...parts.filter(part => Array.from(part).length >= fewestLetters)]
}

/** The height of the line that letters in a box stand on, over its lower side; where it runs along the page only. */
const baseOf = ({ places }: Label, { left, bottom, right, top }: Box, turns: number): number | undefined => {
  const first = places.find(({ x, y }) => x >= left - 1 && x <= right && y >= bottom && y <= top)
  return turns === 0 && first ? first.y - bottom : undefined
}

/** Room that a text has: the width of its box, its size in a line, and by how much it may be widened, and how much of the box it may take. */
type Room = { width: number; wanted: number; widest: number; share: number }

/** Size and narrowing of a text that fits into a box: narrowed down to 60 %, then made smaller. */
const fitted = (natural: number, { width, wanted, widest, share }: Room) => {
  const stretch = Math.min(widest, Math.max(0.6, (share * width) / (natural * wanted)))
  const size = Math.max(0.1, Math.min(wanted, (share * width) / (natural * stretch)))
  return { stretch, size }
}

/** How a text is to be drawn: see {@link drawLabels}; `line` for what stands in a line as if it had always been there. */
type Drawing = { turns: number; readable: number; line?: { size?: number; base?: number; font?: string } }

/**
 * A label in a box, shorter where it would be too small to read. Readers find the whole text in any case: behind the
 * shorter one, or, where no form of it fits, as invisible letters.
 */
const drawText = (text: string, box: Box, { turns, readable, line }: Drawing): string => {
  const upright = turns % 2 === 0
  const { font = usualFont } = line ?? {}
  const width = upright ? box.right - box.left : box.top - box.bottom
  const height = upright ? box.top - box.bottom : box.right - box.left
  // Without a box, nothing else would show that there is something.
  const least = line ? 0 : Math.min(readable, leastShare * height)
  const wanted = Math.max(line?.size || 0.72 * height, 0.1)
  const room = { width, wanted, widest: line ? 1.2 : 1, share: line ? 1 : 0.96 }
  const form = shorter(text).find(part => fitted(encodeLabel(part, font).width, room).size >= least)
  const { bytes, width: natural } = encodeLabel(form ?? text, font)
  const { stretch, size } = fitted(natural, room)
  const along = line ? 0 : (width - natural * size * stretch) / 2
  const up = line?.base ?? (height - 0.7 * size) / 2
  const [cos, sin] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][turns] as [number, number]
  const [x, y] = [
    [box.left + along, box.bottom + up],
    [box.right - up, box.bottom + along],
    [box.right - along, box.top - up],
    [box.left + up, box.top - along],
  ][turns] as [number, number]
  const matrix = [cos, sin, -sin, cos, x, y].map(written).join(' ')
  const shown = Buffer.from(bytes).toString('hex')
  const mode = form === undefined ? 3 : 0
  const drawn = `BT 0 g ${mode} Tr 0 Tc 0 Tw 0 Ts /${labelFontName(font)} ${written(size)} Tf ${written(stretch * 100)} Tz ${matrix} Tm <${shown}> Tj ET`
  return form === undefined || form === text ? drawn : `/Span <</ActualText <${utf16(text)}>>> BDC ${drawn} EMC`
}

/** A text string of the format, in hexadecimal digits. */
const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')
