import { separator } from '../../detect/regex/separator.ts'
import { type CellMemory, loadCells } from './cell-code.ts'
import { mostScanned } from './cell-memory.ts'
import type { Dialect } from './records.ts'
import { runsAsFormula } from './sanitise.ts'

const lineFeed = 10
const carriageReturn = 13
const fenceByte = separator.charCodeAt(0)

/** The complete records at the beginning of some bytes, cell by cell. Valid until the next scan. */
export type Scan = {
  /** Bytes of all complete records. */
  consumed: number
  /** Number of cells. */
  cells: number
  /** Where each cell begins and ends, with its quotes, and its column counted from 0. */
  starts: Int32Array
  ends: Int32Array
  columns: Int32Array
  /** The texts of all cells as they read, without their quotes, each ended by a fence; and where each one ends. */
  texts: Uint8Array
  stops: Int32Array
  /** Cells that begin as a formula does, in order. */
  formulas: number[]
  /** Where all of it is, where the code of {@link loadCells} found it. */
  memory?: CellMemory
}

/** Finds the cells of a table in ASCII-compatible bytes. One per file: it reuses its arrays. */
export type Scanner = (bytes: Uint8Array, last: boolean) => Scan | 'fence'

/** Whether a dialect is simple enough for {@link createScanner}: one-byte delimiter and quote, quotes doubled. */
export const isScannable = ({ delimiter, quote, escapeWith }: Dialect) =>
  /^[ -~\t]$/.test(delimiter) && /^[ -~]?$/.test(quote) && escapeWith === quote && delimiter !== quote

/** What a scanner looks for, and the arrays that it fills anew with each scan. */
type Scratch = {
  delimiter: number
  /** -1 where cells have no quotes. */
  quote: number
  /** 1 for each byte that ends a cell outside of quotes. */
  border: Uint8Array
  starts: Int32Array
  ends: Int32Array
  stops: Int32Array
  columns: Int32Array
  texts: Uint8Array
}

const doubled = (array: Int32Array) => {
  const more = new Int32Array(array.length * 2)
  more.set(array)
  return more
}

function makeRoom(scratch: Scratch): Scratch {
  scratch.starts = doubled(scratch.starts)
  scratch.ends = doubled(scratch.ends)
  scratch.stops = doubled(scratch.stops)
  scratch.columns = doubled(scratch.columns)
  return scratch
}

function scanRecords(scratch: Scratch, bytes: Uint8Array, last: boolean): Scan {
  const { delimiter, quote, border, texts } = scratch
  const { length } = bytes
  let { starts, ends, stops, columns } = scratch
  const formulas: number[] = []
  let at = 0
  let fill = 0
  let cell = 0
  let column = 0
  let consumed = 0
  let cells = 0
  let filled = 0
  while (at < length || (column > 0 && last)) {
    if (cell === starts.length) ({ starts, ends, stops, columns } = makeRoom(scratch))
    const begin = fill
    starts[cell] = at
    columns[cell] = column
    if (at < length && bytes[at] === quote) {
      at++
      for (;;) {
        while (at < length && bytes[at] !== quote) texts[fill++] = bytes[at++]!
        if (at + 1 >= length || bytes[at + 1] !== quote) break
        texts[fill++] = quote
        at += 2
      }
      // Without its closing quote, or with the next byte still to come, the record isn't complete.
      if (at >= length || (at + 1 === length && !last)) break
      at++
    }
    // What stands behind a closing quote belongs to the text.
    while (at < length && border[bytes[at]!] === 0) texts[fill++] = bytes[at++]!
    ends[cell] = at
    stops[cell] = fill
    if (runsAsFormula(texts, begin, fill)) formulas.push(cell)
    texts[fill++] = fenceByte
    cell++
    const byte = at < length ? bytes[at++] : undefined
    if (byte === delimiter) {
      column++
      continue
    }
    // The record may go on behind these bytes, or its line end may.
    if (!last && (byte === undefined || (byte === carriageReturn && at === length))) break
    if (byte === carriageReturn && bytes[at] === lineFeed) at++
    column = 0
    consumed = at
    cells = cell
    filled = fill
  }
  while (formulas.length > 0 && formulas.at(-1)! >= cells) formulas.pop()
  return { consumed, cells, starts, ends, columns, texts: texts.subarray(0, filled), stops, formulas }
}

/** The same by the code of {@link loadCells}, of no more bytes than that has room for. */
function scanFast(memory: CellMemory, { delimiter, quote }: Scratch, bytes: Uint8Array, last: boolean): Scan {
  const { starts, ends, stops, columns, marked, result } = memory
  memory.bytes.set(bytes)
  memory.scan(bytes.length, Number(last), delimiter, quote)
  const [consumed, list, filled, end] = result as unknown as [number, number, number, number]
  const texts = memory.texts.subarray(0, filled)
  const formulas: number[] = []
  for (let index = 0; index < end >> 2; index++) {
    const cell = marked[index]! >> 2
    if (runsAsFormula(texts, cell === 0 ? 0 : stops[cell - 1]! + 1, stops[cell]!)) formulas.push(cell)
  }
  return { consumed, cells: list >> 2, starts, ends, columns, texts, stops, formulas, memory }
}

/** Fewest bytes that it is worth to make the code ready for. */
const worthCode = 32 * 1024

/** A memory that no file uses now. */
let idle: CellMemory | undefined

/**
 * Makes a scanner. A scan answers `fence` when the bytes hold a fence, so that they can't be searched joined; it finds no
 * complete record (`consumed` 0) when the first one doesn't end in the bytes. `release` it when the file is done.
 */
export function createScanner({ delimiter, quote }: Dialect): { scan: Scanner; release(): void } {
  const border = new Uint8Array(256)
  for (const byte of [delimiter.charCodeAt(0), lineFeed, carriageReturn]) border[byte] = 1
  const scratch: Scratch = {
    delimiter: delimiter.charCodeAt(0),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    border,
    starts: new Int32Array(1 << 12),
    ends: new Int32Array(1 << 12),
    stops: new Int32Array(1 << 12),
    columns: new Int32Array(1 << 12),
    texts: new Uint8Array(),
  }
  let memory: CellMemory | undefined
  const take = () => {
    const taken = idle ?? loadCells()
    idle = undefined
    return taken
  }
  return {
    scan(bytes, last) {
      // A buffer looks for a byte many at a time.
      if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(fenceByte)) return 'fence'
      if (bytes.length <= mostScanned && (memory || bytes.length >= worthCode)) {
        memory ??= take()
        return scanFast(memory, scratch, bytes, last)
      }
      // Each text takes no more than its cell; the last one of a file may end without a line end.
      if (scratch.texts.length <= bytes.length) scratch.texts = new Uint8Array(bytes.length * 2 + 1)
      return scanRecords(scratch, bytes, last)
    },
    release() {
      idle = memory ?? idle
      memory = undefined
    },
  }
}
