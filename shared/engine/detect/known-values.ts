import { fileNamesIn, readingsOf } from '../file-names.ts'
import type { Segment } from '../formats/format.ts'
import { linesWithEscapes } from './escapes.ts'
import { joinedNames } from './joined-names.ts'
import {
  inflectedEnd,
  isGivenName,
  isPersonLabel,
  namePartsOf,
  stemsOf,
  withInitials,
  writingsOf,
} from './name-parts.ts'
import { bare, countWords, isAccount, isMeant, isTelling, saysSomething } from './propagation.ts'
import { placeOf } from './resolved-text.ts'
import { shownIn, spanInSource } from './shown.ts'
import type { Span, Spare } from './span.ts'

/** A value found somewhere in a file, to be replaced elsewhere in it. */
export type KnownValue = {
  value: string
  rule: number
  label: string
  /** The best of its scores, and how often it was found. */
  score: number
  times: number
  fromModel: boolean
}

/** Shortest value that is looked for inside of words, and of numbers that are looked for in code. */
const shortest = 4
const shortestNumber = 5

/** A single word that a model found once, less sure than this, and that is no given name, is replaced where the model found it only. */
const sure = 0.7

const isWord = (text: string, at: number) => /[\p{L}\p{N}_]/u.test(text.charAt(at))

/** Letters of scripts that put no blanks between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether two characters that stand side by side may belong to two words. */
export const parted = (text: string, at: number): boolean =>
  !(isWord(text, at - 1) && isWord(text, at)) || unspaced.test(text.charAt(at - 1)) || unspaced.test(text.charAt(at))

/** The same in identifiers: `nameOfAnna`, `name_of_Anna`. */
const partedInCode = (text: string, at: number): boolean =>
  parted(text, at) || /_$|^_|^[^\p{Lu}]\p{Lu}|^\p{N}\p{L}|^\p{L}\p{N}/u.test(text.slice(at - 1, at + 1))

/** Letters by which a word is longer than a value that it holds by chance. */
const longer = 3
const ofParted = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]/u

/** Whether letters stand within a word of an identifier by chance: `Mark` in `Marketing`, not in `bookMark` or `Marks`. */
const isWithinWord = (text: string, start: number, end: number): boolean => {
  const goesOn = (at: number) => [at - 1, at].every(side => ofParted.test(text.charAt(side))) && !partedInCode(text, at)
  for (let at = start + 1; at < end; at++) if (!goesOn(at)) return false
  const length = end - start + longer
  let from = start
  while (end - from < length && goesOn(from)) from--
  let to = end
  while (to - from < length && goesOn(to)) to++
  return to - from >= length
}

/** Lower case where that keeps the length, so that offsets stay true. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

/**
 * A known value, and how far it may be looked for. A part of a person's name is looked for as a word of its own only, and a
 * stem as one that an ending of names follows.
 */
type Literal = KnownValue & {
  isTelling: boolean
  isOneWord: boolean
  isNumber: boolean
  as?: 'part' | 'stem'
  /** How a name of one word may be written, where it was found by a model. */
  writings?: ReadonlySet<string>
}

/** Longest hidden text that may be a name, or an address that ends with one. */
const longestName = 1000

/** Names of files in a segment and targets of its links, in which other signs than blanks stand between words. */
const namesIn = ({ text, visible, marks = [] }: Segment) => {
  if (!visible && text.length <= longestName) return [{ start: 0, stem: text }]
  const targets = marks.flatMap(({ start, end, stays }) => {
    const isTarget = stays && start >= 0 && end <= text.length && text.startsWith('](', start)
    return isTarget ? [{ start: start + 2, stem: text.slice(start + 2, end - 1) }] : []
  })
  return targets.length === 0 ? fileNamesIn(text) : [...fileNamesIn(text), ...targets]
}

const repeated: Span['reason'] = { by: 'repeat' }

/** A span, and the known value that it is. */
type Named = Span & { value: string }

const asWritten = ({ value, ...span }: Named): Span => span

