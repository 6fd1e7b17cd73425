/**
 * Headings of public tables with what each column is, by hand (public/columns.csv), the projects that publish them
 * (public/tables.csv), and values of the same shape: rows of the tables are not here. Labels as in schemas.ts and
 * schemas-unseen.ts; where it could be argued: a number that was measured or a treatment that was given in a study is `*`, as
 * are arrests, charges and what somebody votes; the code of an area is LOCATION; income of an area, and a column without any
 * value, `-`; where a file's columns are shifted, their values count.
 *
 * A shape is `a|b|c` for one of these, `0.5..9.5` for numbers in between, `serial 7 3` for numbers from 7 by about 3,
 * `#AA-999` for letters and digits, `~DD.MM.YYYY` for a date (`~B~` of birth), `@given` and the like for what is made here.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

export type PublicTable = {
  name: string
  project: string
  /**
   * Of the first tables, a hash of the name says which half was looked at while the words were chosen (`development`) and which
   * was scored before it was looked at (`held-out`); the `later` ones were found and scored after that.
   */
  set: 'development' | 'held-out' | 'later'
  columns: { name: string; gold: string; values: string[] }[]
}

const hash = (...parts: (string | number)[]) => createHash('sha256').update(parts.join('\u0000')).digest()

/** Random numbers below a limit, the same each time for a seed. */
function dice(seed: string) {
  let n = 0
  return (limit: number) => hash(seed, n++).readUInt32BE() % limit
}

type Dice = ReturnType<typeof dice>
const oneOf = <T>(roll: Dice, list: readonly T[]): T => list[roll(list.length)]!

const given =
  'Anna Peter María Julia Thomas Sophie Luis Laura Jean Emma Marco Robert Olivia Erik Fatima David Helen Nancy'
const family =
  'Schneider Hansen Kowalski Rossi Martin Davolio Fuller Silva Novak Weber Jansen Dubois García Okafor Murphy Nguyen'
const cities =
  'Berlin London Seattle Lyon Graz Madrid Porto Bologna Utrecht Denver Chicago Boston Marseille Salzburg Birmingham Rochester'
const streets = ['Main Street', 'Oak Avenue', 'Church Road', 'Mill Lane', 'W. 6th St.', 'Liberty Drive', 'Elm Close']
const companies = [
  'Nordwind GmbH',
  'Tailspin Toys Inc.',
  'City Police Department',
  'St. Mary Hospital',
  'Harbour Trust',
  'Acme Ltd',
  'Lakeside Community Center',
  'Blue Cross Society',
]
const notes = [
  'Customer called about the delayed delivery and asks for a refund',
  'Please leave the parcel with the neighbour on the second floor',
  'The service was fine, but your products are too expensive for us',
]
const word = (list: string) => (roll: Dice) => oneOf(roll, list.split(' '))
const [first, last, city] = [word(given), word(family), word(cities)]
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
const digits = (roll: Dice, length: number) => Array.from({ length }, () => roll(10))
const checkDigit = (body: readonly number[], weights: readonly number[]) => {
  const rest = body.reduce((sum, digit, n) => sum + digit * weights[n]!, 0) % 11
  return rest < 2 ? 0 : 11 - rest
}

/** Digits with the two check digits of Brazil's numbers of persons and companies. */
function checked(roll: Dice, length: number, weights: readonly number[]) {
  const body = digits(roll, length)
  body.push(checkDigit(body, weights.slice(1)))
  body.push(checkDigit(body, weights))
  return body.join('')
}

