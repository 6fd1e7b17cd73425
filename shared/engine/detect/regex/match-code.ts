import type { AST } from '@eslint-community/regexpp'
import {
  add,
  again,
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
  leave,
  load,
  loadByte,
  loop,
  set,
  store,
  subtract,
  tee,
  unreachable,
  type WasmFunction,
  whenSet,
} from '../../assembly.ts'
import { wordUnits } from '../units.ts'
import { measure } from './measure.ts'
import { unitsOf } from './prefilter.ts'
import { separator } from './separator.ts'
import type { Parsed, PatternFlags } from './syntax.ts'
import { isOneCharacter } from './unit-sets.ts'

/** Bytes that may stand somewhere, a 1 each. */
export type ByteClass = Uint8Array

/** What is put together: the functions so far, and where in memory bytes are, their classes, and how many steps are left. */
export type Linking = {
  functions: WasmFunction[]
  classAt(members: ByteClass): number
  bytes: number
  steps: number
}

/** A pattern whose shape has no code. */
export class NoCode extends Error {}

const refuse = (reason: string): never => {
  throw new NoCode(reason)
}

/** Most elements of a pattern, each of its rounds counted. */
const mostElements = 400
/** Most rounds of a group beyond those that it must have. */
const mostRounds = 8
/** Characters of a repeat from which on they count as steps. */
const longRepeat = 16
/** Rounds of one character that are written one behind the other. */
const fewRounds = 4

const fence = separator.charCodeAt(0)

/** Parameters and locals. */
const [at, count, result] = [0, 1, 2]
const move = (local: number, by: number): Code => [get(local), constant(by), add, set(local)]
const fail: Code = [constant(-1), leave]
const failWhenSet: Code = [whenSet, fail, end]
const isFound: Code = [constant(-1), isAbove]
const returnIfFound: Code = [tee(result), isFound, whenSet, get(result), leave, end]

/** What comes behind some elements: a function that matches it, or nothing. */
type Next = number | undefined

type Building = { linking: Linking; flags: PatternFlags; left: number }

const isGroup = (node: AST.Element) => node.type === 'Group' || node.type === 'CapturingGroup'

/** The bytes that an element of one character matches where texts are joined by fences. */
function membersOf(node: AST.Element, flags: PatternFlags): ByteClass {
  const units = unitsOf(node, flags) ?? refuse('a character beyond ASCII')
  if (units.indexOf(1, 0x80) >= 0) refuse('a character beyond ASCII')
  const members = units.slice(0, 256)
  members[fence] = 0
  return members
}

/** Whether a byte is one of a class: what is loaded by `byte` is looked up. */
function isMember({ linking }: Building, members: ByteClass, byte: Code): Code {
  const first = members.indexOf(1)
  if (first >= 0 && members.indexOf(1, first + 1) < 0) return [byte, constant(first), equals]
  return [byte, loadByte(linking.classAt(members))]
}

const byteHere = ({ linking }: Building, offset = 0): Code => [get(at), loadByte(linking.bytes + offset)]

/** Counts steps; where none are left nothing matches any more. */
function spend({ linking }: Building, steps: Code): Code {
  const left: Code = [constant(0), load(linking.steps), steps, subtract, tee(result)]
  return [constant(0), left, store(linking.steps), get(result), isFound, isZero, failWhenSet]
}

/** Makes a function of what matches from a place on; it answers where the match ends, or -1. */
function define(building: Building, body: () => Code): number {
  const { functions } = building.linking
  const index = functions.length
  const made: WasmFunction = { parameters: 1, answers: true, body: [] }
  functions.push(made)
  made.body = [[1, 2, i32], spend(building, constant(1)), body(), unreachable, end]
  return index
}

const goOn = (next: Next): Code => (next === undefined ? [get(at), leave] : [get(at), call(next), leave])

/** A function of elements and what comes behind them. */
const defineSequence = (building: Building, elements: readonly AST.Element[], next: Next): Next =>
  elements.length === 0 ? next : define(building, () => sequence(building, elements, next))

