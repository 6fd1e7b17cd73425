import type { AST } from '@eslint-community/regexpp'
import { type Units, unitsThat, wordUnits } from '../units.ts'
import { measure } from './measure.ts'
import { separator } from './separator.ts'
import { flagLetters, type Parsed, type PatternFlags, within } from './syntax.ts'

/**
 * Where a match of a pattern can begin, so that only those places are tried:
 * `fixed`: the character `literal` stands `offset` code units behind the beginning;
 * `run`: a run of `min` to `max` units of `units`, which `literal` is none of, stands before `literal`;
 * `stride`: the match begins with a whole word whose first `length` units are all of `units`, so that looking at every
 * `length`th unit is enough, and at those before it that are of `units` too.
 */
export type Prefilter =
  | { kind: 'fixed'; literal: string; offset: number }
  | { kind: 'run'; literal: string; units: Units; min: number; max: number; boundary: boolean }
  | { kind: 'stride'; units: Units; length: number }

/** Alternatives of a group that are looked into: those of long lists are as short as the shortest word. */
const fewAlternatives = 32

/** Shortest beginning of a word for which looking at single units pays. */
const shortestStride = 6

const known = new Map<string, Units>()

/** The code units that an element of one character matches, or nothing when it may match a pair of units. */
export function unitsOf(node: AST.Element, flags: PatternFlags): Units | undefined {
  if (node.type === 'CharacterSet' && (node.kind === 'any' || node.kind === 'property' || node.negate)) return undefined
  if (node.type === 'CharacterClass') {
    const wide = (part: AST.CharacterClass['elements'][number]) =>
      (part.type === 'Character' && part.value > 0xffff) ||
      (part.type === 'CharacterClassRange' && part.max.value >= 0xd800) ||
      (part.type === 'CharacterSet' && (part.kind === 'property' || part.negate))
    if (node.negate || node.elements.some(wide)) return undefined
  } else if (node.type === 'Character' ? node.value >= 0xd800 : node.type !== 'CharacterSet') return undefined
  const letters = flagLetters(flags)
  const key = `${letters}/${node.raw}`
  const cached = known.get(key)
  if (cached) return cached
  const units = unitsThat(node.raw, `${letters}u`).fill(0, 0xd800, 0xe000)
  if (known.size > 500) known.clear()
  known.set(key, units)
  return units
}

/** One element in the order in which a match meets it, with the flags in force there. */
type Step = { node: AST.Element; flags: PatternFlags }

/** The elements that every match begins with; groups are opened, of a repeated one the first round. */
function* opening(elements: readonly AST.Element[], flags: PatternFlags): Generator<Step, boolean> {
  for (const node of elements) {
    const group = node.type === 'Quantifier' && node.min > 0 ? node.element : node
    if (group.type === 'Group' || group.type === 'CapturingGroup') {
      const { alternatives } = group
      const size = measure(group)
      if (alternatives.length === 1) {
        const whole: boolean = yield* opening(
          alternatives[0]!.elements,
          group.type === 'Group' ? within(flags, group) : flags,
        )
        if (!whole || group !== node) return false
        continue
      }
      if (size.min !== size.max || group !== node) {
        yield { node, flags }
        return false
      }
    }
    yield { node, flags }
  }
  return true
}

/** Capital letters that are rare in text. */
const rareLetters = 'JKQVWXYZ'

/** Characters that are rare in text, so that looking for them finds few places. */
function isRare(node: AST.Character, { ignoreCase }: PatternFlags): boolean {
  const text = String.fromCodePoint(node.value)
  if (node.value > 0xffff || (ignoreCase && text.toLowerCase() !== text.toUpperCase())) return false
  return rareLetters.includes(text) || !/[\p{L}\p{N}\s.,]/u.test(text)
}

const isWordClass = (units: Units) =>
  units.indexOf(1, 128) < 0 && units.subarray(0, 128).every((member, code) => member <= wordUnits[code]!)

/** What every match of an element begins with: so many units of words, of these; `whole` where no match goes on behind. */
type WordStart = { length: number; units: Units; whole: boolean }

