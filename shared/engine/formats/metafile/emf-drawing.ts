import {
  type Brush,
  combined,
  type Drawing,
  type Font,
  identity,
  type Matrix,
  outline,
  type Pen,
  type Point,
  paintOutline,
  type State,
  type Stretch,
} from './drawing.ts'

/** What the records of an enhanced metafile act on. `path`: operators of the outline that is being made. */
export type EmfScene = {
  state: State
  saved: State[]
  objects: Map<number, { pen?: Pen; brush?: Brush; font?: Font }>
  drawing: Drawing
  path: string[] | undefined
  /** Whether the path goes on from where the last line of it ended. */
  goesOn?: boolean
}

type Box = { left: number; top: number; right: number; bottom: number }

const rectangle = ({ left, top, right, bottom }: Box): Stretch => ({
  kind: 'polygon',
  points: [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ],
  closed: true,
})

/** An ellipse as four curves. */
export function ellipse({ left, top, right, bottom }: Box): Stretch {
  const [x, y, wide, high] = [(left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2]
  const bow = 0.5523
  const steps = [
    [1, 0],
    [1, bow],
    [bow, 1],
    [0, 1],
    [-bow, 1],
    [-1, bow],
    [-1, 0],
    [-1, -bow],
    [-bow, -1],
    [0, -1],
    [bow, -1],
    [1, -bow],
    [1, 0],
  ]
  return { kind: 'curve', points: steps.map(([a, b]) => ({ x: x + a! * wide, y: y + b! * high })), closed: true }
}

/** Paints a rectangle, which is no letter. */
export function pathOf(drawing: Drawing, state: State, box: Box, stroke = false): void {
  paintOutline(drawing, state, outline(drawing, state, [rectangle(box)], false), true, stroke)
}

function pointsOf(record: Buffer, from: number, count: number, bytes: 4 | 8): Point[] {
  const points: Point[] = []
  for (let at = from; points.length < count && at + bytes <= record.length; at += bytes)
    points.push(
      bytes === 8
        ? { x: record.readInt32LE(at), y: record.readInt32LE(at + 4) }
        : { x: record.readInt16LE(at), y: record.readInt16LE(at + 2) },
    )
  return points
}

/** The lists of points of records that draw several outlines. */
function manyOf(record: Buffer, bytes: 4 | 8): Point[][] {
  const lists = record.readUInt32LE(24)
  let at = 32 + 4 * lists
  return Array.from({ length: Math.min(lists, record.length / 4) }, (_, index) => {
    const count = 32 + 4 * index + 4 <= record.length ? record.readUInt32LE(32 + 4 * index) : 0
    const points = pointsOf(record, at, count, bytes)
    at += count * bytes
    return points
  })
}

const stockPen = (index: number): Pen => ({ colour: index === 6 ? 0xffffff : 0, width: 0, shown: index !== 8 })
const greys = [0xffffff, 0xc0c0c0, 0x808080, 0x404040, 0]

function select(scene: EmfScene, index: number): void {
  const { state } = scene
  if (index >= 0x80000000) {
    const stock = index - 0x80000000
    if (stock <= 5) state.brush = { colour: greys[stock] ?? 0, shown: stock !== 5 }
    else if (stock <= 8) state.pen = stockPen(stock)
    return
  }
  Object.assign(state, scene.objects.get(index))
}

/** Draws outlines, or adds them to the path that is being made. */
function draw(scene: EmfScene, stretches: Stretch[], fill: boolean, letters = true): void {
  const { drawing, state, path } = scene
  const operators = outline(drawing, state, stretches, letters)
  if (path) path.push(operators)
  else paintOutline(drawing, state, operators, fill)
}

function finishPath(scene: EmfScene, fill: boolean, stroke: boolean): void {
  if (scene.path) paintOutline(scene.drawing, scene.state, scene.path.join('\n'), fill, stroke)
  scene.path = undefined
}

/** Draws on from the present position. */
function drawOn(scene: EmfScene, kind: Stretch['kind'], points: Point[]): void {
  const { drawing, state, path, goesOn } = scene
  const operators = outline(drawing, state, [{ kind, points: [state.at, ...points], closed: false }])
  if (path) path.push(goesOn ? operators.slice(operators.indexOf('\n') + 1) : operators)
  else paintOutline(drawing, state, operators, false)
  scene.goesOn = path !== undefined
  state.at = points.at(-1) ?? state.at
}

type Act = (scene: EmfScene, record: Buffer, type: number) => void

const int = (record: Buffer, at: number) => record.readInt32LE(at)
const pointAt = (record: Buffer, at = 8): Point => ({ x: int(record, at), y: int(record, at + 4) })
const boxOf = (record: Buffer): Box => ({
  left: int(record, 8),
  top: int(record, 12),
  right: int(record, 16),
  bottom: int(record, 20),
})
const matrixOf = (record: Buffer): Matrix =>
  [8, 12, 16, 20, 24, 28].map(at => record.readFloatLE(at)) as unknown as Matrix

/** Bytes of a point: records from 85 on have the short ones. */
const pointBytes = (type: number) => (type >= 85 ? 4 : 8)
const listOf = (record: Buffer, type: number) => pointsOf(record, 28, record.readUInt32LE(24), pointBytes(type))

const one =
  (kind: Stretch['kind'], closed: boolean): Act =>
  (scene, record, type) =>
    draw(scene, [{ kind, points: listOf(record, type), closed }], closed)

const onwards =
  (kind: Stretch['kind']): Act =>
  (scene, record, type) =>
    drawOn(scene, kind, listOf(record, type))

const many =
  (kind: Stretch['kind'], closed: boolean): Act =>
  (scene, record, type) =>
    draw(
      scene,
      manyOf(record, pointBytes(type)).map(points => ({ kind, points, closed })),
      closed,
    )

const setPoint =
  (name: 'window' | 'windowAt' | 'viewport' | 'viewportAt'): Act =>
  ({ state }, record) =>
    void Object.assign(state, { [name]: pointAt(record) })

const scale =
  (name: 'window' | 'viewport'): Act =>
  ({ state }, record) => {
    const { x, y } = state[name]
    state[name] = { x: (x * int(record, 8)) / int(record, 12), y: (y * int(record, 16)) / int(record, 20) }
  }

/** Brings back a state that was saved: the so-manieth, or counted from the last one. */
export function restore({ state, saved }: { state: State; saved: State[] }, which: number): void {
  const depth = which < 0 ? saved.length + which : which - 1
  Object.assign(state, saved[depth])
  saved.length = Math.max(0, Math.min(saved.length, depth))
}

const rectangleAct: Act = (scene, record) => draw(scene, [rectangle(boxOf(record))], true, false)

const acts: Readonly<Record<number, Act>> = {
  2: one('curve', false),
  3: one('polygon', true),
  4: one('line', false),
  5: onwards('curve'),
  6: onwards('line'),
  7: many('line', false),
  8: many('polygon', true),
  85: one('curve', false),
  86: one('polygon', true),
  87: one('line', false),
  88: onwards('curve'),
  89: onwards('line'),
  90: many('line', false),
  91: many('polygon', true),
  9: setPoint('window'),
  10: setPoint('windowAt'),
  11: setPoint('viewport'),
  12: setPoint('viewportAt'),
  15: (scene, record) => {
    const brush = { colour: int(record, 16), shown: true }
    pathOf(scene.drawing, { ...scene.state, brush }, dot(scene, pointAt(record)))
  },
  17: ({ state }, record) => {
    state.mode = int(record, 8)
  },
  22: ({ state }, record) => {
    state.align = int(record, 8)
  },
  27: (scene, record) => {
    scene.state.at = pointAt(record)
    scene.goesOn = false
  },
  31: scale('viewport'),
  32: scale('window'),
  33: ({ saved, state }) => void saved.push({ ...state }),
  34: (scene, record) => restore(scene, int(record, 8)),
  35: ({ state }, record) => {
    state.world = matrixOf(record)
  },
  36: ({ state }, record) => {
    const matrix = matrixOf(record)
    const ways = [identity, combined(matrix, state.world), combined(state.world, matrix), matrix]
    state.world = ways[int(record, 32) - 1] ?? state.world
  },
  37: (scene, record) => select(scene, record.readUInt32LE(8)),
  38: ({ objects }, record) => {
    const pen = { colour: int(record, 24), width: int(record, 16), shown: (int(record, 12) & 15) !== 5 }
    objects.set(int(record, 8), { pen })
  },
  39: ({ objects }, record) =>
    void objects.set(int(record, 8), { brush: { colour: int(record, 16), shown: int(record, 12) !== 1 } }),
  42: (scene, record) => draw(scene, [ellipse(boxOf(record))], true),
  43: rectangleAct,
  44: rectangleAct,
  54: (scene, record) => drawOn(scene, 'line', [pointAt(record)]),
  59: scene => {
    scene.path = []
    scene.goesOn = false
  },
  61: scene => {
    scene.path?.push('h')
    scene.goesOn = false
  },
  62: scene => finishPath(scene, true, false),
  63: scene => finishPath(scene, true, true),
  64: scene => finishPath(scene, false, true),
  67: scene => {
    scene.path = undefined
  },
  68: scene => {
    scene.path = undefined
  },
}

/** Takes over what a record without text and picture changes or draws. */
export const followEmf = (type: number, record: Buffer, scene: EmfScene): void => acts[type]?.(scene, record, type)

/** The place of a single dot. Each counts as a point, as letters may be made of them. */
function dot({ drawing }: EmfScene, { x, y }: Point): Box {
  drawing.points++
  return { left: x, top: y, right: x + 1, bottom: y + 1 }
}