/** Each value once, without the punctuation around it; of those that several rules found, the earlier has precedence. */
function literals(values: readonly KnownValue[]): Literal[] {
  const distinct = new Map<string, KnownValue>()
  for (const known of values) {
    const value = bare(known.value)
    if (known.fromModel ? !isMeant(value) : !saysSomething(value)) continue
    const same = distinct.get(value)
    if (!same) distinct.set(value, { ...known, value })
    else {
      const first = known.rule < same.rule ? known : same
      const score = Math.max(known.score, same.score)
      const fromModel = known.fromModel || same.fromModel
      distinct.set(value, { ...first, value, score, times: known.times + same.times, fromModel })
    }
  }
  return Array.from(distinct.values(), known => {
    const { value, times, score } = known
    const isOneWord = countWords(value) === 1
    const isName = known.fromModel && isOneWord && isPersonLabel(known.label)
    const isDoubtful =
      isOneWord && times === 1 && score < sure && !/\p{N}/u.test(value) && !(isName && isGivenName(value))
    const writings = isName && !isDoubtful ? writingsOf(value, true) : undefined
    return {
      ...known,
      isOneWord,
      isTelling: (isTelling(value) || isAccount(known.label, value)) && !isDoubtful,
      isNumber: !/\p{L}/u.test(value),
      writings,
    }
  })
}

/** Parts of the names of persons that a model found, and the stems of these, each once. */
function partsOf(known: readonly Literal[]): Literal[] {
  const parts = new Map<string, Literal>()
  const whole = new Set(known.flatMap(({ value, isTelling: tells }) => (tells ? [value] : [])))
  const add = (literal: Literal, value: string, as: 'part' | 'stem') => {
    const key = `${as} ${value}`
    if (!parts.has(key) && !(as === 'part' && whole.has(value)))
      parts.set(key, {
        ...literal,
        value,
        isOneWord: true,
        as,
        writings: as === 'part' ? writingsOf(value, countWords(literal.value) === 1) : undefined,
      })
  }
  for (const literal of known) {
    if (!literal.fromModel || !literal.isTelling || !isPersonLabel(literal.label)) continue
    for (const part of namePartsOf(literal.value)) {
      add(literal, part, 'part')
      for (const stem of stemsOf(part)) add(literal, stem, 'stem')
    }
  }
  return [...parts.values()]
}

const nothing: Span[] = []

/** A tree of characters over all values, walked from each place where a value may begin. */
type Node = { next: Map<number, Node>; known: Literal[] }

function treeOf(literals: readonly Literal[]): Node {
  const root: Node = { next: new Map(), known: [] }
  for (const known of literals) {
    const text = folded(known.value)
    let node = root
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      let next = node.next.get(code)
      if (!next) {
        next = { next: new Map(), known: [] }
        node.next.set(code, next)
      }
      node = next
    }
    node.known.push(known)
  }
  return root
}

/**
 * Makes the search for known values. Those that a model found and that tell enough are looked for in visible text, as
 * they are and as whole words, and of persons every part of their names, its inflected forms and other cases. In hidden places all that is meant is looked for, in any case and, from four characters on,
 * inside of words; in the words of programs and formats only what tells enough, as whole words. Where identifiers hold
 * values of several words, they are looked for in any text; in `cells`, each of which stands for itself, only there and in
 * names of files.
 */
export function knownValues(
  values: readonly KnownValue[],
  spare: Spare = (_, spans) => spans,
  cells = false,
): (segment: Segment) => readonly Span[] {
  const whole = literals(values)
  const all = [...whole, ...partsOf(whole)]
  const everywhere = treeOf(all)
  /** In visible text only what a model found is looked for. */
  const shown = treeOf(cells ? [] : all.filter(({ fromModel }) => fromModel))
  const joined = joinedNames(whole.filter(({ fromModel, label }) => !fromModel || isPersonLabel(label)))
  const trees = { everywhere, shown, joined }
  return segment => {
    if (everywhere.next.size === 0 || (cells && !segment.visible)) return nothing
    const spans = spansIn(trees, segment)
    return spans === nothing ? nothing : spare(segment, spans)
  }
}

/** What is looked for in hidden places, what in visible text, and what in identifiers. */
type Trees = { everywhere: Node; shown: Node; joined: ReturnType<typeof joinedNames<Literal>> }

/** Values in words of a segment that signs join. */
function joinedIn({ joined }: Trees, { text, before = '', after = '', wording }: Segment): Span[] {
  if (!joined || wording === 'vocabulary') return nothing
  const base = before.length
  return joined(before + text + after)
    .filter(({ start, end }) => end > base && start < base + text.length)
    .map(({ start, end, value: { rule, label, score, value } }) => ({
      start: start - base,
      end: end - base,
      rule,
      label,
      score,
      value,
      reason: repeated,
    }))
}

