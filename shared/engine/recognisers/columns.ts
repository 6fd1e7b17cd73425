import type { Column } from '../detect/entity-model.ts'
import { isFormWords } from '../detect/form-words.ts'
import type { Found } from '../models/model.ts'
import { withoutAccents } from './headings.ts'
import { isOnlyName } from './name-lexicon.ts'
import { phones } from './phones.ts'
import { foundIn, matchesOf, type Prepared } from './recogniser.ts'
import { isHeading, type Kind, kindOf } from './whole-cells.ts'

/** Values that must be there for their shares to count, and the shares that decide. */
const fewest = 5
const max = 0.8
const half = 0.5

/** Other columns that must say what they hold for the first row of a table to be taken for their names. */
const fewestNamed = 3

/** A whole number or a decimal as programs write them: telephone numbers and codes that begin with 0 or + are none. */
const plainNumber = /^\s*-?(?:0|[1-9]\d*)(?:[.,]\d+)?(?:[eE][+-]?\d+)?\s*$/

/** What the values of a column, taken together, say of a kind of number. */
type Verdict = 'named' | 'refuted' | 'open'

/** What is known of a column before its cells are looked at. */
export type Profile = {
  /** Its name as words, and whether they say what its cells are. */
  heading: string
  named: boolean
  /** Whether its values are plain numbers: ids, amounts, counts. */
  numeric: boolean
  /** Whether its name says that they are amounts or counts. */
  amounts: boolean
  /** What it says of a recogniser, for cells like this one, and of telephone numbers. */
  verdict(row: Prepared, cell: string): Verdict
  phones: boolean
  /** What its cells are as a whole. */
  kind?: Kind
}

const phoneHeading =
  /(?<!\p{L})(?:tel|tél|phone|mobile?|mobil|fax|cell|handy|fon|gsm|natel|whatsapp|sms|telef\p{L}*|telefon\p{L}*|movil|rufnummer|komork\p{L}*|cellulare|puh\p{L}*|tlf|msisdn)(?!\p{L})|(?:phone|telefon|handy|mobil)(?:nummer|number|nr|no)?(?!\p{L})/iu

/** Headings of what is counted, measured or paid. */
const amountHeading =
  /(?<!\p{L})(?:amounts?|prices?|costs?|fees?|qty|quantit(?:y|ies)|count|total|sum|subtotal|discount|percent(?:age)?|rate|balance|revenue|turnover|salary|pos|position|pos[. ]?n[or]|\p{L}*(?:betr[aä]ge?|preise?|summe|menge|anzahl|umsatz|gehalt|prozent|kosten|rabatt|gebühr|prijs|bedrag|aantal)|stück|saldo|importe|precio|cantidad|cant|suma|porcentaje|descuento|tasa|posición|montant|prix|quantité|qté|somme|pourcentage|remise|taux|importo|prezzo|quantità|qtà|somma|percentuale|sconto|aliquota|posizione|totaal|som|korting|tarief|positie|kwota|cena|ilość|procent|rabat|stawka|wartość|pozycja|poz|lp|valor|preço|quantidade|qtde?|soma|percentagem|porcentagem|desconto|taxa|posição)(?!\p{L})|%/iu

/** Fewest digits of a telephone number that nothing but a model of language takes for one. */
const fewestDigits = 5

const known = new WeakMap<Column, Profile>()

/** Headings of whole numbers that may tell of a time. */
const timeHeading =
  /(?<!\p{L})(?:year|jahr|año|ano|année|anno|jaar|rok|age|alter|edad|âge|età|idade|leeftijd|wiek|birth|dob)(?!\p{L})/iu

/** Words of a name that is written as one: `patientNHSNumber`, `phone_1`, `Mobile_Phone__c` (Salesforce). */
const wordsOf = (name: string) =>
  name
    .replace(/__(?:c|pc|r|s)$/, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[\s_.\d]+/g, ' ')
    .trim()

