import type { Encoding } from './tokenizer.ts'

const inWord = /[\p{L}\p{M}\p{N}]/u
const blank = /\s/

/** Scripts without blanks between words: there each piece counts as one. A run of katakana, which is mostly one name, is not cut. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

/** What ends a sentence or a part of it behind a number, and belongs to no date, number or address. */
const stop = /[.,:;]/

/**
 * The same pieces without the blanks before them, in words that end at punctuation: a tokenizer that marks blanks
 * (SentencePiece) puts them into its pieces, and calls `(Kowalski),` one word. Of pieces such as `2019.`, the stop is left out.
 */
export function separated(text: string, { ids, starts: from, ends: until, words: before }: Encoding): Encoding {
  const starts = new Uint32Array(from.length)
  const ends = until.map((end, i) => (endsInStop(text, from[i]!, end) ? end - 1 : end))
  const words = new Uint32Array(from.length)
  let word = -1
  for (let i = 0; i < from.length; i++) {
    let start = from[i]!
    const end = ends[i]!
    while (start < end && blank.test(text[start]!)) start++
    starts[i] = start
    if (i === 0 || before[i] !== before[i - 1] || start > from[i]! || !goesOn(text, starts, ends, i)) word++
    words[i] = word
  }
  return { ids, starts, ends, words }
}

/** Whether a piece has a stop behind a digit at its end, and nothing of the same number follows. */
const endsInStop = (text: string, start: number, end: number) =>
  end - start > 1 && stop.test(text[end - 1]!) && /\d/.test(text[end - 2]!) && !inWord.test(text[end] ?? '')

/** Whether a piece goes on with the word of the one before: behind a blank that is a piece of its own, or within letters and digits. */
function goesOn(text: string, starts: Uint32Array, ends: Uint32Array, i: number): boolean {
  const start = starts[i]!
  if (start < ends[i - 1]! || starts[i - 1] === ends[i - 1]) return true
  if (withoutBlank(text, start)) return false
  return inWord.test(characterBefore(text, start)) && inWord.test(characterAt(text, start))
}

/** Whether a place of a text is beside a letter of a script that has no blanks between words. */
export const withoutBlank = (text: string, at: number): boolean =>
  unspaced.test(characterBefore(text, at)) || unspaced.test(characterAt(text, at))

const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 32)

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.slice(at - 1, at)
}
