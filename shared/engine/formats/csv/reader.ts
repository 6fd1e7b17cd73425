import type { Dialect } from './records.ts'

const lineFeed = 10
const carriageReturn = 13
const textEnd = 0xff

/** Reads the texts of cells one byte after the other: the second reader, which shares nothing with the writer. */
export type CellReader = {
  /** The texts that end in these bytes and the beginning of the next, as UTF-8, each ended by 0xFF. */
  push(bytes: Uint8Array): Uint8Array
  /** What is left at the end of the table. */
  end(): Uint8Array
}

/** Starts reading a table of a dialect that `isScannable` (one-byte delimiter, doubled quotes). */
export function createCellReader({ delimiter, quote }: Dialect): CellReader {
  const stop = delimiter.charCodeAt(0)
  const mark = quote === '' ? -1 : quote.charCodeAt(0)
  /** Where the reader stands: before a cell, in one without quotes, in one with, behind a quote that may close it. */
  let state: 'before' | 'plain' | 'quoted' | 'closing' = 'before'
  /** Whether the record has a cell already, so that what comes next is one too. */
  let inRecord = false
  let afterReturn = false
  let texts = new Uint8Array(1 << 16)

  return {
    push(bytes) {
      if (texts.length < bytes.length * 2 + 1) texts = new Uint8Array(bytes.length * 2 + 1)
      let fill = 0
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]!
        if (state === 'quoted') {
          if (byte === mark) state = 'closing'
          else texts[fill++] = byte
          continue
        }
        if (byte === lineFeed && afterReturn) {
          afterReturn = false
          continue
        }
        afterReturn = false
        if (byte === stop) {
          texts[fill++] = textEnd
          state = 'before'
          inRecord = true
        } else if (byte === lineFeed || byte === carriageReturn) {
          texts[fill++] = textEnd
          state = 'before'
          inRecord = false
          afterReturn = byte === carriageReturn
        } else if (byte === mark && state === 'before') {
          state = 'quoted'
        } else if (byte === mark && state === 'closing') {
          texts[fill++] = byte
          state = 'quoted'
        } else {
          texts[fill++] = byte
          state = 'plain'
        }
      }
      return texts.subarray(0, fill)
    },
    end() {
      const open = inRecord || state !== 'before'
      return open ? Uint8Array.of(textEnd) : new Uint8Array()
    },
  }
}
