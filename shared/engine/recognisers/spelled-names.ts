import type { Found } from '../models/model.ts'
import { isOnlyName } from './name-lexicon.ts'

/** Letters by themselves, one after the other, with the same between all of them: `L I N D`, `m-a-r-e-k`, `O, double T, O`. */
const letter = '(?:(?:double|doppel|doble|doppia|dubbel|deux|podwójne) ?-?)?\\p{L}\\p{M}?'
const apart = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}.'’-])${letter}(?:(?<sep>[ -]|, ?|\\. ?)${letter})(?:\\k<sep>${letter}){2,30}(?![\\p{L}\\p{M}\\p{N}-])`,
  'giu',
)
const doubled = /\p{L}{5,}[ -]{0,2}(\p{L})/gu

/** What is said before something is spelt. */
const cue =
  /(?<!\p{L})(?:spel\p{L}{0,5}|that['’]?s|letters?|buchstab\p{L}{0,7}|geschrieben|épel\p{L}{1,4}|s['’]écrit|deletre\p{L}{1,4}|se escribe|soletr\p{L}{1,5}|escreve-se|si scrive|compit\p{L}{1,4}|gespeld|literuj\p{L}{0,3}|pisan[ey]|hláskuj\p{L}{0,3}|píše se|bokstavera\p{L}{0,2}|stavas|(?:sur|last |first |family )?name|(?:nach|vor)name|apellido|cognome|sobrenome|apelido|nom|achternaam|nazwisko|příjmení|efternamn)(?!\p{L})[^.\n\r]{0,40}$/iu
const before = 70

/** Letters that go up by one, as in the alphabet or in lists. */
const isAlphabet = (word: string) =>
  Array.from(word).every((one, at, all) => at === 0 || one.charCodeAt(0) === all[at - 1]!.charCodeAt(0) + 1)

/** Names that are spelt letter by letter: those of the lists, and what is said to be spelt. */
export function spelledNames(text: string): Found[] {
  const all: Found[] = []
  for (const { 0: value, index } of text.matchAll(apart)) {
    const word = value
      .toLowerCase()
      .replace(doubled, '$1$1')
      .replace(/[^\p{L}\p{M}]/gu, '')
    if (isAlphabet(word) || (!isOnlyName(word) && !cue.test(text.slice(Math.max(0, index - before), index)))) continue
    all.push({
      ...{ start: index, end: index + value.length, label: 'PERSON', score: 0.65 },
      evidence: { by: 'pattern', pattern: 'person.spelled' },
    })
  }
  return all
}
