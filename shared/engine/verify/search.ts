import { endianness } from 'node:os'

/** A byte sequence to look for, and whose value it is a form of. */
export type Pattern = { bytes: Uint8Array; value: number }

/** Finds every pattern of a set in one pass over the bytes, however many patterns there are. */
export type Search = {
  /** Calls `hit` with the value of each pattern that stands in `bytes`; ends early when `hit` returns true. */
  run(bytes: Uint8Array, hit: Hit): void
  /** Length of the longest pattern. */
  longest: number
}

const spread = 0x9e3779b1
/** Bytes of a word, the piece of a pattern that it is filed under. */
const wordLength = 4
/** Whether this machine reads the bytes of a word in the order of {@link wordAt}. */
const littleEndian = endianness() === 'LE'

/** Bytes of the shortest pattern that is looked for. */
export const shortestSought = wordLength

const wordAt = (bytes: Uint8Array, at: number) =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)

/** All words of some bytes, one behind the other; what is left at the end, less than a word, is left off. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const count = Math.floor(bytes.length / wordLength)
  if (littleEndian && bytes.byteOffset % wordLength === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, count)
  return Int32Array.from({ length: count }, (_, index) => wordAt(bytes, index * wordLength))
}

type Hit = (value: number) => boolean | undefined

type Filed = { bytes: Uint8Array; value: number; offset: number }

type Filing = ReturnType<typeof fileUnder>

/** Patterns by words of theirs, behind a filter that rules most words out at once. */
function fileUnder(entries: { word: number; filed: Filed }[]) {
  let bits = 12
  while (bits < 24 && 1 << bits < entries.length * 16) bits++
  const shift = 32 - bits
  const filter = new Uint8Array(1 << (bits - 3))
  const files = new Map<number, Filed[]>()
  for (const { word, filed } of entries) {
    const file = files.get(word)
    if (file) file.push(filed)
    else files.set(word, [filed])
    const slot = Math.imul(word, spread) >>> shift
    filter[slot >> 3]! |= 1 << (slot & 7)
  }
  return { shift, filter, files }
}

function standsAt(bytes: Uint8Array, wanted: Uint8Array, start: number): boolean {
  if (start < 0 || start + wanted.length > bytes.length) return false
  for (let index = 0; index < wanted.length; index++) if (bytes[start + index] !== wanted[index]) return false
  return true
}

/** Tries the patterns filed under a word that stands at `at`; true when `hit` has enough. */
function tryAll(bytes: Uint8Array, file: readonly Filed[], at: number, hit: Hit): boolean {
  for (const { bytes: wanted, value, offset } of file)
    if (standsAt(bytes, wanted, at - offset) && hit(value)) return true
  return false
}

function lookEverywhere(bytes: Uint8Array, { shift, filter, files }: Filing, hit: Hit): boolean {
  const last = files.size === 0 ? -1 : bytes.length - wordLength
  for (let at = 0; at <= last; at++) {
    const word = wordAt(bytes, at)
    const slot = Math.imul(word, spread) >>> shift
    if ((filter[slot >> 3]! & (1 << (slot & 7))) === 0) continue
    const file = files.get(word)
    if (file && tryAll(bytes, file, at, hit)) return true
  }
  return false
}

function lookAtWords(bytes: Uint8Array, { shift, filter, files }: Filing, hit: Hit): boolean {
  if (files.size === 0) return false
  const words = wordsOf(bytes)
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const slot = Math.imul(word, spread) >>> shift
    if ((filter[slot >> 3]! & (1 << (slot & 7))) === 0) continue
    const file = files.get(word)
    if (file && tryAll(bytes, file, index * wordLength, hit)) return true
  }
  return false
}

/**
 * Builds the search; patterns of fewer than four bytes are left out. A pattern of seven bytes or more holds a whole word
 * at each of the four alignments, so filing it under one of each lets the search look at every fourth place only. Of the
 * words that it might be filed under, the one that fewest patterns share is taken: a common beginning, such as a country
 * code, doesn't pile them up.
 */
export function buildSearch(patterns: readonly Pattern[]): Search {
  const frequency = new Map<number, number>()
  let longest = 0
  for (const { bytes } of patterns) {
    longest = Math.max(longest, bytes.length)
    for (let at = 0; at + wordLength <= bytes.length; at++) {
      const word = wordAt(bytes, at)
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
    }
  }
  const rarest = ({ bytes, value }: Pattern, first: number, step: number) => {
    let offset = first
    let fewest = Number.POSITIVE_INFINITY
    for (let at = first; at + wordLength <= bytes.length; at += step) {
      const count = frequency.get(wordAt(bytes, at))!
      if (count < fewest) [fewest, offset] = [count, at]
    }
    return { word: wordAt(bytes, offset), filed: { bytes, value, offset } }
  }
  const isLong = ({ bytes }: Pattern) => bytes.length >= 2 * wordLength - 1
  const long = fileUnder(
    patterns.filter(isLong).flatMap(pattern => [0, 1, 2, 3].map(first => rarest(pattern, first, wordLength))),
  )
  const short = fileUnder(
    patterns
      .filter(pattern => pattern.bytes.length >= wordLength && !isLong(pattern))
      .map(pattern => rarest(pattern, 0, 1)),
  )

  return {
    longest,
    run(bytes, hit) {
      if (!lookAtWords(bytes, long, hit)) lookEverywhere(bytes, short, hit)
    },
  }
}
