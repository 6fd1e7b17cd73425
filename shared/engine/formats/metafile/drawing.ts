import type { Bitmap } from '../image/bitmap.ts'

/** A turn, a stretch and a move of the plane: `x' = a x + c y + e`, `y' = b x + d y + f`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First one, then the other. */
export const combined = (first: Matrix, then: Matrix): Matrix => [
  first[0] * then[0] + first[1] * then[2],
  first[0] * then[1] + first[1] * then[3],
  first[2] * then[0] + first[3] * then[2],
  first[2] * then[1] + first[3] * then[3],
  first[4] * then[0] + first[5] * then[2] + then[4],
  first[4] * then[1] + first[5] * then[3] + then[5],
]

export type Point = { x: number; y: number }

/** A text that one record draws: where on the paper it starts, the direction in which it runs, how far and how high. */
export type Run = { text: string; start: Point; along: Point; length: number; height: number; exact: boolean }

export type Pen = { colour: number; width: number; shown: boolean }
export type Brush = { colour: number; shown: boolean }
/** Height of letters and the angle of their line, counter-clockwise in tenths of a degree. */
export type Font = { height: number; angle: number; bytes: string }

/** What a device of Windows remembers between two records. */
export type State = {
  world: Matrix
  mode: number
  windowAt: Point
  window: Point
  viewportAt: Point
  viewport: Point
  at: Point
  pen: Pen
  brush: Brush
  font: Font
  align: number
}

export const startState = (): State => ({
  world: identity,
  mode: 1,
  windowAt: { x: 0, y: 0 },
  window: { x: 1, y: 1 },
  viewportAt: { x: 0, y: 0 },
  viewport: { x: 1, y: 1 },
  at: { x: 0, y: 0 },
  pen: { colour: 0, width: 0, shown: true },
  brush: { colour: 0xffffff, shown: true },
  font: { height: 12, angle: 0, bytes: 'cp1252' },
  align: 0,
})

/** From the units of a record to those of the paper, downwards. */
export function toPaper({ world, mode, windowAt, window, viewportAt, viewport }: State): Matrix {
  const free = mode === 7 || mode === 8
  const [wide, high] = free ? [viewport.x / (window.x || 1), viewport.y / (window.y || 1)] : [1, mode === 1 ? 1 : -1]
  return combined(world, [wide, 0, 0, high, viewportAt.x - windowAt.x * wide, viewportAt.y - windowAt.y * high])
}

export const placed = ([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})

/** What a metafile draws beside texts: operators of PDF and the pictures that they use. */
export type Drawing = {
  operators: string[]
  pictures: Bitmap[]
  /** Points of outlines that may be letters. */
  points: number
  /** Most pixels of a picture to one unit of the paper. */
  dense: number
  left: number
  top: number
  right: number
  bottom: number
}

export const startDrawing = (): Drawing => ({
  operators: [],
  pictures: [],
  points: 0,
  dense: 0,
  left: Number.POSITIVE_INFINITY,
  top: Number.POSITIVE_INFINITY,
  right: Number.NEGATIVE_INFINITY,
  bottom: Number.NEGATIVE_INFINITY,
})

const number = (value: number): string => (Number.isFinite(value) ? value.toFixed(3) : '0')

function spot(drawing: Drawing, matrix: Matrix, point: Point): string {
  const { x, y } = placed(matrix, point)
  drawing.left = Math.min(drawing.left, x)
  drawing.right = Math.max(drawing.right, x)
  drawing.top = Math.min(drawing.top, y)
  drawing.bottom = Math.max(drawing.bottom, y)
  return `${number(x)} ${number(y)}`
}

/** One stretch of an outline in the units of its record. */
export type Stretch = { kind: 'polygon' | 'line' | 'curve'; points: Point[]; closed: boolean }

/** The operators of outlines; `letters`: whether they may be parts of letters, as rectangles of the page are not. */
export function outline(drawing: Drawing, state: State, stretches: readonly Stretch[], letters = true): string {
  const matrix = toPaper(state)
  const out: string[] = []
  for (const { kind, points, closed } of stretches) {
    if (points.length === 0) continue
    if (letters) drawing.points += points.length
    const spots = points.map(point => spot(drawing, matrix, point))
    out.push(`${spots[0]} m`)
    if (kind === 'curve')
      for (let at = 1; at + 2 < spots.length; at += 3) out.push(`${spots.slice(at, at + 3).join(' ')} c`)
    else for (const each of spots.slice(1)) out.push(`${each} l`)
    if (closed) out.push('h')
  }
  return out.join('\n')
}

