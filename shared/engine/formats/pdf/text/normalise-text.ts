import { spellingOf } from '../../../detect/normalise.ts'

export { spellingOf }

/** Stands behind a hyphen at a line's end that may be part of the word or number or not: rules read it both ways. */
export const softHyphen = '\u00ad'

const plain = /^[\0-\x7f]*$/

/** A text as rules are to see it: the same word always in the same letters, however a document spells it. */
export const spelling = (text: string): string => {
  if (plain.test(text)) return text
  let spelt = ''
  for (const char of text) spelt += spellingOf(char.codePointAt(0) as number)
  return spelt.normalize('NFC')
}

/** Accents that take room of their own, as old fonts draw them over a letter, and the marks that they stand for. */
const accents = new Map(
  Object.entries({
    '`': '\u0300',
    '´': '\u0301',
    '^': '\u0302',
    ˆ: '\u0302',
    '~': '\u0303',
    '˜': '\u0303',
    '¯': '\u0304',
    '˘': '\u0306',
    '˙': '\u0307',
    '¨': '\u0308',
    '˚': '\u030a',
    '˝': '\u030b',
    ˇ: '\u030c',
    '¸': '\u0327',
    '˛': '\u0328',
  }),
)

/** The mark that an accent with room of its own stands for; undefined for all other text. */
export const markOf = (text: string): string | undefined => accents.get(text)

/** A letter with a mark as one; undefined when there is no such letter. */
export const accented = (letter: string, mark: string): string | undefined => {
  const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter
  const joined = (base + mark).normalize('NFC')
  return joined.length === 1 ? joined : undefined
}

const loose = /[\u0300-\u036f`´^ˆ~˜¯˘˙¨˚˝ˇ¸˛]/gu

/** A text without the accents of its letters: readers disagree on what belongs together. */
export const unaccented = (text: string): string =>
  plain.test(text)
    ? text
    : spelling(text).normalize('NFKD').replace(loose, '').replaceAll('ı', 'i').replaceAll('ȷ', 'j')
