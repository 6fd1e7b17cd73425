import { isAscii } from 'node:buffer'
import { fence } from '../../detect/regex/fence.ts'
import type { CellEdits, Cells } from '../format.ts'
import { runsAsFormula } from './formulas.ts'
import { cellText, type Dialect, writeCell } from './records.ts'
import type { Scan } from './scan.ts'

/** What ends each text in the digest of the visible texts. */
const textEnd = 0xff

/** UTF-8 bytes read as characters, from text. */
const toBytes = (text: string) => (/[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text)
const toText = (bytes: string) => (/[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes)

/** A scanned batch, ready for the editor, and where the texts of its irregular cells stand behind the others. */
export type ScannedCells = { cells: Cells; bytes: Uint8Array; copies: { start: number; end: number }[] }

/** Bytes of the texts of all cells, those of irregular ones as they read. */
function lengthOf({ starts, ends, cells }: Scan, irregular: readonly string[]): number {
  let length = 0
  for (let cell = 0; cell < cells; cell++) length += ends[cell]! - starts[cell]!
  return irregular.reduce((sum, text) => sum + text.length, length)
}

/** Makes one string of all cells of a scan; `names` are those of the columns. */
export function joinCells(bytes: Uint8Array, scan: Scan, dialect: Dialect, names: readonly string[]): ScannedCells {
  const { starts, ends, columns, irregular, masked } = scan
  const view = Buffer.from(masked.buffer, masked.byteOffset, masked.byteLength)
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, scan.consumed)
  const texts = irregular.map(cell => {
    const raw = source.toString('latin1', starts[cell]!, ends[cell]!)
    return cellText(raw, { start: 0, end: raw.length, quoted: true }, dialect)
  })
  const copies: ScannedCells['copies'] = []
  let at = scan.consumed + 1
  for (const { length } of texts) {
    copies.push({ start: at, end: at + length })
    at += length + 1
  }
  const join = (main: Buffer, parts: string[]) =>
    parts.length === 0 ? main.toString('latin1') : main.toString('latin1') + fence + parts.join(fence)
  const nameOf = (column: number) => names[column] ?? String(column + 1)
  return {
    bytes: source,
    copies,
    cells: {
      bytes: join(view, texts),
      ascii: isAscii(source),
      length: lengthOf(scan, texts),
      within(chosen) {
        const copy = Buffer.from(view)
        for (let cell = 0; cell < scan.cells; cell++) {
          if (!chosen(nameOf(columns[cell]!))) copy.fill(fence, starts[cell]!, ends[cell]!)
        }
        const kept = texts.map((text, index) =>
          chosen(nameOf(columns[irregular[index]!]!)) ? text : fence.repeat(text.length),
        )
        return join(copy, kept)
      },
    },
  }
}

/** Bytes that grow as they are written. Its arrays are used again once they were taken. */
function createSink() {
  let bytes = new Uint8Array(1 << 20)
  let fill = 0
  const room = (length: number) => {
    if (fill + length <= bytes.length) return
    const more = new Uint8Array((fill + length) * 2)
    more.set(bytes.subarray(0, fill))
    bytes = more
  }
  return {
    add(from: Uint8Array, start: number, end: number) {
      room(end - start)
      // Most stretches are too short for a call of the platform's copy to pay.
      for (let at = start; at < end; at++) bytes[fill++] = from[at]!
    },
    put(byte: number) {
      room(1)
      bytes[fill++] = byte
    },
    take() {
      const taken = bytes.subarray(0, fill)
      fill = 0
      return taken
    },
  }
}

/** A changed cell as it is written, and as it reads. */
type Changed = { written: Uint8Array; shown: Uint8Array }

/** The edits that begin before `end`, made on `bytes` from `start`. `next` is the first edit that may. */
function splice(
  bytes: string,
  start: number,
  end: number,
  edits: CellEdits,
  next: number,
): { text: string; next: number } {
  let text = ''
  let at = start
  let index = next
  for (; index < edits.texts.length && edits.at[index * 2]! < end; index++) {
    text += bytes.slice(at, edits.at[index * 2]!) + toBytes(edits.texts[index]!)
    at = edits.at[index * 2 + 1]!
  }
  return { text: text + bytes.slice(at, end), next: index }
}

/**
 * Makes the writer of edited batches: gives the bytes of the output, the texts of all cells as the digest has them, both
 * valid until the next batch, and how many cells begin as a formula does.
 */
export function createSplicer(dialect: Dialect) {
  const quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0)
  /** Cells that became nothing but a replacement: there are few different ones. */
  const whole = { quoted: new Map<string, Changed>(), plain: new Map<string, Changed>() }
  const output = createSink()
  const shown = createSink()

  const change = (bytes: string, quoted: boolean): Changed => ({
    written: Buffer.from(writeCell(toText(bytes), quoted, dialect), 'utf8'),
    shown: Buffer.from(bytes, 'latin1'),
  })
  const changeWhole = (text: string, quoted: boolean): Changed => {
    const known = quoted ? whole.quoted : whole.plain
    let changed = known.get(text)
    if (!changed) {
      changed = change(toBytes(text), quoted)
      if (known.size >= 1000) known.clear()
      known.set(text, changed)
    }
    return changed
  }

  return ({ bytes, copies, cells }: ScannedCells, scan: Scan, edits: CellEdits) => {
    const { starts, ends, irregular } = scan
    const { at: places, texts } = edits
    // Edits of irregular cells stand behind all others.
    let copied = texts.length
    while (copied > 0 && places[copied * 2 - 2]! >= scan.consumed) copied--
    const regular = copied
    let next = 0
    let odd = 0
    let done = 0
    let formulas = 0
    const replace = (cell: number, { written, shown: text }: Changed) => {
      output.add(bytes, done, starts[cell]!)
      output.add(written, 0, written.length)
      done = ends[cell]!
      shown.add(text, 0, text.length)
      if (runsAsFormula(text, 0, text.length)) formulas++
    }

    for (let cell = 0; cell < scan.cells; cell++) {
      const start = starts[cell]!
      const end = ends[cell]!
      if (odd < irregular.length && irregular[odd] === cell) {
        const copy = copies[odd++]!
        const edited = splice(cells.bytes, copy.start, copy.end, edits, copied)
        if (edited.next > copied) {
          copied = edited.next
          replace(cell, change(edited.text, true))
        } else {
          const text = Buffer.from(edited.text, 'latin1')
          shown.add(text, 0, text.length)
          if (runsAsFormula(text, 0, text.length)) formulas++
        }
        shown.put(textEnd)
        continue
      }
      const quoted = start < end && bytes[start] === quote
      const first = quoted ? start + 1 : start
      const last = quoted ? end - 1 : end
      if (next < regular && places[next * 2]! < end) {
        if (places[next * 2] === first && places[next * 2 + 1] === last)
          replace(cell, changeWhole(texts[next++]!, quoted))
        else {
          const edited = splice(cells.bytes, first, last, edits, next)
          next = edited.next
          replace(cell, change(edited.text, quoted))
        }
      } else {
        shown.add(bytes, first, last)
        if (runsAsFormula(bytes, first, last)) formulas++
      }
      shown.put(textEnd)
    }
    output.add(bytes, done, scan.consumed)
    return { output: output.take(), shown: shown.take(), formulas }
  }
}
