import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { validators } from '../../../shared/engine/detect/validators.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { splitAsset } from '../../../shared/engine/split.ts'
import { call } from '../call.ts'

const rule: PlannedRule = {
  ruleId: 'patterns',
  name: 'patterns',
  detection: { type: 'AIMODEL', modelId: 'pii-patterns', modelVersion: '1.0.0', confidenceThreshold: 0.5 },
  replacement: { text: '[{{label}}]' },
}
const models = modelLoader([patternSource])

async function run(name: string, bytes: Uint8Array, more: Partial<Parameters<typeof call>[0]> = {}) {
  const result = await anonymise(
    call({ input: bufferInput(name, bytes), rules: [rule], assetType: 'TABLE', models, ...more }),
  )
  return { ...result, bytes: Buffer.from(await result.output.read(0, result.output.size)) }
}

/** The table that is left of one with these columns, as CSV: row after row. */
async function csv(columns: Record<string, readonly (string | number)[]>): Promise<string[][]> {
  const names = Object.keys(columns)
  const rows = Object.values(columns)[0]!.map((_, row) => names.map(name => columns[name]![row]).join(','))
  const { bytes } = await run('table.csv', Buffer.from([names.join(','), ...rows, ''].join('\n')))
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => line.split(','))
}
const count = (length: number, make: (n: number) => string | number) => Array.from({ length }, (_, n) => make(n))
const columnOf = (rows: string[][], name: string) => rows.slice(1).map(row => row[rows[0]!.indexOf(name)])

/** Numbers in steps, with those that pass a check, or all that fail it. */
const numbers = (from: number, step: number, length: number, passes?: (text: string) => boolean) => {
  const found: string[] = []
  for (let value = from; found.length < length; value += step)
    if (!passes || passes(String(value))) found.push(String(value))
  return found
}

test('ids, amounts, times and counts are left alone, whatever checksums some of them pass', async () => {
  const columns = {
    id: count(60, n => 1001 + n),
    order: numbers(4000000000000000, 37, 60),
    customer: numbers(100000000, 104729, 60),
    reference: numbers(4000000000, 7919, 60),
    amount: count(60, n => (1234567.89 + n * 1001.37).toFixed(2)),
    visit_id: numbers(40000000, 104729, 60),
    created: count(60, n => 1700000000 + n * 3600),
    millis: count(60, n => 1700000000000 + n * 86_400_000),
  }
  const rows = await csv(columns)
  for (const [name, values] of Object.entries(columns)) expect(columnOf(rows, name)).toEqual(values.map(String))
})

test('what a column is called says what its cells are', async () => {
  const rows = await csv({
    phone: count(9, n => 612345670 + n),
    mobileNumber: count(9, n => `4915123456${n}89`),
    NHS_number: numbers(4000000000, 7919, 9, validators.nhs),
    rating: count(9, n => 612345670 + n),
  })
  expect(columnOf(rows, 'phone')).toEqual(Array(9).fill('[PHONE]'))
  expect(columnOf(rows, 'mobileNumber')).toEqual(Array(9).fill('[PHONE]'))
  expect(columnOf(rows, 'NHS_number')).toEqual(Array(9).fill('[HEALTH_ID]'))
  expect(columnOf(rows, 'rating')).toEqual(count(9, n => String(612345670 + n)))
})

test('a column in which nearly all values pass a checksum is one of such numbers, whatever it is called', async () => {
  const rows = await csv({
    a: numbers(4000000000, 7919, 40, validators.nhs),
    b: numbers(4000000000000000, 37, 40, validators.luhn),
    c: count(40, n => `04720011${10 + n}`),
  })
  expect(new Set(columnOf(rows, 'b'))).toEqual(new Set(['[PAYMENT_CARD]']))
  expect(new Set(columnOf(rows, 'c'))).toEqual(new Set(['[PHONE]']))
  expect(new Set(columnOf(rows, 'a'))).toEqual(new Set(['[HEALTH_ID]']))
})

test('columns of text are searched as any text', async () => {
  const notes = count(12, n => (n === 7 ? 'call 020 7946 0958 or pay with 4111 1111 1111 1111' : `note ${n}`))
  const rows = await csv({ id: count(12, n => n), note: notes })
  expect(rows[8]).toEqual(['7', 'call [PHONE] or pay with [PAYMENT_CARD]'])
})

test('columns of numbers in Parquet keep their types', async () => {
  const columnData = [
    { name: 'id', data: count(500, n => n).map(n => 100000001n + BigInt(n)), type: 'INT64' as const },
    { name: 'card', data: count(500, n => n).map(n => 4000000000000000n + 37n * BigInt(n)), type: 'INT64' as const },
    { name: 'price', data: count(500, n => 1000.25 + Number(n)).map(Number), type: 'DOUBLE' as const },
    { name: 'name', data: count(500, n => `a${n}@x.example`).map(String), type: 'STRING' as const },
  ]
  const { bytes, report } = await run('t.parquet', new Uint8Array(parquetWriteBuffer({ columnData })))
  expect(report.choices.becameText).toBeUndefined()
  const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer })
  expect(rows[3]).toEqual({ id: 100000004n, card: 4000000000000111n, price: 1003.25, name: '[EMAIL]' })
})

