import { wordUnits } from '../units.ts'
import { type Beginning, beginningsOf } from './beginnings.ts'
import { separator } from './separator.ts'
import { addresses, allow, block, loadSweep, placesLooked, type SweepCode, tableBytes } from './sweep-code.ts'
import type { Parsed } from './syntax.ts'
import { holds, kinds, none, others, type UnitSet } from './unit-sets.ts'

/** The bytes that may stand before a match and at its first places, a 1 each; byte 255 is for all greater units too. */
export type ByteBeginning = readonly Uint8Array[]

/** Share of the places of a text that a pattern may be tried at. */
const fewPlaces = 1 / 50

/** About how often a byte stands in text. */
const usual = Float64Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return 0.01 / 128
  if (byte === 0x20) return 0.16
  if (byte >= 0x61 && byte <= 0x7a) return 0.75 / 26
  if (byte >= 0x41 && byte <= 0x5a) return 0.03 / 26
  return wordUnits[byte] === 1 ? 0.02 / 11 : 0.03 / 66
})

const greatest = 0xff

function bytesOf(sets: readonly UnitSet[], isBefore: boolean): Uint8Array {
  const bytes = new Uint8Array(256)
  for (const set of sets) {
    for (let kind = 0; kind < kinds; kind++) if (kind !== none && holds(set, kind)) bytes[Math.min(kind, greatest)] = 1
    // Where texts are joined, each begins behind a separator.
    if (isBefore && holds(set, none)) bytes[separator.charCodeAt(0)] = 1
  }
  return bytes
}

/** About which share of the places of a text a pattern may be tried at, by the first bytes of some. */
function shareOf(bytes: ByteBeginning): number {
  const share = (set: Uint8Array) => set.reduce((sum, member, byte) => sum + member * usual[byte]!, 0)
  return bytes.slice(0, 5).reduce((product, set) => product * share(set), 1)
}

const bytesOfAll = (all: readonly Beginning[]): ByteBeginning =>
  Array.from({ length: placesLooked }, (_, place) =>
    bytesOf(
      all.map(({ before, places }) => (place === 0 ? before : places[place - 1]!)),
      place === 0,
    ),
  )

/** What matches of a pattern begin with, in one of several ways, and about at which share of places. */
export type Beginnings = { all: readonly Beginning[]; bytes: ByteBeginning; share: number }

const together = (all: readonly Beginning[]): Beginnings => {
  const bytes = bytesOfAll(all)
  return { all, bytes, share: shareOf(bytes) }
}

/** What matches of a pattern begin with, where that rules out nearly all places of a usual text. */
export function rareBeginnings(parsed: Parsed): Beginnings | undefined {
  // What groups say that change flags inside is not looked at.
  if (/\(\?[ims-]+:/.test(parsed.source)) return undefined
  const all: Beginning[] = beginningsOf(parsed)
  // A match that is tried between the halves of a character would begin before it.
  if (all.some(({ places: [first] }) => holds(first!, others))) return undefined
  const beginnings = together(all)
  return beginnings.share < fewPlaces ? beginnings : undefined
}

/** Beginnings in two parts, so that fewer places are tried; nothing where there is only one. */
export function halves({ all }: Beginnings): [Beginnings, Beginnings] | undefined {
  const half = all.length >> 1
  return half === 0 ? undefined : [together(all.slice(0, half)), together(all.slice(half))]
}

/** Patterns in one table, a bit each. */
const perTable = 8

/** What is tried where a match may begin, and what is told where one begins and ends. */
type Trial = { sticky: RegExp; take(start: number, end: number): void }

/** How far the trials have come: behind the last match of each, how often it may still be tried, and where it was given up. */
type State = { trials: readonly Trial[]; reached: Float64Array; left: Int32Array; rest: number[] }

function tryAt({ trials, reached, left, rest }: State, text: string, pattern: number, start: number): void {
  if (start < reached[pattern]!) return
  if (left[pattern] === 0) {
    rest[pattern] = start
    reached[pattern] = Number.POSITIVE_INFINITY
    return
  }
  const { sticky, take } = trials[pattern]!
  sticky.lastIndex = start
  if (sticky.test(text)) {
    reached[pattern] = sticky.lastIndex
    take(start, sticky.lastIndex)
  } else left[pattern]!--
}

let code: (SweepCode & { found: Int32Array }) | undefined

function loadOnce() {
  if (!code) {
    const loaded = loadSweep()
    code = { ...loaded, found: new Int32Array(loaded.memory.buffer, addresses.found) }
  }
  return code
}

/**
 * Makes the search for the places where matches of some patterns may begin, of all in one walk through the bytes of a text.
 */
export function createSweep(beginnings: readonly ByteBeginning[]) {
  const tables = Array.from({ length: Math.ceil(beginnings.length / perTable) }, () => new Uint8Array(tableBytes))
  for (const [pattern, places] of beginnings.entries())
    for (const [place, bytes] of places.entries())
      for (let byte = 0; byte < 256; byte++)
        if (bytes[byte] === 1) allow(tables[Math.floor(pattern / perTable)]!, place, byte, 1 << (pattern % perTable))

  /**
   * Tries each pattern in order where its next match can begin, and nowhere inside of one. Answers by pattern from where on
   * it must be searched for plainly, because it was tried in vain at many places, or -1.
   */
  return (text: string, from: number, trials: readonly Trial[]): readonly number[] => {
    const { memory, narrow, sweep, found } = loadOnce()
    const { length } = beginnings
    const state: State = {
      trials,
      reached: new Float64Array(length).fill(from),
      // Each attempt costs about as much as the plain search of a few dozen characters.
      left: new Int32Array(length).fill(1000 + (text.length >> 5)),
      rest: new Array(length).fill(-1),
    }
    for (let base = from; base < text.length; base += block) {
      const count = Math.min(block, text.length - base)
      const units = (base === 0 ? separator : '') + text.slice(Math.max(0, base - 1), base + count + placesLooked)
      memory.fill(0, addresses.units + 2 * units.length, addresses.bytes)
      memory.write(units, addresses.units, 'utf16le')
      narrow(count + placesLooked)
      for (let group = 0; group < tables.length; group++) {
        memory.set(tables[group]!, addresses.table)
        tryAll(
          state,
          text,
          { base, count, first: group * perTable },
          found.subarray(0, (sweep(count) - addresses.found) >> 2),
        )
      }
    }
    return state.rest
  }
}

/** Tries patterns, the first of which is `first`, at the places that were found for them in `count` characters from `base` on. */
function tryAll(state: State, text: string, part: { base: number; count: number; first: number }, found: Int32Array) {
  const { base, count, first } = part
  for (let next = 0; next < found.length && found[next]! < count; next += 2)
    for (let bits = found[next + 1]!; bits !== 0; bits &= bits - 1)
      tryAt(state, text, first + 31 - Math.clz32(bits & -bits), base + found[next]!)
}

export type Sweep = ReturnType<typeof createSweep>
