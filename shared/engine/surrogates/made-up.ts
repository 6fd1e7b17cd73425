import type { Keyed } from './keyed.ts'
import { fold } from './spelling.ts'
import { difference, similar, widthOf } from './width.ts'

const vowels = 'aeiouyäöüéèêáàâíóôúåæøőűýąęãõîıаеиоуыэюяёαεηιουωάέήίόύώ'

const isWord = /^[\p{L}\p{M}]{4,11}$/u
const form = new RegExp(
  `^([^${vowels}]{0,3}[${vowels}]{1,2})([^${vowels}]{1,2}[${vowels}])?.*?([^${vowels}]{1,2}[${vowels}][^${vowels}]{0,3})$`,
  'iu',
)

/** The parts that words are made of, and in how many words each is: how they begin, go on and end. */
export function partsOf(words: Iterable<string>): Map<string, number>[] {
  const parts = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  for (const name of words) {
    if (!isWord.test(name) || /\p{Ll}\p{Lu}/u.test(name)) continue
    const [, ...found] = form.exec(name) ?? []
    for (const [index, part] of found.entries()) {
      const own = part?.toLowerCase()
      if (own) parts[index]!.set(own, (parts[index]!.get(own) ?? 0) + 1)
    }
  }
  return parts
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Consonants and vowels of parts as they are compared. In a word of such parts each can be told. */
const clear = [/^C{0,3}V{1,2}$/, /^C{1,2}V$/, /^C{1,2}VC{0,3}$/]
const letterKind = (letter: string) => (vowels.includes(letter) ? 'V' : 'C')
const isClear = (folded: string, index: number) =>
  clear[index]!.test([...folded].map(letterKind).join('')) && !/^[ьъ]/.test(folded)
/** A Greek word has one accent. */
const withOneAccent = (name: string) =>
  name.replace(/[άέήίόύώ](?=.*[άέήίόύώ])/gu, letter => letter.normalize('NFD')[0]!)

/** Parts of a list by how they are compared, without those of few words where the others are enough. */
function partsOfList(words: ReadonlyMap<string, string>): Map<string, string>[] {
  const counted = partsOf(words.values())
  const inSome = (times: number) =>
    counted.map((parts, index) => {
      const common = [...parts].filter(([part, count]) => count >= times && isClear(fold(part), index))
      return new Map(common.map(([part]) => [fold(part), part]))
    })
  const isEnough = ([begins, , ends]: Map<string, string>[]) => begins!.size * ends!.size > words.size * draws
  return [inSome(3), inSome(2)].find(isEnough) ?? inSome(1)
}

/** Words of which the one of the closest width is taken, and draws for each number of parts. */
const [enough, draws] = [12, 40]

/** The lists of words, by purpose; each holds texts by how they are compared. */
export type Lists = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The parts of a list, in each order that words are made of them, and the places of its words. */
function makingOf(words: ReadonlyMap<string, string>) {
  const own = partsOfList(words)
  const orders = [
    [0, 2],
    [0, 1, 2],
    [0, 1, 1, 2],
  ].map(order => {
    const parts = order.map(index => [...own[index]!.entries()])
    return { order, parts, size: parts.reduce((size, { length }) => size * length, 1) }
  })
  return { own, orders, places: new Map([...words.keys()].map((word, place) => [word, place])) }
}

/** What words are made of, for each list. */
export const makingsOf = (lists: Lists) =>
  new Map([...lists].map(([purpose, words]) => [purpose, makingOf(words)] as const))

type Makings = ReturnType<typeof makingsOf>

/**
 * Makes up words for those of lists, of two to four parts of others of the same list: a word that isn't in a list gets one as well.
 * A permutation makes a word of a number, and each word of a list has its own numbers; what several lists could make is one's
 * of them. So no two words of lists get the same, in whatever list they are.
 */
export function createMadeUp(makings: Makings, keyed: Keyed, isFree: (name: string) => boolean) {
  const isOwn = (purpose: string, order: readonly number[], folded: readonly string[]) => {
    const able = [...makings].filter(([, { own }]) => order.every((index, n) => own[index]!.has(folded[n]!)))
    let sum = 0
    for (const letter of folded.join('')) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521
    return able[sum % able.length]![0] === purpose
  }
  return (purpose: string, word: string): string | undefined => {
    const { orders, places } = makings.get(purpose)!
    const place = places.get(word)
    const width = widthOf(word)
    let closest: { name: string; unlike: number } | undefined
    let found = 0
    for (let draw = 0; draw < draws * orders.length && found < enough; draw++) {
      const { order, parts, size } = orders[draw % orders.length]!
      const from = place ?? keyed.hash(`made up|${purpose}|${draw}|${word}`) % size
      const number = place === undefined ? from : from + places.size * Math.floor(draw / orders.length)
      // Of no parts there is no number.
      if (!(number < size)) continue
      let rest = keyed.permute(number, size, `made up|${purpose}|${order.length}`)
      const drawn = parts.map(entries => {
        const entry = entries[rest % entries.length]!
        rest = Math.floor(rest / entries.length)
        return entry
      })
      const name = capital(withOneAccent(drawn.map(([, text]) => text).join('')))
      const folded = drawn.map(([part]) => part)
      const unlike = difference(widthOf(folded.join('')), width)
      if (closest && unlike >= closest.unlike) continue
      if (!isOwn(purpose, order, folded) || !isFree(name)) continue
      closest = { name, unlike }
      found++
      if (unlike <= similar) break
    }
    return closest?.name
  }
}
