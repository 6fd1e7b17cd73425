import type { Keyed } from './keyed.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The codes of the first digit, and of the first letter of either case. */
const [zero, a, A] = [48, 97, 65]
/** Whether a character is a digit, by its code. */
export const isDigit = (code: number) => code >= zero && code < zero + 10
const isCapital = (code: number) => code >= A && code < A + 26
const isSmall = (code: number) => code >= a && code < a + 26

/** How many texts are permuted at a time: below this, as a safe number holds so many. */
const perStep = 1e15

/** Other digits and small letters for each; the same number of either, and no two texts become the same. */
function permuteCharacters(text: string, keyed: Keyed, tweak: string): string {
  let out = ''
  for (let at = 0; at < text.length; ) {
    const begin = at
    let [value, size] = [0, 1]
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const count = isDigit(code) ? 10 : 26
      if (size * count > perStep) break
      value = value * count + code - (isDigit(code) ? zero : a)
      size *= count
    }
    let rest = keyed.permute(value, size, `${tweak}|${size}`, text.slice(0, begin))
    const codes = new Array<number>(at - begin)
    for (let index = at - 1; index >= begin; index--) {
      const among = isDigit(text.charCodeAt(index))
      const count = among ? 10 : 26
      const above = Math.floor(rest / count)
      codes[index - begin] = rest - above * count + (among ? zero : a)
      rest = above
    }
    out += String.fromCharCode(...codes)
  }
  return out
}

/** Other digits for a text of digits. */
export const otherDigits = (text: string, keyed: Keyed, tweak: string): string => permuteCharacters(text, keyed, tweak)

/** A text with Latin letters for all letters. */
function latin(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain.replace(/(?![A-Za-z])\p{L}/gu, letter => {
    const other = letters[(letter.codePointAt(0)! * 7) % letters.length]!
    return letter === letter.toLowerCase() ? other : other.toUpperCase()
  })
}

/**
 * The same shape with other letters and digits: case, separators and lengths stay. Other scripts' letters become Latin ones.
 * No two texts of ASCII become the same.
 */
export function sameShape(text: string, keyed: Keyed, tweak: string): string {
  const plain = latin(text)
  const made = permuteCharacters(plain.replace(/[^0-9A-Za-z]+/g, '').toLowerCase(), keyed, tweak)
  let [out, next] = ['', 0]
  for (let at = 0; at < plain.length; at++) {
    const code = plain.charCodeAt(at)
    if (isCapital(code)) out += String.fromCharCode(made.charCodeAt(next++) - a + A)
    else out += isDigit(code) || isSmall(code) ? made[next++] : plain[at]
  }
  return out
}
