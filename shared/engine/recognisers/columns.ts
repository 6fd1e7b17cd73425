import type { Column } from '../detect/entity-model.ts'
import type { Found } from '../models/model.ts'
import { phones } from './phones.ts'
import { foundIn, matchesOf, type Prepared } from './recogniser.ts'
import { type Kind, kindOf } from './whole-cells.ts'

/** Values that must be there for their shares to count, and the shares that decide. */
const fewest = 5
const max = 0.8
const half = 0.5

/** A whole number or a decimal as programs write them: telephone numbers and codes that begin with 0 or + are none. */
const plainNumber = /^\s*-?(?:0|[1-9]\d*)(?:[.,]\d+)?(?:[eE][+-]?\d+)?\s*$/

/** What the values of a column, taken together, say of a kind of number. */
type Verdict = 'named' | 'refuted' | 'open'

/** What is known of a column before its cells are looked at. */
export type Profile = {
  /** Its name as words. */
  heading: string
  /** Whether its values are plain numbers: ids, amounts, counts. */
  numeric: boolean
  /** What it says of a recogniser, for cells like this one, and of telephone numbers. */
  verdict(row: Prepared, cell: string): Verdict
  phones: boolean
  /** What its cells are as a whole. */
  kind?: Kind
}

const phoneHeading =
  /(?<!\p{L})(?:tel|tél|phone|mobile?|mobil|fax|cell|handy|fon|gsm|natel|whatsapp|sms|telef\p{L}*|telefon\p{L}*|móvil|rufnummer|komórk\p{L}*|cellulare|puh\p{L}*|tlf|msisdn)(?!\p{L})|(?:phone|telefon|handy|mobil)(?:nummer|number|nr|no)?(?!\p{L})/iu

const known = new WeakMap<Column, Profile>()

/** Headings of whole numbers that may tell of a time. */
const timeHeading =
  /(?<!\p{L})(?:year|jahr|año|ano|année|anno|jaar|rok|age|alter|edad|âge|età|idade|leeftijd|wiek|birth|dob)(?!\p{L})/iu

/** Words of a name that is written as one: `patientNHSNumber`, `phone_1`. */
const wordsOf = (name: string) =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_.\d]+/g, ' ')
    .trim()

/** The words of the field itself, without those that it is within: `address.city`. One that says nothing keeps the next. */
function fieldOf(name: string): string {
  const path = name.split(/\.(?=[^\s.])/).map(wordsOf)
  const telling = path.findLastIndex(word => /\p{L}{3}/u.test(word) && !/^(?:name|value|text|label)$/i.test(word))
  return path.slice(Math.max(0, telling)).join(' ')
}

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
  { row, context }: Prepared,
  { heading, numeric }: Pick<Profile, 'heading' | 'numeric'>,
  alike: readonly string[],
): Verdict {
  const named = context !== undefined && heading.search(context) >= 0
  if (!row.checksum) return named ? 'named' : 'open'
  const told = alike.flatMap(text => {
    const whole = isWhole(text)
    return Array.from(foundIn({ row }, text, matchesOf(row, text), { misses: true })).filter(whole)
  })
  const passing = told.filter(({ evidence }) => evidence.by === 'checksum').length
  const all = numeric ? alike.length : told.length
  if (all >= fewest && passing < all * half) return 'refuted'
  return named || (passing >= fewest && passing >= alike.length * max) ? 'named' : 'open'
}

function phonesIn(heading: string, numeric: boolean, values: readonly string[]): boolean {
  if (phoneHeading.test(heading)) return true
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
  profile = {
    heading,
    numeric,
    phones: phonesIn(heading, numeric, values),
    kind: kindOf(fieldOf(column.name), values),
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
  return !(profile.numeric && plainNumber.test(cell))
}

/**
 * Whether what a model of language found in a cell may be that in its column: among plain numbers it takes ids, counts and
 * codes for telephone numbers and dates.
 */
export function mayHold(column: Column, cell: string, label: string): boolean {
  const { heading, numeric, phones } = profileOf(column)
  if (!numeric || !plainNumber.test(cell) || label === 'QUANTITY') return true
  if (label === 'PHONE') return phones
  return (label === 'DATE' || label === 'AGE') && timeHeading.test(heading)
}
