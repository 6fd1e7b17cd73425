import type { Slice } from './rows.ts'
import type { Stored } from './values.ts'
import { type Entries, entryAt, entryCount } from './vectors.ts'

/** Most values of a dictionary, and most bytes of it. */
const dictionaryValues = 50_000
const dictionaryBytes = 1024 * 1024

/** The distinct values of a column, each with its number. It closes for good once it would be no gain. */
export type Dictionary = {
  numbers: Map<Stored, number>
  bytes: number
  isOpen: boolean
  /** The numbers of the entries of dictionaries that values come of; those that have none yet are negative. */
  known: Map<Entries, Int32Array>
}

/** An empty dictionary for values of a physical type. */
export function createDictionary(type: string): Dictionary {
  // A map takes the two noughts for one, and there are but two logical values.
  const isOpen = !['FLOAT', 'DOUBLE', 'BOOLEAN'].includes(type)
  return { numbers: new Map(), bytes: 0, isOpen, known: new Map() }
}

/** Distinct values of a column's first page, of so many, from which on a dictionary would be no gain. */
const tooMany = (values: number) => Math.max(100, values * 0.6)

/** The numbers of a page's `count` values; undefined where the page is to be written without the dictionary. */
export function numbered(dictionary: Dictionary, slices: readonly Slice[], count: number): Int32Array | undefined {
  if (!dictionary.isOpen) return undefined
  const { numbers } = dictionary
  const size = numbers.size
  const most = size === 0 ? tooMany(count) : Number.POSITIVE_INFINITY
  const list = new Int32Array(count)
  let done = 0
  for (const slice of slices) {
    done = numberSlice(dictionary, slice, list, done, most)
    if (numbers.size > most) break
  }
  if (numbers.size > most) numbers.clear()
  else if (numbers.size > dictionaryValues || dictionary.bytes > dictionaryBytes) {
    // What this page added is taken out again; what comes later is written without the dictionary.
    for (const value of [...numbers.keys()].slice(size)) numbers.delete(value)
  } else return list
  dictionary.isOpen = false
  dictionary.known.clear()
  return undefined
}

function numberOf(dictionary: Dictionary, value: Stored): number {
  const { numbers } = dictionary
  let number = numbers.get(value)
  if (number === undefined) {
    number = numbers.size
    numbers.set(value, number)
    dictionary.bytes += typeof value === 'string' ? value.length + 4 : 8
  }
  return number
}

/** The numbers that the entries of a dictionary were given. */
function knownOf({ known }: Dictionary, entries: Entries): Int32Array {
  const given = known.get(entries) ?? new Int32Array(entryCount(entries)).fill(-1)
  known.set(entries, given)
  return given
}

/** Numbers the values of a slice into `list` from `begun` on, until there are too many distinct ones; gives where it ended. */
function numberSlice(dictionary: Dictionary, slice: Slice, list: Int32Array, begun: number, most: number): number {
  const { numbers } = dictionary
  const { values, edits } = slice
  const { entries, ids, from, to } = values
  const known = ids && knownOf(dictionary, entries)
  let edit = 0
  let next = edits?.at[0] ?? -1
  let done = begun
  for (let at = 0; at < to - from && numbers.size <= most; at++) {
    if (at === next) {
      list[done++] = numberOf(dictionary, edits!.texts[edit]!)
      next = edits!.at[++edit] ?? -1
      continue
    }
    const entry = ids ? ids[from + at]! : from + at
    let number = known ? known[entry]! : -1
    if (number < 0) number = numberOf(dictionary, entryAt(entries, entry))
    if (known) known[entry] = number
    list[done++] = number
  }
  return done
}