const inked = (colour: number, operator: string) =>
  `${[colour & 255, (colour >> 8) & 255, (colour >> 16) & 255].map(part => number(part / 255)).join(' ')} ${operator}`

/** Paints outlines with the pen and the brush of a state. */
export function paintOutline(
  drawing: Drawing,
  { pen, brush, world }: State,
  path: string,
  fill: boolean,
  stroke = true,
) {
  const [fills, strokes] = [fill && brush.shown, stroke && pen.shown]
  if (path === '' || (!fills && !strokes)) return
  const width = Math.max(0, pen.width * Math.hypot(world[0], world[1]))
  const how = fills ? (strokes ? 'B*' : 'f*') : 'S'
  drawing.operators.push(inked(brush.colour, 'rg'), inked(pen.colour, 'RG'), `${number(width)} w`, path, how)
}

/** Pixels that a picture has at least where something may be written on it. */
const leastPicture = { width: 20, height: 7 }

/** Whether a picture is so small that it shows a pattern or a symbol and no words. */
export const isPattern = ({ width, height }: Bitmap): boolean => width <= 32 && height <= 32

/** Draws a picture over a place given in the units of its record. */
export function placePicture(drawing: Drawing, state: State, picture: Bitmap, at: Point, size: Point): void {
  if (picture.width < leastPicture.width || picture.height < leastPicture.height) return
  const matrix = toPaper(state)
  const [corner, wide, high] = [at, { x: at.x + size.x, y: at.y }, { x: at.x, y: at.y + size.y }].map(point => {
    spot(drawing, matrix, point)
    return placed(matrix, point)
  }) as [Point, Point, Point]
  spot(drawing, matrix, { x: at.x + size.x, y: at.y + size.y })
  const across = Math.hypot(wide.x - corner.x, wide.y - corner.y)
  if (across === 0 || (high.x === corner.x && high.y === corner.y)) return
  drawing.dense = Math.max(drawing.dense, picture.width / across)
  // Pictures of PDF stand with their foot at the lower end of a square of one unit.
  const [a, b] = [wide.x - corner.x, wide.y - corner.y]
  const [c, d] = [corner.x - high.x, corner.y - high.y]
  const name = `P${drawing.pictures.push(picture)}`
  drawing.operators.push(`q ${[a, b, c, d, high.x, high.y].map(number).join(' ')} cm /${name} Do Q`)
}

/** Where a text stands, given its reference point and, where the record tells them, the steps from letter to letter. */
export function runOf(state: State, text: string, reference: Point, steps: readonly number[] | undefined): Run {
  const matrix = toPaper(state)
  const height = Math.abs(state.font.height) || 12
  const advance = steps ? steps.reduce((sum, step) => sum + step, 0) : text.length * height * 0.5
  const angle = (-state.font.angle / 1800) * Math.PI
  const direction = { x: Math.cos(angle), y: Math.sin(angle) }
  const moves = (state.align & 1) !== 0
  const from = moves ? state.at : reference
  const shift = (state.align & 6) === 6 ? advance / 2 : (state.align & 6) === 2 ? advance : 0
  const start = { x: from.x - direction.x * shift, y: from.y - direction.y * shift }
  const end = { x: start.x + direction.x * advance, y: start.y + direction.y * advance }
  if (moves) state.at = end
  const [first, last, up] = [start, end, { x: start.x - direction.y * height, y: start.y + direction.x * height }].map(
    point => placed(matrix, point),
  ) as [Point, Point, Point]
  const length = Math.hypot(last.x - first.x, last.y - first.y)
  const turned = placed([matrix[0], matrix[1], matrix[2], matrix[3], 0, 0], direction)
  const norm = Math.hypot(turned.x, turned.y) || 1
  return {
    text,
    start: first,
    along: { x: turned.x / norm, y: turned.y / norm },
    length,
    height: Math.hypot(up.x - first.x, up.y - first.y) || 1,
    exact: steps !== undefined,
  }
}
