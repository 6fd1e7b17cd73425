import type { Keyed } from './keyed.ts'
import { decodeList, languages } from './lists/decode.ts'
import { type Avoid, createPool, type Pool } from './pool.ts'
import { fold } from './spelling.ts'
import { difference, similar, widthOf } from './width.ts'

/** What part of a name a word is. */
export type Role = 'given' | 'surname'

/** Another word for a word of a name; both compared as `fold` does. Always the same for the same word and role. */
export type Names = {
  /** What a word is by itself; nothing where the lists have it as both or neither. */
  roleOf(folded: string): Role | undefined
  isKnown(folded: string): boolean
  /** Whether a language's lists have it as a role; as a given name, of a gender. */
  isListed(folded: string, role: Role, language: string, gender: 'm' | 'f'): boolean
  another(folded: string, role: Role): string
}

type Known = { text: string; female: number; male: number; surname: number }

let lexicon: Map<string, Known> | undefined

/** All names of the lists, by how they are compared. Read once. */
async function readLexicon(): Promise<Map<string, Known>> {
  if (lexicon) return lexicon
  const { names } = await import('./lists/names.ts')
  const known = new Map<string, Known>()
  for (const { text, masks } of decodeList(names)) {
    const [female = 0, male = 0, surname = 0] = masks
    const key = fold(text)
    const before = known.get(key)
    if (before)
      known.set(key, {
        text,
        female: before.female | female,
        male: before.male | male,
        surname: before.surname | surname,
      })
    else known.set(key, { text, female, male, surname })
  }
  lexicon = known
  return known
}

const english = 1
const notLatin = (1 << languages.indexOf('ru')) | (1 << languages.indexOf('el'))
/** Languages from which on a name belongs to none of them. */
const international = 4

function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest; rest &= rest - 1) count++
  return count
}

/** The number of a language, or those names that many languages have. */
type Group = number | 'international'

/** Where the names that stand for a name of these languages are taken from: one of them, or those that many languages have. */
function groupOf(mask: number, wanted: number | undefined): Group {
  if (wanted !== undefined && mask & (1 << wanted)) return wanted
  if (countBits(mask & ~notLatin) >= international) return 'international'
  // English lists hold names of everywhere.
  const rest = mask & ~english || mask
  return Math.log2(rest & -rest)
}

/** Names made up, of which the one of the closest width is taken. */
const enough = 12
/** Names that a pool must have. */
const smallest = 50
/** Names whose surrogates are kept. */
const remembered = 50_000

function remembering(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>()
  return text => {
    let known = made.get(text)
    if (known === undefined) {
      known = make(text)
      if (made.size >= remembered) made.clear()
      made.set(text, known)
    }
    return known
  }
}

type Given = 'female' | 'male' | 'either'

/** The gender that a name has in most languages; it is neither's where it is nearly as often the other's. */
function genderOf({ female, male }: Known): Given {
  const [women, men] = [countBits(female), countBits(male)]
  return women >= 2 * men ? 'female' : men >= 2 * women ? 'male' : 'either'
}

/** The names of the lists, by what they stand for: given ones by gender and group, surnames by group. */
function wordsByPurpose(known: ReadonlyMap<string, Known>, wanted: number | undefined): Map<string, string[]> {
  const words = new Map<string, string[]>()
  const add = (purpose: string, word: string) => {
    const others = words.get(purpose)
    if (others) others.push(word)
    else words.set(purpose, [word])
  }
  for (const [word, one] of known) {
    const mask = one.female | one.male
    if (mask) add(`given|${genderOf(one)}|${groupOf(mask, wanted)}`, word)
    if (one.surname) add(`surname|${groupOf(one.surname, wanted)}`, word)
  }
  return words
}

const vowels = 'aeiouyäöüéèêáàâíóôúåæøőűýąęãõîıаеиоуыэюяёαεηιουωάέήίόύώ'

/** The parts that surnames of a language are made of: how they begin, go on and end. */
function partsOf(surnames: readonly string[]) {
  const isWord = /^[\p{L}\p{M}]{4,11}$/u
  const form = new RegExp(
    `^([^${vowels}]{0,3}[${vowels}]{1,2})([^${vowels}]{1,2}[${vowels}])?.*?([^${vowels}]{1,2}[${vowels}][^${vowels}]{0,3})$`,
    'iu',
  )
  const parts = [new Set<string>(), new Set<string>(), new Set<string>()] as const
  for (const name of surnames) {
    if (!isWord.test(name) || /\p{Ll}\p{Lu}/u.test(name)) continue
    const [, ...found] = form.exec(name) ?? []
    for (const [index, part] of found.entries()) if (part) parts[index]!.add(part.toLowerCase())
  }
  return parts.map(part => [...part])
}

