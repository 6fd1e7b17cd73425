import { seam } from '../../detect/normalise.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { letterWidth, widthOf } from './letter-widths.ts'
import type { XmlAttribute } from './scan.ts'

/** An element around a text: it may tell how large that is, and which of its ends stands at its place. */
export type Around = { attributes: readonly XmlAttribute[] }

/**
 * A stretch of a drawn text at a place of its own: its runs from one on, behind a run for what stands before it, and where its
 * first letters are; `size` is not a number where nothing tells it, and `y` where it can't be told.
 */
type Piece = {
  border: SourceRun | undefined
  from: number
  xs: number[]
  y: number
  size: number
  isFixed: boolean
  /** Whether it goes on behind the one before, above or below it. */
  isShifted: boolean
  text: string
}

/** A drawn text: in which element it stands, how its axes lie and are shifted, and its pieces. */
type DrawnText = {
  node: TextNode
  around: Around | undefined
  start: number
  axes: string
  shift: { x: number; y: number }
  isLeading: boolean
  pieces: Piece[]
}

/** Font size where nothing tells it. */
const usualSize = 16
/** What two letters of a word, and those of two words, are apart, in font sizes. */
const within = 0.14
const between = 0.2
const farthest = 1.5
/** Letters whose distances tell the size better than the font's, and that each of them is as wide. */
const enough = 4
const enoughFixed = 3
/** How wide the letters are where all are as wide. */
const fixedWidth = 0.6

/** Stands where a word probably goes on: a border to the reader of what stands there, and nothing besides. */
const joint = '\ufeff'

/**
 * The texts of a drawing, which programs cut into words and letters with places of their own: what stands on one line, piece
 * behind piece, is read as one.
 */
export class DrawnLines {
  readonly #texts: DrawnText[] = []

  begin(node: TextNode, start: number, attributes: readonly XmlAttribute[], around: readonly Around[]): void {
    const piece = pieceOf(undefined, 0, attributes, around)
    const [x = 0] = piece.xs
    piece.xs[0] = x
    if (Number.isNaN(piece.y) && attributeOf(attributes, 'y') === undefined) piece.y = 0
    const isLeading = /^(?:start)?$/.test(inherited([...around, { attributes }], 'text-anchor') ?? '')
    const { axes, shift } = axesOf(attributeOf(attributes, 'transform')?.trim() ?? '')
    this.#texts.push({ node, around: around.at(-1), start, axes, shift, isLeading, pieces: [piece] })
  }

  /** Begins a piece of the text that was begun last, behind a run; none where other text stands around it. */
  place(inside: TextNode, border: SourceRun, attributes: readonly XmlAttribute[], around: readonly Around[]): void {
    const { node, pieces = [] } = this.#texts.at(-1) ?? {}
    if (node !== inside) return
    const piece = pieceOf(border, node.runs.length, attributes, around)
    if (attributeOf(attributes, 'dy') !== undefined) {
      piece.y = Number.NaN
      piece.isShifted = !attributes.some(({ name }) => name === 'x' || name === 'y')
    } else if (attributeOf(attributes, 'y') === undefined) piece.y = pieces.at(-1)!.y
    pieces.push(piece)
  }

  /** Puts between the pieces what stands there, once all texts are read. */
  end(): void {
    let last: DrawnText | undefined
    for (const text of this.#texts) {
      readPieces(text)
      const { node } = text
      const border = last && borderOf(last, text)
      if (border === undefined) last = text
      else {
        last!.node.runs.push({ text: border, start: text.start, end: text.start })
        for (const run of node.runs) last!.node.runs.push(run)
        for (const piece of text.pieces) last!.pieces.push(moved(piece, text.shift, last!.shift))
        node.runs = []
      }
    }
    for (const { node } of this.#texts) node.segment.text = node.runs.map(run => run.text).join('')
  }
}

const attributeOf = (attributes: readonly XmlAttribute[], name: string) =>
  attributes.find(attribute => attribute.name === name)?.value

/** Numbers of an attribute; none where one has another unit than that of the drawing. */
function numbersOf(value: string | undefined): number[] {
  const numbers = (value ?? '').split(/[\s,]+/).filter(one => one !== '')
  return numbers.every(one => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:px)?$/i.test(one))
    ? numbers.map(Number.parseFloat)
    : []
}

