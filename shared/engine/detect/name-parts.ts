import { isFormWords } from './form-words.ts'
import { isStopWord } from './stop-words.ts'

/** What lists of names know of a word in lower case: whether it is a word of some language besides, and whether it is a name, a given one. */
type NameLists = {
  isCommonName(word: string, language: undefined): boolean
  listedName(word: string, language: undefined): { given: number } | undefined
}

let lists: NameLists | undefined

/** Takes the lists into use, once rules with models are loaded, which find persons: programs without such rules don't bring them along. */
export function useNameLists(given: NameLists): void {
  lists = given
}

/** Labels of models for names of persons. */
const person = /^(?:PERSON|PER|NAME)(?:_|$)/i

/** Letters that a part of a name needs to stand for somebody by itself, one of a given name, and its stem to be looked for with other endings. */
const fewest = 4
const fewestGiven = 3
const fewestOfStem = 4

/** Whether a label is one for names of persons. */
export const isPersonLabel = (label: string): boolean => person.test(label)

const initialsBehind =
  /(?:(?<=[^\p{L}]\p{Lu})\.(?:[ \u00a0-]?\p{Lu}\.){0,2}|(?<=\p{L}),?[ \u00a0](?:\p{Lu}\.[ \u00a0-]?){1,3}(?<=\.))(?![\p{L}\p{N}])/uy

/** Initials right before a name, but for `M. ` and `D. `, which are forms of address in French and Spanish. */
const initialsBefore =
  /(?<![\p{L}\p{N}.])(?:(?![DM]\. ?$)(?:\p{Lu}\.[ \u00a0-]?){1,3}|(?:M\.?ª|Fco\.|Fdo\.ª|\p{Lu}-\p{Lu}|\p{Lu}[\p{L}\p{M}]{1,5}-(?=$)) ?)$/u
/** Characters that initials take at most. */
const longestInitials = 10

/** What a model takes for a person, with the initials right before and behind: `G. Leitner`, `Irati G. M.`, `Horton, P.`. */
export function withInitials<T extends { start: number; end: number }>(text: string, person: T): T {
  initialsBehind.lastIndex = person.end
  const [behind = ''] = initialsBehind.exec(text) ?? []
  const [before = ''] = initialsBefore.exec(text.slice(Math.max(0, person.start - longestInitials), person.start)) ?? []
  if (before === '' && behind === '') return person
  return { ...person, start: person.start - before.length, end: person.end + behind.length }
}

/** Whether a word is a given name and none of a language besides, as far as lists tell. */
export const isGivenName = (word: string): boolean =>
  (lists?.listedName(word.toLowerCase(), undefined)?.given ?? 0) !== 0 && isNoWord(word)

/** Whether a word of a name is none of a language besides, as far as lists tell. */
const isNoWord = (word: string): boolean => {
  const lower = word.toLowerCase()
  return !isStopWord(lower) && !isFormWords(lower) && lists?.isCommonName(lower, undefined) === false
}

/**
 * The ways in which a word of a name is looked for elsewhere: as it stands, and where it can't be another word in capitals, with one
 * capital and in lower case, as people write in headings and in chats; a name of that word alone only where the lists have it.
 */
export function writingsOf(word: string, isAlone: boolean): ReadonlySet<string> {
  const lower = word.toLowerCase()
  const writings = new Set([word])
  if (lower.length < fewest || lower.length !== word.length || !isNoWord(word)) return writings
  writings.add(word.toUpperCase()).add(lower[0]!.toUpperCase() + lower.slice(1))
  return isAlone && !lists?.listedName(lower, undefined) ? writings : writings.add(lower)
}

/** The parts of a name by which somebody may be called alone: words with a capital that are common in no language. */
export function namePartsOf(name: string): string[] {
  const words = name.match(/[\p{L}\p{M}’'-]+/gu) ?? []
  return words.filter(
    word =>
      /^\p{Lu}/u.test(word) &&
      (word.match(/\p{L}/gu)?.length ?? 0) >= (isGivenName(word) ? fewestGiven : fewest) &&
      !isStopWord(word.toLowerCase()) &&
      !isFormWords(word),
  )
}

/**
 * Endings by which names are inflected: the possessives of English, German and Dutch, the cases of Polish, Czech, Slovak,
 * Russian, Ukrainian, Finnish, Estonian and Hungarian.
 */
const endings = new Set(
  `s n en a u i y ą ę e o em om ie owi ego iego emu iemu im ym iej ej ów ami ach ia iem ii iu ovi ova ovou ou á é í ím ův ové
  а у е ом ой ей ы и ым им ого его ому ему ую ых ову ова овым овой в in an un lla llä lle lta ltä ssa ssä sta stä ä
  nak nek val vel hoz hez nál nél tól től ék ék`.split(/\s+/),
)

/** What of a name stays when it is inflected: all of it, or all but its last vowel, or without the `e` that comes and goes. */
export function stemsOf(name: string): string[] {
  const stems = [name]
  if (/[aąeęioóuyáéíаяеиоуый]$/u.test(name)) stems.push(name.slice(0, -1))
  if (/(?:ek|ec|eł|ел|ек)$/u.test(name)) stems.push(name.slice(0, -2) + name.at(-1))
  return stems.filter(stem => stem.length >= fewestOfStem)
}

const rest = /[\p{L}\p{M}]*/uy

/** Where a word ends whose stem ends at `end`, if what is left of it is an ending of names; undefined otherwise. */
export function inflectedEnd(text: string, end: number): number | undefined {
  rest.lastIndex = end
  const [ending = ''] = rest.exec(text) ?? []
  return endings.has(ending) ? end + ending.length : undefined
}