function spansIn(trees: Trees, segment: Segment): Span[] {
  const isSought = !segment.visible || trees.shown.next.size > 0
  const names = namesIn(segment)
  const joined = joinedIn(trees, segment)
  if (!isSought && names.length === 0) return joined
  const spans: Span[] = [...joined, ...find(trees, segment).map(asWritten)]
  for (const { start, stem } of names) {
    for (const text of readingsOf(stem).slice(1)) {
      for (const span of find(trees, { ...segment, text, before: undefined, after: undefined, visible: false })) {
        if (!parted(text, span.start) || !parted(text, span.end)) continue
        spans.push({ ...span, start: start + span.start, end: start + span.end })
      }
    }
  }
  for (const line of isSought ? linesWithEscapes(segment.text) : []) {
    for (const span of find(trees, { ...segment, text: line.text, before: undefined, after: undefined })) {
      const place = placeOf(line, span.start, span.end)
      if (place.escaped && !(place.coded && segment.isDecoded)) spans.push({ ...asWritten(span), ...place })
    }
  }
  const alone = { ...segment, before: undefined, after: undefined }
  for (const shown of isSought ? shownIn(alone, segment.text, false) : []) {
    for (const found of find(trees, { ...alone, text: shown.text })) {
      const span = spanInSource(asWritten(found), shown)
      if (span.kept) spans.push(span)
    }
  }
  return spans
}

function find({ everywhere, shown }: Trees, segment: Segment): Named[] {
  const root = segment.visible ? shown : everywhere
  if (root.next.size === 0) return []
  const { text, before = '', after = '' } = segment
  const window = before + text + after
  const lower = folded(window)
  const base = before.length
  const spans: Named[] = []
  for (let start = 0; start < base + text.length; start++) {
    let node = root.next.get(lower.charCodeAt(start))
    let end = start + 1
    let longest: { known: Literal; end: number } | undefined
    while (node) {
      for (const known of node.known) {
        const reach = reachOf(known, window, start, end, segment)
        if (reach !== undefined && reach > (longest?.end ?? 0)) longest = { known, end: reach }
      }
      node = node.next.get(lower.charCodeAt(end))
      end++
    }
    if (!longest || longest.end <= base) continue
    const { rule, label, score, value } = longest.known
    const named = { start, end: longest.end }
    const whole = segment.visible && isPersonLabel(label) ? withInitials(window, named) : named
    spans.push({ start: whole.start - base, end: whole.end - base, rule, label, score, value, reason: repeated })
  }
  return spans
}

/** Where a known value that stands at a place ends; undefined where it isn't meant there. */
function reachOf(known: Literal, text: string, start: number, end: number, segment: Segment): number | undefined {
  if (known.as === undefined) return accepts(known, text, start, end, segment) ? end : undefined
  if (segment.wording || !parted(text, start) || !isWritten(known, text, start, end)) return undefined
  if (known.as === 'stem') return inflectedEnd(text, end)
  return parted(text, end) ? end : undefined
}

/** Whether what stands at a place is a known value as it is written there: as it was found, or in another case that is likely for a name. */
function isWritten({ value, writings }: Literal, text: string, start: number, end: number): boolean {
  const written = text.slice(start, end)
  if (written === value) return true
  return (writings?.has(written) ?? false) && (written !== written.toLowerCase() || isWithoutCapitals(text, start))
}

/** Characters on both sides that tell in which case a line is written. */
const around = 80

/** Whether a line is in lower case as in chats, so that names in it are as well; elsewhere a word in lower case is none. */
function isWithoutCapitals(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - around), at)
  const after = text.slice(at, at + around)
  return !/\p{Lu}/u.test(before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0]!)
}

function accepts(known: Literal, text: string, start: number, end: number, segment: Segment): boolean {
  const { visible, wording, isField } = segment
  if (isField && isWithinWord(text, start, end)) return false
  const isWhole = () => parted(text, start) && parted(text, end)
  const isSame = () => text.slice(start, end) === known.value
  if (visible) return known.fromModel && known.isTelling && isWritten(known, text, start, end) && isWhole()
  if ((wording === 'code' || wording === 'vocabulary') && known.fromModel) {
    if (!known.isTelling || (known.isNumber && end - start < shortestNumber)) return false
    return partedInCode(text, start) && partedInCode(text, end) && (!known.isOneWord || isSame())
  }
  return (end - start >= shortest && (known.isTelling || !known.fromModel)) || isWhole()
}
