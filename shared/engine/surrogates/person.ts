import { freeName } from './free-name.ts'
import { type Inflected, inflectedWords } from './inflection.ts'
import type { Keyed } from './keyed.ts'
import { feminineOf } from './name-forms.ts'
import { isInitial, type NameWord, wordsOf } from './name-words.ts'
import type { Names } from './naming.ts'
import { fold, inCaseOf } from './spelling.ts'

/** How names of persons are replaced, and local parts of addresses that hold them. */
export type Persons = {
  /** A name, word by word. */
  name(value: string): string
  /** A single word of small letters that may hold a name, as addresses have it: `mjensen`, `anna`. */
  login(word: string): string
  /** The words of an address, of which two may be the name of a person. */
  logins(words: readonly string[]): string[]
}

const both = (one: string, another: string) => `${one}-${another}`

const surnameOf = (named: readonly NameWord[]) =>
  named.findLast(({ role, text }) => role === 'surname' && !isInitial(text))?.folded

/** Another surname, that of a woman where it was one. */
function surnameFor(folded: string, text: string, names: Names): string {
  const woman = feminineOf(text, names.isKnown)
  return woman ? woman.make(names.another(woman.man, 'surname')) : names.another(folded, 'surname')
}

/** The words of a name that are in another case than the nominative. */
const inflectedIn = (named: readonly NameWord[], names: Names) =>
  inflectedWords(named, names, (name, role, language, gender) => {
    if (names.isListed(fold(name), role, language, gender)) return true
    const woman = role === 'surname' && gender === 'f' ? feminineOf(name, names.isKnown) : undefined
    return woman !== undefined && names.isListed(woman.man, 'surname', language, 'm')
  })

/** A text with others in place of some words of it. */
function written(value: string, named: readonly NameWord[], texts: readonly string[]): string {
  let out = ''
  let at = 0
  for (const [n, { before, text }] of named.entries()) {
    out += value.slice(at, before) + texts[n]!
    at = before + text.length
  }
  return out + value.slice(at)
}

/** Which word of a name may become another one than its list says: a given name, or else an initial. */
function freeWord(named: readonly NameWord[]): number {
  const given = named.findIndex(({ role, text }) => role === 'given' && !isInitial(text))
  const initial = named.findIndex(({ text }) => isInitial(text))
  return given >= 0 ? given : Math.max(0, initial)
}

/** Letters that stand for initials. */
const letters = 'ABCDEFGHIJKLMNOPRSTVW'
const nextLetter = (letter: string) => letters[(letters.indexOf(letter) + 1) % letters.length]!

/** Whether the job has a text as a value. */
type IsValue = (text: string) => boolean

/** What a given name and a surname become together. */
function pairFor(word: string, surname: string, names: Names, isValue: IsValue | undefined) {
  const [first, other] = [names.another(word, 'given'), surnameFor(surname, surname, names)]
  if (!isValue?.(`${first} ${other}`)) return { given: first, surname: other }
  const next = (at: string) => names.behind(fold(at), 'given')
  const isLeft = names.isLeft(word, 'given')
  const walk = { word, first, next, isLeft, both, isValue, valueWith: (at: string) => `${at} ${surname}` }
  const made = freeName({ ...walk, surrogateWith: at => `${at} ${other}` })
  return { given: made?.slice(0, -other.length - 1) ?? first, surname: other }
}

/** A name as it was found, its words, and what these have become. */
type Made = { value: string; named: readonly NameWord[]; made: readonly string[]; form?: Inflected }

/** What becomes of a name that would have become another value of the job. */
function freed({ value, named, made, form }: Made, names: Names, isValue: IsValue): string | undefined {
  const n = freeWord(named)
  const { text, folded, role } = named[n]!
  const isLetter = isInitial(text)
  const texts = named.map(word => word.text)
  const write = (word: string) => inCaseOf(text, form ? form.inflect(word) : word)
  const base = form ? fold(form.base) : folded
  const other = names.roleOf(base) ?? role ?? 'given'
  return freeName({
    word: base,
    first: isLetter ? made[n]!.toUpperCase() : names.another(base, other),
    next: isLetter ? nextLetter : at => names.behind(fold(at), other),
    isLeft: !isLetter && names.isLeft(base, other),
    both: isLetter ? (one, another) => `${one}. ${another}` : both,
    valueWith: at => written(value, named, texts.with(n, write(at))),
    surrogateWith: at => written(value, named, made.with(n, write(at))),
    isValue,
  })
}

/** What the words of an address become that are a given name and a surname. */
function loginsOfPair(words: readonly string[], names: Names, isValue: IsValue): string[] | undefined {
  const named = wordsOf(words.join(' '), names)
  const [given, surname] = ['given', 'surname'].map(one => named.find(({ role }) => role === one))
  if (!given || !surname || isInitial(given.text)) return undefined
  const pair = pairFor(given.folded, surname.folded, names, isValue)
  return named.map(({ role }) => fold(pair[role!]))
}

