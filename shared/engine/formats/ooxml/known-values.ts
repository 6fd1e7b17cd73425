import { parted } from '../../detect/known-values.ts'
import { aside } from '../../detect/normalise.ts'
import { isMeant } from '../../detect/propagation.ts'
import type { Edit, Segment } from '../format.ts'
import { machineForms, mayHoldForms } from '../office/machine-forms.ts'
import { type KnownNumbers, knownNumbers } from './known-numbers.ts'

/** Values replaced in cells that also stand in hidden places of the file, with what stands in their place. */
export type KnownInHidden = {
  note(value: string, replacement: string): void
  /** Notes what hidden places hold for programs of a text that is replaced: the number of a day, a number without its signs. */
  noteForms(text: string, replacement: string): void
  /** Notes a number as a cell holds it. */
  noteNumber: KnownNumbers['note']
  /** How many were noted so far. */
  size(): number
  /** Whether a hidden text is this one, letters' case aside. */
  isName(text: string): boolean
  /** The edits of a hidden segment together with those that the noted values ask for. */
  complete(segment: Segment, edits: readonly Edit[]): Edit[]
}

/** Shortest value that is looked for inside of words; the first characters by which values are told from others. */
const shortest = 4
/** Letters of a shorter one, which is looked for as a whole word; of ideographs two are a name. */
const fewest = 3
const fewestIdeographs = 2
const letters = /[\p{L}\p{M}]/gu
const ideographs = /[\p{Script=Han}\p{Script=Hangul}]/gu
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Whether a value shorter than others that are looked for is a name all the same. */
const isShortName = (value: string) =>
  (countOf(value, letters) >= fewest || countOf(value, ideographs) >= fewestIdeographs) && isMeant(value)

/** Lower case of the same length, so that offsets stay true. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  let same = ''
  for (const character of text) {
    const own = character.toLowerCase()
    same += own.length === character.length ? own : character
  }
  return same
}

/** What stands between words in names of files, identifiers and addresses: all of it is one blank there. */
const between = /(?:[\s_+-]|%20)+|\./g
const betweenOrMarks = new RegExp(`${aside}|${between.source}`, 'g')
const longBetween = /[\s_+-]{2}|%20/

/** A text in which all that may stand between words is a blank, and where each of its characters stands if not there. */
type Folded = { text: string; places?: number[] }

function folded(text: string): Folded {
  const lower = lowered(text)
  if (!longBetween.test(lower) && !lower.includes(aside)) return { text: lower.replace(between, ' ') }
  const places: number[] = []
  let result = ''
  let from = 0
  const add = (part: string, start: number) => {
    for (let at = 0; at < part.length; at++) places.push(start + at)
    result += part
  }
  for (const { 0: gap, index } of lower.matchAll(betweenOrMarks)) {
    add(lower.slice(from, index), from)
    if (gap !== aside) add(' ', index)
    from = index + gap.length
  }
  add(lower.slice(from), from)
  places.push(lower.length)
  return { text: result, places }
}

/**
 * A value and the spellings in which it was found. It may be spelled in other ways if it is `loose`, and is a name of few
 * letters if it is `short`.
 */
type Known = { replacement: string; spellings: Set<string>; loose: boolean; short: boolean }

/** Digits of a number without letters that may be written with other signs in between. */
const digits = 5
const isLoose = (value: string) => /\p{L}/u.test(value) || countOf(value, /\p{N}/gu) >= digits

/** More spellings of one value are not told apart. */
const maxSpellings = 64

/** Longest stretch that is looked up at once, and bits for each character of the texts, up to so many in all. */
const longestStretch = 8
const bitsEach = 16
const mostBits = 2 ** 27

/** Tells of nearly every value that the text doesn't hold that it doesn't: searching all of it takes too long for each. */
function stretchesOf(text: string, length: number): (value: string) => boolean {
  let size = 1024
  while (size < text.length * bitsEach && size < mostBits) size *= 2
  const bits = new Uint32Array(size / 32)
  const hash = (of: string, at: number) => {
    let sum = 0
    for (let n = at; n < at + length; n++) sum = Math.imul(sum ^ of.charCodeAt(n), 0x9e3779b1) ^ (sum >>> 15)
    return (sum ^ (sum >>> 13)) & (size - 1)
  }
  for (let at = 0; at + length <= text.length; at++) {
    const bit = hash(text, at)
    bits[bit >>> 5]! |= 1 << (bit & 31)
  }
  return value => {
    for (let at = 0; at + length <= value.length; at++) {
      const bit = hash(value, at)
      if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
    }
    return true
  }
}

