/** Classes of a word as it is written; `glued` is added if no white space precedes it. */
const classes = { none: 0, lower: 1, title: 2, upper: 3, initial: 4, mixed: 5, digits: 6, other: 7, glued: 8 } as const

/**
 * How a word is written, for a model whose vocabulary knows no case (it reads this as the token's type id). The same
 * as `casing` in the training of pii-ner 1.0.0.
 */
function casing(word: string): number {
  const letters = word.match(/[\p{Uppercase}\p{Lowercase}]/gu)
  const digits = /\p{Nd}/u.test(word)
  if (!letters) return digits && /^\p{Nd}+$/u.test(word) ? classes.digits : classes.other
  if (digits) return classes.mixed
  const upper = letters.filter(letter => /\p{Uppercase}/u.test(letter)).length
  if (upper === 0) return classes.lower
  if (upper === letters.length) return upper === 1 ? classes.initial : classes.upper
  return upper === 1 && /\p{Uppercase}/u.test(letters[0]!) ? classes.title : classes.mixed
}

const remembered = new Map<string, number>()

/** The casing feature of a word and of the character before it (undefined at the start of the text). */
export function casingFeature(word: string, previous: string | undefined): number {
  let value = remembered.get(word)
  if (value === undefined) {
    value = casing(word)
    if (remembered.size > 50_000) remembered.clear()
    remembered.set(word, value)
  }
  return previous !== undefined && !/\p{White_Space}/u.test(previous) ? value + classes.glued : value
}
