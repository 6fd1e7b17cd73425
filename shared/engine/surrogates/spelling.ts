/** Letters that are no letter and a mark, as people write them without. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

/** A word as it is compared: small letters without marks, so that `Aïcha` and the `aicha` of an address are one. */
export const fold = (text: string): string =>
  /^[a-zA-Z]*$/.test(text)
    ? text.toLowerCase()
    : text
        .toLowerCase()
        .normalize('NFKD')
        .replace(/\p{M}|['’]/gu, '')
        .replace(/[ßøæœđðþłı]/g, letter => plainLetters[letter]!)

/** Writes a word in the case of another: all capitals, all small, or as it is. */
export function inCaseOf(source: string, word: string): string {
  if (source.length > 1 && source === source.toUpperCase() && source !== source.toLowerCase()) return word.toUpperCase()
  return source[0] === source[0]!.toLowerCase() && source[0] !== source[0]!.toUpperCase() ? word.toLowerCase() : word
}
