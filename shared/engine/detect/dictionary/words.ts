/** What a UTF-16 unit is: no part of a word, a part of one, or a word by itself (scripts without spaces). */
const kinds = new Uint8Array(0x10000)
const [part, alone] = [1, 2]
for (let unit = 0; unit < kinds.length; unit++) {
  const char = String.fromCharCode(unit)
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(char))
    kinds[unit] = alone
  else if (/[\p{L}\p{M}\p{N}\p{Cs}]/u.test(char)) kinds[unit] = part
}

/** Where the word ends that begins at `at`. */
export function endOfWord(text: string, at: number): number {
  if (kinds[text.charCodeAt(at)] === alone) return at + 1
  let end = at + 1
  while (end < text.length && kinds[text.charCodeAt(end)] === part) end++
  return end
}

/** Where the next word begins, from `at` on; the length of the text when there is none. */
export function nextWord(text: string, at: number): number {
  let next = at
  while (next < text.length && kinds[text.charCodeAt(next)] === 0) next++
  return next
}

/** Whether a word can begin or end between two units. */
export const isEdge = (text: string, at: number): boolean =>
  at <= 0 || at >= text.length || kinds[text.charCodeAt(at - 1)] !== part || kinds[text.charCodeAt(at)] !== part

/** What no value of several words goes across: another sentence, another paragraph. Lines and cells may part first and last names. */
const barrier = /[:;!?]|\n\s*\n/

/** Most units between two words of one value. */
const widest = 8

/** Whether the words on both sides of a gap may be words of one value. */
export const joins = (text: string, from: number, to: number): boolean =>
  to - from <= widest && !barrier.test(text.slice(from, to))

/** A text in lower case, each unit at its place. */
export function lowered(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, char => {
    const small = char.toLowerCase()
    return small.length === char.length ? small : char
  }).join('')
}

/** The words of a value. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (let at = nextWord(text, 0); at < text.length; ) {
    const end = endOfWord(text, at)
    words.push(text.slice(at, end))
    at = nextWord(text, end)
  }
  return words
}
