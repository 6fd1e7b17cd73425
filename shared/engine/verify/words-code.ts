import {
  add,
  again,
  and,
  assemble,
  type Code,
  constant,
  end,
  get,
  i32,
  isBelow,
  load,
  loadByte,
  loop,
  multiply,
  set,
  shiftLeft,
  shiftRight,
  store,
  tee,
  whenSet,
} from '../assembly.ts'

/** Bytes of a word. */
export const wordLength = 4
/** Most bytes that are looked through in one go. */
export const mostBytes = 128 * 1024
/** Most bytes of a filter. */
export const mostFiltered = 128 * 1024

const places = { bytes: 0, found: mostBytes, filter: 5 * mostBytes }
const pages = Math.ceil((places.filter + mostFiltered) / 65_536)

/** What a word is multiplied by to choose its bit. */
export const spread = 0x9e3779b1

/** Parameters and locals. */
const [length, step, shift, at, slot, fill] = [0, 1, 2, 3, 4, 5]

/** `find(length, step, shift)`: writes at which of every `step` places a word begins whose bit is set; answers how many bytes. */
const findCode: Code = [
  [1, 3, i32, loop],
  [get(at), load(places.bytes), constant(spread | 0), multiply, get(shift), shiftRight, set(slot)],
  [
    get(slot),
    constant(3),
    shiftRight,
    loadByte(places.filter),
    constant(1),
    get(slot),
    constant(7),
    and,
    shiftLeft,
    and,
  ],
  [whenSet, get(fill), get(at), store(places.found), get(fill), constant(4), add, set(fill), end],
  [get(at), get(step), add, tee(at), get(length), isBelow, again, end, get(fill), end],
]

/** Makes the code ready, with a memory of its own. */
export function loadWords() {
  const { memory, find } = assemble<{ find(length: number, step: number, shift: number): number }>(pages, [
    { name: 'find', parameters: 3, answers: true, body: findCode },
  ])
  return {
    find,
    bytes: new Uint8Array(memory.buffer, places.bytes, mostBytes),
    found: new Int32Array(memory.buffer, places.found, mostBytes),
    filter: new Uint8Array(memory.buffer, places.filter, mostFiltered),
  }
}
