import type { AST } from '@eslint-community/regexpp'
import { wordUnits } from '../units.ts'
import type { Parsed, PatternFlags } from './syntax.ts'
import {
  allUnits,
  excludeLatin,
  holds,
  include,
  isOneCharacter,
  none,
  noUnits,
  others,
  put,
  type UnitSet,
  unitsOf,
} from './unit-sets.ts'

/** Code units of a match that are looked at. */
export const depth = 8

/** Groups that the alternatives of a pattern are put into, by what they begin with. */
const maxGroups = 8

/** What may stand before a match, and at each of the first places in it. */
export type Beginning = { before: UnitSet; places: readonly UnitSet[] }

/** Offsets from the beginning of a match, a bit each; {@link depth} and what lies beyond it is left out. */
type Offsets = number

/** What the first places of a match may hold, as it is found out. */
type Walk = { places: UnitSet[]; flags: PatternFlags }

const isGroup = (node: AST.Element) => node.type === 'Group' || node.type === 'CapturingGroup'

/** Adds what elements match that begin at some of the offsets; returns the offsets at which they may end. */
const through = (walk: Walk, elements: readonly AST.Element[], from: Offsets): Offsets =>
  elements.reduce((at, node) => throughOne(walk, node, at), from)

function throughOne(walk: Walk, node: AST.Element, from: Offsets): Offsets {
  const { places, flags } = walk
  if (node.type === 'Assertion' || from === 0) return from
  if (isGroup(node)) return node.alternatives.reduce((ends, { elements }) => ends | through(walk, elements, from), 0)
  if (node.type === 'Quantifier') return throughRounds(walk, node, from)
  if (!isOneCharacter(node)) return free(places, from)
  const units = unitsOf(node, flags)
  const pair = holds(units, others)
  for (let offset = 0; offset < depth; offset++) {
    if ((from >> offset) & 1) include(places[offset]!, units)
    if (pair && ((from << 1) >> offset) & 1) put(places[offset]!, others)
  }
  return ((from << 1) | (pair ? from << 2 : 0)) & ((1 << depth) - 1)
}

function throughRounds(walk: Walk, { min, max, element }: AST.Quantifier, from: Offsets): Offsets {
  let ends = min === 0 ? from : 0
  let at = from
  for (let round = 1; round <= max && at !== 0; round++) {
    const next = throughOne(walk, element, at)
    if (round >= min || next === at) ends |= next
    if (next === at) break
    at = next
  }
  return ends
}

/** From the first of the offsets on anything may stand, or nothing. */
function free(places: UnitSet[], from: Offsets): Offsets {
  const free = from === 0 ? 0 : ((1 << depth) - 1) & -(from & -from)
  for (const [offset, place] of places.entries()) if ((free >> offset) & 1) include(place, allUnits())
  return free
}

/** The units that sequences may end with; `empty` where they may be empty. */
function endings(elements: readonly AST.Element[], flags: PatternFlags): { units: UnitSet; empty: boolean } {
  const units = noUnits()
  for (const node of elements.toReversed()) {
    const element = node.type === 'Quantifier' ? node.element : node
    let empty = node.type === 'Quantifier' && node.min === 0
    if (isOneCharacter(element)) include(units, unitsOf(element, flags))
    else if (isGroup(element)) {
      const ends = element.alternatives.map(({ elements }) => endings(elements, flags))
      for (const end of ends) include(units, end.units)
      empty ||= ends.some(end => end.empty)
    } else if (element.type === 'Assertion' && element.kind === 'start' && !flags.multiline) put(units, none)
    else return { units: allUnits(), empty: true }
    if (!empty) return { units, empty }
  }
  return { units, empty: true }
}

const wordCharacters = noUnits()
for (let code = 0; code < 0x80; code++) if (wordUnits[code] === 1) put(wordCharacters, code)

/** Whether a match begins with a character of words. */
function beginsWord({ first }: Opening, flags: PatternFlags): boolean {
  const node = first?.type === 'Quantifier' && first.min > 0 ? first.element : first
  return (
    node !== undefined && isOneCharacter(node) && unitsOf(node, flags).every((bits, n) => !(bits & ~wordCharacters[n]!))
  )
}

