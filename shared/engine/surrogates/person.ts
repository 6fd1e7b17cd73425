import { type Inflected, inflectedWords } from './inflection.ts'
import type { Keyed } from './keyed.ts'
import { isInitial, type NameWord, wordsOf } from './name-words.ts'
import type { Names } from './names.ts'
import { fold, inCaseOf } from './spelling.ts'

/** Endings of women's surnames, and what stands for them in those of men, of which the lists are. */
const feminine: [RegExp, string, RegExp, string][] = [
  [/(ов|ев|ёв|ин|ын)а$/u, '$1', /(ов|ев|ёв|ин|ын)$/u, '$1а'],
  [/(ск|цк)ая$/u, '$1ий', /(ск|цк)ий$/u, '$1ая'],
  [/(s|c|dz)ka$/u, '$1ki', /(s|c|dz)ki$/u, '$1ka'],
  [/ová$/u, '', /(?<=[^aeiouyáéíóúý])$/u, 'ová'],
  [/(η|α)$/u, '$1ς', /(η|α|ή|ά)ς$/u, '$1'],
]

/** How names of persons are replaced, and local parts of addresses that hold them. */
export type Persons = {
  /** A name, word by word. */
  name(value: string): string
  /** A single word of small letters that may hold a name, as addresses have it: `mjensen`, `anna`. */
  login(word: string): string
}

const surnameOf = (named: readonly NameWord[]) =>
  named.findLast(({ role, text }) => role === 'surname' && !isInitial(text))?.folded

/** The surname of men for that of a woman, where it is known, and what makes one of women of another. */
function feminineOf(text: string, names: Names) {
  const plain = text.toLowerCase()
  for (const [ending, stem, target, added] of feminine) {
    if (!ending.test(plain)) continue
    const man = fold(plain.replace(ending, stem))
    if (names.isKnown(man)) return { man, make: (name: string) => name.replace(target, added) }
  }
  return undefined
}

/** Another surname, that of a woman where it was one. */
function surnameFor(folded: string, text: string, names: Names): string {
  const woman = feminineOf(text, names)
  return woman ? woman.make(names.another(woman.man, 'surname')) : names.another(folded, 'surname')
}

/** The words of a name that are in another case than the nominative. */
const inflectedIn = (named: readonly NameWord[], names: Names) =>
  inflectedWords(named, names, (name, role, language, gender) => {
    if (names.isListed(fold(name), role, language, gender)) return true
    const woman = role === 'surname' && gender === 'f' ? feminineOf(name, names) : undefined
    return woman !== undefined && names.isListed(woman.man, 'surname', language, 'm')
  })

/** Makes the replacing of persons' names. `found` are the names of the text, by which initials are resolved. */
export function createPersons(names: Names, keyed: Keyed, found: readonly string[]): Persons {
  /** Given names seen with a surname and with an initial, for the initials that stand for them. */
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

  const letters = 'ABCDEFGHIJKLMNOPRSTVW'
  const initialFor = (text: string, surname: string | undefined) => {
    const initial = fold(text)
    const given = givenOf.get(`${initial}|${surname ?? ''}`) ?? (surname ? undefined : givenOf.get(`${initial}|`))
    if (given) return names.another(given, 'given')[0]!
    const others = letters.replace(initial.toUpperCase(), '')
    return others[keyed.hash(`initial|${initial}`) % others.length]!
  }

  /** Another name for one that is inflected, in the same case. */
  const inflectedFor = ({ text, role }: NameWord, { base, inflect }: Inflected) => {
    const folded = fold(base)
    const isSurname = (names.roleOf(folded) ?? role ?? 'surname') === 'surname'
    return inCaseOf(text, inflect(isSurname ? surnameFor(folded, base, names) : names.another(folded, 'given')))
  }

  const wordFor = ({ text, folded, role }: NameWord, surname: string | undefined) => {
    if (isInitial(text)) return inCaseOf(text, initialFor(text, surname)).charAt(0)
    const owned = /^(.{2,})(['’]s|['’])$/u.exec(text)
    if (owned) return inCaseOf(owned[1]!, names.another(fold(owned[1]!), role ?? 'surname')) + owned[2]
    // `Jensens` is what Jensen has, where only the name without its last letter is one.
    const stem = folded.slice(0, -1)
    if (
      folded.endsWith('s') &&
      folded.length > 4 &&
      !names.isKnown(folded) &&
      (names.isKnown(stem) || surnames.has(stem))
    ) {
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
      let out = ''
      let at = 0
      for (const word of named) {
        const form = inflected.get(word)
        out += value.slice(at, word.before) + (form ? inflectedFor(word, form) : wordFor(word, surname))
        at = word.before + word.text.length
      }
      return out + value.slice(at)
    },
    login,
  }
}
