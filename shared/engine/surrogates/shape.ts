import type { Keyed } from './keyed.ts'

const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()

/** Digits, or letters, that are permuted at a time: as many as a safe number holds. */
const perStep: Record<string, number> = { [digits]: 15, [lower]: 10 }

/** Other characters of one alphabet for some of its characters; the same number of them, and no two alike for two inputs. */
function permuteCharacters(text: string, alphabet: string, keyed: Keyed, tweak: string): string {
  const most = perStep[alphabet]!
  let out = ''
  for (let at = 0; at < text.length; at += most) {
    const part = text.slice(at, at + most)
    let value = 0
    for (const character of part) value = value * alphabet.length + alphabet.indexOf(character)
    let made = keyed.permute(value, alphabet.length ** part.length, `${tweak}|${part.length}|${text.slice(0, at)}`)
    let written = ''
    for (let index = 0; index < part.length; index++) {
      written = alphabet[made % alphabet.length] + written
      made = Math.floor(made / alphabet.length)
    }
    out += written
  }
  return out
}

/** Other digits for a text of digits. */
export const otherDigits = (text: string, keyed: Keyed, tweak: string): string =>
  permuteCharacters(text, digits, keyed, tweak)

/**
 * The same shape with other letters and digits: case, separators and lengths stay. Other scripts' letters become Latin ones.
 * No two texts of ASCII become the same.
 */
export function sameShape(text: string, keyed: Keyed, tweak: string): string {
  const numbers = otherDigits(text.replace(/[^0-9]/g, ''), keyed, tweak)
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const letters = plain
    .replace(/[^\p{L}]/gu, '')
    .replace(/[^a-zA-Z]/gu, character => lower[(character.codePointAt(0)! * 7) % 26]!)
  const words = permuteCharacters(letters.toLowerCase(), lower, keyed, `${tweak}|${numbers}`)
  let nextDigit = 0
  let nextLetter = 0
  return plain.replace(/[0-9]|\p{L}/gu, character => {
    if (/[0-9]/.test(character)) return numbers[nextDigit++]!
    const letter = words[nextLetter++]!
    return /\p{Lu}/u.test(character) ? upper[lower.indexOf(letter)]! : letter
  })
}
