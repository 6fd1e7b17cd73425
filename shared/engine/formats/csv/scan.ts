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

/**
 * Makes a scanner. A scan answers `fence` when the bytes hold a fence, so that they can't be searched joined; it finds no
 * complete record (`consumed` 0) when the first one doesn't end in the bytes.
 */
export function createScanner({ delimiter, quote }: Dialect): Scanner {
  const stop = delimiter.charCodeAt(0)
  const quoteByte = quote === '' ? -1 : quote.charCodeAt(0)
  /** What ends a cell outside of quotes. */
  const border = new Uint8Array(256)
  for (const byte of [stop, lineFeed, carriageReturn]) border[byte] = 1
  let starts = new Int32Array(1 << 16)
  let ends = new Int32Array(1 << 16)
  let stops = new Int32Array(1 << 16)
  let columns = new Int32Array(1 << 16)
  let copy = new Uint8Array()
  const grow = (array: Int32Array) => {
    const more = new Int32Array(array.length * 2)
    more.set(array)
    return more
  }

  return (bytes, last) => {
    // A buffer looks for a byte many at a time.
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(fenceByte)) return 'fence'
    const { length } = bytes
    // Each text takes no more than its cell; the last one of a file may end without a line end.
    if (copy.length <= length) copy = new Uint8Array(length * 2 + 1)
    const texts = copy
    const formulas: number[] = []
    let cells = 0
    let column = 0
    let complete = 0
    let completeCells = 0
    let completeTexts = 0
    let at = 0
    let fill = 0
    while (at < length || (column > 0 && at === length && last)) {
      if (cells === starts.length) {
        starts = grow(starts)
        ends = grow(ends)
        stops = grow(stops)
        columns = grow(columns)
      }
      const begin = fill
      starts[cells] = at
      columns[cells] = column
      if (at < length && bytes[at] === quoteByte) {
        at++
        for (;;) {
          while (at < length && bytes[at] !== quoteByte) texts[fill++] = bytes[at++]!
          if (at + 1 >= length || bytes[at + 1] !== quoteByte) break
          texts[fill++] = quoteByte
          at += 2
        }
        // Without its closing quote, or with the next byte still to come, the record isn't complete.
        if (at >= length || (at + 1 === length && !last)) break
        at++
      }
      // What stands behind a closing quote belongs to the text.
      while (at < length && border[bytes[at]!] === 0) texts[fill++] = bytes[at++]!
      ends[cells] = at
      stops[cells] = fill
      if (runsAsFormula(texts, begin, fill)) formulas.push(cells)
      texts[fill++] = fenceByte
      if (at >= length) {
        if (!last) break
        cells++
        complete = at
        completeCells = cells
        completeTexts = fill
        break
      }
      cells++
      const byte = bytes[at++]
      if (byte === stop) {
        column++
        continue
      }
      if (byte === carriageReturn) {
        if (at === length && !last) break
        if (bytes[at] === lineFeed) at++
      }
      column = 0
      complete = at
      completeCells = cells
      completeTexts = fill
    }
    while (formulas.length > 0 && formulas.at(-1)! >= completeCells) formulas.pop()
    return {
      consumed: complete,
      cells: completeCells,
      starts,
      ends,
      columns,
      texts: texts.subarray(0, completeTexts),
      stops,
      formulas,
    }
  }
}
