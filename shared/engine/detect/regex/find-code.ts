import {
  add,
  and,
  assemble,
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
  isBelow,
  isZero,
  lane,
  leave,
  load,
  loadByte,
  loop,
  set,
  store,
  subtract,
  tee,
  type WasmFunction,
  whenSet,
} from '../../assembly.ts'
import { wordUnits } from '../units.ts'
import { addMatcher, type ByteClass, type Linking, NoCode } from './match-code.ts'
import type { Prefilter } from './prefilter.ts'
import { separator } from './separator.ts'
import { type Beginnings, halves } from './sweep.ts'
import { allow, tableBytes, type Walked, walkCode, walking, walkLocals } from './sweep-code.ts'
import type { Parsed } from './syntax.ts'

/** Where a match may begin: by its first bytes, or by a run before a byte of its own, see {@link Prefilter}. */
export type Trigger = { beginnings: Beginnings } | { run: Prefilter & { kind: 'run' } }

/** A pattern that is found by code, with the length of its shortest match. */
export type Sought = { parsed: Parsed; trigger: Trigger; shortest: number }

/** Bytes that are looked through in one go. */
export const mostSought = 128 * 1024
/** Patterns in one table, a bit each. */
const perTable = 8
/** Steps for each byte, and for each text, after which it is left to others. */
const stepsPerByte = 16
const steps = 10_000

const margin = 4 * lane
const fence = separator.charCodeAt(0)
const next = (local: number, by: number): Code => [get(local), constant(by), add, set(local)]

/** Where in memory things are: how many steps are left, where the last match and the list of each pattern ended, and so on. */
function layOut(patterns: readonly Sought[]) {
  const tables = Math.ceil(patterns.length / perTable)
  const vector = lane
  const state = 2 * lane
  const classes = state + 8 * patterns.length
  const bytes = 64 * 1024 + tableBytes * tables + lane
  const most = patterns.map(({ shortest }) => 8 * (Math.ceil(mostSought / shortest) + 1))
  const lists = most.map((_, index) =>
    most.slice(0, index).reduce((sum, size) => sum + size, bytes + mostSought + margin),
  )
  const pages = Math.ceil((lists.at(-1)! + most.at(-1)!) / 65_536)
  return { steps: 0, vector, state, classes, tables: 64 * 1024, bytes, lists, pages }
}

type Layout = ReturnType<typeof layOut>

/** What bytes stand where a match of a pattern may begin, or its run end, before that place and from it on: one bit of a table. */
type Bit = { pattern: number; bytes: readonly ByteClass[]; beginnings?: Beginnings }

/** The bits of all patterns; those that may begin at most places have several where there is room. */
function bitsOf(patterns: readonly Sought[]): Bit[] {
  const bits = patterns.map(({ trigger }, pattern): Bit => {
    if ('run' in trigger) return { pattern, bytes: bytesOfRun(trigger.run) }
    return { pattern, bytes: trigger.beginnings.bytes, beginnings: trigger.beginnings }
  })
  const room = Math.ceil(bits.length / perTable) * perTable
  while (bits.length < room) {
    const able = bits.filter(({ beginnings }) => beginnings && beginnings.all.length > 1)
    const [most] = able.sort((a, b) => b.beginnings!.share - a.beginnings!.share)
    if (!most) break
    const parts = halves(most.beginnings!)!.map(beginnings => ({ ...most, bytes: beginnings.bytes, beginnings }))
    bits.splice(bits.indexOf(most), 1, ...parts)
  }
  return bits
}

function bytesOfRun({ units, literal, min }: Prefilter & { kind: 'run' }): readonly ByteClass[] {
  const all = new Uint8Array(256).fill(1)
  const one = new Uint8Array(256)
  one[literal.charCodeAt(0)] = 1
  return [min > 0 ? units.slice(0, 256) : all, one, ...new Array<ByteClass>(7).fill(all)]
}

/** Goes from the end of a run back to where it begins. */
function runCode({ run }: { run: Prefilter & { kind: 'run' } }, linking: Linking, reached: Code): Code {
  const [place, start, lowest] = [0, 1, 2]
  const isIn = (members: ByteClass, at: Code, offset: number): Code => [
    [at, loadByte(linking.bytes + offset), loadByte(linking.classAt(members))],
  ]
  const words = wordUnits.slice(0, 256)
  const isEdge: Code = [isIn(words, get(start), -1), isIn(words, get(start), 0), equals, isZero]
  const isFar: Code = [get(start), get(place), constant(run.min), subtract, isAbove]
  return [
    [reached, set(lowest), get(place), set(start)],
    Number.isFinite(run.max)
      ? [
          [get(place), constant(run.max), subtract, get(lowest), isAbove, whenSet],
          [get(place), constant(run.max), subtract, set(lowest), end],
        ]
      : [],
    [block, loop, get(start), get(lowest), isAbove, isZero, goWhenSet(1)],
    [isIn(run.units.slice(0, 256), get(start), -1), isZero, goWhenSet(1), next(start, -1), goTo(0), end, end],
    run.boundary ? [block, loop, isFar, goWhenSet(1), isEdge, goWhenSet(1), next(start, 1), goTo(0), end, end] : [],
    [isFar, whenSet, leave, end],
  ]
}

