import { buildSearch, shortestSought } from '../../../verify/search.ts'
import { unaccented } from '../text/normalise-text.ts'

/** A text as values are looked for in it across others: letters and signs, without accents, case, blanks and hyphens. */
const folded = (text: string): string =>
  unaccented(text)
    .toLowerCase()
    .replace(/[\s\p{Cf}\p{Cc}-]/gu, '')

/** Where a value stands in texts that follow each other: from the text that it begins in to the one that it ends in. */
type Stretch = { from: number; to: number }

/**
 * Tells which of some texts, by their numbers, hold a part of one of `values` each, read one after the other. A value of a few
 * letters counts where it begins and ends with texts: elsewhere it stands by chance.
 */
export const partsOfValues = (values: Iterable<string>): ((texts: readonly string[]) => Set<number>) => {
  let standing: ((whole: string) => string[]) | undefined
  return texts => {
    const parted = new Set<number>()
    if (texts.length < 2) return parted
    standing ??= searchFor(values)
    const parts = texts.map(folded)
    const whole = parts.join('')
    const stretchAt = placing(parts)
    for (const value of standing(whole))
      for (let at = whole.indexOf(value); at >= 0; at = whole.indexOf(value, at + 1)) {
        const { from, to } = stretchAt(at, at + value.length, value.length < shortestSought)
        for (let text = from; from < to && text <= to; text++) parted.add(text)
      }
    return parted
  }
}

/** Tells which of some values stand in a text. */
const searchFor = (values: Iterable<string>) => {
  const sought = [...new Set(Array.from(values, folded))]
  const patterns = sought.map((text, value) => ({ bytes: Buffer.from(text), value }))
  const search = buildSearch(patterns)
  const short = sought.filter((text, i) => text.length > 1 && patterns[i]!.bytes.length < shortestSought)
  return (whole: string): string[] => {
    const found = new Set<number>()
    search.run(Buffer.from(whole), value => {
      found.add(value)
      return undefined
    })
    return [...Array.from(found, value => sought[value]!), ...short.filter(text => whole.includes(text))]
  }
}

/** Tells in which of some texts, one behind the other, a stretch begins and ends; none of one that must fit and does not. */
const placing = (parts: readonly string[]) => {
  let length = 0
  const starts = parts.map(part => {
    length += part.length
    return length - part.length
  })
  const textAt = (at: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle
    }
    return low
  }
  return (start: number, end: number, mustFit: boolean): Stretch => {
    const [from, to] = [textAt(start), textAt(end - 1)]
    const fits = starts[from] === start && starts[to]! + parts[to]!.length === end
    return mustFit && !fits ? { from, to: from } : { from, to }
  }
}
