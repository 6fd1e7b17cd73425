import { byteScan } from './byte-scan.ts'
import { plainForms } from './encodings.ts'
import { buildSearch } from './search.ts'

/** Letters of scripts that put blanks, or signs and capitals in names of fields, between words, and no endings on names. */
const letters = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+`
const words = new RegExp(letters, 'gu')
const oneWord = new RegExp(`^${letters}$`, 'u')

/**
 * Finds the words of a name of a field that happen to hold a value as a part, `bookMark` where `Mark` was replaced: that is no
 * mention of it. Words that hold one in base64 or the like are none of them.
 */
export function chanceWords(values: readonly string[]): (name: string) => [start: number, end: number][] {
  const whole = new Set(values)
  const held = values.filter(value => oneWord.test(value))
  const search = buildSearch(held.flatMap((text, value) => plainForms(text).map(bytes => ({ bytes, value }))))
  const encoded = byteScan(values)
  const holdsPart = (word: string) => {
    let found = false
    const bytes = Buffer.from(word)
    search.run(bytes, () => {
      found = true
      return found
    })
    if (!found) return false
    encoded.push(bytes)
    encoded.next()
    return encoded.found().hidden.size === 0
  }
  return name =>
    held.length === 0
      ? []
      : Array.from(name.matchAll(words), ({ index, 0: word }): [number, number] => [index, index + word.length]).filter(
          ([start, end]) => {
            const word = name.slice(start, end)
            return !whole.has(word) && holdsPart(word)
          },
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

/** Whether a stretch of a name of a field is a part of one of its words, and nothing else. */
export const isPartOfWord = (name: string, start: number, end: number): boolean =>
  oneWord.test(name.slice(start, end)) &&
  ((start > 0 && oneWord.test(name[start - 1]!)) || (end < name.length && oneWord.test(name[end]!)))
