import { byteScan } from './byte-scan.ts'
import { plainForms } from './encodings.ts'
import { buildSearch } from './search.ts'

/** Letters of scripts that put blanks, or signs and capitals in names of fields, between words, and no endings on names. */
const letter = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]`
const small = String.raw`[${letter}--\p{Lu}]`
/** The words of a name of a field: `book` and `Mark` in `bookMark`. */
const words = new RegExp(String.raw`[${letter}&&\p{Lu}]+${small}*|${small}+`, 'gv')
const letters = new RegExp(`^${letter}+$`, 'v')

/** Letters by which a word is longer than a value that it holds by chance, `Marketing`; `Johnsons` is a mention of `Johnson`. */
const longer = 3

/**
 * Finds the words of a name of a field that happen to hold a value as a part, `Marketing` where `Mark` was replaced: that is no
 * mention of it. Words that hold one in base64 or the like are none of them.
 */
export function chanceWords(values: readonly string[]): (name: string) => [start: number, end: number][] {
  const held = values.filter(value => letters.test(value))
  const search = buildSearch(held.flatMap((text, value) => plainForms(text).map(bytes => ({ bytes, value }))))
  const encoded = byteScan(values)
  const holdsByChance = (word: string) => {
    const bytes = Buffer.from(word)
    const found: boolean[] = []
    search.run(bytes, value => {
      found.push(word.length >= held[value]!.length + longer)
      return false
    })
    if (found.length === 0 || found.includes(false)) return false
    encoded.push(bytes)
    encoded.next()
    return encoded.found().hidden.size === 0
  }
  return name =>
    held.length === 0
      ? []
      : Array.from(name.matchAll(words), ({ index, 0: word }): [number, number] => [index, index + word.length]).filter(
          ([start, end]) => holdsByChance(name.slice(start, end)),
        )
}

/** A text with a sign that no value holds in place of some stretches, in order. */
export function without(text: string, stretches: Iterable<readonly [start: number, end: number]>): string {
  const kept: string[] = []
  let at = 0
  for (const [start, end] of stretches) {
    kept.push(text.slice(at, start))
    at = end
  }
  return [...kept, text.slice(at)].join('\u0000')
}

/** Tells of stretches of a name of a field, asked for in order, which are a part of one of its words by chance. */
export function partsByChance(name: string): (start: number, end: number) => boolean {
  const found = Array.from(name.matchAll(words), ({ index, 0: word }) => ({ from: index, to: index + word.length }))
  let at = 0
  return (start, end) => {
    while (at < found.length && found[at]!.to <= start) at++
    const { from, to } = found[at] ?? { from: start, to: start }
    return from <= start && end <= to && to - from >= end - start + longer
  }
}
