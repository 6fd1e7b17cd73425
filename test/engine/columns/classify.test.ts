import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ClassifiedColumn } from '../../../shared/engine/columns/classify.ts'
import { classifyColumns, classifyFile } from '../../../shared/engine/columns/table.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { tableKinds } from '../formats/tables.ts'
import { type Schema, schemas } from './schemas.ts'
import { tables as contacts } from './schemas-contacts.ts'
import { heldBack } from './schemas-held-back.ts'
import { tables as members } from './schemas-members.ts'
import { tables as offices } from './schemas-offices.ts'
import { unseen } from './schemas-unseen.ts'
import { tables as work } from './schemas-work.ts'
import { scoreOf, told } from './score.ts'

const rows = 100
const valuesOf = (make: (row: number) => string, count = rows) => Array.from({ length: count }, (_, row) => make(row))
const classified = ({ columns }: Schema) =>
  classifyColumns(columns.map(([name, make]) => ({ name, values: valuesOf(make) })))

/** F1 over the columns that are something by either. */
const f1 = (tables: readonly Schema[]) => f1Of(tables.map(table => ({ table, found: classified(table) })))

const f1Of = (tables: readonly { table: Pick<Schema, 'columns'>; found: readonly ClassifiedColumn[] }[]) =>
  scoreOf(
    tables.flatMap(({ table, found }) => found.map((column, n) => ({ is: told(column), gold: table.columns[n]![2] }))),
  ).f1

test('columns of tables are told for what they are', () => {
  const known = [...schemas, ...unseen, ...heldBack]
  expect(known.length).toBeGreaterThan(80)
  expect(f1(known)).toBeGreaterThan(0.95)
})

test('columns of tables whose headings were not looked at before are, mostly', () => {
  const others = [...contacts, ...members, ...work, ...offices]
  expect(others.length).toBe(20)
  expect(f1(others)).toBeGreaterThan(0.9)
})

test('the answer holds no value, and says of what kind the evidence is', () => {
  const columns = classifyColumns([
    { name: 'x1', values: valuesOf(row => `person${row}@example.org`) },
    { name: 'Surname', values: valuesOf(row => ['Novak', 'Silva', 'Berg'][row % 3]!) },
    { name: 'number', values: valuesOf(row => ['4111111111111111', '5500000000000004'][row % 2]!) },
    { name: 'age', values: valuesOf(row => String(20 + (row % 60))) },
  ])
  expect(columns.map(({ labels, role, share, basis }) => [...labels, role, share, basis])).toEqual([
    ['EMAIL', 'direct', 1, 'form'],
    ['PERSON', 'direct', 1, 'heading'],
    ['PAYMENT_CARD', 'direct', 1, 'checksum'],
    ['AGE', 'quasi', 1, 'heading'],
  ])
  expect(JSON.stringify(columns)).not.toMatch(/person\d|Novak|4111/)
})

test('it says where it does not know', () => {
  const columns = classifyColumns([
    { name: 'empty', values: ['', ' '] },
    { name: 'few', values: ['red', 'blue'] },
    { name: 'colour', values: valuesOf(row => ['red', 'blue'][row % 2]!) },
    { name: 'mixed', values: valuesOf(row => (row % 10 ? 'shelf' : `a${row}@example.org`)) },
  ])
  expect(columns.map(({ status, labels, values }) => [status, labels, values])).toEqual([
    ['unknown', [], 0],
    ['unknown', [], 2],
    ['nothing', [], rows],
    ['text', ['EMAIL'], rows],
  ])
})

test('tables of very many columns are refused, and only the beginning of a heading is read', () => {
  const columns = Array.from({ length: 1001 }, (_, n) => ({ name: `name${n}`, values: ['Anna'] }))
  expect(() => classifyColumns(columns)).toThrow('more than 1000 columns')
  const values = valuesOf(row => String(20 + (row % 60)))
  const [near, far] = classifyColumns([
    { name: 'age', values },
    { name: `${'x'.repeat(300)} age`, values },
  ])
  expect([near!.labels, far!.labels]).toEqual([['AGE'], []])
})

