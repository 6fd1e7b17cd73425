import type { PresetPattern } from './preset.ts'

/** Letters, digits and marks between them, three at least and with a digit among the first. */
const anyNumber = String.raw`(?=[A-Z\/-]{0,8}\d)[A-Z0-9](?:[A-Z0-9]|[\/-](?=[A-Z0-9])){2,29}`

const named = String.raw`[ \t]{0,2}(?:numbers?|nummern?|num|no|nr|id)\b\.?[ \t]{0,2}[:#=]?`
const marked = String.raw`[ \t]{0,2}[:#=]`

/** What may stand between a word and its number; a word that means other things too needs it. */
const between = { needed: `(?:${named}|${marked})`, optional: `(?:${named}|${marked})?` }

/** A pattern for numbers behind the words that name them, in any case: `Case no. 12/345`, `MRN 00123`. */
export function numberAfter(
  name: string,
  words: string,
  { shape = anyNumber, unmistakable = false } = {},
): PresetPattern {
  const mark = between[unmistakable ? 'optional' : 'needed']
  return {
    name,
    group: 'direct',
    pattern: String.raw`(?<![\p{L}\p{N}])(?:${words})${mark}[ \t]{0,4}(?<redact>${shape})(?![\p{L}\p{N}])`,
    flags: 'i',
  }
}
