import { fence } from '../../detect/regex/fence.ts'
import type { CellEdits, Cells } from '../format.ts'
import { cellText, type Dialect, writeCell } from './records.ts'
import type { Scan } from './scan.ts'

/** What ends each text in the digest of the visible texts. */
const textEnd = 0xff

const notAscii = /[\x80-\xff]/

/** Text as UTF-8 whose bytes are read as characters, and back. */
const toBytes = (text: string) => (/[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text)
const toText = (bytes: string) => (notAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes)

/** A scanned batch, ready for the editor, and where the texts of its irregular cells stand behind the others. */
export type ScannedCells = { cells: Cells; raw: string; copies: { start: number; end: number }[] }

/** Bytes of the texts of all cells, those of irregular ones as they read. */
function lengthOf({ starts, ends, cells }: Scan, irregular: readonly string[]): number {
  let length = 0
  for (let cell = 0; cell < cells; cell++) length += ends[cell]! - starts[cell]!
  return irregular.reduce((sum, text) => sum + text.length, length)
}

/** Makes one string of all cells of a scan; `names` are those of the columns. */
export function joinCells(bytes: Uint8Array, scan: Scan, dialect: Dialect, names: readonly string[]): ScannedCells {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, scan.consumed).toString('latin1')
  const { starts, ends, columns, irregular, masked } = scan
  const view = Buffer.from(masked.buffer, masked.byteOffset, masked.byteLength)
  const texts = irregular.map(cell => cellText(raw, { start: starts[cell]!, end: ends[cell]!, quoted: true }, dialect))
  const copies: ScannedCells['copies'] = []
  let at = scan.consumed + 1
  for (const { length } of texts) {
    copies.push({ start: at, end: at + length })
    at += length + 1
  }
  const join = (main: string, parts: string[]) => (parts.length === 0 ? main : `${main}${fence}${parts.join(fence)}`)
  const nameOf = (column: number) => names[column] ?? String(column + 1)
  return {
    raw,
    copies,
    cells: {
      bytes: join(view.toString('latin1'), texts),
      ascii: !notAscii.test(raw),
      length: lengthOf(scan, texts),
      within(chosen) {
        const copy = Buffer.from(view)
        for (let cell = 0; cell < scan.cells; cell++) {
          if (!chosen(nameOf(columns[cell]!))) copy.fill(fence, starts[cell]!, ends[cell]!)
        }
        return join(
          copy.toString('latin1'),
          texts.map((text, index) => (chosen(nameOf(columns[irregular[index]!]!)) ? text : fence.repeat(text.length))),
        )
      },
    },
  }
}

/** The edits that begin in `[start, end)`, made on that part of `bytes`. `next` is the first edit that may. */
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

/** Makes the writer of edited batches: gives the bytes of the output, and the texts of all cells as the digest has them. */
export function createSplicer(dialect: Dialect) {
  const quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0)
  const written = new Map<string, string>()
  let shown = Buffer.alloc(1 << 20)

  const write = (bytes: string, quoted: boolean): string => {
    if (bytes.length > 64) return toBytes(writeCell(toText(bytes), quoted, dialect))
    const key = quoted ? `q${bytes}` : `p${bytes}`
    let cell = written.get(key)
    if (cell === undefined) {
      cell = toBytes(writeCell(toText(bytes), quoted, dialect))
      if (written.size >= 1000) written.clear()
      written.set(key, cell)
    }
    return cell
  }

  return (
    { raw, copies, cells }: ScannedCells,
    scan: Scan,
    edits: CellEdits,
  ): { output: Buffer; shown: Uint8Array } => {
    const { starts, ends, irregular } = scan
    const { bytes } = cells
    // Edits of irregular cells stand behind all others.
    let firstCopied = edits.texts.length
    while (firstCopied > 0 && edits.at[firstCopied * 2 - 2]! >= scan.consumed) firstCopied--
    let next = 0
    let nextCopied = firstCopied
    let odd = 0
    let output = ''
    let at = 0
    let fill = 0
    const room = (length: number) => {
      if (fill + length < shown.length) return
      const more = Buffer.alloc((fill + length) * 2)
      shown.copy(more, 0, 0, fill)
      shown = more
    }
    const show = (text: string) => {
      room(text.length + 1)
      fill += shown.write(text, fill, 'latin1')
      shown[fill++] = textEnd
    }

    for (let cell = 0; cell < scan.cells; cell++) {
      const start = starts[cell]!
      const end = ends[cell]!
      if (odd < irregular.length && irregular[odd] === cell) {
        const copy = copies[odd++]!
        if (nextCopied < edits.texts.length && edits.at[nextCopied * 2]! < copy.end) {
          const edited = splice(bytes, copy.start, copy.end, edits, nextCopied)
          nextCopied = edited.next
          output += raw.slice(at, start) + write(edited.text, true)
          at = end
          show(edited.text)
        } else show(bytes.slice(copy.start, copy.end))
        continue
      }
      const quoted = start < end && raw.charCodeAt(start) === quote
      const first = quoted ? start + 1 : start
      const last = quoted ? end - 1 : end
      if (next < firstCopied && edits.at[next * 2]! < end) {
        const edited = splice(raw, first, last, edits, next)
        next = edited.next
        output += raw.slice(at, start) + write(edited.text, quoted)
        at = end
        show(edited.text)
        continue
      }
      room(last - first + 1)
      for (let index = first; index < last; index++) shown[fill++] = raw.charCodeAt(index)
      shown[fill++] = textEnd
    }
    return { output: Buffer.from(output + raw.slice(at), 'latin1'), shown: shown.subarray(0, fill) }
  }
}