test('all chunks of a table judge by the same values', async () => {
  // The end of the table looks like numbers of the health service; its beginning says that it is none.
  const values = [...numbers(4000000000, 7919, 600), ...numbers(4000000000, 7919, 600, validators.nhs)]
  const table = Buffer.from(`id,name\n${values.map(value => `${value},x\n`).join('')}`)
  const input = bufferInput('t.csv', table)
  const split = await splitAsset({ input, size: 2000, signal: new AbortController().signal })
  const parts: Buffer[] = []
  for (const range of split!.ranges) parts.push((await run('t.csv', table, { range, options: split!.options })).bytes)
  expect(parts.length).toBeGreaterThan(3)
  expect(Buffer.concat(parts).toString()).toBe((await run('t.csv', table)).bytes.toString())
  expect(Buffer.concat(parts).toString()).toBe(table.toString())
})

test('what a column is called says that its cells are places or persons', async () => {
  const cities = ['Graz', 'Bad Ischl', 'N/A', 'Linz', 'Wels', 'Steyr', 'Enns']
  const names = ['Weiß', 'Klein', 'Huber', 'König', 'Ida', 'Eva', 'Uwe']
  const rows = await csv({ City: cities, wohnOrt: cities, capacity: cities, Nachname: names, product: names })
  const places = cities.map(city => (city === 'N/A' ? city : '[LOCATION]'))
  expect(columnOf(rows, 'City')).toEqual(places)
  expect(columnOf(rows, 'wohnOrt')).toEqual(places)
  expect(columnOf(rows, 'Nachname')).toEqual(Array(7).fill('[PERSON]'))
  expect(columnOf(rows, 'capacity')).toEqual(cities)
  expect(columnOf(rows, 'product')).toEqual(names)
})

test('headings of other languages say the same', async () => {
  const tables: Record<string, string>[] = [
    { Efternamn: 'Bergdal', Postort: 'Lillnäs', Gatuadress: 'Skolbacken 4', Personaltidning: 'Nytt' },
    { Příjmení: 'Kvítek', 'Místo narození': 'Lhotka', 'Trvalé bydliště': 'Dolní 14', Předmět: 'Dějepis' },
    { Soyadı: 'Gökdere', 'Doğum Yeri': 'Akçaköy', 'Ev Adresi': 'Çınar Sokak 12', 'Ürün Adı': 'Defter' },
    { Vezetéknév: 'Rétháti', Település: 'Kisfalud', Lakcím: 'Petőfi utca 3', Tantárgy: 'Rajz' },
    { Sukunimi: 'Lehtovirta', Kotikunta: 'Pikkula', Lähiosoite: 'Koivutie 9', Laji: 'Hiihto' },
    { Фамилия: 'Берёзкин', Город: 'Заречный', Адрес: 'ул. Садовая 5', Предмет: 'Физика' },
  ]
  for (const table of tables) {
    const left = await csv(Object.fromEntries(Object.entries(table).map(([name, value]) => [name, [value]])))
    expect(left[1]!.slice(0, 3), String(left[0])).toEqual(['[PERSON]', '[LOCATION]', '[ADDRESS]'])
    expect(left[1]![3]).toBe(Object.values(table)[3])
  }
})

test('a heading says the same with its accents and without', async () => {
  const cities = ['Graz', 'Linz', 'Wels', 'Steyr', 'Enns', 'Leoben']
  const numbers = count(6, n => 761053870 + n)
  const columns = { Teléfono: numbers, telefono: numbers, móvil: numbers, miejscowość: cities, miejscowosc: cities }
  const rows = await csv(columns)
  for (const name of ['Teléfono', 'telefono', 'móvil']) expect(columnOf(rows, name)).toEqual(Array(6).fill('[PHONE]'))
  for (const name of ['miejscowość', 'miejscowosc']) expect(columnOf(rows, name)).toEqual(Array(6).fill('[LOCATION]'))
})

test('a column of numbers under a heading for places is left alone', async () => {
  const rows = await csv({ city: count(9, n => n + 1), 'city tax': count(9, n => `${n}.50 EUR`) })
  expect(columnOf(rows, 'city')).toEqual(count(9, n => String(n + 1)))
  expect(columnOf(rows, 'city tax')).toEqual(count(9, n => `${n}.50 EUR`))
})

