import type { Comparison } from './kinds.ts'
import { compactOf, nationalOf } from './numbers.ts'

/** A value as it is compared with others. */
export type Compare = (value: string) => string

/** Says how many digits the code of the country has, with which the digits of an international number begin. */
export async function phoneCodes(): Promise<(digits: string) => number> {
  const { getCountries, getCountryCallingCode } = await import('libphonenumber-js')
  const codes = new Set<string>(getCountries().map(country => getCountryCallingCode(country)))
  // All others, also those that are no country's, have three digits.
  return digits => [1, 2].find(length => codes.has(digits.slice(0, length))) ?? 3
}

/** Makes values alike that are the same one. */
export async function compareBy(comparison: Comparison): Promise<Compare> {
  if (comparison === 'number') return compactOf
  if (comparison === 'address') return value => value.toLowerCase()
  const codeLength = await phoneCodes()
  return value => nationalOf(value, codeLength)
}
