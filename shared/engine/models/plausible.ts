import { primary } from '../detect/language.ts'
import { isMeant } from '../detect/propagation.ts'
import { bitOf, listedName } from '../recognisers/name-lexicon.ts'
import { names } from './bounds.ts'
import { isPublicBody } from './public-bodies.ts'

/** Those of proper names; institutions are called by common words as well. */
const proper = new Set(['PERSON', 'LOCATION', 'ADDRESS', 'PER', 'LOC'])

/** Capitals, digits, signs of accounts, and letters of scripts that have no capitals. */
const marked = /[\p{Lu}\p{Lt}\p{Lo}\p{N}@#]/u

const isGivenName = (word: string, language: string) =>
  ((listedName(word, language)?.given ?? 0) & bitOf(language)) !== 0

/** Degrees and forms of address without a name. */
const title =
  /^(?:dr|prof|mr|mrs|ms|miss|mx|md|m\.d|ph\.?d|jr|sr|esq|rev|hon|sir|frau|herrn?|mme|mlle|dott|sig|sra?|dra|pan[ia]?|dhr|mevr|[uv]ds?)\.?$/iu

/** Tags of documentation and annotations in source code. */
const tag = /^@?(?:author|param|returns?|throws|deprecated|template|typedef|property|override|fixture|pytest\.\w+)$/u

/**
 * Whether what a classifier took for a name may be one. Words that are too common never are, nor are titles and tags alone, nor names
 * that all courts and ministries have; nor, in a
 * text that has capitals, is a word without one that no list of given names has. English is written without capitals too
 * often, and read well.
 */
export function isPlausible(label: string, value: string, text: string, language: string | undefined): boolean {
  if (!names.has(label)) return true
  if (label === 'PERSON' && (title.test(value) || tag.test(value))) return false
  if (label === 'ORGANIZATION' && isPublicBody(value)) return false
  if (marked.test(value)) return true
  if (!isMeant(value)) return false
  if (language === undefined || primary(language) === 'en' || !proper.has(label) || !/\p{Lu}/u.test(text)) return true
  return value.split(/[^\p{L}\p{M}]+/u).some(word => isGivenName(word, primary(language)))
}
