import { createSecretKey } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'
import { decodeList, decodeTowns, languages, type Town } from '../../../shared/engine/surrogates/lists/decode.ts'
import { streets } from '../../../shared/engine/surrogates/lists/streets.ts'
import { towns } from '../../../shared/engine/surrogates/lists/towns.ts'
import { postcodeForms } from '../../../shared/engine/surrogates/postcodes.ts'
import { fold } from '../../../shared/engine/surrogates/spelling.ts'

const listed = decodeTowns(towns)
const plain = (code: string) => code.replace(/[^0-9A-Z]/g, '')

async function maker(options: { byte?: number; locale?: string; found?: string[] } = {}) {
  const { byte = 7, locale, found = [] } = options
  const key = createSecretKey(Buffer.alloc(32, byte))
  const { load, make } = createSurrogates({ key, options: { locale }, found })
  await load(['LOCATION', 'ADDRESS'])
  return make
}

let make: Awaited<ReturnType<typeof maker>>
beforeAll(async () => {
  make = await maker()
})

/** The town of a country that has a name and a postcode, which may be written with more than the list has. */
const townWith = (country: string, name: string, code: string): Town | undefined =>
  listed
    .get(country)!
    .find(
      ({ names, codes }) =>
        names.some(one => fold(one) === fold(name)) && codes.some(one => plain(code).startsWith(one)),
    )

test.each([
  ['DE', 'Musterstraße 12, 80331 München, Germany', /^\S+straße \d+, (?<code>\d{5}) (?<town>.+), Germany$/],
  ['DE', 'Musterstraße 12 80331 München', /^\S+straße \d+ (?<code>\d{5}) (?<town>.+)$/],
  ['DE', 'D-80331 München', /^D-(?<code>\d{5}) (?<town>.+)$/],
  ['AT', 'Ringstraße 3\n1010 Wien\nÖsterreich', /^\S+straße \d\n(?<code>\d{4}) (?<town>.+)\nÖsterreich$/],
  ['CH', 'Bahnhofstrasse 1, 8001 Zürich', /^\S+strasse \d, (?<code>\d{4}) (?<town>.+)$/],
  ['FR', '12 rue de Rivoli, 75001 Paris', /^\d\d rue .+, (?<code>\d{5}) (?<town>.+)$/],
  ['IT', 'Via Roma 1, 20121 Milano MI, Italia', /^Via .+ \d, (?<code>\d{5}) (?<town>.+) (?<region>[A-Z]{2}), Italia$/],
  ['ES', 'Calle Mayor 5, 28013 Madrid, España', /^Calle .+ \d, (?<code>\d{5}) (?<town>.+), España$/],
  ['PT', 'Rua Augusta 100, 1100-053 Lisboa', /^Rua .+ \d{3}, (?<code>\d{4}-\d{3}) (?<town>.+)$/],
  ['NL', 'Keizersgracht 100, 1015 AA Amsterdam', /^\S+gracht \d{3}, (?<code>\d{4} [A-Z]{2}) (?<town>.+)$/],
  ['PL', 'ul. Długa 5/3, 00-238 Warszawa', /^ul\. .+ \d\/\d, (?<code>\d{2}-\d{3}) (?<town>.+)$/],
  ['SE', 'Storgatan 3, 111 22 Stockholm', /^\S+gatan \d, (?<code>\d{3} \d{2}) (?<town>.+)$/],
  ['FI', 'Mannerheimintie 3, 00100 Helsinki', /^\S+tie \d, (?<code>\d{5}) (?<town>.+)$/],
  ['RO', 'Strada Unirii 5, București 010011, România', /^Strada .+ \d, (?<town>.+) (?<code>\d{6}), România$/],
  ['HU', 'Kossuth Lajos utca 3, 1051 Budapest', /^.+ utca \d, (?<code>\d{4}) (?<town>.+)$/],
  ['RU', 'ул. Ленина, д. 5, Москва, 101000', /^ул\. .+, д\. \d, (?<town>.+), (?<code>\d{6})$/],
  ['GB', '221B Baker Street, London NW1 6XE', /^\d{3}B .+ Street, (?<town>.+) (?<code>[A-Z]{1,2}\d\S? \d[A-Z]{2})$/],
  [
    'GB',
    '10 High Street, London, NW1 6XE, UK',
    /^\d\d .+ Street, (?<town>.+), (?<code>[A-Z]{1,2}\d\S? \d[A-Z]{2}), UK$/,
  ],
  [
    'US',
    '1 Main Street, Mountain View, CA 94043-1234',
    /^\d .+ Street, (?<town>.+), (?<region>[A-Z]{2}) (?<code>\d{5}-\d{4})$/,
  ],
  [
    'CA',
    '100 Queen St, Toronto, ON M5H 2N2, Canada',
    /^\d{3} .+ St, (?<town>.+), (?<region>[A-Z]{2}) (?<code>[A-Z]\d[A-Z] \d[A-Z]\d), Canada$/,
  ],
])('in %s, town, postcode and region of an address become those of one town: %s', (country, address, form) => {
  const made = make('ADDRESS', address)
  const groups = form.exec(made)?.groups
  expect(groups, made).toBeDefined()
  const { town, code, region } = groups as Record<string, string>
  expect(code).toMatch(postcodeForms[country]!.form)
  const found = townWith(country, town!, code!)
  expect(found, made).toBeDefined()
  if (region) expect(found!.region).toBe(region)
  const words = address
    .match(/\p{Lu}\p{Ll}{3,}/gu)!
    .filter(word => !/^(?:Street|Calle|Strada|Germany|Österreich|España|Italia|România|Canada)$/.test(word))
  expect(words.filter(word => made.includes(word))).toEqual([])
})