/** Whether the name of a column is one that says what its cells are, and no value. */
export const saysWhatItHolds = (name: string) => !/\d{3}/.test(name) && isHeading(wordsOf(name))

/** How languages write "number", in short. */
const sign = /(?<!\p{L})(?:n[or]|num|n[º°])(?![\p{L}\p{N}])|(?<!\p{L})n(?=°)/giu
const longestLabel = 40

/** The words of the field itself, without those that it is within: `address.city`. One that says nothing keeps the next. */
function fieldOf(name: string): string {
  const path = name.split(/\.(?=[^\s.])/).map(wordsOf)
  const telling = path.findLastIndex(word => /\p{L}{3}/u.test(word) && !/^(?:name|value|text|label)$/i.test(word))
  return path.slice(Math.max(0, telling)).join(' ')
}

/** What keys of any record are called: it says nothing of plain numbers whose form has no check digit. */
const anyKey = /(?<!\p{L})id(?!\p{L})(?! ?(?:n[or]|num|number|card)(?!\p{L}))/giu

const digitsIn = (text: string) => text.replace(/\D/g, '').length

const isWhole = (text: string) => {
  const from = text.length - text.trimStart().length
  const to = text.trimEnd().length
  return ({ start, end }: Found) => start <= from && end >= to
}

/**
 * Says it of `alike`, the values like the cell in question: numbers of as many digits where all are plain numbers. Of other
 * values only those count that have the form of the recogniser.
 */
function verdictOf(
  { row, context, own }: Prepared,
  { heading, numeric }: Pick<Profile, 'heading' | 'numeric'>,
  alike: readonly string[],
): Verdict {
  const told = numeric && !row.checksum ? heading.replace(anyKey, ' ') : heading
  const named = context !== undefined && told.search(context) >= 0
  if (!row.checksum || own?.test(heading)) return named ? 'named' : 'open'
  const found = alike.flatMap(text => {
    const whole = isWhole(text)
    return Array.from(foundIn({ row }, text, matchesOf(row, text), { misses: true })).filter(whole)
  })
  const passing = found.filter(({ evidence }) => evidence.by === 'checksum').length
  const all = numeric ? alike.length : found.length
  if (all >= fewest && passing < all * half) return 'refuted'
  return named || (passing >= fewest && passing >= alike.length * max) ? 'named' : 'open'
}

function phonesIn(heading: string, numeric: boolean, values: readonly string[]): boolean {
  if (phoneHeading.test(withoutAccents(heading))) return true
  if (numeric || values.length < fewest) return false
  return values.filter(text => phones(text).some(isWhole(text))).length >= values.length * max
}

/** The profile of a column: of its name, and of the first of its values. */
export function profileOf(column: Column): Profile {
  let profile = known.get(column)
  if (profile) return profile
  const { values } = column
  const heading = wordsOf(column.name)
  const verdicts = new Map<string, Verdict>()
  const numeric = values.length > 0 && values.filter(text => plainNumber.test(text)).length >= values.length * 0.95
  const phones = phonesIn(heading, numeric, values)
  profile = {
    heading,
    named: saysWhatItHolds(column.name),
    numeric,
    amounts: amountHeading.test(heading) && !phones,
    phones,
    kind: kindOf(fieldOf(column.name), values, () => column.beside?.map(wordsOf) ?? []),
    verdict(row, cell) {
      const digits = numeric ? digitsIn(cell) : 0
      const key = `${row.row.name} ${digits}`
      let verdict = verdicts.get(key)
      if (verdict === undefined) {
        const alike = numeric ? values.filter(text => digitsIn(text) === digits) : values
        verdict = verdictOf(row, { heading, numeric }, alike)
        verdicts.set(key, verdict)
      }
      return verdict
    },
  }
  known.set(column, profile)
  return profile
}

/** The column of a cell that stands behind a label in its row, where the column that it is in says nothing of it. */
export function labelColumn(label: string, cell: string, column: Column | undefined): Column | undefined {
  if (label.length > longestLabel || (column && profileOf(column).named)) return undefined
  if (!isFormWords(wordsOf(label).replace(sign, ''))) return undefined
  return { name: `${label.replace(/[\s:]+$/, '')}:`, values: [cell], label: true }
}

