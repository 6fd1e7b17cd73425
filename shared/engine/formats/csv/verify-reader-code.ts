import {
  add,
  again,
  and,
  assemble,
  block,
  type Code,
  constant,
  eitherVector,
  end,
  equals,
  get,
  goTo,
  goWhenSet,
  i32,
  isBelow,
  isZero,
  lane,
  load,
  loadByte,
  loadVector,
  loop,
  otherwise,
  sameBytes,
  set,
  shiftLeft,
  splat,
  spread,
  store,
  storeByte,
  storeVector,
  subtract,
  tee,
  topBits,
  trailingZeros,
  v128,
  whenSet,
} from '../../assembly.ts'

/** Bytes that are read in one go. */
export const mostRead = 64 * 1024

const margin = 2 * lane
const places = { bytes: 0, texts: mostRead + margin, state: 2 * (mostRead + margin) }
const pages = Math.ceil((places.state + 3 * 4) / 65_536)

const lineFeed = 10
const carriageReturn = 13
const textEnd = 0xff

/** Where the reader stands: before a cell, in one without quotes, in one with, behind a quote that may close it. */
const standing = { before: 0, plain: 1, quoted: 2, closing: 3 }

/** Parameters and locals. */
const [length, stop, mark, sought] = [0, 1, 2, 3]
const [base, edge, done, place, byte, special, fill, state, inRecord, afterReturn] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
const [bytes, stops, marks] = [14, 15, 16]
const put = (value: Code): Code => [get(fill), value, storeByte(places.texts), get(fill), constant(1), add, set(fill)]
const become = (local: number, value: number): Code => [constant(value), set(local)]
const stands = (value: number): Code => [get(state), constant(value), equals]
const isByte = (value: number): Code => [get(byte), constant(value), equals]
const among = (value: Code): Code => [get(bytes), value, sameBytes]
/** What stands from `done` up to a place and means nothing but itself. */
const copyUpTo = (local: number): Code => [
  [get(done), get(local), isBelow, whenSet],
  [get(fill), get(done), loadVector(places.bytes), storeVector(places.texts)],
  [get(fill), get(local), get(done), subtract, add, set(fill)],
  [stands(standing.quoted), isZero, whenSet, become(state, standing.plain), end, become(afterReturn, 0), end],
]
const meet: Code = [
  [block, stands(standing.quoted), whenSet],
  [
    get(byte),
    get(mark),
    equals,
    whenSet,
    become(state, standing.closing),
    otherwise,
    put(get(byte)),
    end,
    goTo(1),
    end,
  ],
  [get(byte), get(mark), equals, whenSet],
  // The first of a cell opens it; one right behind another is a quote in the text, as is one in a text without.
  [stands(standing.before), isZero, whenSet, put(get(byte)), end],
  [stands(standing.plain), isZero, whenSet, become(state, standing.quoted), end, become(afterReturn, 0), goTo(1), end],
  [get(afterReturn), isByte(lineFeed), and, become(afterReturn, 0), goWhenSet(0)],
  [put(constant(textEnd)), become(state, standing.before)],
  [get(byte), get(stop), equals, set(inRecord), isByte(carriageReturn), set(afterReturn), end],
]
const kept = [state, inRecord, afterReturn]

/**
 * `read(length, stop, mark, sought)`: writes the texts of so many bytes, each with its end; `mark` is the quote, -1 where there
 * is none, and `sought` the byte that is looked for as such. Answers how many bytes it wrote. What it reads is copied from one
 * byte that means something to the next.
 */
const readCode: Code = [
  [2, 10, i32, 3, v128],
  [get(stop), spread, set(stops), get(sought), spread, set(marks)],
  kept.map((local, index) => [constant(0), load(places.state + 4 * index), set(local)]),
  [loop, get(base), constant(lane), add, set(edge), get(base), loadVector(places.bytes), set(bytes)],
  [among(get(stops)), among(get(marks)), eitherVector, among(splat(lineFeed)), eitherVector],
  [among(splat(carriageReturn)), eitherVector, topBits, set(special)],
  [get(length), get(edge), isBelow, whenSet, get(length), set(edge)],
  [
    get(special),
    constant(1),
    get(length),
    get(base),
    subtract,
    shiftLeft,
    constant(1),
    subtract,
    and,
    set(special),
    end,
  ],
  [get(base), set(done), get(special), whenSet, loop],
  [get(base), get(special), trailingZeros, add, set(place), copyUpTo(place)],
  [get(place), constant(1), add, set(done), get(place), loadByte(places.bytes), set(byte), meet],
  [get(special), get(special), constant(1), subtract, and, tee(special), again, end, end],
  [copyUpTo(edge), get(edge), tee(base), get(length), isBelow, again, end],
  kept.map((local, index) => [constant(0), get(local), store(places.state + 4 * index)]),
  [get(fill), end],
]

/** Makes the code ready, with a memory of its own. */
export function loadReader() {
  const { memory, read } = assemble<{ read(length: number, stop: number, mark: number, sought: number): number }>(
    pages,
    [{ name: 'read', parameters: 4, answers: true, body: readCode }],
  )
  return {
    read,
    bytes: new Uint8Array(memory.buffer, places.bytes, mostRead),
    texts: new Uint8Array(memory.buffer, places.texts, mostRead),
    /** Where the reader stands; whether the record has a cell already; whether a carriage return was the last byte. */
    state: new Int32Array(memory.buffer, places.state, 3),
  }
}
