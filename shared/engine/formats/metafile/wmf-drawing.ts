import {
  type Brush,
  type Drawing,
  type Font,
  outline,
  type Pen,
  type Point,
  paintOutline,
  type State,
  type Stretch,
} from './drawing.ts'
import { ellipse, pathOf, restore } from './emf-drawing.ts'

type Tool = { pen?: Pen; brush?: Brush; font?: Font }

/** What the records of a Windows metafile act on. `objects`: by number, undefined where one is free. */
export type WmfScene = {
  state: State
  saved: State[]
  objects: (Tool | undefined)[]
  drawing: Drawing
  /** Whether a record has told how large the window is. */
  scaled: boolean
}

/** Gives a new object the first number that is free, as players do. */
export function allot(scene: WmfScene, tool: Tool): void {
  const free = scene.objects.indexOf(undefined)
  scene.objects[free < 0 ? scene.objects.length : free] = tool
}

function pointsOf(record: Buffer, from: number, count: number): Point[] {
  const points: Point[] = []
  for (let at = from; points.length < count && at + 4 <= record.length; at += 4)
    points.push({ x: record.readInt16LE(at), y: record.readInt16LE(at + 2) })
  return points
}

function manyOf(record: Buffer): Point[][] {
  const lists = record.readUInt16LE(6)
  let at = 8 + 2 * lists
  return Array.from({ length: lists }, (_, index) => {
    const count = record.readUInt16LE(8 + 2 * index)
    const points = pointsOf(record, at, count)
    at += count * 4
    return points
  })
}

type Act = (scene: WmfScene, record: Buffer) => void

const int = (record: Buffer, at: number) => record.readInt16LE(at)
/** Points stand with their second co-ordinate first. */
const pointOf = (record: Buffer): Point => ({ x: int(record, 8), y: int(record, 6) })
const boxAt = (record: Buffer, at: number) => ({
  bottom: int(record, at),
  right: int(record, at + 2),
  top: int(record, at + 4),
  left: int(record, at + 6),
})

const draw = ({ drawing, state }: WmfScene, stretches: Stretch[], fill: boolean) =>
  paintOutline(drawing, state, outline(drawing, state, stretches), fill)

const listOf = (record: Buffer) => pointsOf(record, 8, record.readUInt16LE(6))

const acts: Readonly<Record<number, Act>> = {
  30: ({ saved, state }) => void saved.push({ ...state }),
  295: (scene, record) => restore(scene, int(record, 6)),
  301: ({ state, objects }, record) => void Object.assign(state, objects[record.readUInt16LE(6)]),
  302: ({ state }, record) => {
    state.align = int(record, 6)
  },
  496: ({ objects }, record) => {
    objects[record.readUInt16LE(6)] = undefined
  },
  523: ({ state }, record) => {
    state.windowAt = pointOf(record)
  },
  524: (scene, record) => {
    const window = pointOf(record)
    scene.state.window = window
    // Where on a page it goes is up to the program that shows it: the first window is the paper.
    if (!scene.scaled) scene.state.viewport = { x: Math.abs(window.x) || 1, y: Math.abs(window.y) || 1 }
    scene.scaled = true
  },
  527: ({ state }, record) => {
    const { x, y } = pointOf(record)
    state.windowAt = { x: state.windowAt.x + x, y: state.windowAt.y + y }
  },
  531: (scene, record) => {
    draw(scene, [{ kind: 'line', points: [scene.state.at, pointOf(record)], closed: false }], false)
    scene.state.at = pointOf(record)
  },
  532: ({ state }, record) => {
    state.at = pointOf(record)
  },
  762: (scene, record) =>
    allot(scene, {
      pen: { colour: record.readInt32LE(12), width: int(record, 8), shown: (int(record, 6) & 15) !== 5 },
    }),
  764: (scene, record) => allot(scene, { brush: { colour: record.readInt32LE(8), shown: int(record, 6) !== 1 } }),
  247: scene => allot(scene, {}),
  804: (scene, record) => draw(scene, [{ kind: 'polygon', points: listOf(record), closed: true }], true),
  805: (scene, record) => draw(scene, [{ kind: 'line', points: listOf(record), closed: false }], false),
  1336: (scene, record) =>
    draw(
      scene,
      manyOf(record).map(points => ({ kind: 'polygon', points, closed: true })),
      true,
    ),
  1040: ({ state }, record) => {
    const { x, y } = state.window
    state.window = {
      x: (x * int(record, 12)) / (int(record, 10) || 1),
      y: (y * int(record, 8)) / (int(record, 6) || 1),
    }
  },
  1048: (scene, record) => draw(scene, [ellipse(boxAt(record, 6))], true),
  1051: ({ drawing, state }, record) => pathOf(drawing, state, boxAt(record, 6), true),
  1564: ({ drawing, state }, record) => pathOf(drawing, state, boxAt(record, 10), true),
  1055: ({ drawing, state }, record) => {
    drawing.points++
    const brush = { colour: record.readInt32LE(6), shown: true }
    const [left, top] = [int(record, 12), int(record, 10)]
    pathOf(drawing, { ...state, brush }, { left, top, right: left + 1, bottom: top + 1 })
  },
  1565: (scene, record) => fillPlace(record, scene, 10),
  2368: (scene, record) => fillPlace(record, scene, 16),
}

/** Takes over what a record without text and picture changes or draws. */
export const followWmf = (type: number, record: Buffer, scene: WmfScene): void => acts[type]?.(scene, record)

/** A place that is filled by the brush; its height stands at an offset, then its width and where it is. */
function fillPlace(record: Buffer, { drawing, state }: WmfScene, at: number): void {
  if (record.readUInt32LE(6) !== 0xf00021 || at + 8 > record.length) return
  const [height, width, top, left] = [0, 2, 4, 6].map(step => record.readInt16LE(at + step)) as [
    number,
    number,
    number,
    number,
  ]
  pathOf(drawing, state, { left, top, right: left + width, bottom: top + height })
}