test('columns of files of lines are told', async () => {
  const signal = new AbortController().signal
  const lines = valuesOf(row => `${row};p${row}@example.org;"a ""quoted"" remark of number ${row}"`, 500)
  const csv = Buffer.from(['nr;contact;remark', ...lines].join('\n'))
  const columns = await classifyFile(bufferInput('a.csv', csv), { signal, opens: 'lines' })
  expect(columns!.map(({ name, status, labels }) => [name, status, labels])).toEqual([
    ['nr', 'nothing', []],
    ['contact', 'identified', ['EMAIL']],
    ['remark', 'text', []],
  ])
  const json = Buffer.from(valuesOf(row => JSON.stringify({ who: { mail: `p${row}@example.org` } })).join('\n'))
  expect(await classifyFile(bufferInput('a.ndjson', json), { signal, opens: 'lines' })).toMatchObject([
    { name: 'who.mail', labels: ['EMAIL'] },
  ])
  expect(
    await classifyFile(bufferInput('a.txt', Buffer.from('Call Anna')), { signal, opens: 'tables' }),
  ).toBeUndefined()
})

const signal = new AbortController().signal
/** What the columns of a file are. */
const inFile = (name: string, bytes: Uint8Array) => classifyFile(bufferInput(name, bytes), { signal, opens: 'tables' })

/** The maker of a file; those of separated fields quote none. */
const makerOf = (name: string) => tableKinds.find(kind => kind.name === name)!.make

test.each(['t.ndjson', 't.json', 't.xlsx', 't.ods', 't.parquet'])('columns are told in %s', async name => {
  const make = makerOf(name)
  const tables: { table: Schema; found: ClassifiedColumn[] }[] = []
  for (const table of [...contacts, ...members]) {
    const header = table.columns.map(([heading]) => heading)
    const cells = Array.from({ length: rows }, (_, row) => table.columns.map(([, cell]) => cell(row)))
    const found = await inFile(name, make(header, cells))
    expect(found!.map(column => column.name)).toEqual(header)
    tables.push({ table, found: found! })
  }
  expect(f1Of(tables)).toBeGreaterThan(0.9)
})

test('a table that is opened as a whole is refused where it is damaged or too large, and not said to hold nothing', async () => {
  const whole = makerOf('t.xlsx')(['mail'], [['a@example.org']])
  await expect(inFile('t.xlsx', whole.subarray(0, whole.length - 40))).rejects.toMatchObject({ type: 'corrupt_file' })
  const small = { signal, opens: 'tables' as const, limits: { bytes: 10 } }
  await expect(classifyFile(bufferInput('t.xlsx', whole), small)).rejects.toMatchObject({ type: 'limit_exceeded' })
  const lines = { ...small, opens: 'lines' as const }
  expect(await classifyFile(bufferInput('t.xlsx', whole), lines)).toBeUndefined()
})

const open = join(import.meta.dirname, '../../../../shared/data/open')
const isThere = existsSync(open)
if (!isThere) console.log('skipped: the public tables (../shared/data/open) are not here')

/** Of public tables, by hand, what each column is. */
const published: Record<string, string[]> = {
  'arx/adult.csv': [
    ...['DEMOGRAPHIC', 'AGE', '*', 'DEMOGRAPHIC', 'DEMOGRAPHIC'],
    ...['DEMOGRAPHIC', 'DEMOGRAPHIC', 'DEMOGRAPHIC', 'QUANTITY'],
  ],
  'arx/test.csv': ['AGE', 'DEMOGRAPHIC', 'LOCATION'],
  'arx/test2.csv': ['LOCATION', 'AGE', 'QUANTITY', '*'],
  'arx/test_dirty.csv': ['AGE', 'DEMOGRAPHIC', 'LOCATION'],
}

test.skipIf(!isThere)('columns of public tables are told for what they are', async () => {
  const tables = []
  for (const [name, gold] of Object.entries(published)) {
    const found = (await inFile(name, readFileSync(join(open, name))))!
    const columns = gold.map((is, n) => [found[n]!.name, () => '', is] as Schema['columns'][number])
    tables.push({ table: { columns }, found })
  }
  expect(f1Of(tables)).toBeGreaterThan(0.9)
})
