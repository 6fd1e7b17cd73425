import type { Reader } from '../page-reader.ts'
import { isUpright, placeOf } from './char-place.ts'
import type { Units } from './gaps.ts'

/** A letter that is written from right to left; digits never are. */
export const letterFromRight =
  /^(?!\p{N})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const mark = /^\p{M}/u

/** A letter of a word with its marks: its units, from the first to behind the last. */
type Cluster = { from: number; to: number }

/** The blocks of Unicode with ligatures of Arabic, each a character of its own. */
const blocks = [
  [0xfb50, 0xfdff],
  [0xfe70, 0xfeff],
] as const

/** What those ligatures stand for; PDFium writes it in their place, in its order. */
const named = new Set(
  blocks.flatMap(([first, last]) => numbers(first, last + 1).map(code => String.fromCharCode(code).normalize('NFKC'))),
)

/**
 * Puts letters that a font draws as one, those of a ligature, in the order in which it names them: PDFium turns these round
 * with the words that they are in. All of its characters stand behind each of them.
 */
export const orderLigatures = (reader: Reader, text: number, units: Units): void => {
  const { parts, chars, ends } = units
  let last: string | undefined
  let from = 0
  for (let at = 0; at <= parts.length; at++) {
    const isOne = at < parts.length && (chars[at] as number) >= 0 && letterFromRight.test(parts[at] as string)
    const own = isOne ? JSON.stringify(placeOf(reader, text, chars[at] as number)) : undefined
    if (own !== undefined && own === last && chars[at] !== chars[at - 1]) continue
    if (at - from > 1) {
      if (!named.has(parts.slice(from, at).join(''))) reorder(parts, from, numbers(from, at).reverse())
      ends.fill(ends[at - 1] as number, from, at)
      chars.fill(chars[from] as number, from, at)
    }
    ;[last, from] = [own, at]
  }
}

/** The words of letters that are written from right to left, each by its letters. */
const wordsOf = ({ parts, chars }: Units): Cluster[][] => {
  const words: Cluster[][] = []
  let word: Cluster[] = []
  for (let at = 0; at <= parts.length; at++) {
    const part = parts[at]
    if (part === '') continue
    const last = word.at(-1)
    // A ligature is several letters of one character.
    if (part !== undefined && last && (mark.test(part) || chars[at] === chars[last.from])) last.to = at + 1
    else if (part !== undefined && (chars[at] as number) >= 0 && letterFromRight.test(part))
      word.push({ from: at, to: at + 1 })
    else {
      if (word.length > 1) words.push(word)
      word = []
    }
  }
  return words
}

/** Whether every letter of an upright word stands to the right of the one before it. */
const isBackwards = (reader: Reader, text: number, { chars }: Units, word: readonly Cluster[]): boolean => {
  const first = chars[word[0]!.from] as number
  if (!isUpright(reader, text, first)) return false
  const places = word.map(({ from }) => placeOf(reader, text, chars[from] as number))
  return places.every((place, at) => {
    const before = places[at - 1]
    return (
      place !== undefined &&
      (at === 0 || (before !== undefined && place.left + place.right > before.left + before.right))
    )
  })
}

/**
 * Turns round words of scripts that go from right to left whose letters go to the right. Most programs write such letters in the
 * order in which they stand on the page, and PDFium turns all of them round: also those that were written in the order of reading.
 */
export const turnBackwards = (reader: Reader, text: number, units: Units): void => {
  for (const word of wordsOf(units)) {
    if (!isBackwards(reader, text, units, word)) continue
    const [from, to] = [word[0]!.from, word.at(-1)!.to]
    const letters = new Set(word.toReversed().flatMap(cluster => numbers(cluster.from, cluster.to)))
    // Units that were emptied stand between some; they come last.
    const order = [...letters, ...numbers(from, to).filter(at => !letters.has(at))]
    reorderUnits(units, from, order)
  }
}

/** Puts the units of these places one after the other, from a place on. */
export const reorderUnits = (units: Units, from: number, order: readonly number[]): void => {
  reorder(units.parts, from, order)
  reorder(units.chars, from, order)
  reorder(units.ends, from, order)
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n)
}

const reorder = <T>(list: T[], from: number, order: readonly number[]): void => {
  const entries = order.map(at => list[at] as T)
  entries.forEach((entry, n) => {
    list[from + n] = entry
  })
}