test('letters and a number that stand for one record each are replaced whole, in every row', async () => {
  const records = ['PAT-004711', 'PAT-004712', 'PAT-101234', 'PAT-991234', 'PAT-612345', 'PAT-030123', 'PAT-000001']
  const rows = await csv({
    nr: records,
    patient: count(7, n => records[n % 2]!),
    diagnosis: count(7, n => (n % 2 ? 'E11' : 'J45')),
    room: count(7, n => (n % 2 ? 'B-1204' : 'B-1205')),
  })
  expect(columnOf(rows, 'nr')).toEqual(Array(7).fill('[ID]'))
  expect(columnOf(rows, 'patient')).toEqual(Array(7).fill('[ID]'))
  expect(columnOf(rows, 'diagnosis')).toEqual(count(7, n => (n % 2 ? 'E11' : 'J45')))
  expect(columnOf(rows, 'room')).toEqual(count(7, n => (n % 2 ? 'B-1204' : 'B-1205')))
})

/** The text of a document that is left. */
async function left(name: string, text: string): Promise<string> {
  const { bytes } = await run(name, Buffer.from(text), { assetType: 'DOCUMENT' })
  return bytes.toString()
}

test('names of elements and attributes say what their values are, as those of columns do', async () => {
  expect(
    await left(
      'p.xml',
      '<p><Nachname>Weiß</Nachname><Ort>Enns</Ort><plz>4470</plz><Menge>4471</Menge><Kunde Vorname="Ida" Art="Neu"/></p>',
    ),
  ).toBe(
    '<p><Nachname>[PERSON]</Nachname><Ort>[LOCATION]</Ort><plz>[LOCATION]</plz><Menge>4471</Menge><Kunde Vorname="[PERSON]" Art="Neu"/></p>',
  )
})

test('so do the keys of JSON, by those that they are within where they say nothing themselves', async () => {
  const value = {
    nachname: 'Weiß',
    address: { type: 'Home', city: 'Enns', street: 'Am Graben 5' },
    kunde: { name: 'Ida' },
  }
  expect(JSON.parse(await left('p.json', JSON.stringify({ ...value, product: { name: 'Uwe' }, id: 1001 })))).toEqual({
    nachname: '[PERSON]',
    address: { type: 'Home', city: '[LOCATION]', street: '[ADDRESS]' },
    kunde: { name: '[PERSON]' },
    product: { name: 'Uwe' },
    id: 1001,
  })
})

test('so do the properties of cards', async () => {
  const lines = (values: readonly string[]) =>
    ['BEGIN:VCARD', 'VERSION:3.0', ...values, 'NOTE:Klein', 'END:VCARD', ''].join('\r\n')
  const card = ['N:Weiß;Ida;;Dr.;', 'FN:Ida Weiß', 'item1.ADR;TYPE=HOME:;;Am Graben 5;Enns;;4470;', 'BDAY:19800517']
  expect(await left('p.vcf', lines([...card, 'ORG:Huber Bau;Einkauf', 'TEL:612345', 'REV:20240517']))).toBe(
    lines([
      'N:[PERSON];[PERSON];;Dr.;',
      'FN:[PERSON]',
      'item1.ADR;TYPE=HOME:;;[ADDRESS];[LOCATION];;[LOCATION];',
      'BDAY:[DATE_OF_BIRTH]',
      'ORG:[ORGANIZATION];[ORGANIZATION]',
      'TEL:[PHONE]',
      'REV:20240517',
    ]),
  )
})

test.each([
  ['PERSON', 'Vn.', 'Quirmbach'],
  ['PERSON', 'fnamn', 'Ask'],
  ['PERSON', 'cust_nm', 'Fairweather'],
  ['PERSON', 'lname', 'Quirmbach'],
  ['PERSON', 'Cogn. e nome', 'Quirmbach Ask'],
  ['PERSON', 'holder', 'L QUIRMBACH'],
  ['PERSON', 'attn', 'Liesbeth Quirmbach'],
  ['ADDRESS', 'gatuadr', 'Storg. 1'],
  ['LOCATION', 'pcd', 'HU1 1AA'],
  ['LOCATION', 'twn', 'Mechelen'],
  ['DATE_OF_BIRTH', 'DoB', '05/10/2012'],
  ['DATE_OF_BIRTH', 'born', '05/10/2012'],
  ['DATE_OF_BIRTH', 'F. nac.', '05/10/2012'],
  ['ID', 'Pers.-Nr.', '10234'],
  ['ID', 'N° adh.', '0212'],
  ['ID', 'N. tess.', '4403'],
  ['ID', 'Kd.-Nr.', '77120'],
])('%s in a column called in short %s', async (label, name, value) => {
  const [, [cell]] = (await csv({ [name]: [value], Status: ['ok'] })) as [string[], string[]]
  expect(cell).toBe(`[${label}]`)
})

test.each([
  ['N. pers.', '12'],
  ['ipaddr', 'Host 12'],
  ['placeholder', 'Quirmbach'],
  ['fn', 'HandleRequest'],
  ['dose', 'Quirmbach'],
])('what a column called %s holds is no person’s', async (name, value) => {
  const [, [cell]] = (await csv({ [name]: [value], Status: ['ok'] })) as [string[], string[]]
  expect(cell).toBe(value)
})