/**
 * Whether what was found in a cell may be that in its column: where most numbers of the same form fail the checksum, the few
 * that pass do so by chance; and in a column of plain numbers a form alone says nothing.
 */
export function fits(
  profile: Profile,
  cell: string,
  { evidence, label }: Found,
  verdict: Verdict | undefined,
): boolean {
  if (verdict === 'refuted') return false
  if (evidence.by === 'checksum' || verdict === 'named' || evidence.context) return true
  if (label === 'PHONE' && profile.phones) return true
  return !((profile.numeric || profile.amounts) && plainNumber.test(cell))
}

/** Whether a cell holds the name of its column, which is one that says what cells are. */
export const isOwnHeading = ({ heading }: Profile, cell: string): boolean =>
  wordsOf(cell) === heading && saysWhatItHolds(cell)

/** A heading that is cut short or no word of a sentence, as `Cotis.`, `os_kontakt` or `UPN`: names of persons are written out. */
const abbreviated =
  /^(?:\p{Lu}{2,4}|\p{L}[\p{L}\p{M}]{0,12}\.|(?=\p{Ll})[\p{Ll}\p{M}\d]+(?:[ _-][\p{Ll}\p{M}\d]+\.?)*)$/u

const areNamedBeside = ({ name, beside = [] }: Column): boolean =>
  beside.filter(one => one !== name && saysWhatItHolds(one)).length >= fewestNamed

/** Whether a cell names its column in short, in a table some of whose other columns say what they hold. */
function isAbbreviatedHeading(column: Column, cell: string): boolean {
  const name = column.name.trim()
  if (cell.trim() !== name || !abbreviated.test(name)) return false
  return !wordsOf(name).toLowerCase().split(' ').some(isOnlyName) && areNamedBeside(column)
}

const oneWord = /^\p{L}[\p{L}\p{M}]+$/u
/** A person by given name or initial and surname, in either order. */
const wholeName = /^\p{Lu}[\p{L}\p{M}'’.-]*(?:,? \p{Lu}[\p{L}\p{M}'’.-]*){1,4}$/u
/** Names that must be there, and their share, before the word above them is what these persons are. */
const fewestPersons = 2
const mostly = 0.6

/**
 * Whether a cell is the word above a column of persons that says what they are, as `Handler` or `Pupil`, in a table some of whose
 * other columns say what they hold; what is nothing but a name is none.
 */
function isRoleHeading(column: Column, cell: string): boolean {
  const name = column.name.trim()
  if (cell.trim() !== name || !oneWord.test(name) || isOnlyName(name.toLowerCase())) return false
  const values = column.values.map(value => value.trim()).filter(value => value !== '' && value !== name)
  const persons = values.filter(value => wholeName.test(value)).length
  return persons >= fewestPersons && persons >= values.length * mostly && areNamedBeside(column)
}

/** Whether a cell names its column, in short or by what its persons are, in a table that has such names. */
export const namesColumn = (column: Column, cell: string): boolean =>
  isAbbreviatedHeading(column, cell) || isRoleHeading(column, cell)

/**
 * Whether what a model of language found in a cell may be that in its column: among plain numbers it takes ids, counts and
 * codes for telephone numbers and dates.
 */
export function mayHold(column: Column, cell: string, label: string): boolean {
  const profile = profileOf(column)
  const { heading, numeric, amounts, phones } = profile
  if (isOwnHeading(profile, cell) || namesColumn(column, cell)) return false
  if (label === 'QUANTITY' || !plainNumber.test(cell)) return true
  if (amounts) return false
  if (label === 'PHONE') return phones || (!numeric && digitsIn(cell) >= fewestDigits && !/[.,]/.test(cell))
  return !numeric || ((label === 'DATE' || label === 'AGE') && timeHeading.test(heading))
}
