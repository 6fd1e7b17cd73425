import { withoutEscapes } from './detect/escapes.ts'
import { type KnownValue, knownValues } from './detect/known-values.ts'
import { resolveOverlaps } from './detect/overlap.ts'
import type { Detector, Span } from './detect/span.ts'
import { readingsOf, safeName, splitName } from './file-names.ts'
import type { Edit, Segment } from './formats/format.ts'
import { applyEdits } from './formats/plain/write.ts'
import type { Replacer } from './operators/replacer.ts'
import type { PlannedRule } from './plan.ts'
import { isOnlyName } from './recognisers/name-lexicon.ts'

/** Shortest part of a value that is looked for in a file's name, characters. */
const shortest = 4

/** Numbers that files are counted by: `3`, `006`, and `04-notes`, where a nought shows that it's no amount. */
const count = /^\s*(?:\p{N}{1,3}|0\p{N}{1,2}[ _-]\p{Ll}+)\s*$/u

/** Some systems write accents apart from their letters in names; rules and documents seldom do. */
const named = (name: string) => splitName(name.normalize('NFC'))

const folded = (text: string) => text.normalize('NFC').toLowerCase()

/** Gathers the replaced values that a file's name holds, of however many a file has. */
export type Naming = {
  see(value: string, rule: number, label: string): void
  /** Whether a value of one line could be in the name, by its first byte and its length: asked before one is cut out. */
  mayHold(first: number, length: number): boolean
  values(): KnownValue[]
}

/** Starts gathering for a name. */
export function createNaming(name: string): Naming {
  const { stem } = named(name)
  const readings = [...readingsOf(stem), withoutEscapes(stem)].map(folded)
  const firsts = new Uint8Array(256)
  for (const c of readings[0]!) for (const form of [c, c.toUpperCase()]) firsts[Buffer.from(form)[0]!] = 1
  const bytes = Buffer.byteLength(stem)
  const found = new Map<string, KnownValue>()
  const looked = new Set<string>()
  const add = (value: string, rule: number, label: string) => {
    if (value.length < shortest || !readings.some(reading => reading.includes(folded(value)))) return
    const key = `${rule}\u0000${value}`
    if (!found.has(key)) found.set(key, { value, rule, label, score: 1, times: 1, fromModel: false })
  }
  return {
    see(value, rule, label) {
      // Values come again and again, and more than that need not be remembered.
      if (looked.has(value)) return
      if (looked.size < 10_000) looked.add(value)
      add(value.trim(), rule, label)
      // Of a person's name a part is enough to tell who it is; a word of small letters tells nothing.
      const words = value.match(/[\p{L}\p{N}]+/gu) ?? []
      if (words.length > 1) for (const word of words) if (/^[\p{Lu}\p{Lo}\p{N}]/u.test(word)) add(word, rule, label)
    },
    mayHold: (first, length) => length >= shortest && length <= bytes && firsts[first] === 1,
    values: () => [...found.values()],
  }
}

/**
 * Whether what a model took for a place or a body is one of the codes that files are named by: `a1`, `v2b`. One that the
 * file's text names is known from there.
 */
const isCode = ({ rule, label }: Span, value: string, rules: readonly PlannedRule[]) =>
  rules[rule]!.detection.type === 'AIMODEL' &&
  (label === 'LOCATION' || label === 'ORGANIZATION') &&
  /^[\p{Ll}\d]{1,3}$/u.test(value)

/** Whether what a model took for a number or a date may be what files are counted by. */
const isCount = ({ rule, label }: Span, value: string, rules: readonly PlannedRule[]) =>
  rules[rule]!.detection.type === 'AIMODEL' && /^(?:ID|DATE|AGE|PHONE)$/.test(label) && count.test(value)

/**
 * Whether all that a file is called is one word in small letters that is no listed name of people: models take many such words for
 * names, as nothing stands around them. One that the file's text names is known from there.
 */
const isOneWord = ({ rule, label }: Span, stem: string, rules: readonly PlannedRule[]) =>
  rules[rule]!.detection.type === 'AIMODEL' &&
  /^(?:PERSON|LOCATION|ORGANIZATION)$/.test(label) &&
  /^\p{Ll}+\d*$/u.test(stem) &&
  !isOnlyName(stem.replace(/\d+$/, ''))

/** What names are cleaned by. */
type Cleaning = {
  rules: readonly PlannedRule[]
  detector: Detector
  replacer: Replacer
  known: readonly KnownValue[]
}

/** What a file's name becomes by rules and by values found in the file: edits of its stem. */
export async function nameEdits(name: string, { rules, detector, replacer, known }: Cleaning): Promise<Edit[]> {
  const { stem } = named(name)
  const batch = readingsOf(stem).map((text): Segment => ({ text, place: { kind: 'name' }, visible: false }))
  // Models of language take words with underscores for names: they are asked about the readings with blanks.
  const asked = batch.map((one): Segment => (/[_+]/.test(one.text) ? { ...one, wording: 'code' } : one))
  const found = await detector.detect(asked)
  const find = knownValues(known, detector.spare)
  const spans: (Span & { value: string })[] = []
  batch.forEach((segment, index) => {
    const told = found[index]!.filter(span => {
      const value = segment.text.slice(span.start, span.end)
      return !isCode(span, value, rules) && !isCount(span, value, rules) && !isOneWord(span, stem, rules)
    })
    for (const span of [...told, ...find(segment)]) {
      const source = segment.text.slice(span.start, span.end)
      spans.push({ ...span, value: span.escaped ? withoutEscapes(source) : source })
    }
  })
  const stretches = resolveOverlaps(spans)
  const targets = stretches.map(({ start, end, owner }) => {
    const { rule, label, value } = owner as (typeof spans)[number]
    return { rule, label, value, text: stem.slice(start, end) }
  })
  const texts = await replacer(targets)
  return stretches.map(({ start, end }, index) => ({ start, end, text: texts[index]! }))
}

/** The name with its edits, safe to be that of a file anywhere; its extension stays. */
export function renamed(name: string, edits: readonly Edit[]): string {
  const { stem, extension } = named(name)
  const text = safeName(applyEdits(stem, edits))
  return edits.length === 0 && safeName(stem) === stem ? name : `${text}${extension}`
}

/** Why a name was changed, for the report: by replacements, or only to be safe. */
export const whyRenamed = (edits: readonly Edit[]): string =>
  edits.length > 0
    ? 'The name of the file was changed: it held what the rules replace'
    : 'The name of the file was changed: not every system takes such a name'

/** Edits that chunks of a table have found in one name, as one list. */
export function mergeNameEdits(lists: readonly (readonly Edit[])[]): Edit[] {
  const merged: Edit[] = []
  for (const edit of lists.flat().sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || edit.start >= last.end) merged.push({ ...edit })
    else last.end = Math.max(last.end, edit.end)
  }
  return merged
}
