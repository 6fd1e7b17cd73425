import { isAscii } from 'node:buffer'
import { lane } from '../../assembly.ts'
import { separator } from '../../detect/regex/separator.ts'
import type { CellEdits, Cells } from '../format.ts'
import type { CellMemory } from './cell-code.ts'
import { mostEdits, mostWritten, places } from './cell-memory.ts'
import { type Dialect, writeCell } from './records.ts'
import { runsAsFormula } from './sanitise.ts'
import type { Scan } from './scan.ts'
import { kinds } from './splice-code.ts'

/** What ends each text in the digest of the visible texts. */
const textEnd = 0xff

/** Makes one string of all cells of a scan; `names` are those of the columns. */
export function joinCells({ texts, stops, cells, columns }: Scan, names: readonly string[]): Cells {
  const view = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
  const nameOf = (column: number) => names[column] ?? String(column + 1)
  return {
    bytes: view.toString('latin1'),
    raw: texts,
    ascii: isAscii(view),
    length: texts.length - cells,
    within(chosen) {
      const copy = Buffer.from(view)
      for (let cell = 0, start = 0; cell < cells; start = stops[cell++]! + 1) {
        if (!chosen(nameOf(columns[cell]!))) copy.fill(separator, start, stops[cell]!)
      }
      return copy.toString('latin1')
    },
  }
}

/** Bytes from which on the platform copies faster than a loop does. */
const longCopy = 48

/** Bytes that grow as they are written. Its array is used again once it was taken. */
class Sink {
  bytes = new Uint8Array(1 << 18)
  fill = 0

  /** Copies what stands in `from[start, end)`. */
  add(from: Uint8Array, start: number, end: number): void {
    let { bytes, fill } = this
    if (fill + end - start > bytes.length) {
      this.bytes = new Uint8Array((fill + end - start) * 2)
      this.bytes.set(bytes.subarray(0, fill))
      bytes = this.bytes
    }
    if (end - start >= longCopy) bytes.set(from.subarray(start, end), fill)
    else for (let at = start; at < end; at++) bytes[fill++] = from[at]!
    this.fill += Math.max(0, end - start)
  }

  /** What was written; valid until more is. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.fill)
    this.fill = 0
    return taken
  }
}

/** What is kept of replacements: there are few different ones, or very many. */
const maxKnown = 1000

/** Gives the bytes of texts, and keeps those of texts that come again. */
function rememberBytes(): (text: string) => Uint8Array {
  const known = new Map<string, Uint8Array>()
  return text => {
    let bytes = known.get(text)
    if (!bytes) {
      bytes = new Uint8Array(Buffer.from(text, 'utf8'))
      if (known.size >= maxKnown) known.clear()
      known.set(text, bytes)
    }
    return bytes
  }
}

/** What the writer of a table knows and fills. */
type Splicing = {
  dialect: Dialect
  /** -1 where cells have no quotes. */
  quote: number
  quoteBytes: Uint8Array
  /** 1 for each byte that is nothing but itself anywhere in a cell without quotes. */
  plain: Uint8Array
  output: Sink
  shown: Sink
}

const isInner = (byte: number) => byte > 0x20 && byte < 0x7f

/** Whether a text can be written as it stands, without asking what its first and last character are. */
function isPlain(plain: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end || !isInner(bytes[start]!) || !isInner(bytes[end - 1]!)) return false
  for (let at = start; at < end; at++) if (plain[bytes[at]!] === 0) return false
  return true
}

/** Writes a cell that was changed, whose text is `bytes[start, end)`. */
function writeChanged(splicing: Splicing, bytes: Uint8Array, start: number, end: number, quoted: boolean) {
  const { dialect, quote, quoteBytes, plain, output } = splicing
  if (quoted) {
    output.add(quoteBytes, 0, 1)
    let done = start
    for (let at = start; at < end; at++) {
      if (bytes[at] !== quote) continue
      output.add(bytes, done, at + 1)
      done = at
    }
    output.add(bytes, done, end)
    output.add(quoteBytes, 0, 1)
  } else if (isPlain(plain, bytes, start, end)) output.add(bytes, start, end)
  else {
    const text = Buffer.from(bytes.subarray(start, end)).toString('utf8')
    const written = Buffer.from(writeCell(text, false, dialect), 'utf8')
    output.add(written, 0, written.length)
  }
}

/** Writes a batch with its edits: how many cells begin as a formula does. */
function splice(
  splicing: Splicing,
  bytes: Uint8Array,
  scan: Scan,
  places: ArrayLike<number>,
  by: readonly Uint8Array[],
): number {
  const { output, shown, quote } = splicing
  const { starts, ends, stops, texts, consumed } = scan
  endTexts(scan)
  let formulas = scan.formulas.length
  let formula = 0
  let cell = 0
  let doneBytes = 0
  let doneTexts = 0
  for (let next = 0; next < by.length; ) {
    while (stops[cell]! < places[next * 2 + 1]!) cell++
    const last = stops[cell]!
    const first = cell === 0 ? 0 : stops[cell - 1]! + 1
    shown.add(texts, doneTexts, first)
    const start = shown.fill
    doneTexts = first
    for (; next < by.length && places[next * 2]! < last; next++) {
      shown.add(texts, doneTexts, places[next * 2]!)
      shown.add(by[next]!, 0, by[next]!.length)
      doneTexts = places[next * 2 + 1]!
    }
    shown.add(texts, doneTexts, last)
    doneTexts = last
    output.add(bytes, doneBytes, starts[cell]!)
    writeChanged(
      splicing,
      shown.bytes,
      start,
      shown.fill,
      starts[cell]! < ends[cell]! && bytes[starts[cell]!] === quote,
    )
    doneBytes = ends[cell]!
    while (scan.formulas[formula]! < cell) formula++
    if (scan.formulas[formula] === cell) formulas--
    if (runsAsFormula(shown.bytes, start, shown.fill)) formulas++
  }
  shown.add(texts, doneTexts, texts.length)
  output.add(bytes, doneBytes, consumed)
  return formulas
}