/** `try(place)`: tries a pattern where it may begin, unless a match of it goes on there, and notes what it finds. */
function tryCode({ trigger, parsed }: Sought, index: number, layout: Layout, linking: Linking): Code {
  const [place, start, reach] = [0, 1, 2]
  const state = layout.state + 8 * index
  const reached: Code = [constant(0), load(state)]
  const match = addMatcher(linking, parsed)
  return [
    [1, 3, i32],
    'run' in trigger
      ? runCode(trigger, linking, reached)
      : [reached, get(place), isAbove, whenSet, leave, end, get(place), set(start)],
    [get(start), call(match), tee(reach), constant(-1), isAbove, whenSet],
    [constant(0), load(state + 4), tee(place), get(start), store(0), get(place), get(reach), store(4)],
    [constant(0), get(place), constant(8), add, store(state + 4)],
    [constant(0), get(reach), store(state), end, end],
  ]
}

/** `find(count)`: looks for the patterns of a table in so many bytes. */
function findCode(tries: readonly number[], walked: Walked): Code {
  const { count, place, bits } = walking
  return [
    walkLocals,
    walkCode(walked, [
      [get(place), get(count), isBelow, whenSet],
      tries.map((one, bit) => [get(bits), constant(1 << bit), and, whenSet, get(place), call(one), end]),
      end,
    ]),
    end,
  ]
}

/** Classes of bytes in memory, each once. */
function classList(from: number, to: number) {
  const known = new Map<string, { at: number; members: ByteClass }>()
  return {
    known,
    at(members: ByteClass): number {
      const key = Buffer.from(members).toString('latin1')
      let entry = known.get(key)
      if (!entry) {
        entry = { at: from + 256 * known.size, members }
        if (entry.at + 256 > to) throw new NoCode('very many classes')
        known.set(key, entry)
      }
      return entry.at
    },
  }
}

/**
 * Puts together what finds patterns in bytes; throws `NoCode` where one of them has a shape that has no code. What is made
 * finds, in at most {@link mostSought} bytes of texts that are joined by fences, the beginning and end of each match in turn, by
 * pattern: exactly those that V8 finds in each text alone. It answers nothing where that would take too many steps.
 */
export function loadFinder(patterns: readonly Sought[]) {
  const layout = layOut(patterns)
  const classes = classList(layout.classes, layout.tables)
  const functions: WasmFunction[] = []
  const linking = { functions, classAt: classes.at, bytes: layout.bytes, steps: layout.steps }
  const tries = patterns.map((pattern, index) => {
    const body = tryCode(pattern, index, layout, linking)
    functions.push({ parameters: 1, answers: false, body })
    return functions.length - 1
  })
  const bits = bitsOf(patterns)
  const tables = Array.from({ length: Math.ceil(bits.length / perTable) }, () => new Uint8Array(tableBytes))
  for (const [index, table] of tables.entries()) {
    const own = bits.slice(index * perTable, (index + 1) * perTable)
    for (const [bit, { bytes }] of own.entries())
      for (const [place, members] of bytes.entries())
        members.forEach((member, byte) => {
          if (member === 1) allow(table, place, byte, 1 << bit)
        })
    const body = findCode(
      own.map(({ pattern }) => tries[pattern]!),
      { table: layout.tables + index * tableBytes, from: layout.bytes - 1, vector: layout.vector },
    )
    functions.push({ name: `find${index}`, parameters: 1, answers: false, body })
  }
  const { memory, ...named } = assemble<Record<string, (count: number) => void>>(layout.pages, functions)
  for (const { at, members } of classes.known.values()) memory.set(members, at)
  for (const [index, table] of tables.entries()) memory.set(table, layout.tables + index * tableBytes)
  const finds = tables.map((_, index) => (named as Record<string, (count: number) => void>)[`find${index}`]!)
  return finder(Buffer.from(memory.buffer), layout, finds)
}

function finder(memory: Buffer, layout: Layout, finds: readonly ((count: number) => void)[]) {
  const { state, bytes, lists } = layout
  const words = new Int32Array(memory.buffer)
  memory[bytes - 1] = fence
  return (text: string, raw?: Uint8Array): Int32Array[] | undefined => {
    const { length } = text
    if (raw) memory.set(raw, bytes)
    else memory.write(text, bytes, 'latin1')
    memory[bytes + length] = fence
    memory.fill(0, bytes + length + 1, bytes + length + margin)
    words[layout.steps >> 2] = steps + stepsPerByte * length
    for (const [index, list] of lists.entries()) {
      words[(state >> 2) + 2 * index] = 0
      words[(state >> 2) + 2 * index + 1] = list
    }
    for (const find of finds) find(length)
    if (words[layout.steps >> 2]! < 0) return undefined
    return lists.map((list, index) => words.slice(list >> 2, words[(state >> 2) + 2 * index + 1]! >> 2))
  }
}
