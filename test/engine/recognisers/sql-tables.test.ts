import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'
import { sqlTables } from '../../../shared/engine/recognisers/sql-tables.ts'

/** The columns of the statements of a text, by name. */
function columnsOf(text: string): Record<string, string[]> {
  const columns: Record<string, string[]> = {}
  for (const { start, end, column } of sqlTables(text))
    columns[column.name] = [...(columns[column.name] ?? []), text.slice(start, end)]
  return columns
}

test.each([
  ['INSERT', `INSERT INTO t (name, town) VALUES ('Ask', 'Ulm'), ('Ek; (Jr)', NULL);`, ['Ask', 'Ek; (Jr)'], ['Ulm']],
  ['MySQL', "INSERT IGNORE INTO `db`.`t` (`name`,`town`) VALUES ('O\\'Hara',\"Ulm\");", ["O\\'Hara"], ['Ulm']],
  ['SQL Server', `insert into [dbo].[t] ([name],[town]) values (N'D''Ek',N'Ulm')`, ["D''Ek"], ['Ulm']],
  ['functions', `INSERT INTO t (id, name, town) VALUES (f('a', 1), 'Ask', 'Ulm');`, ['Ask'], ['Ulm']],
  [
    'a definition of the table',
    'CREATE TABLE `t` (`id` int(11) NOT NULL, `name` varchar(9),\n `town` text, PRIMARY KEY (`id`), KEY `k` (`name`));\n' +
      `LOCK TABLES t WRITE;\nINSERT INTO t VALUES (1,'Ask','Ulm'),(2,'Ek','Hof');`,
    ['Ask', 'Ek'],
    ['Ulm', 'Hof'],
  ],
  ['COPY', 'COPY public.t (name, town) FROM stdin;\nAsk\tUlm\nEk\t\\N\n\\.\n', ['Ask', 'Ek'], ['Ulm']],
])('reads the rows of %s', (_, text, name, town) => {
  expect(columnsOf(text)).toMatchObject({ name, town })
})

test.each([
  'Insert into the slot (left, right) the values (see page 4).',
  "INSERT INTO t VALUES ('Ask', 'Ulm');",
  "INSERT INTO t (name, town) VALUES ('Ask');",
  "INSERT INTO t (name, town) VALUES ('Ask', 'Ul",
])('reads no rows in «%s»', text => {
  expect(columnsOf(text)).toEqual({})
})

test('finds in statements what their columns say, and takes no quotes or commas with it', () => {
  const text =
    'INSERT INTO t (lname, town, born, zip, sort, note) VALUES\n' +
    "('Ask', 'Sole', '1960-01-01', '80138', 'Oak', 'vecchio indirizzo: Via Roma 3, Mestre'),\n" +
    "('Ek', 'Reading', '1971-11-30', '31100', 'Elm', NULL);\n"
  const left = recognise(text, { threshold: 0.5 }).reduceRight(
    (rest, { start, end, label }) => `${rest.slice(0, start)}[${label}]${rest.slice(end)}`,
    text,
  )
  expect(left).toBe(
    'INSERT INTO t (lname, town, born, zip, sort, note) VALUES\n' +
      "('[PERSON]', '[LOCATION]', '[DATE_OF_BIRTH]', '[LOCATION]', 'Oak', 'vecchio indirizzo: [ADDRESS], [LOCATION]'),\n" +
      "('[PERSON]', '[LOCATION]', '[DATE_OF_BIRTH]', '[LOCATION]', 'Elm', NULL);\n",
  )
})

test('gives up on rows that never end', () => {
  expect(columnsOf("insert into t values ('a',".repeat(100_000))).toEqual({})
  expect(columnsOf('create table t (a,'.repeat(100_000))).toEqual({})
})