/** A property that an element has as an attribute or in its style, or one around it; the innermost counts. */
function inherited(elements: readonly Around[], name: string): string | undefined {
  for (let level = elements.length - 1; level >= 0; level--) {
    const { attributes } = elements[level]!
    for (const declaration of attributeOf(attributes, 'style')?.split(';') ?? []) {
      const [property = '', value = ''] = declaration.split(':')
      if (property.trim() === name) return value.trim()
      if (property.trim() === 'font' && name === 'font-size') return /[\d.]+px/.exec(value)?.[0]
    }
    const value = attributeOf(attributes, name)
    if (value !== undefined) return value.trim()
  }
  return undefined
}

function pieceOf(
  border: SourceRun | undefined,
  from: number,
  attributes: readonly XmlAttribute[],
  around: readonly Around[],
): Piece {
  const [size = Number.NaN] = numbersOf(inherited([...around, { attributes }], 'font-size'))
  const [y = Number.NaN] = numbersOf(attributeOf(attributes, 'y'))
  return {
    border,
    from,
    xs: numbersOf(attributeOf(attributes, 'x')),
    y,
    size,
    isFixed: false,
    isShifted: false,
    text: '',
  }
}

/** How the axes of a text lie, and how far it is shifted along them; where that is told otherwise, it is compared as written. */
function axesOf(transform: string): Pick<DrawnText, 'axes' | 'shift'> {
  const [, kind, inside] = /^(matrix|translate)\s*\(([^()]*)\)$/.exec(transform) ?? []
  const numbers = numbersOf(inside)
  if (kind === 'translate') return { axes: '1 0 0 1', shift: { x: numbers[0] ?? 0, y: numbers[1] ?? 0 } }
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers
  const area = a * d - b * c
  if (numbers.length !== 6 || area === 0) return { axes: transform || '1 0 0 1', shift: { x: 0, y: 0 } }
  return { axes: `${a} ${b} ${c} ${d}`, shift: { x: (d * e - c * f) / area, y: (a * f - b * e) / area } }
}

/** A piece as it stands to the axes of another text. */
const moved = (piece: Piece, from: DrawnText['shift'], to: DrawnText['shift']): Piece => ({
  ...piece,
  xs: piece.xs.map(x => x + from.x - to.x),
  y: piece.y + from.y - to.y,
})

/** Decides what stands between the pieces of a text, and between their letters. */
function readPieces({ node, pieces }: DrawnText): void {
  const { runs } = node
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]
    const own = runs.slice(piece.from, next === undefined ? undefined : next.from - 1)
    // A new line of the source in front of a place shows nothing.
    const last = own.at(-1)
    if (next !== undefined && last !== undefined && /^\s*\n\s*$/.test(last.text)) last.text = ''
    piece.text = own.map(run => run.text).join('')
  }
  setSizes(pieces)
  const cut = new Map<SourceRun, SourceRun[]>()
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    if (before) piece.border!.text = whatIsBetween(before, piece) ?? '\n'
    const run = runs[piece.from]
    if (run !== undefined && run.text === piece.text) cut.set(run, cutAtGaps(run, piece))
  }
  node.runs = runs.flatMap(run => cut.get(run) ?? [run])
}

