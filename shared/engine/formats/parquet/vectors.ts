import type { DecodedArray } from 'hyparquet'
import type { Stored } from './values.ts'

/** Stretches of bytes. `framed` says that each stands behind its length in four bytes and in front of the next, as in PLAIN. */
export type ByteEntries = { bytes: Buffer; starts: Int32Array; ends: Int32Array; framed: boolean }

/** The values of a page, or of a dictionary, as they were decoded: numbers and the like, or stretches of bytes. */
export type Entries =
  | { numbers: ArrayLike<number | bigint | boolean>; stretches?: undefined }
  | { stretches: ByteEntries; numbers?: undefined }

/** Some values in a row: entries, by `ids` where they come of a dictionary; those from `from` up to `to`. */
export type Vector = { entries: Entries; ids: Int32Array | undefined; from: number; to: number }

/** How many entries there are. */
export const entryCount = ({ numbers, stretches }: Entries): number => numbers?.length ?? stretches!.starts.length

/** All of some entries, in their order. */
export const vectorOf = (entries: Entries): Vector => ({ entries, ids: undefined, from: 0, to: entryCount(entries) })

/** An entry by its number: bytes as a text of one character for each. */
export function entryAt({ numbers, stretches }: Entries, number: number): Stored {
  if (numbers) return numbers[number]!
  const { bytes, starts, ends } = stretches!
  return bytes.toString('latin1', starts[number], ends[number])
}

/** The value at a place of a vector. */
export function valueAt({ entries, ids, from }: Vector, at: number): Stored {
  return entryAt(entries, ids ? ids[from + at]! : from + at)
}

/** Values as they are stored, from texts of one character for each byte. */
export function ofTexts(texts: readonly string[]): Entries {
  let length = 0
  for (const text of texts) length += 4 + text.length
  const bytes = Buffer.allocUnsafe(length)
  const starts = new Int32Array(texts.length)
  const ends = new Int32Array(texts.length)
  let at = 0
  for (let index = 0; index < texts.length; index++) {
    at = bytes.writeUInt32LE(texts[index]!.length, at)
    starts[index] = at
    at += bytes.write(texts[index]!, at, 'latin1')
    ends[index] = at
  }
  return { stretches: { bytes, starts, ends, framed: true } }
}

/** The same, from what the library decodes. */
export function ofDecoded(values: DecodedArray): Entries {
  if (!(values[0] instanceof Uint8Array)) return { numbers: values as ArrayLike<number> }
  const list = values as Uint8Array[]
  return ofTexts(
    list.map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length).toString('latin1')),
  )
}

/** A part of a vector. */
export const part = ({ entries, ids, from }: Vector, start: number, end: number): Vector => ({
  entries,
  ids,
  from: from + start,
  to: from + end,
})

/** Vectors behind each other. */
export function joined(vectors: readonly Vector[]): Vector {
  const list = vectors.filter(({ from, to }) => to > from)
  const first = list[0] ?? vectors[0]
  if (first === undefined || list.length < 2) return first ?? vectorOf({ numbers: [] })
  if (list.every(({ entries, ids }) => entries === first.entries && ids)) {
    const ids = list.flatMap(vector => Array.from(vector.ids!.subarray(vector.from, vector.to)))
    return { entries: first.entries, ids: Int32Array.from(ids), from: 0, to: ids.length }
  }
  const values = list.flatMap(vector => Array.from({ length: vector.to - vector.from }, (_, at) => valueAt(vector, at)))
  return vectorOf(first.entries.stretches ? ofTexts(values as string[]) : { numbers: values as number[] })
}
