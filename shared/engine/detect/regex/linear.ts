import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { RE2JS } from 're2js'
import { measure } from './measure.ts'
import { flagLetters, type Parsed, type PatternFlags, within } from './syntax.ts'

/** A pattern that has no equivalent in linear time: look-aheads, back-references and a few rarities. */
class NotLinear extends Error {}

const refuse = (reason: string): never => {
  throw new NotLinear(reason)
}

const hex = (code: number) => `\\x{${code.toString(16)}}`

/** Every code point but the surrogates, in order, so that one pass of a pattern finds all that an element matches. */
let allPoints: string | undefined
function everyPoint(): string {
  if (allPoints !== undefined) return allPoints
  const units = new Uint16Array(0xf800 + 2 * 0x100000)
  let end = 0
  for (let code = 0; code < 0x10000; code++) if (code < 0xd800 || code >= 0xe000) units[end++] = code
  for (let high = 0xd800; high < 0xdc00; high++)
    for (let low = 0xdc00; low < 0xe000; low++) {
      units[end++] = high
      units[end++] = low
    }
  allPoints = Buffer.from(units.buffer).toString('utf16le')
  return allPoints
}

/** Every code point that a case mapping changes, or that one is mapped to: what may stand for another under `i`. */
let casedPoints: number[] | undefined
function cased(): number[] {
  casedPoints ??= Array.from(everyPoint().matchAll(/[\p{CWCM}\p{CWCF}]/gu), ([point]) => point.codePointAt(0)!)
  return casedPoints
}

/** Most code points of a class that are looked at one by one; a pass over all of Unicode is needed for others. */
const few = 4096

/** The code points that a character or class lists, where it lists few; else undefined. */
function listed(node: AST.Node): number[] | undefined {
  if (node.type === 'Character') return [node.value]
  if (node.type !== 'CharacterClass' || node.negate) return undefined
  const points: number[] = []
  for (const element of node.elements) {
    if (element.type !== 'Character' && element.type !== 'CharacterClassRange') return undefined
    const [from, to] = element.type === 'Character' ? [element, element] : [element.min, element.max]
    if (points.length + to.value - from.value >= few) return undefined
    for (let point = from.value; point <= to.value; point++) points.push(point)
  }
  return points
}

/** How many different classes of a pattern take a pass over all of Unicode, some milliseconds each. */
export function wideClasses({ tree }: Pick<Parsed, 'tree'>): number {
  const wide = new Set<string>()
  const count = (node: AST.CharacterClass | AST.CharacterSet) => {
    if (node.parent.type !== 'CharacterClass' && !listed(node)) wide.add(node.raw)
  }
  visitRegExpAST(tree, { onCharacterClassEnter: count, onCharacterSetEnter: count })
  return wide.size
}

const known = new Map<string, string>()

/** The class of exactly the code points that V8 lets an element of one character match, case folding included. */
function explicitClass(node: AST.Character | AST.CharacterClass | AST.CharacterSet, flags: PatternFlags): string {
  const letters = flagLetters(flags)
  const key = `${letters}/${node.raw}`
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const alone = new RegExp(`^(?:${node.raw})$`, `${letters}u`)
  const points = listed(node)
  const among = points && flags.ignoreCase ? points.concat(cased()) : points
  const ranges = among ? matching(among, alone) : runs(new RegExp(`(?:${node.raw})+`, `g${letters}u`))
  if (alone.test('\ud800')) ranges.push(`${hex(0xd800)}-${hex(0xdfff)}`)
  const result = ranges.length === 0 ? '[^\\x{0}-\\x{10ffff}]' : `[${ranges.join('')}]`
  if (known.size > 1000) known.clear()
  known.set(key, result)
  return result
}

/** Those of the given code points, none of them a surrogate, that an expression matches. */
const matching = (points: number[], alone: RegExp): string[] =>
  [...new Set(points)]
    .filter(point => (point < 0xd800 || point > 0xdfff) && alone.test(String.fromCodePoint(point)))
    .map(hex)

