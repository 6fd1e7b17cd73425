import { isAscii, isUtf8 } from 'node:buffer'
import type { Leaf } from './columns.ts'
import { eachValue, type Slice } from './rows.ts'
import { bytesShown } from './values.ts'
import { type ByteEntries, type Entries, entryAt, entryCount, type Vector } from './vectors.ts'

/** The texts of some rows, each behind the other and ended by the byte 0xFF. */
export type Shown = { bytes: Buffer; length: number }

const mark = 0xff

/** Room for the texts of rows, to be used again and again. */
export const createShown = (): Shown => ({ bytes: Buffer.allocUnsafeSlow(64 * 1024), length: 0 })

type Show = NonNullable<Leaf['show']>

/** The texts of a column: those of its values from `from` on, or of its dictionary by `ids`. */
type Column = { bytes: Buffer; starts: Int32Array; ends: Int32Array; ids: Int32Array | undefined; from: number }

/** Texts as one stretch after another. */
function stretched(texts: readonly string[]): Pick<Column, 'bytes' | 'starts' | 'ends'> {
  const starts = new Int32Array(texts.length)
  const ends = new Int32Array(texts.length)
  let at = 0
  for (let index = 0; index < texts.length; index++) {
    starts[index] = at
    at += texts[index]!.length
    ends[index] = at
  }
  return { bytes: Buffer.from(texts.join(''), 'latin1'), starts, ends }
}

/** Whether each of some stretches is a text of UTF-8, which is shown as it is. */
function isText({ bytes, starts, ends }: ByteEntries, from: number, to: number): boolean {
  if (from >= to || isAscii(bytes)) return true
  for (let entry = from; entry < to; entry++) if (!isUtf8(bytes.subarray(starts[entry], ends[entry]))) return false
  return true
}

/** The texts of dictionaries whose entries are shown otherwise than they are stored. */
const dictionaries = new WeakMap<Entries, Pick<Column, 'bytes' | 'starts' | 'ends'>>()

function columnOf({ entries, ids, from, to }: Vector, show: Show): Column {
  const { stretches } = entries
  const known = dictionaries.get(entries)
  if (known) return { ...known, ids, from }
  const [first, last] = ids ? [0, entryCount(entries)] : [from, to]
  if (stretches && show === bytesShown && isText(stretches, first, last)) return { ...stretches, ids, from }
  const texts = stretched(Array.from({ length: last - first }, (_, at) => show(entryAt(entries, first + at))))
  if (ids) dictionaries.set(entries, texts)
  return { ...texts, ids, from: ids ? from : 0 }
}

/** Puts the texts of some rows there, without the code that makes cells of them for the rules. */
export function showRows(shown: Shown, slices: readonly Slice[], leaves: readonly Leaf[], rows: number): void {
  const columns = leaves.map(({ show }, column) => show && columnOf(slices[column]!.values, show))
  shown.length = 0
  eachValue(slices, leaves, rows, (index, value) => {
    const column = columns[index]
    if (column === undefined) return
    const { bytes, starts, ends, ids, from } = column
    const entry = ids ? ids[from + value]! : from + value
    const [start, end] = [starts[entry]!, ends[entry]!]
    const target = roomFor(shown, end - start + 1)
    const by = shown.length - start
    for (let at = start; at < end; at++) target[by + at] = bytes[at]!
    target[by + end] = mark
    shown.length = by + end + 1
  })
}

function roomFor(shown: Shown, length: number): Buffer {
  if (shown.length + length > shown.bytes.length) {
    const more = Buffer.allocUnsafeSlow((shown.length + length) * 2)
    shown.bytes.copy(more, 0, 0, shown.length)
    shown.bytes = more
  }
  return shown.bytes
}

/** The same texts one by one. */
export function textsIn({ bytes, length }: Shown): string[] {
  const texts: string[] = []
  for (let start = 0; start < length; ) {
    const end = bytes.indexOf(mark, start)
    texts.push(bytes.toString('utf8', start, end))
    start = end + 1
  }
  return texts
}