const listedIn =
  (known: ReadonlyMap<string, Known>): Names['isListed'] =>
  (folded, role, language, gender) => {
    const { female = 0, male = 0, surname = 0 } = known.get(folded) ?? {}
    // Finnish cases are the same for both.
    const given = language === 'fi' ? female | male : gender === 'f' ? female : male
    return ((role === 'surname' ? surname : given) & (1 << languages.indexOf(language))) !== 0
  }

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * What other names stand for names, under a key. A listed name becomes a listed one of its gender and language, no two the
 * same one; a surname that no list has becomes one that no list has, made of parts of surnames. `avoid` holds names of the
 * text itself, `locale` the language whose names are preferred.
 */
export async function createNames(keyed: Keyed, locale: string | undefined, avoid: Avoid): Promise<Names> {
  const known = await readLexicon()
  const wanted = locale === undefined ? undefined : languages.indexOf(locale)
  const pools = new Map<string, Pool>()
  let words: Map<string, string[]> | undefined
  const poolOf = (purpose: string) => {
    const made = pools.get(purpose)
    if (made) return made
    words ??= wordsByPurpose(known, wanted)
    const pool = createPool(words.get(purpose) ?? [], keyed, purpose, avoid)
    pools.set(purpose, pool)
    return pool
  }
  const givenPool = (gender: Given, group: Group) => poolOf(`given|${gender}|${group}`)
  const surnamePool = (group: Group) => poolOf(`surname|${group}`)

  const parts = new Map<number, string[][]>()
  /** A surname that no list has. */
  const madeUp = (folded: string) => {
    const language = /[\u0400-\u04ff]/.test(folded) ? 16 : /[\u0370-\u03ff]/.test(folded) ? 17 : (wanted ?? 0)
    let made = parts.get(language)
    if (!made) {
      made = partsOf([...known.values()].filter(({ surname }) => surname & (1 << language)).map(({ text }) => text))
      parts.set(language, made)
    }
    const [begins = [], goesOn = [], ends = []] = made
    const width = widthOf(folded)
    let closest: { name: string; unlike: number } | undefined
    for (let draw = 1; ; draw++) {
      const number = keyed.hash(`surname|${draw}|${folded}`)
      const begin = begins[number % begins.length]!
      const middle = goesOn[Math.floor(number / begins.length) % goesOn.length]!
      const end = ends[Math.floor(number / begins.length / goesOn.length) % ends.length]!
      const name = capital(begin + middle + end)
      if (known.has(fold(name)) || avoid.has(fold(name)) || fold(name) === folded) continue
      const unlike = difference(widthOf(fold(name)), width)
      if (!closest || unlike < closest.unlike) closest = { name, unlike }
      if (draw >= enough || closest.unlike <= similar) return closest.name
    }
  }

  const given = (folded: string) => {
    const one = known.get(folded)
    const mask = one ? one.female | one.male : 0
    const gender = one && mask ? genderOf(one) : 'either'
    const pool = givenPool(gender, mask ? groupOf(mask, wanted) : (wanted ?? 'international'))
    // A pool of a few names would tell what they stand for.
    const large = pool.size >= smallest ? pool : givenPool(gender, 'international')
    return known.get(large.another(folded) ?? large.any(keyed.hash(`given|${folded}`), folded))!.text
  }
  const surname = (folded: string) => {
    const mask = known.get(folded)?.surname ?? 0
    const word = mask ? surnamePool(groupOf(mask, wanted)).another(folded) : undefined
    return word ? known.get(word)!.text : madeUp(folded)
  }
  const givenFor = remembering(given)
  const surnameFor = remembering(surname)

  return {
    isKnown: folded => known.has(folded),
    isListed: listedIn(known),
    roleOf(folded) {
      const one = known.get(folded)
      if (!one || (one.surname && (one.female || one.male))) return undefined
      return one.surname ? 'surname' : 'given'
    },
    another: (folded, role) => (role === 'given' ? givenFor(folded) : surnameFor(folded)),
  }
}
