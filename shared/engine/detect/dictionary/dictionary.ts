import { stemsOf } from './endings.ts'
import type { ListEntry } from './entry.ts'
import { createExactSet } from './exact-set.ts'
import { createFuzzySet } from './fuzzy.ts'
import { createPhraseSet, emptyHash, extended, type Hash, hashOn } from './phrase-set.ts'
import { endOfWord, isEdge, joins, lowered, nextWord, wordsOf } from './words.ts'

/** What a phrase in the set is: looked for in any case, in its own case, with endings, or how others begin. */
const bit = { word: 1, case: 2, inflected: 4, begins: 8, beginsCase: 16 } as const

const blank = 0x20

/** Most words of a value that is found with slips of the pen. */
const mostFuzzyWords = 4

/** Where a value of a list stands in a text (UTF-16 offsets, end exclusive). */
type Place = { start: number; end: number }

/** The values of a list, ready to be found in one pass over a text, however many there are. */
export type Dictionary = {
  /** Where values stand, the longest of those that begin at a place; only such as begin at `from` or later. */
  find(text: string, from?: number): Place[]
  /** Entries that are patterns: they run as rules of patterns do. */
  patterns: readonly string[]
}

/** A phrase under way: the hash of its words so far, as they are or in lower case, and that before its last word. */
type Walk = { hash: Hash; before: Hash; open: boolean }

const begin = (): Walk => ({ hash: emptyHash, before: emptyHash, open: true })

function step(walk: Walk, text: string, start: number, end: number): void {
  walk.before = walk.hash === emptyHash ? emptyHash : extended(walk.hash, blank)
  walk.hash = hashOn(walk.before, text, start, end)
}

function phrasesOf(entries: readonly ListEntry[]) {
  const phrases = createPhraseSet(entries.length)
  const has = { any: false, case: false }
  for (const { value, match } of entries) {
    if (match !== 'word' && match !== 'case' && match !== 'inflected') continue
    has[match === 'case' ? 'case' : 'any'] = true
    const begins = match === 'case' ? bit.beginsCase : bit.begins
    const words = wordsOf(match === 'case' ? value : lowered(value))
    const walk = begin()
    words.forEach((word, index) => {
      step(walk, word, 0, word.length)
      phrases.add(walk.hash, index === words.length - 1 ? bit[match] : begins)
    })
  }
  return { phrases, has }
}

/** Makes the search for the values of a list. */
export function createDictionary(entries: readonly ListEntry[]): Dictionary {
  const of = (match: ListEntry['match']) => entries.flatMap(entry => (entry.match === match ? [entry.value] : []))
  const { phrases, has } = phrasesOf(entries)
  const fuzzyPhrases = of('fuzzy').map(value => wordsOf(lowered(value)).join(' '))
  const isFuzzy = fuzzyPhrases.length > 0 ? createFuzzySet(fuzzyPhrases) : undefined
  const longestFuzzy = fuzzyPhrases.reduce((most, phrase) => Math.max(most, phrase.length), 0) + 2
  const exact = of('exact')
  const endOfExact = exact.length > 0 ? createExactSet(exact) : undefined

  const isInflected = (lower: string, start: number, end: number, before: Hash): boolean => {
    for (const { kept, instead } of stemsOf(lower.slice(start, end))) {
      const stem = hashOn(before, lower, start, start + kept)
      if (phrases.bits(hashOn(stem, instead)) & bit.inflected) return true
    }
    return false
  }
  /** Where the longest value ends that begins with the word at `start`; -1 where none does. */
  const endAt = (text: string, lower: string, start: number): number => {
    const [any, same] = [begin(), begin()]
    any.open = has.any
    same.open = has.case
    let longest = -1
    let said = ''
    let words = 0
    for (let at = start; at < text.length; words++) {
      const end = endOfWord(text, at)
      if (any.open) {
        step(any, lower, at, end)
        const known = phrases.bits(any.hash)
        if (known & (bit.word | bit.inflected) || isInflected(lower, at, end, any.before)) longest = end
        any.open = (known & bit.begins) !== 0
      }
      if (same.open) {
        step(same, text, at, end)
        const known = phrases.bits(same.hash)
        if (known & bit.case) longest = end
        same.open = (known & bit.beginsCase) !== 0
      }
      const mayBeFuzzy = isFuzzy && words < mostFuzzyWords && said.length < longestFuzzy
      if (mayBeFuzzy) {
        said += (words > 0 ? ' ' : '') + lower.slice(at, end)
        if (isFuzzy(said)) longest = end
      }
      if (!(any.open || same.open || mayBeFuzzy)) break
      at = nextWord(text, end)
      if (at >= text.length || !joins(text, end, at)) break
    }
    return longest
  }
  const findWords = (text: string, from: number, found: Place[]) => {
    const lower = lowered(text)
    let start = nextWord(text, from)
    if (start === from && !isEdge(text, from)) start = nextWord(text, endOfWord(text, from))
    while (start < text.length) {
      const end = endAt(text, lower, start)
      if (end > start) found.push({ start, end })
      start = nextWord(text, endOfWord(text, start))
    }
  }
  const findExact = (text: string, from: number, found: Place[]) => {
    for (let start = from; start < text.length; start++) {
      const end = endOfExact!(text, start)
      if (end > start) found.push({ start, end })
    }
  }
  return {
    find(text, from = 0) {
      const found: Place[] = []
      if (has.any || has.case || isFuzzy) findWords(text, from, found)
      if (endOfExact) findExact(text, from, found)
      return found
    },
    patterns: of('pattern'),
  }
}
