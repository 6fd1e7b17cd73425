import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'
import { textTables } from '../../../shared/engine/recognisers/text-tables.ts'

/** The columns of the tables within a text, by name. */
function columnsOf(text: string): Record<string, string[]> {
  const columns: Record<string, string[]> = {}
  for (const { start, end, column } of textTables(text)) {
    const values = columns[column.name] ?? []
    columns[column.name] = [...values, text.slice(start, end)]
  }
  return columns
}

const rows = [
  ['Name', 'Age', 'Ward'],
  ['Okoro, Ifeanyi', '71', '7B'],
  ['Sunny Day', '44', '3'],
]
const expected = { Name: ['Okoro, Ifeanyi', 'Sunny Day'], Age: ['71', '44'], Ward: ['7B', '3'] }

test.each([
  ['tabs', rows.map(row => row.join('\t')).join('\n')],
  ['pipes', rows.map(row => row.join(' | ')).join('\n')],
  ['semicolons', rows.map(row => row.join(';')).join('\n')],
  ['Windows’ ends of lines', rows.map(row => row.join(';')).join('\r\n')],
  ['quotes and commas', rows.map(row => row.map(cell => `"${cell}"`).join(';')).join('\n')],
  [
    'blanks',
    rows
      .map(row =>
        row
          .map(cell => cell.padEnd(18))
          .join('')
          .trimEnd(),
      )
      .join('\n'),
  ],
  [
    'Markdown',
    `${rows
      .map(row => `| ${row.join(' | ')} |`)
      .join('\n')
      .replace('\n', '\n|---|---|---|\n')}`,
  ],
  [
    'lines above and below',
    `Dear all,\nsee below.\n\n${rows.map(row => row.join('\t')).join('\n')}\n\nKind regards\nIda`,
  ],
])('reads a table in %s', (_, text) => {
  expect(columnsOf(text)).toEqual(expected)
})

test('puts cells under the heading that they stand below, and leaves others empty', () => {
  const text = [
    'Name                 Age   Phone',
    'Okoro, Ifeanyi              0161 496 0148',
    'Sunny Day             44',
  ].join('\n')
  expect(columnsOf(text)).toEqual({ Name: ['Okoro, Ifeanyi', 'Sunny Day'], Age: ['44'], Phone: ['0161 496 0148'] })
})

test.each([
  ['separators in quotes', 'Name;Age;City\nIda Weiß;44;"Ulm; West"\nOla Å;31;Hof', { City: ['Ulm; West', 'Hof'] }],
  ['quotes of a mail', '> Name | Age\n> --- | ---\n> Ida Weiß | 44\n>> Ola Å | 31', { Name: ['Ida Weiß', 'Ola Å'] }],
  ['a year in a heading', 'Name\tAge\tVisits 2024\nIda Weiß\t44\t2', { 'Visits 2024': ['2'] }],
  ['an abbreviation', 'Name;Geb. Datum;Ort\nIda Weiß;3.4.1980;Ulm', { 'Geb. Datum': ['3.4.1980'] }],
  ['several tabs', 'Name\t\tAge\tCity\nIda Weiß\t44\tHof\nWilhelmine Obi\t31\tUlm', { Age: ['44', '31'] }],
  ['a row that lacks a cell', 'Name;City;Age\nIda Weiß;Hof;44\nOla;31\nWil Obi;Ulm;9', { Age: ['44', '9'] }],
])('understands %s', (_, text, expected) => {
  expect(columnsOf(text)).toMatchObject(expected)
})

test.each([
  ['a menu', 'Home | Company | Contact\nTerms | Press | Careers'],
  ['a sentence', 'The name, the age and the place; all are known.\nNobody asked, nobody told; it was late.'],
  ['labels with values', 'Name\tIda Weiß\nDate\t4 May\nPlace\tUlm'],
  ['a head without rows', 'Name;Age;Ward\n\nNothing yet.'],
  ['headings that say nothing', 'alpha;beta;gamma\n1;2;3\n4;5;6'],
])('takes %s for no table', (_, text) => {
  expect(columnsOf(text)).toEqual({})
})

test('finds in a table within a text what its columns say', () => {
  const text =
    'Please check:\n\nname;dob;age;login;password\nSunny Day;1980-02-03;44;sday;Tulip#4\nPastor Obi;1971-12-30;52;pobi;x9!Lark\n'
  const found = recognise(text, { threshold: 0.5 }).map(({ start, end, label }) => [label, text.slice(start, end)])
  expect(found).toEqual([
    ['PERSON', 'Sunny Day'],
    ['DATE_OF_BIRTH', '1980-02-03'],
    ['AGE', '44'],
    ['USERNAME', 'sday'],
    ['SECRET', 'Tulip#4'],
    ['PERSON', 'Pastor Obi'],
    ['DATE_OF_BIRTH', '1971-12-30'],
    ['AGE', '52'],
    ['USERNAME', 'pobi'],
    ['SECRET', 'x9!Lark'],
  ])
})

test('knows people beside ages and telephones, whatever they are called, and passes over cells without a value', () => {
  const text =
    'Name           Age  Phone          Login\nDay, Patience  44   0161 496 0733  pday\nRiver Stone    9    none           -\n'
  const found = recognise(text, { threshold: 0.5 }).map(({ start, end, label }) => [label, text.slice(start, end)])
  expect(found).toEqual([
    ['PERSON', 'Day, Patience'],
    ['AGE', '44'],
    ['PHONE', '0161 496 0733'],
    ['USERNAME', 'pday'],
    ['PERSON', 'River Stone'],
    ['AGE', '9'],
  ])
})

test.each([
  'NAME      READY   AGE\nweb-0     1/1     12m\nweb-1     1/1     45m',
  'Handle;Title;Age\nleather-jacket;Jacket;new\nblue-hat;Hat;old',
  'Login;Date\nsuccess;4\nfailed;5',
  'Name;Alter\nRouter Nord;3\nRouter West;5',
])('finds nobody in «%s»', text => {
  const found = recognise(text, { threshold: 0.5 }).filter(({ label }) => label !== 'AGE')
  expect(found).toEqual([])
})

test.each(['Password: must contain 8 characters', 'Username: not available', 'Utente: Mario Rossi'])(
  'takes no label for a column of log-ins: «%s»',
  text => {
    const labels = recognise(text, { threshold: 0.5 }).map(({ label }) => label)
    expect(labels.filter(label => label === 'USERNAME' || label === 'SECRET')).toEqual([])
  },
)

test('reads quotes that never end', () => {
  expect(columnsOf(`name;age\n'${'"'.repeat(400)};7\n`)).toMatchObject({ age: ['7'] })
})

test('leaves nothing of what reaches over two cells', () => {
  const text = 'Name         Phone     Line\nIda Weiss    +44 161   496 0148\nOla Berg     +44 161   496 0733\n'
  const found = recognise(text, { threshold: 0.5 }).filter(({ label }) => label === 'PHONE')
  const open = found.reduce(
    (rest, { start, end }) => rest.slice(0, start) + '_'.repeat(end - start) + rest.slice(end),
    text,
  )
  expect(open.match(/\d+/g)).toBeNull()
})

test('gives up on what looks like heads all the way down', () => {
  expect(columnsOf('name;place\n'.repeat(300_000))).toEqual({})
})