/** Matches elements and what comes behind them. Its code always returns. */
function sequence(building: Building, elements: readonly AST.Element[], next: Next): Code {
  const [node, ...rest] = elements
  if (!node) return goOn(next)
  if (building.left-- <= 0) refuse('very many elements')
  if (isOneCharacter(node)) return [oneCharacter(building, node), sequence(building, rest, next)]
  if (isGroup(node)) return alternatives(building, node.alternatives, () => [rest, next])
  if (node.type === 'Assertion') return [assertion(building, node), sequence(building, rest, next)]
  if (node.type !== 'Quantifier') return refuse('an element of another kind')
  if (isOneCharacter(node.element)) return repeat(building, node, rest, next)
  return isGroup(node.element) ? rounds(building, node, rest, next) : refuse('a repeat of another kind')
}

const oneCharacter = (building: Building, node: AST.Element): Code => {
  const members = membersOf(node, building.flags)
  return [isMember(building, members, byteHere(building)), isZero, failWhenSet, move(at, 1)]
}

/** Matches the first of some alternatives behind which the rest matches. */
function alternatives(
  building: Building,
  list: readonly AST.Alternative[],
  behind: () => [rest: readonly AST.Element[], next: Next],
): Code {
  const [rest, next] = behind()
  if (list.length === 1) return sequence(building, [...list[0]!.elements, ...rest], next)
  const then = defineSequence(building, rest, next)
  return list.map(({ elements }, index) => {
    if (index === list.length - 1) return sequence(building, elements, then)
    const one = define(building, () => sequence(building, elements, then))
    return [get(at), call(one), returnIfFound]
  })
}

/** The characters that elements begin with, where the first of them tells. */
function firstOf({ flags }: Building, [node]: readonly AST.Element[]): ByteClass | undefined {
  const first = node?.type === 'Quantifier' && node.min > 0 ? node.element : node
  return first && isOneCharacter(first) ? membersOf(first, flags) : undefined
}

/** Counts the rounds that a repeat must have, before it is tried: a few are no more than its function. */
const spendAll = (building: Building, rounds: number): Code =>
  rounds > longRepeat ? spend(building, constant(rounds)) : []

/** Matches a repeat of one character and the rest. */
function repeat(building: Building, node: AST.Quantifier, rest: readonly AST.Element[], next: Next): Code {
  const { min, max, greedy, element } = node
  const members = membersOf(element, building.flags)
  const isHere = isMember(building, members, byteHere(building))
  const one: Code = [isHere, isZero, failWhenSet, move(at, 1)]
  if (min === max) {
    const all: Code =
      min <= fewRounds
        ? Array.from({ length: min }, () => one)
        : [constant(min), set(count), loop, one, [get(count), constant(1), subtract, tee(count), again, end]]
    return [spendAll(building, min), all, sequence(building, rest, next)]
  }
  return (greedy ? repeatGreedily : repeatLazily)(building, { min, max, members, isHere }, rest, next)
}

type Repeat = { min: number; max: number; members: ByteClass; isHere: Code }

function repeatGreedily(
  building: Building,
  { min, max, members, isHere }: Repeat,
  rest: readonly AST.Element[],
  next: Next,
): Code {
  const isBounded = Number.isFinite(max)
  const taken: Code = [
    [constant(0), set(count), block, loop, isHere, isZero, goWhenSet(1), move(at, 1), move(count, 1)],
    [isBounded ? [get(count), constant(max), isBelow, again] : goTo(0), end, end],
    max > longRepeat ? spend(building, get(count)) : [],
    min > 0 ? [get(count), constant(min), isBelow, failWhenSet] : [],
  ]
  const isLast = rest.length === 0 && next === undefined
  const first = firstOf(building, rest)
  const isApart = first?.every((member, byte) => member === 0 || members[byte] === 0)
  if (isLast || isApart) return [taken, sequence(building, rest, next)]
  const then = defineSequence(building, rest, next)!
  const tried: Code = [get(at), call(then), returnIfFound]
  return [
    [taken, loop, first ? [isMember(building, first, byteHere(building)), whenSet, tried, end] : tried],
    [get(count), constant(min), equals, failWhenSet, move(at, -1), move(count, -1), goTo(0), end],
  ]
}

