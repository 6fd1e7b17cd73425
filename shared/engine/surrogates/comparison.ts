import type { Comparison } from './kinds.ts'
import { isParticle, isTitle } from './name-words.ts'
import { compactOf, nationalOf } from './numbers.ts'
import { fold } from './spelling.ts'

/** A value as it is compared with others. */
export type Compare = (value: string) => string

/** Says how many digits the code of the country has, with which the digits of an international number begin. */
export async function phoneCodes(): Promise<(digits: string) => number> {
  const { getCountries, getCountryCallingCode } = await import('libphonenumber-js')
  const codes = new Set<string>(getCountries().map(country => getCountryCallingCode(country)))
  // All others, also those that are no country's, have three digits.
  return digits => [1, 2].find(length => codes.has(digits.slice(0, length))) ?? 3
}

const plainTokens = /[a-z]+|[0-9]+/g
const tokens = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\p{N}+/gu

const withoutQuotes = (text: string) => (text.includes("'") ? text.replaceAll("'", '') : text)
const isLongTitle = (word: string) => word.length > 1 && isTitle(word)

/** The words and numbers of a text in order of the alphabet, without titles: `Prof. Berg, Anna` is `Anna Berg`. */
export function textOf(text: string): string {
  const found = /^[\0-\x7f]*$/.test(text)
    ? (withoutQuotes(text.toLowerCase()).match(plainTokens) ?? [])
    : (text.match(tokens) ?? []).map(fold)
  const named = found.some(isLongTitle) ? found.filter(word => !isLongTitle(word)) : found
  return (named.length > 0 ? named : found).sort().join(' ')
}

const letters = /^\p{L}/u

/** What stands for any text of a single word, so that where there is none it need not be looked for. */
export const singleWord = '='

/** What stands for a word of a longer text among texts as they are compared. */
export const wordWithin = (word: string): string => `+${word}`

/**
 * A text as it is compared, and each of its words where it has several. One with particles, as `von Berg`, counts as the one
 * without them too.
 */
export function textAndWords(text: string): string[] {
  const whole = textOf(text)
  if (!whole.includes(' ')) return [whole, singleWord]
  const words = whole.split(' ')
  const parts = words.filter(word => letters.test(word)).map(wordWithin)
  if (!words.some(isParticle)) return [whole, ...parts]
  const own = words.filter(word => !isParticle(word))
  return [whole, own.join(' '), ...(own.length === 1 ? [singleWord] : []), ...parts]
}

/** Makes values alike that are the same one. */
export async function compareBy(comparison: Comparison): Promise<Compare> {
  if (comparison === 'text') return textOf
  if (comparison === 'number') return compactOf
  if (comparison === 'address') return value => value.toLowerCase()
  const codeLength = await phoneCodes()
  return value => nationalOf(value, codeLength)
}
