import { decodeList, languages } from './lists/decode.ts'
import { type Lists, makingsOf } from './made-up.ts'
import { fold } from './spelling.ts'

export type Known = { text: string; female: number; male: number; surname: number }

let lexicon: Map<string, Known> | undefined

/** All names of the lists, by how they are compared. Read once. */
export async function readLexicon(): Promise<Map<string, Known>> {
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
export type Group = number | 'international'

/** Where the names that stand for a name of these languages are taken from: one of them, or those that many languages have. */
export function groupOf(mask: number, wanted: number | undefined): Group {
  if (wanted !== undefined && mask & (1 << wanted)) return wanted
  if (countBits(mask & ~notLatin) >= international) return 'international'
  // English lists hold names of everywhere.
  const rest = mask & ~english || mask
  return Math.log2(rest & -rest)
}

/** Names that a pool must have. */
export const smallest = 50

export type Given = 'female' | 'male' | 'either'

/** The gender that a name has in most languages; it is neither's where it is nearly as often the other's. */
export function genderOf({ female, male }: Known): Given {
  const [women, men] = [countBits(female), countBits(male)]
  return women >= 2 * men ? 'female' : men >= 2 * women ? 'male' : 'either'
}

type Words = ReadonlyMap<string, readonly string[]>

/** The names of the lists, by what they stand for: given ones by gender and group, surnames by group. */
function wordsByPurpose(known: ReadonlyMap<string, Known>, wanted: number | undefined): Words {
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

/** The words of those lists of given names that are too small for another list to stand for. */
export function guestsOf(purpose: string, words: Words): string[] {
  const [kind, gender, group] = purpose.split('|')
  if (group !== 'international') return []
  const isSmall = ([other, { length }]: [string, readonly string[]]) =>
    other !== purpose && other.startsWith(`${kind}|${gender}|`) && length < smallest
  return [...words].filter(isSmall).flatMap(([, own]) => own)
}

/** The texts of lists, by purpose. */
function listsOf(words: Words, known: ReadonlyMap<string, Known>): Lists {
  const textsOf = (own: readonly string[]) => own.map(word => [word, known.get(word)!.text] as const)
  return new Map(
    [...words].map(([purpose, own]) => [purpose, new Map(textsOf([...own, ...guestsOf(purpose, words)]))] as const),
  )
}

/** The lists as they are used where a language is preferred, and what words are made of; both are read once. */
type Listed = { words: Words; makings(): ReturnType<typeof makingsOf> }
const listed = new Map<number | undefined, Listed>()

export function listedFor(known: ReadonlyMap<string, Known>, wanted: number | undefined): Listed {
  const before = listed.get(wanted)
  if (before) return before
  const words = wordsByPurpose(known, wanted)
  let made: ReturnType<typeof makingsOf> | undefined
  const one: Listed = { words, makings: () => (made ??= makingsOf(listsOf(words, known))) }
  listed.set(wanted, one)
  return one
}
