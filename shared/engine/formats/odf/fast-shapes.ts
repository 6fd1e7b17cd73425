import type { OdsRows } from './found-rows.ts'
import { valueAttributes } from './vocabulary.ts'

/**
 * How a row is written but for the texts of its cells, and a value where a cell has one. `before` is written up to the
 * value, `between` from there to the text, each after what was written before it; `end` is the rest of the row.
 */
type Shape = { cells: ShapedCell[]; end: DataView; repeats: number }

/** `lead`, `tag` and `trail`: bytes from where it begins to its first gap, from its start tag's end to its text, and from there to its end. */
type ShapedCell = {
  before: DataView
  between: DataView | undefined
  column: number
  lead: number
  tag: number
  trail: number
}

/** Shapes that were met, the latest first, and how many more rows were learnt than were of a known one. */
export type Shapes = { known: Shape[]; learnt: number }

/** Shapes that are kept, of how many rows more than of those that had a known one the shape is learnt, and how long these are. */
const most = { shapes: 4, learnt: 256, bytes: 256 * 1024 }

/** No shapes yet. */
export const createShapes = (): Shapes => ({ known: [], learnt: 0 })

const bytesOf = (text: string): DataView => new DataView(Uint8Array.from(Buffer.from(text, 'latin1')).buffer)

/** Where the only value of a start tag stands in it; nothing where it has none, -1 where it has several. */
function valueIn(tag: string): { start: number; end: number } | undefined | -1 {
  let found: { start: number; end: number } | undefined
  for (const { index, 0: all, 1: name } of tag.matchAll(/ ([\w:.-]+)="[^"]*"/g)) {
    if (!valueAttributes.test(name!)) continue
    if (found !== undefined) return -1
    found = { start: index + name!.length + 3, end: index + all.length - 1 }
  }
  return found
}

/** Learns the shape of the last row that was read, whose first cell is given, if each cell with a text has one as it is written. */
export function learnShape(
  shapes: Shapes,
  bytes: string,
  from: number,
  end: number,
  rows: OdsRows,
  first: number,
): void {
  if (shapes.learnt > most.learnt || end - from > most.bytes) return
  shapes.learnt++
  const { texts, starts, ends, cellStarts, tagEnds, cellEnds, firsts, columns } = rows
  const shape: Shape = { cells: [], end: bytesOf(''), repeats: rows.repeats[first] ?? 1 }
  let done = from
  for (let cell = first; cell < cellStarts.length; cell++) {
    const last = (firsts[cell + 1] ?? texts.length) - 1
    const [start, tagEnd, stop] = [cellStarts[cell]!, tagEnds[cell]!, ends[last]!]
    const value = valueIn(bytes.slice(start, tagEnd))
    const isUsual = last === firsts[cell] || (last === firsts[cell]! + 1 && starts[last - 1] === -1)
    if (value === -1 || !isUsual || starts[last] === -1) return
    if (bytes.slice(starts[last], stop) !== texts[last] || texts[last]!.includes('\n')) return
    const gap = value === undefined ? starts[last]! : start + value.start
    shape.cells.push({
      before: bytesOf(bytes.slice(done, gap)),
      between: value && bytesOf(bytes.slice(start + value.end, starts[last])),
      column: columns[cell]!,
      lead: gap - start,
      tag: starts[last]! - tagEnd,
      trail: cellEnds[cell]! - stop,
    })
    done = stop
  }
  if (shape.cells.length === 0) return
  shape.end = bytesOf(bytes.slice(done, end))
  shapes.known = [shape, ...shapes.known.slice(0, most.shapes - 1)]
}

/** Where bytes end if they stand at an offset; otherwise 0. Four are compared at once. */
function endOf(words: DataView, at: number, written: DataView): number {
  const length = written.byteLength
  if (at + length > words.byteLength) return 0
  let next = 0
  for (; next + 4 <= length; next += 4) if (words.getInt32(at + next) !== written.getInt32(next)) return 0
  for (; next < length; next++) if (words.getUint8(at + next) !== written.getUint8(next)) return 0
  return at + length
}

const quote = 34
const ampersand = 38
const lessThan = 60
const greaterThan = 62

/**
 * 1 for bytes that only stand in a text that shows something: visible ASCII, and first bytes of other characters of which
 * none is white space.
 */
const shows = new Uint8Array(256).fill(1, 33, 128).fill(1, 0xc3)
for (const first of [0xe1, 0xe2, 0xe3, 0xef]) shows[first] = 0

/** Where a text ends that reads as it is written and shows something; otherwise 0. */
function textEnd(view: Uint8Array, from: number): number {
  let isShown = false
  let before = 0
  for (let at = from; at < view.length; at++) {
    const byte = view[at]!
    if (byte === lessThan) return isShown ? at : 0
    if (byte === ampersand || byte < 32 || (byte === 32 && before === 32)) return 0
    if (shows[byte] === 1) isShown = true
    before = byte
  }
  return 0
}

/** The same for the value of an attribute. */
function valueEnd(view: Uint8Array, from: number): number {
  let isShown = false
  for (let at = from; at < view.length; at++) {
    const byte = view[at]!
    if (byte === quote) return isShown ? at : 0
    if (byte === ampersand || byte === lessThan || byte === greaterThan) return 0
    if (shows[byte] === 1) isShown = true
  }
  return 0
}

function isSame(view: Uint8Array, start: number, end: number, other: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - other) return false
  for (let at = start; at < end; at++) if (view[at] !== view[other + at - start]) return false
  return true
}

/** Reads a row of a shape; gives where it ends, or 0 with some of its cells left among those that were found. */
function readShape(bytes: string, view: Uint8Array, from: number, shape: Shape, found: OdsRows): number {
  const words = new DataView(view.buffer, view.byteOffset, view.byteLength)
  const { texts, cells, starts, ends } = found
  const number = found.last + shape.repeats
  let at = from
  for (const { before, between, column, lead, tag, trail } of shape.cells) {
    const first = texts.length
    const cell = found.cellStarts.length
    let gap = endOf(words, at, before)
    if (gap === 0) return 0
    const begun = gap - lead
    let valueStop = 0
    let start = gap
    if (between !== undefined) {
      valueStop = valueEnd(view, gap)
      if (valueStop === 0) return 0
      start = endOf(words, valueStop, between)
      if (start === 0) return 0
    } else gap = 0
    const stop = textEnd(view, start)
    if (stop === 0) return 0
    if (gap > 0 && !isSame(view, gap, valueStop, start, stop)) {
      texts.push(bytes.slice(gap, valueStop))
      cells.push(cell)
      starts.push(-1)
      ends.push(-1)
    }
    texts.push(bytes.slice(start, stop))
    cells.push(cell)
    starts.push(start)
    ends.push(stop)
    found.cellStarts.push(begun)
    found.tagEnds.push(start - tag)
    found.cellEnds.push(stop + trail)
    found.firsts.push(first)
    found.rows.push(number)
    found.repeats.push(shape.repeats)
    found.columns.push(column)
    at = stop
  }
  const end = endOf(words, at, shape.end)
  if (end > 0) found.last = number
  return end
}

/**
 * Reads a row of a shape that was met; `view` has the bytes. Gives where it ends, or 0, and then some of its cells may be
 * left among those that were found: `undo` takes them away.
 */
export function readShaped(
  shapes: Shapes,
  bytes: string,
  view: Uint8Array,
  from: number,
  found: OdsRows,
  undo: () => void,
): number {
  for (const shape of shapes.known) {
    const end = readShape(bytes, view, from, shape, found)
    if (end > 0) {
      shapes.learnt--
      return end
    }
    undo()
  }
  return 0
}
