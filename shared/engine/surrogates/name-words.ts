import type { Names, Role } from './naming.ts'
import { fold } from './spelling.ts'

/** Titles and forms of address, which stay. */
const titles = new Set(
  `mr mrs ms miss mx sir dame lord lady dr drs prof professor rev fr hon jr sr ii iii iv phd md mba esq herr frau hr fr
  dipl ing mag univ mme mlle m monsieur madame mademoiselle maitre me docteur don dona sr sra srta sres senor senora
  signor signora sig dott dottssa avv dhr mevr mw pan pani fru froken rouva herra kyrios kyria bay bayan patient doctor`.split(
    /\s+/,
  ),
)
/** Particles of names, which stay where they are no name by themselves. */
const particles = new Set(
  `van von vom zu zum zur der den des de del della dello di da das do dos du la le les las los el al af av ten ter tot te
  in 't y e i und and et bin ibn bint ben abu ap mac st saint`.split(/\s+/),
)

const longestParticle = Math.max(...[...particles].map(({ length }) => length))

/** Whether a word, as `fold` makes it, is a title or form of address. */
export const isTitle = (folded: string): boolean => titles.has(folded)
/** Whether a word, as `fold` makes it, is a particle of names. */
export const isParticle = (folded: string): boolean => folded.length <= longestParticle && particles.has(folded)

const words = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu

/** The part of a name that is replaced, and what stands around it in the word. */
export type NameWord = { text: string; folded: string; before: number; role: Role | undefined }

/** Whether a word is one letter, which stands for a name. */
export const isInitial = (text: string): boolean => /^\p{L}\p{M}*$/u.test(text)

/** Says of each word what it is: what the lists say, or else by its place. */
function setRoles(named: NameWord[], value: string, count: number, names: Names): void {
  const comma = value.indexOf(',')
  const isLast = (word: NameWord) =>
    comma > 0 && named.length > 1 && !/^\s*(?:jr|sr|ph|md|m\.d|ii)/i.test(value.slice(comma + 1))
      ? word.before < comma
      : word === named.at(-1) || (word === named.at(-2) && value[word.before + word.text.length] === '-')
  const alone = named.length === 1 && !isInitial(named[0]!.text)
  for (const word of named) {
    const byItself = names.roleOf(word.folded)
    word.role =
      byItself ??
      (alone ? (count > 1 || !names.isKnown(word.folded) ? 'surname' : 'given') : isLast(word) ? 'surname' : 'given')
  }
}

/** The words of a name with what they are: a surname is last, or before a comma. */
export function wordsOf(value: string, names: Names): NameWord[] {
  const all = Array.from(value.matchAll(words), ([text], index): NameWord & { kept: boolean } => {
    const folded = fold(text)
    const isOne = isTitle(folded) && (text.length > 1 || value.charAt(0) === text)
    const isParticle = particles.has(folded) && (text === text.toLowerCase() || index > 0)
    return {
      text,
      folded,
      before: 0,
      role: undefined,
      kept: isOne
        ? !isInitial(text) || (folded === 'm' && index === 0 && !/^m\.?\s*\p{L}\./iu.test(value))
        : isParticle,
    }
  })
  let position = 0
  for (const word of all) {
    word.before = value.indexOf(word.text, position)
    position = word.before + word.text.length
  }
  const own = all.filter(({ kept }) => !kept)
  const named = own.length > 0 ? own : all
  setRoles(named, value, all.length, names)
  return named
}
