import type { Dialect } from './records.ts'

const lineFeed = 10
const carriageReturn = 13
const textEnd = 0xff

/** Where the reader stands: before a cell, in one without quotes, in one with, behind a quote that may close it. */
const before = 0
const plain = 1
const quoted = 2
const closing = 3

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
  /** What ends a cell without quotes. */
  const ends = new Uint8Array(256)
  for (const code of [stop, lineFeed, carriageReturn]) ends[code] = 1
  let state = before
  /** Whether the record has a cell already, so that what comes next is one too. */
  let inRecord = false
  let afterReturn = false
  let texts = new Uint8Array(1 << 16)

  return {
    push(bytes) {
      if (texts.length < bytes.length * 2 + 1) texts = new Uint8Array(bytes.length * 2 + 1)
      const into = texts
      const { length } = bytes
      let fill = 0
      let at = 0
      while (at < length) {
        if (state === quoted) {
          while (at < length && bytes[at] !== mark) into[fill++] = bytes[at++]!
          if (at === length) break
          state = closing
          at++
          continue
        }
        const byte = bytes[at]!
        if (afterReturn) {
          afterReturn = false
          if (byte === lineFeed) {
            at++
            continue
          }
        }
        if (byte === mark && state !== plain) {
          // The first of a cell opens it; one right behind another is a quote in the text.
          if (state === closing) into[fill++] = byte
          state = quoted
          at++
          continue
        }
        while (at < length && ends[bytes[at]!] === 0) into[fill++] = bytes[at++]!
        state = plain
        if (at === length) break
        into[fill++] = textEnd
        state = before
        inRecord = bytes[at] === stop
        afterReturn = bytes[at] === carriageReturn
        at++
      }
      return into.subarray(0, fill)
    },
    end: () => (inRecord || state !== before ? Uint8Array.of(textEnd) : new Uint8Array()),
  }
}