const makers: Readonly<Record<string, (roll: Dice) => string>> = {
  given: first,
  family: last,
  full: roll => `${first(roll)} ${last(roll)}`,
  turned: roll => `${last(roll)}, ${first(roll)}`,
  mail: roll => `${plain(first(roll))}.${plain(last(roll))}${roll(90)}@example.org`,
  login: roll => `${plain(first(roll))}${plain(last(roll))}${roll(90)}`,
  handle: roll => `@${first(roll)}${last(roll)}${roll(90)}`,
  city,
  postcity: roll => `${10_000 + roll(80_000)} ${city(roll)}`,
  tract: roll => `Census Tract ${roll(9000) / 100}`,
  street: roll => `${1 + roll(900)} ${oneOf(roll, streets)}`,
  streetname: roll => oneOf(roll, streets),
  company: roll => oneOf(roll, companies),
  note: roll => oneOf(roll, notes),
  url: roll => `https://www.example.org/${plain(last(roll))}${roll(90)}.jpg`,
  site: roll => `www.${plain(last(roll))}${roll(90)}.example.org`,
  path: roll => `/es/directory/${plain(last(roll))}-${roll(90)}`,
  cpf: roll => checked(roll, 9, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]).replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4'),
  cnpj: roll =>
    checked(roll, 12, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]).replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5'),
}

const padded = (n: number) => String(n).padStart(2, '0')

/** A date as `form` has it: of birth, or of the years since 1990. */
function dated(roll: Dice, form: string, ofBirth: boolean) {
  const year = ofBirth ? 1930 + roll(70) : 1990 + roll(33)
  const [month, day] = [1 + roll(12), 1 + roll(28)]
  const parts: Readonly<Record<string, string>> = {
    YYYY: String(year),
    YY: padded(year % 100),
    MM: padded(month),
    M: String(month),
    DD: padded(day),
    D: String(day),
    hh: padded(roll(24)),
    mm: padded(roll(60)),
    ss: padded(roll(60)),
  }
  return form.replace(/YYYY|YY|MM|DD|hh|mm|ss|(?<![A-Za-z])[MD](?![A-Za-z])/g, part => parts[part]!)
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const patterned = (roll: Dice, form: string) =>
  form.replace(/[9Aa]/g, sign =>
    sign === '9' ? String(roll(10)) : sign === 'a' ? letters[roll(26)]! : letters[roll(26)]!.toUpperCase(),
  )

function between(roll: Dice, from: string, to: string) {
  const places = from.split('.')[1]?.length ?? 0
  return (Number(from) + (roll(1_000_000) / 1_000_000) * (Number(to) - Number(from))).toFixed(places)
}

/** A value of a shape; `row` counts from 0. */
function makeValue(shape: string, row: number, roll: Dice): string {
  const made = /^@(\w+)(?:\/(lower|upper))?$/.exec(shape)
  if (made) {
    const text = makers[made[1]!]!(roll)
    return made[2] === 'lower' ? text.toLowerCase() : made[2] === 'upper' ? text.toUpperCase() : text
  }
  if (shape.startsWith('#')) return patterned(roll, oneOf(roll, shape.slice(1).split('|')))
  const [, ofBirth, dates] = /^~(B~)?(.*)$/.exec(shape) ?? []
  if (dates) return dated(roll, oneOf(roll, dates.split('|')), ofBirth !== undefined)
  const range = /^(-?[\d.]*\d)\.\.(-?\d[\d.]*)$/.exec(shape)
  if (range) return between(roll, range[1]!, range[2]!)
  const serial = /^serial (\d+) (\d+)$/.exec(shape)
  if (serial) return String(Number(serial[1]) + row * Number(serial[2]))
  return oneOf(roll, shape.split('|'))
}

const folder = join(import.meta.dirname, 'public')
const rowsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(join(folder, file)), { columns: true, skip_empty_lines: true })

/** The public tables, with values of the same form as theirs. */
export function readPublicTables(): PublicTable[] {
  const columns = Map.groupBy(rowsOf('columns.csv'), ({ table }) => table!)
  return rowsOf('tables.csv').map(({ table, project, set }) => ({
    name: table!,
    project: project!,
    set: set as PublicTable['set'],
    columns: columns.get(table!)!.map(({ heading, label, values: count, shape }, n) => {
      const roll = dice(`${table} ${n}`)
      const values = Array.from({ length: Number(count) }, (_, row) => makeValue(shape!, row, roll))
      return { name: heading!, gold: label!, values }
    }),
  }))
}