/** The ranges of all code points, but surrogates, that an expression finds runs of. */
function runs(element: RegExp): string[] {
  const points = everyPoint()
  const ranges: string[] = []
  for (const match of points.matchAll(element)) {
    let from = match[0].codePointAt(0)!
    // The surrogates are missing in between: a run over the gap is two ranges.
    for (const edge of from <= 0xd7ff && pointBefore(points, match.index + match[0].length) >= 0xe000 ? [0xd7ff] : []) {
      ranges.push(`${hex(from)}-${hex(edge)}`)
      from = 0xe000
    }
    const last = pointBefore(points, match.index + match[0].length)
    ranges.push(from === last ? hex(from) : `${hex(from)}-${hex(last)}`)
  }
  return ranges
}

function pointBefore(text: string, end: number): number {
  const low = text.charCodeAt(end - 1)
  return low >= 0xdc00 && low < 0xe000 ? text.codePointAt(end - 2)! : low
}

const lineEnds = '\\n\\r\\x{2028}\\x{2029}'

function emitAlternatives(list: AST.Alternative[], flags: PatternFlags): string {
  return list.map(({ elements }) => elements.map(element => emit(element, flags)).join('')).join('|')
}

/** Whether the order of choices could make an iteration prefer the empty text, where the two engines differ. */
function prefersEmpty(node: AST.Element): boolean {
  if (measure(node).min > 0) return false
  if (node.type === 'Quantifier') return !node.greedy || (node.max > 1 && prefersEmpty(node.element))
  if (node.type === 'Group' || node.type === 'CapturingGroup')
    return node.alternatives.length > 1 || node.alternatives[0]!.elements.some(prefersEmpty)
  return false
}

function emit(node: AST.Element, flags: PatternFlags): string {
  switch (node.type) {
    case 'Group':
      return `(?:${emitAlternatives(node.alternatives, within(flags, node))})`
    case 'CapturingGroup':
      return `(${node.name === 'redact' ? '?P<redact>' : '?:'}${emitAlternatives(node.alternatives, flags)})`
    case 'Quantifier':
      if (node.max > 1 && prefersEmpty(node.element)) refuse('a repeated choice that may be empty')
      return `(?:${emit(node.element, flags)})${node.raw.slice(node.element.raw.length)}`
    case 'Assertion':
      return emitAssertion(node, flags)
    case 'Backreference':
      return refuse('a back-reference')
    case 'Character':
      return flags.ignoreCase ? explicitClass(node, flags) : hex(node.value)
    case 'CharacterSet':
      if (node.kind === 'any') return flags.dotAll ? `[${hex(0)}-${hex(0x10ffff)}]` : `[^${lineEnds}]`
      return explicitClass(node, flags)
    case 'CharacterClass':
      return explicitClass(node, flags)
    default:
      return refuse('a set operation')
  }
}

function emitAssertion(node: AST.Assertion, flags: PatternFlags): string {
  if (node.kind === 'lookahead') return refuse('a look-ahead')
  if (node.kind === 'lookbehind') {
    if (measure(node).oddLookbehind) refuse('a look-behind that captures')
    return `(?<${node.negate ? '!' : '='}${emitAlternatives(node.alternatives, flags)})`
  }
  if (node.kind === 'word') {
    // Under `i` V8 counts U+017F and U+212A as word characters, the other engine never does.
    return flags.ignoreCase ? refuse('a word boundary in any case') : node.raw
  }
  if (node.kind === 'start') return flags.multiline ? `(?<![^${lineEnds}])` : '\\A'
  return flags.multiline ? refuse('a line end') : '\\z'
}

/** Largest compiled program: a multiple of what real patterns need, small enough to run in bounded time and memory. */
const largestProgram = 20_000

/** The same pattern for an engine that takes time linear in the text, or why there is none. */
export function linearForm({ tree, flags }: Parsed): { regexp: RE2JS } | { reason: string; tooLarge: boolean } {
  try {
    const regexp = RE2JS.compile(emitAlternatives(tree.alternatives, flags), RE2JS.LOOKBEHINDS)
    if (regexp.programSize() > largestProgram) return { reason: 'its compiled form is too large', tooLarge: true }
    return { regexp }
  } catch (error) {
    if (error instanceof NotLinear) return { reason: error.message, tooLarge: false }
    return { reason: 'its repeat counts are too large', tooLarge: true }
  }
}
