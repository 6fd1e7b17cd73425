import { isMeant } from '../detect/propagation.ts'
import type { Recogniser } from './recogniser.ts'

/** Forms of address before a name: what stands behind them in capitals is a name, unless it is an office. */
const courtesy = [
  'Mr|Mrs|Ms|Mx|Miss|Mister|Madam|Sir|Rev',
  'Herrn?|Frau|Fräulein',
  'Monsieur|Madame|Mademoiselle|M\\.|MM\\.|Mme|Mlle',
  '[Ss]eñor(?:a|ita)?|Sr|Sra|Srta|Don|Doña|don|doña',
  '[Ss]ignor(?:a|e|ina)?|[Ss]ig\\.(?: ?(?:ra|na))?|[Ss]ig\\.?ra|[Ss]ig\\.?na',
  '[Ss]enhor(?:a)?|Dona|dona',
  '[Dd]e [Hh]eer|[Mm]eneer|[Mm]evrouw|[Dd]hr|[Mm]evr|[Mm]w',
  '[Pp]ani[ąa]?|[Pp]anu|[Pp]anem|Pan(?= (?!Am(?:erican)?\\b|European|African|Asian|Arab|Pacific))',
].join('|')

/** Degrees and professions before a name; small words in a text too, so that a common word behind them is none. */
const academic = [
  '[Dd]octor(?:a)?|[Dd]ottor(?:e|essa)?|[Dd]o[uc]tor(?:a)?|[Dd]octeure?|[Dd]oktor',
  'D[rR]|Dra|Dott(?:\\. ?ssa)?|[Dd]ott(?:\\. ?ssa)?|dr|Pr(?=\\.)',
  '[Pp]rof(?:\\. ?ssa)?|[Pp]rofess(?:or|eur|ora|ore|oressa)|[Pp]rofesora?',
  '[Aa]vv|[Ii]ng|[Mm]aître|[Ll]ek|[Mm]gr|[Ii]nż|[Dd]rs|Dipl\\.-Ing|Mag(?=\\.)',
].join('|')

/** What leads to the name that somebody was born with. */
const birth =
  'née?|geb\\.|(?<=[,(] ?)geborene[rn]?|nata|nato|z domu|de soltera|nacid[ao]|nascid[ao]|meisjesnaam|født|född|o\\.s\\.'

const word = "\\p{Lu}[\\p{L}\\p{M}]+(?:['’]\\p{Lu}[\\p{L}\\p{M}]+)?"
const single = `(?:${word}|[DO]['’]\\p{Lu}[\\p{L}\\p{M}]+)`
/** Double names, but not those of streets: `Dr. Karl-Renner-Ring`. */
const street =
  '(?!\\S{0,40}-(?:[Ss]tr(?:\\.|aße|asse)|[Ww]eg|[Pp]latz|[Aa]llee|[Rr]ing|[Gg]asse|[Uu]fer|[Hh]of)(?!\\p{L}))'
const double = `${street}${single}(?:[-–]${single}){0,2}`
/** Small words inside of names. Those of the Romance languages (`de`, `del`) mean places as often and are left to models. */
const particle = "(?:(?:van|von|vom|zu|zur|ter|ten|der|den|di|da|dos|das|bin|al|el|’t|'t) ){0,2}"
const leading = "(?:(?:van|von|vom|zu|zur|ter|ten|’t|'t|van de|van der|van den) )?"
/** Words in capitals that begin what stands behind a name: a department, an address, the next line or sentence. */
const next =
  '(?!(?:Serv|Depart|Dept|Unidad|Unit|Sección|Correo|E-?mail|Hospital|[CK]l[ií]ni[ck]|Cent(?:ro|re|er)|Zentrum|Institut|Universi|Fa[ck]ult|Abteilung|Chef|Jefe|Tel|Fax|Calle|Stra[ßs]|Geburt|Diagnos|Termin|Datum|Patient|Pacient)|(?:The|An|And|At|By|For|Further|In|On|Of|He|She|It|They|We|This|Der|Die|Das|Und|El|La|Los|Las|En|Il|Le|Les)(?!\\p{L}))'
const initials = `(?:(?:\\p{Lu}\\. ?){1,3}${next})?`
const name = `${initials}${leading}${double}(?: ${particle}(?:\\p{Lu}\\. )?${next}${double}(?![\\p{L}\\p{M}]|[ ]?:)){0,3}`
const title = (words: string) => `(?:(?:${words})(?![\\p{L}\\p{M}])\\.?[ \\u00a0])`

const office =
  /^(?:(?:vice-?)?pr[eäé]sid|(?:prime|first|premier)|minist|chair|speaker|justice|judge|secretar|ambassador|mayor|chancellor|kanzler|bundes|direc?t|direk|doctor|doktor|professor|prof|dra?$|kolleg|colleague|richter|staatsanw|bürgermeist|landrat|juge|juez|giudice|sindaco|rector|rektor|governor|commissioner|commissaire|comisario|fiscal|hospital|klinik|clinic|universi|med$|rer$|phil$|jur$|hab$|habil)/iu

const row = (row: Pick<Recogniser, 'name' | 'pattern' | 'valid' | 'score'>): Recogniser => ({
  label: 'PERSON',
  source: 'forms of address, degrees and words for names at birth in nine languages',
  ...row,
})

const behind = (lead: string, more = '') =>
  new RegExp(`(?<![\\p{L}\\p{N}.-])(?:${lead})(?<value>${more}${name})(?![\\p{L}\\p{M}\\p{N}@])`, 'gu')
const degrees = `${title(academic)}(?:(?:med|jur|phil|rer|nat|hab|h|c)\\. ?){0,3}`

/** Names of persons behind a title, a form of address, or a word for the name at birth. */
export const names: Recogniser[] = [
  row({
    name: 'person.courtesy',
    pattern: behind(`${title(courtesy)}(?:${degrees}){0,2}`, '(?:de )?'),
    valid: value => !office.test(value),
    score: 0.75,
  }),
  row({
    name: 'person.academic',
    pattern: behind(`${degrees}(?:${degrees}){0,2}`),
    valid: value => !office.test(value) && isMeant(value),
    score: 0.75,
  }),
  row({
    name: 'person.birth-name',
    pattern: behind(`(?:${birth})(?:\\(e\\))?:?[ \\u00a0]`),
    valid: isMeant,
    score: 0.75,
  }),
]
