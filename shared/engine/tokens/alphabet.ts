const digits = '0123456789'
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const small = capitals.toLowerCase()

/** Alphabets by their names. */
export const alphabets = {
  digits,
  hex: `${digits}abcdef`,
  HEX: `${digits}ABCDEF`,
  letters: capitals,
  alnum: `${digits}${capitals}`,
  alnum62: `${digits}${capitals}${small}`,
} as const

/** Fewest values that format-preserving encryption may choose from (NIST SP 800-38G, revision 1). */
const LEAST_DOMAIN = 1_000_000

/** Fewest characters of an alphabet of this size that make so many values. */
export function leastLength(radix: number): number {
  let length = 1
  for (let values = radix; values < LEAST_DOMAIN; values *= radix) length++
  return length
}

/** The characters of an alphabet, in their order. */
export const charactersOf = (alphabet: string): string[] =>
  Array.from(Object.hasOwn(alphabets, alphabet) ? alphabets[alphabet as keyof typeof alphabets] : alphabet)
