import { decodeList, languages } from '../../../shared/engine/surrogates/lists/decode.ts'
import { names } from '../../../shared/engine/surrogates/lists/names.ts'

/** Names of a language that are given ones or surnames only, of one word. */
export function namesOf(language: string): { given: string[]; surnames: string[] } {
  const bit = 1 << languages.indexOf(language)
  const own = decodeList(names).filter(({ text }) => /^\p{Lu}\p{Ll}{3,}$/u.test(text))
  const isGiven = ([female = 0, male = 0]: readonly number[]) => female || male
  return {
    given: own.filter(({ masks }) => ((masks[0]! | masks[1]!) & bit) !== 0 && !masks[2]).map(({ text }) => text),
    surnames: own.filter(({ masks }) => (masks[2]! & bit) !== 0 && !isGiven(masks)).map(({ text }) => text),
  }
}
