import type { Evidence, Found } from '../models/model.ts'

/** One row of data: what something looks like, how it is proven, and which words near it make it likelier. */
export type Recogniser = {
  /** Stable name, by country where it has one: `es.dni`. Shown in explanations. */
  name: string
  label: string
  /** Must take linear time. A group named `value` narrows what is found. Flags `g` and `u` are needed. */
  pattern: RegExp
  /** What the issuer's checksum or format says of a match; one that fails is not reported. */
  valid?: (match: string) => boolean
  /** Whether `valid` proves a checksum, not a format alone. */
  checksum?: boolean
  /** Chance that a match is what it looks like, and the same with one of the context words near it. */
  score: number
  near?: number
  /** Words within 48 characters before a match, or 24 after it on its line, in any case. */
  context?: readonly string[]
  /** Those of them that are names of this very number: right behind one, or in a column called so, a wrong check digit is an error. */
  own?: readonly string[]
  /** Where pattern and checksum are defined. */
  source: string
  /** A text without one of these characters holds no match: saves most of the time. */
  needs?: RegExp
}

const digits = /\d{3}/

/**
 * Makes the recognisers of a kind of number, by its label and the words that stand for it. One that proves little (a
 * single check digit over bare digits) has a low score of its own, and needs a word near it.
 */
export const numbersOf =
  (label: string, words: readonly string[]) =>
  (
    name: string,
    pattern: RegExp,
    valid: (text: string) => boolean,
    [score, near]: [number, number],
    context: string[],
    source: string,
    checksum = true,
  ): Recogniser => ({
    name,
    label,
    pattern,
    valid,
    checksum,
    score,
    near,
    context: [...context, ...words],
    own: context,
    source,
    needs: digits,
  })

/** Score of a match whose checksum is wrong, for explanations alone. */
const failed = 0.05
const before = 48
const after = 24
/** Score of one whose checksum is wrong right behind its own name: a slip of the pen, or of what read a scan. */
const misspelt = 0.8

/** A recogniser made ready to run. */
export type Prepared = {
  row: Recogniser
  context?: RegExp
  own?: RegExp
  /** Which of the patterns that are searched for together are its own and what it needs. */
  pattern: number
  needs?: number
}

/** Makes recognisers ready to run, and lists the patterns to be searched for together: theirs and what they need. */
export function prepare(rows: readonly Recogniser[]): { prepared: Prepared[]; patterns: RegExp[] } {
  const patterns = rows.map(({ pattern }) => pattern)
  const known = new Map<string, number>()
  const place = (needs: RegExp) => {
    const key = String(needs)
    if (!known.has(key)) known.set(key, patterns.push(new RegExp(needs, `${needs.flags}g`)) - 1)
    return known.get(key)
  }
  const prepared = rows.map((row, pattern) => ({
    row,
    context: contextOf(row),
    own: ownOf(row),
    pattern,
    needs: row.needs && place(row.needs),
  }))
  return { prepared, patterns }
}

const oneOf = (words: readonly string[]) =>
  words.map(word => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(' ', '[ _-]?')).join('|')

const contextOf = ({ context }: Recogniser): RegExp | undefined =>
  context?.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${oneOf(context)})(?![\\p{L}])`, 'giu') : undefined

/** What must stand right before a number for it to be called by a name of its own. */
const ownOf = ({ own, checksum }: Recogniser): RegExp | undefined =>
  checksum && own?.length
    ? new RegExp(
        `(?<![\\p{L}\\p{N}])(?:${oneOf(own)})(?:[ .-]{0,2}(?:number|num|no|nr|nummer|numer|n[úu]mero|n\\.?[º°]))?[ .:=#]{0,4}$`,
        'iu',
      )
    : undefined

/** The matches of a recogniser's pattern in a text. */
export const matchesOf = ({ pattern, needs }: Recogniser, text: string): Iterable<RegExpExecArray> =>
  needs && !needs.test(text) ? [] : text.matchAll(pattern)

/**
 * What a recogniser finds in a text, given the matches of its pattern there; with `misses` also those whose check fails, with
 * a score near nothing. `heading` is that of a column which says what its cells are: it stands for a word near each of them.
 */
export function* foundIn(
  { row, context, own }: Pick<Prepared, 'row' | 'context' | 'own'>,
  text: string,
  matches: Iterable<RegExpExecArray>,
  { misses, heading }: { misses: boolean; heading?: string },
): Generator<Found> {
  for (const match of matches) {
    const value = match.groups?.value ?? match[0]
    if (value === '') continue
    const start = match.index + (value === match[0] ? 0 : match[0].lastIndexOf(value))
    const end = start + value.length
    const passes = row.valid ? row.valid(value) : true
    const isOwn = !passes && own !== undefined && isBehind(own, text, start, heading)
    if (!passes && !isOwn && !misses) continue
    const word =
      context &&
      (nearest(context, textBefore(text, start)) ??
        follower(context, text, end) ??
        (heading === undefined ? undefined : nearest(context, heading)))
    const evidence: Evidence = {
      by: row.checksum && passes ? 'checksum' : 'pattern',
      pattern: row.name,
      ...(word ? { context: word.toLowerCase() } : {}),
    }
    const score = passes
      ? (word || heading !== undefined) && row.near
        ? Math.max(row.near, row.score)
        : row.score
      : isOwn
        ? misspelt
        : failed
    yield { start, end, label: row.label, score, evidence }
  }
}

/** Whether a value stands right behind a name of its number, or alone in a column called so. */
const isBehind = (own: RegExp, text: string, start: number, heading: string | undefined) =>
  own.test(text.slice(Math.max(0, start - before), start)) ||
  (heading !== undefined && text.slice(0, start).trim() === '' && own.test(heading))

/**
 * The text before a value in which a word may name it. A word on an earlier line doesn't where a number stands behind it
 * there: it names that one.
 */
export function textBefore(text: string, start: number): string {
  const near = text.slice(Math.max(0, start - before), start)
  const line = Math.max(near.lastIndexOf('\n'), near.lastIndexOf('\r'))
  const digit = near.slice(0, line + 1).search(/\d\D*$/)
  return digit < 0 ? near : near.slice(digit + 1)
}

/** A word behind a value, on its line, that names it and not what stands behind the word. */
function follower(context: RegExp, text: string, end: number): string | undefined {
  const [line = ''] = text.slice(end, end + 2 * after).split(/[\n\r]/, 1)
  const near = line.slice(0, after)
  const [word] = near.match(context) ?? []
  if (word === undefined) return undefined
  return /^[.)]?\s*[:=]|^\s+(?:[A-Z]{1,6}[ -]?)?\d/.test(line.slice(near.search(context) + word.length))
    ? undefined
    : word
}

const nearest = (context: RegExp, text: string): string | undefined => text.match(context)?.at(-1)
