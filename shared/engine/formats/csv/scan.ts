import { fence } from '../../detect/regex/fence.ts'
import type { Dialect } from './records.ts'

const lineFeed = 10
const carriageReturn = 13
const fenceByte = fence.charCodeAt(0)

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
  /** Cells in quotes with quotes inside or with more behind the closing one, in order: their text isn't one stretch. */
  irregular: number[]
  /** The consumed bytes with a fence in place of each byte that is no text, and of all bytes of irregular cells. */
  masked: Uint8Array
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
  let starts = new Int32Array(1 << 16)
  let ends = new Int32Array(1 << 16)
  let columns = new Int32Array(1 << 16)
  let copy = new Uint8Array()
  const grow = (array: Int32Array) => {
    const more = new Int32Array(array.length * 2)
    more.set(array)
    return more
  }

  return (bytes, last) => {
    if (bytes.indexOf(fenceByte) >= 0) return 'fence'
    const { length } = bytes
    if (copy.length < length) copy = new Uint8Array(length * 2)
    const masked = copy.subarray(0, length)
    masked.set(bytes)
    const irregular: number[] = []
    let cells = 0
    let column = 0
    let complete = 0
    let completeCells = 0
    let at = 0
    while (at < length || (column > 0 && at === length && last)) {
      if (cells === starts.length) {
        starts = grow(starts)
        ends = grow(ends)
        columns = grow(columns)
      }
      starts[cells] = at
      columns[cells] = column
      if (at < length && bytes[at] === quoteByte) {
        const begin = at++
        let odd = false
        for (;;) {
          while (at < length && bytes[at] !== quoteByte) at++
          if (at + 1 < length && bytes[at + 1] === quoteByte) {
            odd = true
            at += 2
          } else break
        }
        // Without its closing quote, or with the next byte still to come, the record isn't complete.
        if (at >= length || (at + 1 === length && !last)) break
        masked[begin] = fenceByte
        masked[at++] = fenceByte
        while (at < length && bytes[at] !== stop && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) {
          odd = true
          at++
        }
        if (odd) {
          irregular.push(cells)
          masked.fill(fenceByte, begin, at)
        }
      } else {
        while (at < length && bytes[at] !== stop && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
      }
      ends[cells] = at
      if (at >= length) {
        if (!last) break
        cells++
        complete = at
        completeCells = cells
        break
      }
      cells++
      const byte = bytes[at]
      masked[at++] = fenceByte
      if (byte === stop) {
        column++
        continue
      }
      if (byte === carriageReturn) {
        if (at === length && !last) break
        if (bytes[at] === lineFeed) masked[at++] = fenceByte
      }
      column = 0
      complete = at
      completeCells = cells
    }
    while (irregular.length > 0 && irregular.at(-1)! >= completeCells) irregular.pop()
    return {
      consumed: complete,
      cells: completeCells,
      starts,
      ends,
      columns,
      irregular,
      masked: masked.subarray(0, complete),
    }
  }
}
