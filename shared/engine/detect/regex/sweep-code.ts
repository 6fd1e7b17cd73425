import {
  add,
  again,
  and,
  anySet,
  assemble,
  bothVectors,
  type Code,
  constant,
  end,
  get,
  i32,
  isBelow,
  lane,
  loadByte,
  loadVector,
  loop,
  notEqual,
  pick,
  set,
  shiftBytesRight,
  splat,
  store,
  storeVector,
  subtract,
  tee,
  topBits,
  trailingZeros,
  v128,
  vector,
  vectorOf,
  whenSet,
} from '../../assembly.ts'

/** Places of a match, and the one before it, that the code looks at one by one; the first of them many bytes at once. */
export const placesLooked = 9
const placesAtOnce = 5

/** Bytes of a table: for each place looked at at once its low and high halves of bytes, then for each place all bytes. */
export const tableBytes = placesAtOnce * 2 * lane + placesLooked * 256
const wholeBytes = placesAtOnce * 2 * lane

/** Puts a bit into a table: that a byte may stand at a place. */
export function allow(table: Uint8Array, place: number, byte: number, bit: number): void {
  table[wholeBytes + place * 256 + byte]! |= bit
  if (place >= placesAtOnce) return
  table[place * 2 * lane + (byte & 15)]! |= bit
  table[place * 2 * lane + lane + (byte >> 4)]! |= bit
}

/** Units of a text that are looked at in one go, and where in memory they, their bytes, and what is found are. */
export const block = 16 * 1024
const margin = 4 * lane
export const addresses = {
  table: 0,
  vector: 4096 - lane,
  units: 4096,
  bytes: 4096 + 2 * (block + margin),
  found: 4096 + 3 * (block + margin),
}
const pages = Math.ceil((addresses.found + (block + margin) * 8) / 65_536)

const lowerOfUnits = vector(151)
const narrowUnits = vector(102)

/** `narrow(count)`: makes a byte of each unit, 255 of those that are greater. */
function narrowCode(): Code {
  const [count, at, from] = [0, 1, 2]
  const most = vectorOf(Array.from({ length: lane }, (_, index) => (index % 2 === 0 ? 255 : 0)))
  const eight = (offset: number): Code => [get(from), loadVector(addresses.units + offset), most, lowerOfUnits]
  return [
    [1, 2, i32],
    loop,
    [get(at), eight(0), eight(lane), narrowUnits, storeVector(addresses.bytes)],
    [get(from), constant(2 * lane), add, set(from)],
    [get(at), constant(lane), add, tee(at), get(count), isBelow, again],
    [end, end],
  ]
}

/** The locals of {@link walkCode}, behind the parameter `count`; whoever puts it into a function has `found` to itself. */
export const walking = { count: 0, at: 1, found: 2, mask: 3, place: 4, bits: 5 }
const [bytes, all, tables] = [6, 7, 8]
const halves = Array.from({ length: placesAtOnce * 2 }, (_, index) => index)

/** What declares them. */
export const walkLocals: Code = [2, 5, i32, 2 + halves.length, v128]

/** Where in memory are the table, the byte before the first place, and room for a vector. */
export type Walked = { table: number; from: number; vector: number }

/**
 * Goes through the places before `count`, and those that fill the last vector; at each where a match may begin it does something
 * with the place and its bits.
 */
export function walkCode({ table, from, vector }: Walked, something: Code): Code {
  const { count, at, mask, place, bits } = walking
  const once = (index: number): Code => [
    [get(at), loadVector(from + index), set(bytes)],
    [get(tables + 2 * index), get(bytes), splat(15), bothVectors, pick],
    [get(tables + 2 * index + 1), get(bytes), constant(4), shiftBytesRight, pick, bothVectors],
    index === 0 ? [] : bothVectors,
  ]
  const single = (index: number): Code => [
    [get(place), loadByte(from + index), loadByte(table + wholeBytes + index * 256), and],
  ]
  const first = Array.from({ length: placesAtOnce }, (_, index) => single(index))
  const later = Array.from({ length: placesLooked - placesAtOnce }, (_, index) => single(placesAtOnce + index))
  return [
    halves.map(half => [constant(0), loadVector(table + half * lane), set(tables + half)]),
    loop,
    [Array.from({ length: placesAtOnce }, (_, index) => once(index)), tee(all), anySet],
    whenSet,
    [get(all), splat(0), notEqual, topBits, set(mask), constant(0), get(all), storeVector(vector)],
    loop,
    // What was looked at at once takes in some bytes that are none of its own, and rules out more than what comes later.
    [get(mask), trailingZeros, tee(place), loadByte(vector), get(at), get(place), add, set(place)],
    [later, tee(bits), whenSet, get(bits), first, tee(bits), whenSet, something, end, end],
    [get(mask), get(mask), constant(1), subtract, and, tee(mask), again],
    [end, end],
    [get(at), constant(lane), add, tee(at), get(count), isBelow, again, end],
  ]
}

/** `sweep(count)`: writes each place where one may begin with their bits, eight bytes each; answers where it ended. */
function sweepCode(): Code {
  const { found, place, bits } = walking
  return [
    [walkLocals, constant(addresses.found), set(found)],
    walkCode({ table: addresses.table, from: addresses.bytes, vector: addresses.vector }, [
      [get(found), get(place), store(0), get(found), get(bits), store(4)],
      [get(found), constant(8), add, set(found)],
    ]),
    [get(found), end],
  ]
}

export type SweepCode = { memory: Buffer<ArrayBuffer>; narrow(count: number): void; sweep(count: number): number }

/** Makes the code ready, with a memory of its own; each function takes a number of units, which it rounds up to whole vectors. */
export const loadSweep = (): SweepCode =>
  assemble<Omit<SweepCode, 'memory'>>(pages, [
    { name: 'narrow', parameters: 1, answers: false, body: narrowCode() },
    { name: 'sweep', parameters: 1, answers: true, body: sweepCode() },
  ])
