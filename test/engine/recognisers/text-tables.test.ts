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

test('gives up on what looks like heads all the way down', () => {
  expect(columnsOf('name;place\n'.repeat(300_000))).toEqual({})
})
