import { isFormWords } from '../detect/form-words.ts'
import { isMeant } from '../detect/propagation.ts'
import type { Recogniser } from './recogniser.ts'

const word = "\\p{Lu}[\\p{L}\\p{M}'’-]{1,30}"
const town = `(?<value>${word}(?:(?: (?:am|an der|sur|de|del|della|do|da|dos|la|el|le|bei|im|ob der)){0,2} ${word}){0,3})`
/** What leads to a date behind the place of a letter. */
const date =
  '(?:den |am |le |a |li |dnia |dne |op )?(?:\\d{1,2}(?:[.]|er|º|°)? ?(?:de )?\\p{L}{3,}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{4}-\\d{2}-\\d{2})'

const lived =
  '[Bb]orn in|[Ll]iv(?:es?|ing) in|[Rr]esid(?:es?|ing) (?:in|at)|geb(?:oren|\\.) in|wohnhaft in|(?:wohnt|wohne|lebt|lebe) (?:jetzt )?in|[Nn]atural de|(?:[Nn]acid[oa]|[Vv]ive|[Rr]eside) en|[Nn]ascid[oa] em|(?:[Vv]ive|[Mm]ora) em|[Nn]at[oa] a|(?:[Vv]ive|[Aa]bita|[Rr]isiede) a|[Nn]ée? à|(?:[Hh]abite|[Vv]it|[Dd]emeurant) à|[Gg]eboren te|[Ww]oon(?:t|achtig) (?:nu )?(?:in|te)|[Uu]rodzon[ya] w|[Mm]ieszka w|[Zz]amieszkał[ya] w'
const signed =
  'Fait à|Getekend te|Zawarto w|zawarta? w|Sporządzono w|[Uu]mowę zawarto w|Hecho en|En|Firmado en|Feito em|Fatto a|Geschehen zu'

const row = (name: string, pattern: RegExp): Recogniser => ({
  name,
  label: 'LOCATION',
  pattern,
  valid: value => isMeant(value) && !isFormWords(value),
  score: 0.65,
  source: 'words that stand before places in letters, contracts and reports of eight languages',
})

/** Towns by where letters and contracts name them. */
export const places: Recogniser[] = [
  row('place.letter', new RegExp(`(?<=^|[\\n\\r][ \\t]{0,20})${town}(?=, ${date}[^\\n]{0,20}(?:$|[\\n\\r]))`, 'gu')),
  row('place.lived', new RegExp(`(?<![\\p{L}\\p{N}])(?:${lived}) ${town}(?![\\p{L}\\p{N}])`, 'gu')),
  row('place.signed', new RegExp(`(?<![\\p{L}\\p{N}])(?:${signed}) ${town}(?=,? ?${date})`, 'gu')),
]
