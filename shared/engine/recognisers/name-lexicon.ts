import { decodeList, languages } from '../surrogates/lists/decode.ts'
import { names } from '../surrogates/lists/names.ts'
import { baseForms } from './base-forms.ts'
import { commonNames } from './common-names.ts'

/** What the lists know of a word: the languages that have it as a given name and as a surname, as bits. */
export type ListedName = { given: number; surname: number }

let known: Map<string, ListedName> | undefined

function readLists(): Map<string, ListedName> {
  const entries = new Map<string, ListedName>()
  for (const { text, masks } of decodeList(names)) {
    const [female = 0, male = 0, surname = 0] = masks
    const key = text.toLowerCase()
    const before = entries.get(key) ?? { given: 0, surname: 0 }
    entries.set(key, { given: before.given | female | male, surname: before.surname | surname })
  }
  return entries
}

/** The bit of a language of the lists; 0 where they have none of it. */
export const bitOf = (language: string | undefined): number => {
  const at = language === undefined ? -1 : languages.indexOf(language)
  return at < 0 ? 0 : 1 << at
}

/**
 * What the lists know of a word in lower case, which may be inflected where the language inflects names. They are read
 * when they are first asked.
 */
export function listedName(word: string, language: string | undefined): ListedName | undefined {
  known ??= readLists()
  const own = known.get(word)
  const bit = bitOf(language)
  if (own && (own.given | own.surname) & bit) return own
  for (const base of baseForms(word, language)) {
    const { given = 0, surname = 0 } = known.get(base) ?? {}
    if ((given | surname) & bit) return { given: given & bit, surname: surname & bit }
  }
  return own
}

/** Whether a word in lower case is a common one of a language as well; of any, where the language is not known. */
export function isCommonName(word: string, language: string | undefined): boolean {
  const own = commonNames.get(language ?? '')
  return own ? own.has(word) : [...commonNames.values()].some(words => words.has(word))
}

/** Whether a word in lower case is a name of some list, and no common word of any language. */
export const isOnlyName = (word: string): boolean =>
  listedName(word, undefined) !== undefined && !isCommonName(word, undefined)
