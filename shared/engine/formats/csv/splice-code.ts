import {
  add,
  again,
  and,
  block,
  type Code,
  call,
  constant,
  end,
  equals,
  get,
  goTo,
  goWhenSet,
  i32,
  isAbove,
  isAtLeast,
  isBelow,
  isZero,
  lane,
  leave,
  load,
  loadByte,
  loadVector,
  loop,
  or,
  otherwise,
  set,
  shiftLeft,
  store,
  storeByte,
  storeVector,
  subtract,
  tee,
  whenSet,
} from '../../assembly.ts'
import { places } from './cell-memory.ts'

/** Kinds of bytes in a cell that is written without quotes: what is nothing but itself, and what may begin or end it. */
export const kinds = { plain: 1, inner: 2 }

const next = (local: number, by: Code): Code => [get(local), by, add, set(local)]
const below = (local: number, value: Code): Code => [get(local), value, isBelow]

/** `copy(from, to, count)`: copies whole vectors, up to a vector more than was asked for. */
export const copyCode: Code = (() => {
  const [from, to, count] = [0, 1, 2]
  const more: Code = [constant(0), isAbove]
  return [
    [0, get(count), more, whenSet, loop, get(to), get(from), loadVector(0), storeVector(0)],
    [next(from, constant(lane)), next(to, constant(lane))],
    [get(count), constant(lane), subtract, tee(count), more, again, end, end, end],
  ]
})()

/** Parameters and locals. */
const [count, filled, consumed, quote] = [0, 1, 2, 3]
const [edit, cell, doneBytes, doneTexts, shown, output, flags] = [4, 5, 6, 7, 8, 9, 10]
const [start, first, last, at, byte] = [11, 12, 13, 14, 15]
const kept = [edit, cell, doneBytes, doneTexts, shown, output, flags, start]

/** Copies so many bytes behind what is shown or written. */
const append = (fill: number, place: number, from: Code, size: Code): Code => [
  [from, get(fill), constant(place), add, size, call(0), next(fill, size)],
]
const textsUpTo = (value: Code): Code => [
  append(shown, places.shown, [get(doneTexts), constant(places.texts), add], [value, get(doneTexts), subtract]),
  [value, set(doneTexts)],
]
const bytesUpTo = (value: Code): Code =>
  append(output, places.output, [get(doneBytes), constant(places.bytes), add], [value, get(doneBytes), subtract])
const ofEdit = (field: number): Code => [get(edit), load(places.edits + 4 * field)]
const ofCell = (place: number): Code => [get(cell), load(place)]
const put = (value: Code): Code => [get(output), value, storeByte(places.output), next(output, constant(1))]
const isKind = (kind: number): Code => [loadByte(places.kinds), constant(kind), and, isZero]
const save: Code = kept.map((local, index) => [constant(0), get(local), store(places.state + 4 * index)])

/** Makes the text of the next cell that changes. */
const makeText: Code = [
  [loop, ofCell(places.stops), ofEdit(1), isBelow, whenSet, next(cell, constant(4)), goTo(1), end, end],
  [ofCell(places.stops), set(last), constant(0), set(first)],
  [get(cell), whenSet, ofCell(places.stops - 4), constant(1), add, set(first), end],
  [textsUpTo(get(first)), get(shown), set(start)],
  [loop, textsUpTo(ofEdit(0)), append(shown, places.shown, ofEdit(2), ofEdit(3))],
  [ofEdit(1), set(doneTexts), next(edit, constant(16))],
  [below(edit, get(count)), whenSet, ofEdit(0), get(last), isBelow, goWhenSet(1), end, end],
  textsUpTo(get(last)),
]

const flag: Code = [
  [below(first, get(last)), get(first), loadByte(places.texts), loadByte(places.marks), and],
  [below(start, get(shown)), get(start), loadByte(places.shown), loadByte(places.marks), and, or, whenSet],
  [cell, start, shown].map((local, index) => [get(flags), get(local), store(places.flagged + 4 * index)]),
  [next(flags, constant(12)), end],
]

/** Writes it, in the block around; goes on behind where it can't be written as it stands. */
const writeText: Code = [
  [ofCell(places.starts), ofCell(places.ends), isBelow],
  [ofCell(places.starts), loadByte(places.bytes), get(quote), equals, and, whenSet],
  [put(get(quote)), get(start), set(at), block, loop, get(at), get(shown), isAtLeast, goWhenSet(1)],
  [get(at), loadByte(places.shown), tee(byte), get(quote), equals, whenSet, put(get(quote)), end, put(get(byte))],
  [next(at, constant(1)), goTo(0), end, end, put(get(quote)), goTo(1), end],
  [block, get(start), get(shown), isAtLeast, goWhenSet(0)],
  [get(start), loadByte(places.shown), isKind(kinds.inner), goWhenSet(0)],
  [get(shown), loadByte(places.shown - 1), isKind(kinds.inner), goWhenSet(0)],
  [get(start), set(at), loop, get(at), loadByte(places.shown), isKind(kinds.plain), goWhenSet(1)],
  [get(at), constant(1), add, tee(at), get(shown), isBelow, again, end],
  append(output, places.output, [get(start), constant(places.shown), add], [get(shown), get(start), subtract]),
  [goTo(1), end],
]

/**
 * `splice(count, filled, consumed, quote)`: writes a batch with so many edits, and what its cells show; `quote` is -1 where
 * cells have none. Answers 1 before a cell that must be written otherwise, which the caller does and calls again.
 */
export const spliceCode: Code = [
  [1, 12, i32, kept.map((local, index) => [constant(0), load(places.state + 4 * index), set(local)])],
  [get(count), constant(4), shiftLeft, set(count)],
  [loop, below(edit, get(count)), whenSet, makeText, bytesUpTo(ofCell(places.starts))],
  [ofCell(places.ends), set(doneBytes), flag],
  [block, writeText, save, constant(1), leave, end, goTo(1), otherwise],
  [textsUpTo(get(filled)), bytesUpTo(get(consumed)), save, end, end, constant(0), end],
]
