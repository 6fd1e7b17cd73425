/**
 * How a value of a list is looked for:
 * - `word`: as whole words, in any case, whatever stands between the words (`Anna-Maria  Moser` for `anna maria moser`);
 * - `case`: as whole words in the same case, for names that are words as well;
 * - `exact`: the same characters, in the same case, inside of words too;
 * - `inflected`: as `word`, and with the usual endings of European languages;
 * - `fuzzy`: as `word`, and with one slip of the pen from five letters on, two from nine;
 * - `pattern`: a regular expression, as in a rule.
 */
export const listMatches = ['word', 'case', 'exact', 'inflected', 'fuzzy', 'pattern'] as const
export type ListMatch = (typeof listMatches)[number]

/** A value of a list, as far as finding it goes. */
export type ListEntry = { value: string; match: ListMatch }

/** What makes a value impossible to look for, or nothing. */
export function faultOfEntry({ value, match }: ListEntry): string | undefined {
  if (match === 'pattern') return undefined
  if (match === 'exact') return Array.from(value).length < 3 ? 'needs at least three characters' : undefined
  return /[\p{L}\p{N}]/u.test(value) ? undefined : 'needs a letter or a digit'
}
