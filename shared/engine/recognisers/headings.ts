/** A heading as it is compared: columns of databases are often written without the accents of their language, or the dot of `i`. */
export const withoutAccents = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')

/** Words, one of which stands in a heading by itself. */
export type HeadingWords = {
  isIn(heading: string): boolean
  /** Whether the heading is nothing else. */
  isAll(heading: string): boolean
}

/** Words as the source of a regular expression; accents make no difference. */
export function headingWords(source: string): HeadingWords {
  const words = new RegExp(`(?<!\\p{L})(?:${withoutAccents(source)})(?!\\p{L})`, 'iu')
  return {
    isIn: heading => words.test(withoutAccents(heading)),
    isAll(heading) {
      const text = withoutAccents(heading)
      return words.exec(text)?.[0].length === text.length
    },
  }
}
