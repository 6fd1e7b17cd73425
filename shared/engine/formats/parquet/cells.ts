import { isAscii } from 'node:buffer'
import { separator } from '../../detect/regex/separator.ts'
import type { ByteCells } from '../cells/utf8-cells.ts'
import type { Leaf } from './columns.ts'
import { eachValue, type Slice } from './rows.ts'
import { type ShownVector, shownOf } from './shown.ts'

const fence = separator.charCodeAt(0)
/** Holds the place of a fence until it is known that no text holds one itself: no byte of UTF-8. */
const mark = 0xff

/** Where cells stand, row after row, and within a row column after column. */
type Order = {
  count: number
  /** Which column of the leaves a cell is of, its place among the values of the slice, and its row. */
  columnOf(cell: number): number
  placeOf(cell: number): number
  rowOf(cell: number): number
  /** The number of the cell of each value of a column. */
  cellsOf(column: number): Int32Array
}

/** The cells of some rows that have a text, and the way back to where their values stand. */
export type RowCells = Pick<ByteCells, 'column' | 'place'> &
  Pick<Order, 'count' | 'columnOf' | 'placeOf'> & {
    /** The texts, with a fence behind each; `ends` says where each of them ends. */
    bytes: Buffer
    ends: Int32Array
    ascii: boolean
    /** Whether a text holds a fence itself. */
    isFenced: boolean
    /** Whether the text of a cell is what its value is stored as. */
    isStored(index: number): boolean
  }

/** The order where every row has one value of each column; `shown` are the columns with a text. */
function tableOrder(shown: readonly number[], rows: number): Order {
  const width = shown.length
  return {
    count: width * rows,
    columnOf: cell => shown[cell % width]!,
    placeOf: cell => Math.floor(cell / width),
    rowOf: cell => Math.floor(cell / width),
    cellsOf(column) {
      const cells = new Int32Array(rows)
      for (let row = 0, cell = shown.indexOf(column); row < rows; row++, cell += width) cells[row] = cell
      return cells
    },
  }
}

function orderOf(slices: readonly Slice[], leaves: readonly Leaf[], rows: number): Order {
  const shown = [...leaves.keys()].filter(column => leaves[column]!.show)
  if (shown.every(column => slices[column]!.repeats === undefined && slices[column]!.defines === undefined))
    return tableOrder(shown, rows)
  const cells = slices.map(({ values: { from, to } }) => new Int32Array(to - from))
  const most = cells.reduce((sum, { length }) => sum + length, 0)
  const columns = new Uint16Array(most)
  const values = new Int32Array(most)
  const rowOf = new Int32Array(most)
  let count = 0
  eachValue(slices, leaves, rows, (column, value, row) => {
    if (leaves[column]!.show === undefined) return
    cells[column]![value] = count
    columns[count] = column
    values[count] = value
    rowOf[count] = row
    count++
  })
  return {
    count,
    columnOf: cell => columns[cell]!,
    placeOf: cell => values[cell]!,
    rowOf: cell => rowOf[cell]!,
    cellsOf: column => cells[column]!,
  }
}

/** Puts the lengths of a column's texts in the places of its cells. */
function measure({ stretches: { starts, ends }, ids, from }: ShownVector, cells: Int32Array, lengths: Int32Array) {
  for (let value = 0; value < cells.length; value++) {
    const entry = ids ? ids[from + value]! : from + value
    lengths[cells[value]!] = ends[entry]! - starts[entry]!
  }
}

/** Puts a column's texts where their cells end. */
function place({ stretches, ids, from }: ShownVector, cells: Int32Array, cellEnds: Int32Array, target: Buffer) {
  const { bytes, starts, ends } = stretches
  for (let value = 0; value < cells.length; value++) {
    const entry = ids ? ids[from + value]! : from + value
    const end = ends[entry]!
    const by = cellEnds[cells[value]!]! - end
    for (let at = starts[entry]!; at < end; at++) target[by + at] = bytes[at]!
  }
}

/** Makes texts of the values of some rows. `first` is the number of the first row. */
export function cellsOf(slices: readonly Slice[], leaves: readonly Leaf[], rows: number, first: number): RowCells {
  const order = orderOf(slices, leaves, rows)
  const { count, columnOf, placeOf } = order
  const shown = leaves.map(({ show }, column) => show && shownOf(slices[column]!.values, show))
  const cells = shown.map((texts, column) => (texts ? order.cellsOf(column) : new Int32Array()))
  const ends = new Int32Array(count)
  for (const [column, texts] of shown.entries()) if (texts) measure(texts, cells[column]!, ends)
  let length = 0
  for (let cell = 0; cell < count; cell++) {
    length += ends[cell]!
    ends[cell] = length++
  }
  const bytes = Buffer.allocUnsafe(length)
  for (const [column, texts] of shown.entries()) if (texts) place(texts, cells[column]!, ends, bytes)
  for (let cell = 0; cell < count; cell++) bytes[ends[cell]!] = mark
  const isFenced = bytes.includes(fence)
  for (let cell = 0; cell < count; cell++) bytes[ends[cell]!] = fence
  const column = (index: number) => leaves[columnOf(index)]!.name
  return {
    count,
    columnOf,
    placeOf,
    bytes,
    ends,
    ascii: isAscii(bytes),
    isFenced,
    column,
    place: index => ({ kind: 'cell', row: first + order.rowOf(index), column: column(index) }),
    isStored(index) {
      const { converted, ids, from } = shown[columnOf(index)]!
      const at = from + placeOf(index)
      return converted?.has(ids ? ids[at]! : at) !== true
    },
  }
}

/** The texts of cells, one by one. */
export function textsOf({ bytes, ends, count }: RowCells): string[] {
  const whole = bytes.toString('latin1')
  const texts = new Array<string>(count)
  for (let index = 0, start = 0; index < count; index++) {
    texts[index] = whole.slice(start, ends[index])
    start = ends[index]! + 1
  }
  return texts
}
