import {
  add,
  again,
  and,
  assemble,
  bothVectors,
  type Code,
  constant,
  end,
  equals,
  get,
  i32,
  isAtLeast,
  isBelow,
  lane,
  leadingZeros,
  loadByte,
  loadVector,
  loop,
  notEqual,
  otherwise,
  pick,
  set,
  shiftBytesRight,
  splat,
  store,
  subtract,
  tee,
  topBits,
  trailingZeros,
  v128,
  whenSet,
  xor,
} from '../assembly.ts'

/** Bytes that are looked at in one go. */
export const block = 64 * 1024
/** Places of a mark that are looked at, the first two of many bytes at once. */
const placesLooked = 3
const placesAtOnce = 2

const margin = 4 * lane
const halvesAt = placesLooked * 256
/** Where in memory the tables are, the bytes, and what is found: places of marks, where runs begin, and how many bytes those take. */
const places = {
  bytes: 1024,
  marks: 1024 + block + margin,
  runs: 1024 + 5 * block + margin,
  result: 1024 + 9 * block + margin,
}
const pages = Math.ceil((places.result + 2 * 4) / 65_536)

/** Parameters and locals. */
const [count, before, at, marks, runs, mask, place, bytes, halves] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
/** A 1 for each byte whose halves have a bit in common. */
const inBoth = (table: number): Code => [
  [get(halves + 2 * table), get(bytes), splat(15), bothVectors, pick],
  [get(halves + 2 * table + 1), get(bytes), constant(4), shiftBytesRight, pick, bothVectors],
]
const loadAt = (index: number): Code => [get(at), loadVector(places.bytes + index), set(bytes)]
const tables = Array.from({ length: 2 * (placesAtOnce + 1) }, (_, index) => index)
const single = (index: number): Code => [
  [get(place), loadByte(places.bytes + index), loadByte(index * 256)],
  index === 0 ? [] : and,
]
const note = (list: number, at: number, value: Code): Code => [
  [get(list), value, store(at), get(list), constant(4), add, set(list)],
]
const lookForMarks: Code = [
  [loadAt(1), inBoth(1), loadAt(0), inBoth(0), bothVectors, splat(0), notEqual, topBits, tee(mask), whenSet, loop],
  [get(at), get(mask), trailingZeros, add, set(place)],
  [Array.from({ length: placesLooked }, (_, index) => single(index)), whenSet],
  [note(marks, places.marks, get(place)), end],
  [get(mask), get(mask), constant(1), subtract, and, tee(mask), again, end, end],
]
const all = constant(0xffff)
const lookForRuns: Code = [
  // What is left are the bytes that are no letters.
  [inBoth(placesAtOnce), splat(0), notEqual, topBits, all, xor, set(mask)],
  [get(before), constant(lane), isBelow, get(mask), constant(0x10000), add, trailingZeros],
  [get(before), add, constant(lane), isAtLeast, and, whenSet],
  [note(runs, places.runs, [get(at), get(before), subtract]), end],
  [get(mask), constant(0), equals, whenSet, get(before), constant(lane), add, set(before)],
  [otherwise, get(mask), leadingZeros, constant(lane), subtract, set(before), end],
]

/**
 * `look(count, before)`: writes where marks may stand, and where runs of letters begin that are `lane` long or longer; so many
 * letters stand before. Tells in `result` where the lists of both end; answers how many letters stand before what follows.
 */
const lookCode: Code = [
  [2, 5, i32, 1 + tables.length, v128],
  tables.map(half => [constant(half * lane), loadVector(halvesAt), set(halves + half)]),
  [loop, lookForMarks, lookForRuns],
  [get(at), constant(lane), add, tee(at), get(count), isBelow, again, end],
  [constant(0), get(marks), store(places.result), constant(0), get(runs), store(places.result + 4)],
  [get(before), end],
]

/** Classes of bytes by a bit each: those of the places of marks, and the letters of runs, which have a table of their own. */
function tablesOf(marks: readonly (readonly Uint8Array[])[], letters: readonly Uint8Array[]): Uint8Array {
  const tables = new Uint8Array(halvesAt + 2 * (placesAtOnce + 1) * lane)
  const allow = (table: number, byte: number, bit: number) => {
    const at = halvesAt + 2 * table * lane
    tables[at + (byte & 15)]! |= bit
    tables[at + lane + (byte >> 4)]! |= bit
  }
  for (let byte = 0; byte < 256; byte++) {
    for (const [index, classes] of marks.entries())
      for (const [place, members] of classes.entries()) {
        if (members[byte] !== 1) continue
        tables[place * 256 + byte]! |= 1 << index
        if (place < placesAtOnce) allow(place, byte, 1 << index)
      }
    for (const [index, members] of letters.entries()) if (members[byte] === 1) allow(placesAtOnce, byte, 1 << index)
  }
  return tables
}

/**
 * Makes the code ready, with a memory of its own. Of marks the classes of their first three bytes are given, of at most eight
 * kinds; of letters at most eight classes, in each of which all bytes have the same second half or all first ones go with it.
 */
export function loadMarks(marks: readonly (readonly Uint8Array[])[], letters: readonly Uint8Array[]) {
  const { memory, look } = assemble<{ look(count: number, before: number): number }>(pages, [
    { name: 'look', parameters: 2, answers: true, body: lookCode },
  ])
  memory.set(tablesOf(marks, letters))
  const list = (at: number, length: number) => new Int32Array(memory.buffer, at, length)
  return {
    look,
    bytes: memory.subarray(places.bytes, places.bytes + block + margin),
    marks: list(places.marks, block),
    runs: list(places.runs, block),
    result: list(places.result, 2),
  }
}
