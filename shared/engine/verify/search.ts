import { loadWords, mostBytes, mostFiltered, spread, wordLength } from './words-code.ts'

/** A byte sequence to look for, and whose value it is a form of. */
export type Pattern = { bytes: Uint8Array; value: number }

/** Finds every pattern of a set in one pass over the bytes, however many patterns there are. */
export type Search = {
  /** Calls `hit` with the value of each pattern that stands in `bytes`; ends early when `hit` returns true. */
  run(bytes: Uint8Array, hit: Hit): void
  /** Length of the longest pattern. */
  longest: number
}

/** Bytes of the shortest pattern that is looked for. */
export const shortestSought = wordLength

const wordAt = (bytes: Uint8Array, at: number) =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)

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

/** Whether a pattern is found that is filed under a word at every so many bytes and has enough for `hit`. */
function lookPlainly(bytes: Uint8Array, step: number, { shift, filter, files }: Filing, hit: Hit): boolean {
  for (let at = 0; at + wordLength <= bytes.length; at += step) {
    const word = wordAt(bytes, at)
    const slot = Math.imul(word, spread) >>> shift
    if ((filter[slot >> 3]! & (1 << (slot & 7))) === 0) continue
    const file = files.get(word)
    if (file && tryAll(bytes, file, at, hit)) return true
  }
  return false
}

/** Fewest bytes that it is worth to make the code ready for. */
const worthCode = 16 * 1024

/** The code, and whose filter it has. */
let code: (ReturnType<typeof loadWords> & { filing?: Filing }) | undefined

function readyFor(filing: Filing) {
  code ??= loadWords()
  if (code.filing !== filing) code.filter.set(filing.filter)
  code.filing = filing
  return code
}

/** The same by the code of {@link loadWords}, which finds the words that the filter does not rule out. */
function lookByCode(bytes: Uint8Array, step: number, filing: Filing, hit: Hit): boolean {
  const places = bytes.length - wordLength + 1
  const most = mostBytes - wordLength
  for (let from = 0; from < places; from += most) {
    const { find, found, bytes: into } = readyFor(filing)
    into.set(bytes.subarray(from, from + mostBytes))
    const end = find(Math.min(places - from, most), step, filing.shift)
    // A copy, for whoever is told of a hit may look for something else.
    for (const place of found.slice(0, end >> 2)) {
      const file = filing.files.get(wordAt(bytes, from + place))
      if (file && tryAll(bytes, file, from + place, hit)) return true
    }
  }
  return false
}

function look(bytes: Uint8Array, step: number, filing: Filing, hit: Hit): boolean {
  if (filing.files.size === 0) return false
  const byCode = bytes.length >= worthCode && filing.filter.length <= mostFiltered
  return (byCode ? lookByCode : lookPlainly)(bytes, step, filing, hit)
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
      if (!look(bytes, wordLength, long, hit)) look(bytes, 1, short, hit)
    },
  }
}