/** How large the letters are, and how wide each: by their distances where these are enough to tell it. */
function setSizes(pieces: readonly Piece[]): void {
  const letters: { step: number; width: number }[] = []
  for (const [index, { xs, text, y }] of pieces.entries()) {
    const next = pieces[index + 1]
    const places = text.length === 1 && next?.y === y ? [xs[0]!, ...next.xs.slice(0, 1)] : xs
    for (let at = 1; at < Math.min(places.length, text.length + 1); at++)
      letters.push({ step: places[at]! - places[at - 1]!, width: letterWidth(text.charCodeAt(at - 1)) })
  }
  const told = letters.filter(({ step }) => step > 0)
  const step = medianOf(told.map(one => one.step))
  const same = told.filter(one => Math.abs(one.step - step) < 0.02 * step)
  const isFixed =
    told.length >= enoughFixed && same.length > told.length / 2 && new Set(same.map(one => one.width)).size > 1
  const size = isFixed ? step / fixedWidth : medianOf(told.map(one => one.step / one.width))
  const isTold = isFixed || told.length >= enough
  for (const piece of pieces) {
    const usual = piece.size || usualSize
    // Letters that are further apart than this are no letters of a word.
    const isSize = isTold && size < (piece.size ? 1.6 : 3) * usual
    piece.isFixed = isFixed && isSize
    piece.size = isSize ? size : usual
  }
}

/** The middle one of some numbers; 0 of none. */
const medianOf = (numbers: number[]): number => numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 0

/** About how wide a piece is in font sizes, from one of its letters on. */
const widthFrom = ({ text, isFixed }: Piece, from: number): number =>
  isFixed ? fixedWidth * (text.length - from) : widthOf(text.slice(from))

/** What stands between two pieces; undefined where they are no neighbours on one line. */
function whatIsBetween(before: Piece, { xs, y, text, size, isShifted }: Piece): string | undefined {
  if (!/\S/.test(before.text)) return ''
  if (isShifted) return /\s$/.test(before.text) || /^\s/.test(text) ? '' : seam
  const last = before.text.length - 1
  const isByLetter = last > 0 && before.xs.length > last
  const begun = isByLetter ? before.xs[last]! : before.xs[0]!
  const width = widthFrom(before, isByLetter ? last : 0)
  const gap = (xs[0]! - begun) / before.size - width
  const doubt = width > 1 && !before.isFixed ? 0.2 * width : 0
  const isLevel = Math.abs(y - before.y) <= 0.1 * Math.max(size, before.size)
  if (!isLevel || !(gap > -0.5 - doubt && gap < farthest + doubt)) return undefined
  if (/\s$/.test(before.text) || /^\s/.test(text)) return ''
  if (gap + doubt < within) return joint
  return gap - doubt > between ? ' ' : seam
}

/** What stands between two texts that one line goes on through; undefined where none does. */
function borderOf(one: DrawnText, other: DrawnText): string | undefined {
  const [before, after] = [one.pieces.at(-1)!, other.pieces[0]!]
  const isBeside = one.around === other.around && one.axes === other.axes && one.isLeading && other.isLeading
  if (!isBeside || !/\S/.test(before.text) || !/\S/.test(after.text)) return undefined
  return whatIsBetween(before, moved(after, other.shift, one.shift))
}

/** A run in parts where its letters have gaps, as in texts without blanks. */
function cutAtGaps(run: SourceRun, { xs, text, size, isFixed }: Piece): SourceRun[] {
  const parts: SourceRun[] = []
  let at = 0
  const isAsWritten = run.end - run.start === text.length && !/[&\r]|\s\s|^\s|[\n\t]/.test(text)
  for (let next = 1; isAsWritten && next < Math.min(xs.length, text.length); next++) {
    const width = isFixed ? fixedWidth : letterWidth(text.charCodeAt(next - 1))
    const gap = (xs[next]! - xs[next - 1]!) / size - width
    if (gap < within || /\s/.test(text.slice(next - 1, next + 1))) continue
    const place = run.start + next
    const border = gap > farthest ? '\n' : gap > between ? ' ' : seam
    parts.push({ ...run, text: text.slice(at, next), start: run.start + at, end: place })
    parts.push({ text: border, start: place, end: place })
    at = next
  }
  if (at === 0) return [run]
  return [...parts, { ...run, text: text.slice(at), start: run.start + at }]
}
