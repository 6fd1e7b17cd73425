import { separator } from '../../detect/regex/separator.ts'
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

/**
 * Makes a scanner. A scan answers `fence` when the bytes hold a fence, so that they can't be searched joined; it finds no
 * complete record (`consumed` 0) when the first one doesn't end in the bytes.
 */
export function createScanner({ delimiter, quote }: Dialect): Scanner {
  const border = new Uint8Array(256)
  for (const byte of [delimiter.charCodeAt(0), lineFeed, carriageReturn]) border[byte] = 1
  const scratch: Scratch = {
    delimiter: delimiter.charCodeAt(0),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    border,
    starts: new Int32Array(1 << 16),
    ends: new Int32Array(1 << 16),
    stops: new Int32Array(1 << 16),
    columns: new Int32Array(1 << 16),
    texts: new Uint8Array(),
  }
  return (bytes, last) => {
    // A buffer looks for a byte many at a time.
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(fenceByte)) return 'fence'
    // Each text takes no more than its cell; the last one of a file may end without a line end.
    if (scratch.texts.length <= bytes.length) scratch.texts = new Uint8Array(bytes.length * 2 + 1)
    return scanRecords(scratch, bytes, last)
  }
}