function repeatLazily(building: Building, repeat: Repeat, rest: readonly AST.Element[], next: Next): Code {
  const { min, max, isHere } = repeat
  const one: Code = [isHere, isZero, failWhenSet, move(at, 1), move(count, 1)]
  const then = defineSequence(building, rest, next)
  const tried: Code = then === undefined ? goOn(then) : [get(at), call(then), returnIfFound]
  return [
    [spendAll(building, min), constant(0), set(count), loop],
    [get(count), constant(min), isBelow, isZero, whenSet, tried],
    [Number.isFinite(max) ? [get(count), constant(max), equals, failWhenSet] : [], end],
    [one, goTo(0), end],
  ]
}

/** Matches the rounds of a group and the rest. */
function rounds(
  building: Building,
  { min, max, greedy, element }: AST.Quantifier,
  rest: readonly AST.Element[],
  next: Next,
): Code {
  if (max - min > mostRounds) refuse('a group of very many rounds')
  if (measure(element).min === 0) refuse('a round that may be empty')
  const must = new Array<AST.Element>(min).fill(element)
  if (min === max) return sequence(building, [...must, ...rest], next)
  const then = defineSequence(building, rest, next)
  let more = then
  for (let round = min; round < max; round++) {
    const behind = more
    const another = define(building, () => sequence(building, [element], behind))
    const tried: Code = [get(at), call(another), returnIfFound]
    more = define(building, () => {
      if (greedy) return [tried, goOn(then)]
      return then === undefined ? goOn(then) : [get(at), call(then), returnIfFound, tried, fail]
    })
  }
  return sequence(building, must, more)
}

const wordBytes = wordUnits.slice(0, 256)

/** The characters that one of the alternatives of a look-behind is. */
function membersBehind({ flags }: Building, { alternatives }: AST.LookbehindAssertion): ByteClass {
  const members = new Uint8Array(256)
  for (const { elements } of alternatives) {
    const [element, more] = elements
    if (!element || more || !isOneCharacter(element)) return refuse('a look-behind of more than one character')
    for (const [byte, member] of membersOf(element, flags).entries()) members[byte]! |= member
  }
  return members
}

/** Fails where an assertion doesn't hold. */
function assertion(building: Building, node: AST.Assertion): Code {
  const must = (holds: Code, negate = false): Code => [holds, negate ? [] : isZero, failWhenSet]
  switch (node.kind) {
    case 'word': {
      const isWord = (offset: number) => isMember(building, wordBytes, byteHere(building, offset))
      return must([isWord(-1), isWord(0), equals], !node.negate)
    }
    case 'lookbehind':
      return must(isMember(building, membersBehind(building, node), byteHere(building, -1)), node.negate)
    case 'lookahead': {
      const ahead = define(building, () => alternatives(building, node.alternatives, () => [[], undefined]))
      return must([get(at), call(ahead), isFound], node.negate)
    }
    default:
      if (building.flags.multiline) refuse('a line end')
      return must([byteHere(building, node.kind === 'start' ? -1 : 0), constant(fence), equals])
  }
}

/**
 * Adds the functions that match a pattern in bytes: texts in UTF-8, joined by fences, with one before them and one behind. The last
 * takes where a match begins, and answers where V8 ends it, or -1; it is the same that V8 tries, in the same order. Answers its
 * index; throws {@link NoCode} for other patterns than those of characters in ASCII, their repeats, groups and assertions.
 */
export function addMatcher(linking: Linking, { tree, flags }: Parsed): number {
  const building: Building = { linking, flags, left: mostElements }
  return define(building, () => alternatives(building, tree.alternatives, () => [[], undefined]))
}

/** Whether a pattern has such functions. */
export function hasMatcher(parsed: Parsed): boolean {
  try {
    addMatcher({ functions: [], classAt: () => 0, bytes: 1, steps: 0 }, parsed)
    return true
  } catch (error) {
    if (error instanceof NoCode) return false
    throw error
  }
}