/** Puts replacements where the code finds them, and remembers where those are that come again; false where there is no room. */
function placeReplacements(
  { replacements, edits }: CellMemory,
  by: { at: ArrayLike<number>; texts: readonly string[] },
  known: Placed,
) {
  for (let index = 0; index < by.texts.length; index++) {
    const text = by.texts[index]!
    let place = known.places.get(text)
    if (!place) {
      const bytes = Buffer.from(text, 'utf8')
      if (known.fill + bytes.length + lane > replacements.length) return false
      place = { at: known.fill, length: bytes.length }
      replacements.set(bytes, known.fill)
      known.fill += bytes.length
      known.places.set(text, place)
    }
    edits[index * 4] = by.at[index * 2]!
    edits[index * 4 + 1] = by.at[index * 2 + 1]!
    edits[index * 4 + 2] = places.replacements + place.at
    edits[index * 4 + 3] = place.length
    known.length += place.length
  }
  return true
}

/** Where replacements are in the memory of the code, how many bytes they take, and how many those of a batch are together. */
type Placed = { places: Map<string, { at: number; length: number }>; fill: number; length: number }

/** Whether edits have room in the memory of the code, with all that is made of them; if so, they are put there. */
function placeEdits(memory: CellMemory, scan: Scan, edits: CellEdits, known: Placed): boolean {
  if (edits.texts.length > mostEdits) return false
  known.length = 0
  if (!placeReplacements(memory, edits, known)) {
    Object.assign(known, { places: new Map(), fill: 0, length: 0 })
    if (!placeReplacements(memory, edits, known)) return false
  }
  // Quotes may be doubled, and stand around each.
  const most = scan.consumed + 2 * (scan.texts.length + known.length + edits.texts.length)
  return most <= mostWritten
}

/** Writes a cell that the code leaves to others: what it shows is there already. */
function writeLeft({ state, shown, output }: CellMemory, dialect: Dialect): void {
  const [end, fill, start] = [state[4]!, state[5]!, state[7]!]
  const written = Buffer.from(
    writeCell(Buffer.from(shown.subarray(start, end)).toString('utf8'), false, dialect),
    'utf8',
  )
  output.set(written, fill)
  state[5] = fill + written.length
}

/** Puts the ends of texts as the digest has them. */
function endTexts({ texts, stops, cells }: Scan): void {
  for (let index = 0; index < cells; index++) texts[stops[index]!] = textEnd
}

/** How many cells begin as a formula does, of those that did and those that the code has flagged. */
function countFormulas({ state, shown, flagged }: CellMemory, scan: Scan): number {
  let formulas = scan.formulas.length
  let formula = 0
  for (let at = 0; at < state[6]! >> 2; at += 3) {
    const cell = flagged[at]! >> 2
    while (scan.formulas[formula]! < cell) formula++
    if (scan.formulas[formula] === cell) formulas--
    if (runsAsFormula(shown, flagged[at + 1]!, flagged[at + 2]!)) formulas++
  }
  return formulas
}

/** The same as {@link splice} by the code, whose memory has the edits. */
function spliceByCode(memory: CellMemory, { dialect, quote }: Splicing, scan: Scan, edits: number) {
  const { texts, consumed } = scan
  const { state, shown } = memory
  endTexts(scan)
  state.fill(0)
  while (memory.splice(edits, texts.length, consumed, quote) === 1) writeLeft(memory, dialect)
  const formulas = countFormulas(memory, scan)
  return { output: memory.output.subarray(0, state[5]), shown: shown.subarray(0, state[4]), formulas }
}

/**
 * Makes the writer of edited batches: gives the bytes of the output, the texts of all cells as the digest has them, both
 * valid until the next batch, and how many cells begin as a formula does. The scan's texts end as those of the digest then.
 */
export function createSplicer(dialect: Dialect) {
  const quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0)
  const plain = new Uint8Array(256).fill(1)
  for (const character of ['\r', '\n', dialect.delimiter, dialect.quote]) plain[character.charCodeAt(0)] = 0
  const [output, shown] = [new Sink(), new Sink()]
  const splicing = { dialect, quote, quoteBytes: Uint8Array.of(quote), plain, output, shown }
  const bytesOf = rememberBytes()
  const known: Placed = { places: new Map(), fill: 0, length: 0 }
  return (bytes: Uint8Array, scan: Scan, edits: CellEdits) => {
    const { at, texts } = edits
    const { memory } = scan
    if (memory && placeEdits(memory, scan, edits, known)) {
      for (let byte = 0; byte < 256; byte++)
        memory.kinds[byte] = (plain[byte] === 1 ? kinds.plain : 0) | (isInner(byte) ? kinds.inner : 0)
      return spliceByCode(memory, splicing, scan, texts.length)
    }
    const formulas = splice(splicing, bytes, scan, at, texts.map(bytesOf))
    return { output: output.take(), shown: shown.take(), formulas }
  }
}