/** The surnames of a text, and given names by their initial and surname, and by their initial alone. */
function namesIn(found: readonly string[], names: Names) {
  const givenOf = new Map<string, string>()
  const surnames = new Set<string>()
  for (const value of found) {
    const named = wordsOf(value, names)
    const surname = surnameOf(named)
    if (surname) surnames.add(surname)
    for (const { role, text, folded } of named) {
      if (role !== 'given' || isInitial(text)) continue
      for (const key of [`${folded[0]}|${surname ?? ''}`, `${folded[0]}|`])
        if (!givenOf.has(key)) givenOf.set(key, folded)
    }
  }
  return { givenOf, surnames }
}

/** Another name for one that is inflected, in the same case. */
function inflectedFor({ text, role }: NameWord, { base, inflect }: Inflected, names: Names): string {
  const folded = fold(base)
  const isSurname = (names.roleOf(folded) ?? role ?? 'surname') === 'surname'
  return inCaseOf(text, inflect(isSurname ? surnameFor(folded, base, names) : names.another(folded, 'given')))
}

/** Whether a word is what somebody has, as `Jensens`: only the name without its last letter is one. */
function isOwned(folded: string, names: Names, surnames: ReadonlySet<string>): boolean {
  const stem = folded.slice(0, -1)
  const isOne = names.isKnown(stem) || surnames.has(stem)
  return folded.endsWith('s') && folded.length > 4 && !names.isKnown(folded) && isOne
}

/**
 * Makes the replacing of persons' names. `found` are the names of the text, by which initials are resolved; `isValue` says of
 * a text whether the job has it as a value, which no name of several words becomes; where one of one word does, `tell` is called.
 */
export function createPersons(
  names: Names,
  keyed: Keyed,
  found: readonly string[],
  isValue?: IsValue,
  tell?: () => void,
): Persons {
  const { givenOf, surnames } = namesIn(found, names)

  const initialFor = (text: string, surname: string | undefined) => {
    const initial = fold(text)
    const given = givenOf.get(`${initial}|${surname ?? ''}`) ?? (surname ? undefined : givenOf.get(`${initial}|`))
    if (given) return (surname ? pairFor(given, surname, names, isValue).given : names.another(given, 'given'))[0]!
    const others = letters.replace(initial.toUpperCase(), '')
    return others[keyed.hash(`initial|${initial}`) % others.length]!
  }

  const wordFor = ({ text, folded, role }: NameWord, surname: string | undefined) => {
    if (isInitial(text)) return inCaseOf(text, initialFor(text, surname)).charAt(0)
    const owned = /^(.{2,})(['’]s|['’])$/u.exec(text)
    if (owned) return inCaseOf(owned[1]!, names.another(fold(owned[1]!), role ?? 'surname')) + owned[2]
    const stem = folded.slice(0, -1)
    if (isOwned(folded, names, surnames)) {
      const owner = names.another(stem, names.roleOf(stem) ?? 'surname')
      return inCaseOf(text, /[sxzß]$/.test(owner) ? owner : `${owner}s`)
    }
    return inCaseOf(text, role === 'surname' ? surnameFor(folded, text, names) : names.another(folded, 'given'))
  }

  const login = (word: string): string => {
    const folded = fold(word)
    if (word === '') return ''
    if (folded.length === 1) return fold(initialFor(word, undefined))
    const role = names.roleOf(folded)
    if (role || names.isKnown(folded) || surnames.has(folded))
      return fold(names.another(folded, role ?? (surnames.has(folded) ? 'surname' : 'given')))
    const rest = folded.slice(1)
    const afterInitial = rest.length > 2 && (surnames.has(rest) || names.roleOf(rest) === 'surname')
    if (afterInitial) return fold(initialFor(folded[0]!, rest)) + fold(names.another(rest, 'surname'))
    return fold(names.another(folded, 'surname'))
  }

  return {
    name(value) {
      const named = wordsOf(value, names)
      if (named.length === 0) return names.another(fold(value), 'surname')
      const surname = surnameOf(named)
      const inflected = inflectedIn(named, names)
      const made = named.map(word => {
        const form = inflected.get(word)
        return form ? inflectedFor(word, form, names) : wordFor(word, surname)
      })
      const surrogate = written(value, named, made)
      if (!isValue?.(surrogate)) return surrogate
      const form = inflected.get(named[freeWord(named)]!)
      const free =
        named.length > 1 || isInitial(named[0]!.text) ? freed({ value, named, made, form }, names, isValue) : undefined
      if (free === undefined) tell?.()
      return free ?? surrogate
    },
    login,
    logins(words) {
      const made = words.map(login)
      if (words.length !== 2 || !isValue?.(made.join(' '))) return made
      return loginsOfPair(words, names, isValue) ?? made
    },
  }
}