/** What stands before a match by the assertions that it begins with; `word` where its first character is one of words. */
function beforeOf(looks: Opening['looks'], word: boolean, flags: PatternFlags): UnitSet {
  const before = allUnits()
  for (const look of looks) {
    if (look.kind === 'word') {
      if (word) excludeLatin(before, wordCharacters)
      continue
    }
    const { alternatives, negate } = look
    if (negate) {
      for (const { elements } of alternatives) {
        const [node, more] = elements
        if (node && !more && isOneCharacter(node)) excludeLatin(before, unitsOf(node, flags))
      }
      continue
    }
    const ends = alternatives.map(({ elements }) => endings(elements, flags))
    if (ends.some(({ empty }) => empty)) continue
    const units = noUnits()
    for (const end of ends) include(units, end.units)
    for (const [word, bits] of units.entries()) before[word]! &= bits
  }
  return before
}

/** What is left of a sequence, within others; those that are inside have higher levels. */
type Tail = { elements: readonly AST.Element[]; level: number; next?: Tail }

/** One way in which a match may begin; without a `first` element it may be empty. */
type Opening = {
  looks: readonly (AST.LookbehindAssertion | AST.WordBoundaryAssertion)[]
  first?: AST.Element
  tail?: Tail
}

/** The ways in which a sequence may begin: what stands first is taken apart as long as it has alternatives. */
function* openings(tail: Tail | undefined, looks: Opening['looks'] = []): Generator<Opening> {
  const [first, ...elements] = tail?.elements ?? []
  if (!tail) yield { looks }
  else if (!first) yield* openings(tail.next, looks)
  else {
    const rest = { ...tail, elements }
    const inside = (elements: readonly AST.Element[]) =>
      openings({ elements, level: tail.level + 1, next: rest }, looks)
    const tells =
      first.type === 'Assertion' && (first.kind === 'lookbehind' || (first.kind === 'word' && !first.negate))
    if (tells) yield* openings(rest, [...looks, first])
    else if (first.type === 'Assertion') yield* openings(rest, looks)
    else if (isGroup(first)) for (const { elements } of first.alternatives) yield* inside(elements)
    else if (first.type === 'Quantifier' && first.min === 0 && first.max === 1) {
      yield* inside([first.element])
      yield* openings(rest, looks)
    } else yield { looks, first, tail: rest }
  }
}

/** A character by which openings are put in order: the first one, in any case, unless that may be one of several. */
function orderOf({ first }: Opening): string {
  if (first?.type !== 'Character' && first?.type !== 'CharacterClass') return ''
  const [one, , more] = first.type === 'Character' ? [first] : first.elements
  return one?.type === 'Character' && !more ? String.fromCodePoint(one.value).toLowerCase() : ''
}

/** Openings in groups that begin with different characters. */
function groupsOf(openings: readonly Opening[]): Opening[][] {
  const sorted = [...Map.groupBy(openings, orderOf)].sort(([a], [b]) => (a < b ? -1 : 1))
  const share = Math.ceil(sorted.length / maxGroups)
  return Array.from({ length: Math.ceil(sorted.length / share) }, (_, n) =>
    sorted.slice(n * share, (n + 1) * share).flatMap(([, group]) => group),
  )
}

/** What matches that begin in one of several ways begin with. What follows is looked at once for all that lead to it. */
function beginningOf(group: readonly Opening[], flags: PatternFlags): Beginning {
  const before = noUnits()
  for (const word of [true, false]) {
    const alike = group.filter(opening => beginsWord(opening, flags) === word)
    for (const looks of new Set(alike.map(({ looks }) => looks))) include(before, beforeOf(looks, word, flags))
  }
  const walk: Walk = { places: Array.from({ length: depth }, noUnits), flags }
  const reached = new Map<Tail | undefined, Offsets>()
  const reach = (tail: Tail | undefined, at: Offsets) => reached.set(tail, (reached.get(tail) ?? 0) | at)
  for (const { first, tail } of group) reach(tail, first ? throughOne(walk, first, 1) : 1)
  for (let level = Math.max(...group.map(({ tail }) => tail?.level ?? 0)); level >= 0; level--)
    for (const [tail, at] of reached) if (tail?.level === level) reach(tail.next, through(walk, tail.elements, at))
  free(walk.places, reached.get(undefined) ?? 0)
  return { before, places: walk.places }
}

/** What matches of a pattern begin with: one of these. No match begins where none of them holds. */
export function beginningsOf({ tree, flags }: Parsed): Beginning[] {
  const all = tree.alternatives.flatMap(({ elements }) => [...openings({ elements, level: 0 })])
  return groupsOf(all).map(group => beginningOf(group, flags))
}
