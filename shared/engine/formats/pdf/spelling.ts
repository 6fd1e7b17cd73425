/** Signs that are not seen and carry no meaning where they stand: soft hyphens, marks of direction, joiners of words. */
const unseen = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u

/**
 * Forms that stand for other letters: ligatures, the shapes of Arabic letters, wide and narrow ones, letters of formulas,
 * radicals, spaces of all widths.
 */
const shapes =
  /[\u00a0\u2000-\u200a\u202f\u205f\u2f00-\u2fdf\u3000\ufb00-\ufdff\ufe30-\ufe4f\ufe70-\ufefc\uff01-\uffee\u{1d400}-\u{1d7ff}]/u

const hyphens = /[\u2010\u2011]/u

const known = new Map<number, string>()

const respell = (code: number): string => {
  const char = code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : String.fromCodePoint(code)
  if (unseen.test(char)) return ''
  if (hyphens.test(char)) return '-'
  return char.normalize(shapes.test(char) ? 'NFKC' : 'NFC')
}

/** One character (code point) as rules are to see it: nothing, or one or more UTF-16 units. */
export const spellingOf = (code: number): string => {
  if (code < 0x80) return String.fromCharCode(code)
  let spelt = known.get(code)
  if (spelt === undefined) {
    spelt = respell(code)
    known.set(code, spelt)
  }
  return spelt
}

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
