import type { Found } from '../models/model.ts'
import { isGiven } from './accounts-of-names.ts'

/** Two to five words with capitals beside each other, as names are, with small words between them. */
const name =
  /(?<![\p{L}\p{M}\p{N}'’])\p{Lu}[\p{L}\p{M}'’]{0,30}\.?(?:(?:[ -]|\.|(?: \p{Ll}{1,3}){1,2} )\p{Lu}[\p{L}\p{M}'’]{1,30}){1,4}/gu
/** Initials with full stops that no word of a name stands behind. */
const dotted = /(?<![\p{L}\p{N}.])\p{Lu}\.(?:[ -]?\p{Lu}\.){1,3}(?![\p{L}\p{N}-]| \p{Lu}\p{Ll})/gu
/** Initials without them where notes are signed: alone in brackets, or at the end of a line behind a sentence or a dash. */
const bare = /(?<=[.!?):;] |[—–/] ?|\()\p{Lu}(?:\p{Ll}?\p{Lu}){1,2}(?=\)|[ \t]*(?:[\n\r]|$))/gu

/** Abbreviations that everybody knows are no initials of persons. */
const known = new Set(
  'AI AG AM AP BA BV CD CEO CFO CV DB DC DNA EDV EG EKG EMR EU FAQ GB GP HR ID IP IT KI LA MD MRT MS NA NATO NHS OK OP PC PDF PhD PIN PM PR PS QA SA SAP SE SL SMS TV UK UN US USA USB UV VAT WC WHO XL'.split(
    ' ',
  ),
)

/**
 * The initials of words beside each other that begin with a given name: of two to five of them, with and without what is small, and of the
 * first and the last.
 */
function* initialsOf(words: readonly string[]): Generator<string> {
  for (let from = 0; from < words.length; from++) {
    if (!isGiven(words[from]!.toLowerCase())) continue
    for (let to = from + 2; to <= Math.min(words.length, from + 5); to++) {
      const letters = words.slice(from, to).map(word => word[0]!)
      yield letters.join('')
      yield letters.filter(letter => /\p{Lu}/u.test(letter)).join('')
      yield letters[0]! + letters.at(-1)!
    }
  }
}

/** Initials, where the text has the name of a person that begins with those letters: `A. d. W.`, `(SB)`. */
export function initials(text: string): Found[] {
  const marks = [...text.matchAll(dotted), ...text.matchAll(bare)]
  if (marks.length === 0) return []
  const ofPersons = new Set<string>()
  for (const [whole] of text.matchAll(name))
    for (const one of initialsOf(whole.split(/[^\p{L}\p{M}'’]+/u).filter(Boolean))) ofPersons.add(one)
  return marks
    .filter(([mark]) => ofPersons.has(mark.replace(/[^\p{L}]/gu, '')) && !known.has(mark))
    .map(({ 0: mark, index }) => ({
      ...{ start: index, end: index + mark.length, label: 'PERSON', score: 0.6 },
      evidence: { by: 'pattern', pattern: 'person.initials' },
    }))
}