/** Whether a value is meant where it stands in a text, of which `shown` is read and `source` written there. */
function isMeantAt(known: Known, { wording }: Segment, source: string, shown: string, start: number, end: number) {
  const isSpelled = () => known.spellings.has(source) || known.spellings.has(lowered(source))
  if (!parted(shown, start) || !parted(shown, end)) return !known.short && isSpelled()
  if (!known.short) return known.loose || isSpelled()
  // A program's own words are as short: `max`.
  return wording === 'code' ? known.spellings.has(source) : wording !== 'vocabulary'
}

/**
 * Starts noting. Only values that occur in `hidden` are kept, so that millions of cells take no memory. As in names of
 * files everywhere, `_`, `+`, `-`, full stops and `%20` match the spaces of a value.
 */
export function knownInHidden(hidden: readonly string[]): KnownInHidden {
  let all: string | undefined
  let names: Set<string> | undefined
  let mayHold: boolean | undefined
  const stretches = new Map<number, (value: string) => boolean>()
  const values = new Map<string, Known>()
  const numbers = knownNumbers(hidden)
  /** The lengths of the values by their first characters, and the numbers of these that there are. */
  const lengths = new Map<string, number[]>()
  const begun: number[] = []
  const stands = (text: string): boolean => {
    all ??= hidden.map(one => folded(one).text).join('\n')
    const length = Math.min(text.length, longestStretch)
    let may = stretches.get(length)
    if (may === undefined) {
      may = stretchesOf(all, length)
      stretches.set(length, may)
    }
    return may(text) && all.includes(text)
  }
  const add = (text: string, length: number, known: Known) => {
    values.set(text, known)
    const beginning = text.slice(0, length)
    const same = lengths.get(beginning)
    if (same === undefined) lengths.set(beginning, [text.length])
    else if (!same.includes(text.length)) same.push(text.length)
    if (!begun.includes(length)) begun.push(length)
  }
  const note: KnownInHidden['note'] = (value, replacement) => {
    if (hidden.length === 0 || value.length < fewestIdeographs) return
    const { text } = folded(value)
    const short = value.length < shortest
    const known = values.get(text)
    if (known === undefined) {
      const length = Math.min(text.length, shortest)
      if (length < fewestIdeographs || !stands(text) || (short && !isShortName(value))) return
      add(text, length, { replacement, spellings: spelled(value, short), loose: isLoose(value), short })
    } else if (known.spellings.size < maxSpellings)
      for (const spelling of spelled(value, short)) known.spellings.add(spelling)
  }
  return {
    note,
    noteForms(text, replacement) {
      mayHold ??= hidden.some(one => mayHoldForms.test(one))
      if (mayHold) for (const form of machineForms(text)) note(form, replacement)
    },
    noteNumber: numbers.note,
    size: () => values.size + numbers.size(),
    isName(text) {
      names ??= new Set(hidden.map(lowered))
      return names.has(lowered(text))
    },
    complete(segment, ruled) {
      const edits = numbers.complete(segment, ruled)
      if (values.size === 0) return edits
      const { text, places } = folded(segment.text)
      const found: Edit[] = [...edits]
      for (let at = 0; at < text.length; at++)
        for (const length of begun)
          for (const whole of lengths.get(text.slice(at, at + length)) ?? []) {
            const known = values.get(text.slice(at, at + whole))
            if (known === undefined || at + whole > text.length) continue
            const start = places?.[at] ?? at
            const end = places?.[at + whole] ?? at + whole
            if (isMeantAt(known, segment, segment.text.slice(start, end), text, at, at + whole))
              found.push({ start, end, text: known.replacement })
          }
      return merged(found)
    },
  }
}

/** How a value is spelled where it is looked for; a short one as it is only. */
const spelled = (value: string, short: boolean) => new Set(short ? [value] : [value, lowered(value)])

/** Edits in order; of several that overlap, one with the text of the first over all that they cover. */
function merged(edits: Edit[]): Edit[] {
  edits.sort((a, b) => a.start - b.start || b.end - a.end)
  const result: Edit[] = []
  for (const edit of edits) {
    const last = result.at(-1)
    if (last !== undefined && edit.start < last.end) last.end = Math.max(last.end, edit.end)
    else result.push({ ...edit })
  }
  return result
}
