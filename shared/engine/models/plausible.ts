import { primary } from '../detect/language.ts'
import { isMeant } from '../detect/propagation.ts'
import { bitOf, listedName } from '../recognisers/name-lexicon.ts'
import { names } from './bounds.ts'

/** Those of proper names; institutions are called by common words as well. */
const proper = new Set(['PERSON', 'LOCATION', 'ADDRESS', 'PER', 'LOC'])

/** Capitals, digits, signs of accounts, and letters of scripts that have no capitals. */
const marked = /[\p{Lu}\p{Lt}\p{Lo}\p{N}@#]/u

const isGivenName = (word: string, language: string) =>
  ((listedName(word, language)?.given ?? 0) & bitOf(language)) !== 0

/**
 * Whether what a classifier took for a name may be one. Words that are too common never are; nor, in a
 * text that has capitals, is a word without one that no list of given names has. English is written without capitals too
 * often, and read well.
 */
export function isPlausible(label: string, value: string, text: string, language: string | undefined): boolean {
  if (!names.has(label)) return true
  if (marked.test(value)) return true
  if (!isMeant(value)) return false
  if (language === undefined || primary(language) === 'en' || !proper.has(label) || !/\p{Lu}/u.test(text)) return true
  return value.split(/[^\p{L}\p{M}]+/u).some(word => isGivenName(word, primary(language)))
}
