import type { Dialect } from './records.ts'
import { loadReader, mostRead } from './verify-reader-code.ts'

/** Reads the texts of cells byte by byte: the second reader, which shares nothing with the writer. */
export type CellReader = {
  /** Gives `take` the texts that end in these bytes and the beginning of the next, as UTF-8, each ended by 0xFF; valid until the next. */
  push(bytes: Uint8Array, take: (texts: Uint8Array) => void): void
  /** What is left at the end of the table. */
  end(): Uint8Array
}

let code: ReturnType<typeof loadReader> | undefined

/** Starts reading a table of a dialect that `isScannable` (one-byte delimiter, doubled quotes). */
export function createCellReader({ delimiter, quote }: Dialect): CellReader {
  const stop = delimiter.charCodeAt(0)
  const mark = quote === '' ? -1 : quote.charCodeAt(0)
  const sought = quote === '' ? stop : mark
  const state = new Int32Array(3)

  return {
    push(bytes, take) {
      code ??= loadReader()
      for (let at = 0; at < bytes.length; at += mostRead) {
        const part = bytes.subarray(at, at + mostRead)
        code.bytes.set(part)
        code.state.set(state)
        take(code.texts.subarray(0, code.read(part.length, stop, mark, sought)))
        state.set(code.state)
      }
    },
    end() {
      const [standing, inRecord] = state
      return standing !== 0 || inRecord !== 0 ? Uint8Array.of(0xff) : new Uint8Array()
    },
  }
}
