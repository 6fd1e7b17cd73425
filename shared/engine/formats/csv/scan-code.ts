import {
  add,
  and,
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
  isAtLeast,
  isBelow,
  isZero,
  lane,
  loadByte,
  loadVector,
  loop,
  or,
  otherwise,
  sameBytes,
  set,
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
import { separator } from '../../detect/regex/separator.ts'
import { places } from './cell-memory.ts'

const lineFeed = 10
const carriageReturn = 13

/** Parameters and locals. */
const [length, last, delimiter, quote] = [0, 1, 2, 3]
const [at, fill, list, column, begin, mask, byte, marked] = [4, 5, 6, 7, 8, 9, 10, 11]
const [bytes, delimiters, quotes] = [12, 13, 14]
const next = (local: number, by: Code): Code => [get(local), by, add, set(local)]
const load16: Code = [get(at), loadVector(places.bytes), set(bytes)]
const store16: Code = [get(fill), get(bytes), storeVector(places.texts)]
const byMask: Code = [get(mask), trailingZeros]
const byteAt = (local: number, offset = 0): Code => [get(local), loadByte(places.bytes + offset)]
const is = (local: number, value: number): Code => [get(local), constant(value), equals]
/** Copies up to the first byte of a kind, or at least to the end. */
const copyTo = (found: Code): Code => [
  [loop, load16, store16, found, topBits, tee(mask), isZero, whenSet],
  [next(at, constant(lane)), next(fill, constant(lane))],
  [get(at), get(length), isBelow, goWhenSet(1)],
  [otherwise, next(at, byMask), next(fill, byMask), end, end],
]
const isQuote: Code = [get(bytes), get(quotes), sameBytes]
const isBorder: Code = [
  [get(bytes), get(delimiters), sameBytes, get(bytes), splat(lineFeed), sameBytes, eitherVector],
  [get(bytes), splat(carriageReturn), sameBytes, eitherVector],
]
/** Within the block around it all and the loop over cells; goes to the end where a record is not complete. */
const quotedPart: Code = [
  [next(at, constant(1)), loop, copyTo(isQuote)],
  [get(at), get(length), isAtLeast, goWhenSet(4)],
  [get(at), constant(1), add, get(length), isBelow, whenSet],
  [byteAt(at, 1), get(quote), equals, whenSet],
  [get(fill), get(quote), storeByte(places.texts), next(fill, constant(1)), next(at, constant(2)), goTo(2), end],
  [otherwise, get(last), isZero, goWhenSet(5), end, end],
  next(at, constant(1)),
]
const note = (place: number, value: Code): Code => [get(list), value, store(place)]
const cell: Code = [
  [note(places.starts, get(at)), note(places.columns, get(column)), get(fill), set(begin)],
  [get(at), get(length), isBelow, whenSet, byteAt(at), get(quote), equals, whenSet, quotedPart, end, end],
  [get(at), get(length), isBelow, whenSet, copyTo(isBorder)],
  // What was found behind the end is none.
  [get(at), get(length), isAtLeast, whenSet],
  [get(fill), get(at), get(length), subtract, subtract, set(fill), get(length), set(at), end, end],
  [note(places.ends, get(at)), note(places.stops, get(fill))],
  [get(begin), get(fill), isBelow, whenSet],
  [get(begin), loadByte(places.texts), loadByte(places.marks), whenSet],
  [get(marked), get(list), store(places.marked), next(marked, constant(4)), end, end],
  [get(fill), constant(separator.charCodeAt(0)), storeByte(places.texts)],
  [next(fill, constant(1)), next(list, constant(4))],
]
const result = (index: number, value: Code): Code => [constant(0), value, store(places.result + 4 * index)]
const record: Code = [
  // The record may go on behind these bytes, or its line end may.
  [get(last), isZero, is(byte, -1), is(byte, carriageReturn), get(at), get(length), equals, and, or, and],
  goWhenSet(1),
  [is(byte, carriageReturn), get(at), get(length), isBelow, byteAt(at), constant(lineFeed), equals, and, and],
  [whenSet, next(at, constant(1)), end, constant(0), set(column)],
  [result(0, get(at)), result(1, get(list)), result(2, get(fill)), result(3, get(marked))],
]

/**
 * `scan(length, last, delimiter, quote)`: finds the complete records of so many bytes, as `scanRecords` does; `quote` is -1
 * where there is none.
 */
export const scanCode: Code = [
  [2, 8, i32, 3, v128],
  [get(delimiter), spread, set(delimiters), get(quote), spread, set(quotes)],
  [0, 1, 2, 3].map(index => result(index, constant(0))),
  [block, loop],
  [get(at), get(length), isAtLeast, get(column), isZero, get(last), isZero, or, and, goWhenSet(1)],
  cell,
  [constant(-1), set(byte)],
  [get(at), get(length), isBelow, whenSet, byteAt(at), set(byte), next(at, constant(1)), end],
  [get(byte), get(delimiter), equals, whenSet, next(column, constant(1)), goTo(1), end],
  record,
  [goTo(0), end, end, end],
]
