/** Places of a match, and the one before it, that the code looks at one by one; the first of them many bytes at once. */
export const placesLooked = 9
const placesAtOnce = 5

/** Bytes that a vector holds. */
const lane = 16

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
  units: 4096,
  bytes: 4096 + 2 * (block + margin),
  found: 4096 + 3 * (block + margin),
}
const pages = Math.ceil((addresses.found + (block + margin) * 8) / 65_536)

type Code = readonly (number | Code)[]

/** A whole number in the variable length that the format has for those with a sign. */
function number(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; ; left >>= 7) {
    const last = left >= -64 && left < 64
    bytes.push((left & 127) | (last ? 0 : 128))
    if (last) return bytes
  }
}

/** The same without a sign. */
const size = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...size(value >>> 7)])

const flat = (code: Code): number[] => code.flatMap(part => (typeof part === 'number' ? part : flat(part)))
const counted = (code: Code): number[] => [...size(flat(code).length), ...flat(code)]
const text = (name: string): number[] => counted([...Buffer.from(name)])

const i32 = 0x7f
const v128 = 0x7b
const add = 0x6a
const subtract = 0x6b
const and = 0x71
const isBelow = 0x49
const trailingZeros = 0x68
const end = 0x0b
const loop: Code = [0x03, 0x40]
const whenSet: Code = [0x04, 0x40]
const again: Code = [0x0d, 0]
const get = (local: number): Code => [0x20, local]
const set = (local: number): Code => [0x21, local]
const tee = (local: number): Code => [0x22, local]
const constant = (value: number): Code => [0x41, number(value)]
const loadByte = (offset: number): Code => [0x2d, 0, size(offset)]
const store = (offset: number): Code => [0x36, 2, size(offset)]
const vector = (operation: number, ...more: Code): Code => [0xfd, size(operation), more]
const loadVector = (offset: number) => vector(0, 0, size(offset))
const storeVector = (offset: number) => vector(11, 0, size(offset))
const vectorOf = (bytes: readonly number[]) => vector(12, ...bytes)
const everywhere = (byte: number) => vectorOf(new Array<number>(lane).fill(byte))
const pick = vector(14)
const bothVectors = vector(78)
const anySet = vector(83)
const notEqual = vector(36)
const topBits = vector(100)
const shiftRight = vector(109)
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

/** `sweep(count)`: writes each place where one may begin with their bits, eight bytes each; answers where it ended. */
function sweepCode(): Code {
  const [count, at, found, mask, place, bits, bytes, all, tables] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const halves = Array.from({ length: placesAtOnce * 2 }, (_, index) => index)
  const once = (index: number): Code => [
    [get(at), loadVector(addresses.bytes + index), set(bytes)],
    [get(tables + 2 * index), get(bytes), everywhere(15), bothVectors, pick],
    [get(tables + 2 * index + 1), get(bytes), constant(4), shiftRight, pick, bothVectors],
    index === 0 ? [] : bothVectors,
  ]
  const single = (index: number): Code => [
    [get(place), loadByte(addresses.bytes + index), loadByte(addresses.table + wholeBytes + index * 256)],
    index === 0 ? [] : and,
  ]
  return [
    [2, 5, i32, 2 + halves.length, v128],
    [constant(addresses.found), set(found)],
    halves.map(half => [constant(addresses.table), loadVector(half * lane), set(tables + half)]),
    loop,
    [Array.from({ length: placesAtOnce }, (_, index) => once(index)), tee(all), anySet],
    whenSet,
    [get(all), everywhere(0), notEqual, topBits, set(mask)],
    loop,
    [get(at), get(mask), trailingZeros, add, set(place)],
    [Array.from({ length: placesLooked }, (_, index) => single(index)), tee(bits)],
    whenSet,
    [get(found), get(place), store(0), get(found), get(bits), store(4)],
    [get(found), constant(8), add, set(found)],
    end,
    [get(mask), get(mask), constant(1), subtract, and, tee(mask), again],
    [end, end],
    [get(at), constant(lane), add, tee(at), get(count), isBelow, again],
    [end, get(found), end],
  ]
}

/** A module of the two functions and their memory; each takes a number of units, which it rounds up to whole vectors. */
function moduleOf(): Uint8Array<ArrayBuffer> {
  const section = (id: number, entries: readonly Code[]): Code => [id, counted([size(entries.length), entries])]
  const exported = (name: string, kind: number, index: number): Code => [text(name), kind, index]
  return Uint8Array.from(
    flat([
      [...Buffer.from('\0asm'), 1, 0, 0, 0],
      section(1, [
        [0x60, 1, i32, 0],
        [0x60, 1, i32, 1, i32],
      ]),
      section(3, [[0], [1]]),
      section(5, [[0, pages]]),
      section(7, [exported('memory', 2, 0), exported('narrow', 0, 0), exported('sweep', 0, 1)]),
      section(10, [counted(narrowCode()), counted(sweepCode())]),
    ]),
  )
}

export type SweepCode = { memory: Buffer<ArrayBuffer>; narrow(count: number): void; sweep(count: number): number }

/** The part of WebAssembly that is used; the types of Node.js only have its name. */
type Loader = {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/** Makes the code ready, with a memory of its own. */
export function loadSweep(): SweepCode {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Loader }).WebAssembly
  const { exports } = new Instance(new Module(moduleOf()))
  const { memory, ...functions } = exports as Omit<SweepCode, 'memory'> & { memory: { buffer: ArrayBuffer } }
  return { ...functions, memory: Buffer.from(memory.buffer) }
}