const described = [...listed].filter(([country]) => country !== 'GR')

test.each(described)(
  'of %s, every town becomes another one of it, no two the same, and its postcode with it',
  async (country, entries) => {
    const local = await maker({ locale: `en-${country}` })
    const made = entries.map(({ names: [name] }) => fold(local('LOCATION', name!)))
    expect(new Set(made).size).toBe(entries.length)
    expect(made.filter((name, n) => name === fold(entries[n]!.names[0]!))).toEqual([])
    const unlike = entries.filter(({ names: [name], codes }) => {
      // Of two columns of a table, replaced apart.
      const [town, code] = [local('LOCATION', name!), local('LOCATION', codes[0]!)]
      const { form } = postcodeForms[country]!
      return form.test(codes[0]!) && !townWith(country, town, code)
    })
    // As a place by itself these are countries.
    expect(
      unlike.map(({ names: [name] }) => name).filter(name => !/^(?:Columbia|Jamaica|Luxembourg)$/.test(name!)),
    ).toEqual([])
  },
)

test('big cities of each country are in the list, also by their English names', () => {
  const cities = [
    'Berlin',
    'München',
    'Köln',
    'London',
    'Roma',
    'Zürich',
    'Paris',
    'Madrid',
    'Wien',
    'Warszawa',
    'Praha',
    'Москва',
    'Αθήνα',
    'İstanbul',
  ]
  const all = new Set([...listed.values()].flat().flatMap(({ names }) => names.map(fold)))
  expect(cities.filter(name => !all.has(fold(name)))).toEqual([])
  for (const [name, english] of [
    ['München', 'Munich'],
    ['Roma', 'Rome'],
    ['Wien', 'Vienna'],
  ])
    expect(make('LOCATION', name!)).toBe(make('LOCATION', english!))
})

test('a town agrees with itself in an address, and goes where its country is', () => {
  const [, town] = /\d{5} (.+)$/.exec(make('ADDRESS', 'Hauptstraße 12, 10115 München'))!
  expect(make('LOCATION', 'München')).toBe(town)
  expect(make('LOCATION', 'MÜNCHEN')).toBe(town!.toUpperCase())
  expect(make('LOCATION', '80331 München')).toMatch(new RegExp(`^\\d{5} ${town}$`))
  expect(make('LOCATION', 'London')).not.toBe(make('LOCATION', 'London, Canada').replace(', Canada', ''))
  expect(make('LOCATION', 'Deutschland')).not.toBe('Deutschland')
  expect(make('ADDRESS', 'Deutschland')).not.toBe('Deutschland')
})

test('a postcode by itself keeps its form; which town it has is known where one country writes it so, or by the locale', async () => {
  expect(make('LOCATION', '80331')).toMatch(/^\d{5}$/)
  expect(make('LOCATION', '80331')).not.toBe('80331')
  const german = await maker({ locale: 'de-DE' })
  expect(townWith('DE', german('LOCATION', 'München'), german('LOCATION', '80331'))).toBeDefined()
  expect(townWith('PL', make('LOCATION', 'Warszawa'), make('LOCATION', '00-238'))).toBeDefined()
  expect(make('LOCATION', 'NW1 6XE')).toMatch(/^[A-Z]{1,2}\d\S? \d[A-Z]{2}$/)
})

test('a town of the text is never made', async () => {
  const found = ['München', 'Augsburg', 'Kempten', 'Ulm', 'Passau', 'Hof', 'Bamberg', 'Coburg']
  for (let byte = 0; byte < 20; byte++) {
    const renamed = await maker({ byte, found, locale: 'de' })
    const made = found.map(name => renamed('LOCATION', name))
    expect(made.filter(name => found.includes(name))).toEqual([])
    expect(new Set(made).size).toBe(found.length)
  }
})

test('there are streets of every language', () => {
  const entries = decodeList(streets)
  const counts = languages.map((_, n) => entries.filter(({ masks }) => masks[0]! & (1 << n)).length)
  expect(Math.min(...counts)).toBeGreaterThan(80)
})

describe('odd values', () => {
  test.each([
    '',
    ' ',
    ',',
    ', ,',
    '\n',
    '12',
    '12345 ',
    '((',
    'A',
    'a-',
    '1 1 1',
    '$& $1',
    'St. $&, 80331 $1',
    '80331 '.repeat(5000),
    '1 a '.repeat(5000),
    'ß'.repeat(300),
  ])('%j is replaced without an error', value => {
    for (const label of ['LOCATION', 'ADDRESS']) expect(typeof make(label, value)).toBe('string')
  })
})
