import type { Keyed } from './keyed.ts'

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The alphabet that a digit or small letter is of. */
const alphabetOf = (character: string) => (character <= '9' ? digits : letters)

/** How many texts are permuted at a time: below this, as a safe number holds so many. */
const perStep = 1e15

/** Other digits and small letters for each; the same number of either, and no two texts become the same. */
function permuteCharacters(text: string, keyed: Keyed, tweak: string): string {
  let out = ''
  for (let at = 0; at < text.length; ) {
    const begin = at
    let [value, size] = [0, 1]
    for (; at < text.length; at++) {
      const alphabet = alphabetOf(text[at]!)
      if (size * alphabet.length > perStep) break
      value = value * alphabet.length + alphabet.indexOf(text[at]!)
      size *= alphabet.length
    }
    let rest = keyed.permute(value, size, `${tweak}|${size}`, text.slice(0, begin))
    let written = ''
    for (let index = at - 1; index >= begin; index--) {
      const alphabet = alphabetOf(text[index]!)
      written = alphabet[rest % alphabet.length] + written
      rest = Math.floor(rest / alphabet.length)
    }
    out += written
  }
  return out
}

/** Other digits for a text of digits. */
export const otherDigits = (text: string, keyed: Keyed, tweak: string): string => permuteCharacters(text, keyed, tweak)

/**
 * The same shape with other letters and digits: case, separators and lengths stay. Other scripts' letters become Latin ones.
 * No two texts of ASCII become the same.
 */
export function sameShape(text: string, keyed: Keyed, tweak: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const replaced = /[0-9]|\p{L}/gu
  const small = (plain.match(replaced) ?? []).map(character => {
    const lower = character.toLowerCase()
    return /^[0-9a-z]$/.test(lower) ? lower : letters[(character.codePointAt(0)! * 7) % letters.length]!
  })
  const made = permuteCharacters(small.join(''), keyed, tweak)
  let next = 0
  return plain.replace(replaced, character => {
    const other = made[next++]!
    return character === character.toLowerCase() ? other : other.toUpperCase()
  })
}