const joined = (a: Units, b: Units): Units => a.map((member, code) => member | b[code]!)

function wordStart(steps: Iterable<Step>): WordStart {
  let start: WordStart = { length: 0, units: new Uint8Array(128), whole: true }
  for (const step of steps) {
    const next = wordStartOf(step)
    start = { length: start.length + next.length, units: joined(start.units, next.units), whole: next.whole }
    if (!next.whole) break
  }
  return start
}

function wordStartOf({ node, flags }: Step): WordStart {
  const nothing = { length: 0, units: new Uint8Array(128) }
  if (node.type === 'Assertion') return { ...nothing, whole: true }
  if (node.type === 'Group' || node.type === 'CapturingGroup') {
    if (node.alternatives.length > fewAlternatives) return { ...nothing, whole: false }
    const now = node.type === 'Group' ? within(flags, node) : flags
    const starts = node.alternatives.map(({ elements }) => wordStart(elements.map(node => ({ node, flags: now }))))
    return starts.reduce((a, b) => ({
      length: Math.min(a.length, b.length),
      units: joined(a.units, b.units),
      whole: a.whole && b.whole && a.length === b.length,
    }))
  }
  if (node.type === 'Quantifier') {
    const { length, units, whole } = wordStartOf({ node: node.element, flags })
    if (node.min === 0) return { ...nothing, whole: false }
    return whole ? { length: length * node.min, units, whole: node.min === node.max } : { length, units, whole }
  }
  const units = unitsOf(node, flags)
  if (!units || !isWordClass(units)) return { ...nothing, whole: false }
  return { length: 1, units: units.slice(0, 128), whole: true }
}

/** Finds a shortcut for a pattern, where it has one. Patterns with back-references have none. */
export function prefilterOf({ tree, flags }: Parsed): Prefilter | undefined {
  if (tree.alternatives.length !== 1 || measure(tree).backreference) return undefined
  const steps = [...opening(tree.alternatives[0]!.elements, flags)]
  let boundary = false
  let assertions = 0
  while (steps[0]?.node.type === 'Assertion') {
    const { node } = steps.shift()!
    assertions++
    boundary = node.type === 'Assertion' && node.kind === 'word' && !node.negate
  }
  const [first, second] = steps
  if (!first) return undefined
  // In any case V8 counts U+017F and U+212A as word characters too.
  const simple = assertions === 0 || (assertions === 1 && boundary && !first.flags.ignoreCase)

  let offset = 0
  for (const { node, flags: now } of steps) {
    if (node.type === 'Assertion') continue
    if (node.type === 'Character' && isRare(node, now)) {
      return { kind: 'fixed', literal: String.fromCodePoint(node.value), offset }
    }
    const { min, max } = measure(node)
    const exact =
      node.type === 'CharacterSet' || node.type === 'CharacterClass' ? unitsOf(node, now) !== undefined : true
    const repeated = node.type === 'Quantifier' ? unitsOf(node.element, now) !== undefined : true
    const length =
      node.type === 'Quantifier' && node.min === node.max && repeated ? node.min : exact && min === max ? min : -1
    const single = (node.type === 'CharacterSet' || node.type === 'CharacterClass') && exact ? 1 : length
    if (single < 0) break
    offset += single
  }

  if (!simple) return undefined
  const units = first.node.type === 'Quantifier' && unitsOf(first.node.element, first.flags)
  if (
    units &&
    second?.node.type === 'Character' &&
    isRare(second.node, second.flags) &&
    units[second.node.value] === 0 &&
    // Where texts are joined, no run goes on from one to the next.
    units[separator.charCodeAt(0)] === 0
  ) {
    const { min, max } = first.node as AST.Quantifier
    return { kind: 'run', literal: String.fromCodePoint(second.node.value), units, min, max, boundary }
  }
  const start = boundary ? wordStart(steps) : undefined
  if (!start || start.length < shortestStride) return undefined
  const table = new Uint8Array(0x10000)
  table.set(start.units)
  return { kind: 'stride', units: table, length: start.length }
}
