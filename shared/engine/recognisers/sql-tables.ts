import type { TextCell } from './text-tables.ts'

/** Names of a table or column, in the quotes of any database: "public"."members", [dbo].[Employees], `clienti`. */
const name = '(?:[\\w$\\p{L}]+|`[^`\\n]{1,64}`|"[^"\\n]{1,64}"|\\[[^\\]\\n]{1,64}\\])'
const table = `${name}(?:\\.${name}){0,2}`
/** What names the columns of a table, or begins its rows. */
const statements = new RegExp(
  `(?<![\\w$])(?:create\\s{1,9}table\\s{1,9}(?:if\\s{1,9}not\\s{1,9}exists\\s{1,9})?(?<created>${table})\\s{0,9}\\(|` +
    `(?:insert|replace)\\s{1,9}(?:ignore\\s{1,9})?into\\s{1,9}(?<into>${table})\\s{0,9}(?:\\((?<columns>[^()]{1,8000})\\)\\s{0,9})?values?\\s{0,9}(?=\\()|` +
    `copy\\s{1,9}${table}\\s{0,9}\\((?<copied>[^()]{1,8000})\\)\\s{1,9}from\\s{1,9}stdin[^;\\n]{0,200};\\r?\\n)`,
  'giu',
)
/** In the definition of a table, what begins another thing than a column. */
const noColumn = /^(?:primary|unique|key|index|constraint|foreign|check|fulltext|spatial|exclude|like)$/i
/** What stands for nothing, and what is no text of somebody. */
const noValue = /^(?:null|true|false|default)?$/i
/** Values of a column that its kind is told by, at most. */
const mostValues = 256
/** Characters of a row or of a definition that are read, at most, and those that may not end before the rest is given up. */
const longestList = 50_000
const mostBroken = 20

type Stretch = { start: number; end: number }

const bare = (text: string) => text.trim().replace(/^[`"[]|[`"\]]$/g, '')
/** The name of a table without that of its database. */
const tableOf = (text: string) => bare(text.slice(text.lastIndexOf('.') + 1)).toLowerCase()
const namesIn = (list: string) => list.split(',').map(bare)

/** Where the text in quotes ends that begins at a place: doubled quotes and those behind a backslash stand within it. */
function endOfQuoted(text: string, at: number): number {
  const quote = text[at]
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++
    else if (text[next] === quote && text[next + 1] === quote) next++
    else if (text[next] === quote) return next
  }
  return text.length
}

/** The parts between the commas of a list in brackets that begins at a place, and where it ends; undefined where it doesn't end. */
function listAt(text: string, at: number): { parts: Stretch[]; end: number } | undefined {
  const parts: Stretch[] = []
  let depth = 0
  const last = Math.min(text.length, at + longestList)
  let start = at + 1
  for (let next = at; next < last; next++) {
    const sign = text[next]!
    if (sign === "'" || sign === '"' || sign === '`') next = endOfQuoted(text, next)
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    if (depth === 0 || (depth === 1 && sign === ',')) {
      parts.push({ start, end: next })
      start = next + 1
    }
    if (depth === 0) return { parts, end: next + 1 }
  }
  return undefined
}

/** The value of a part of a row, without its quotes; none where it stands for nothing, or is worked out. */
function unquoted(text: string, { start, end }: Stretch): Stretch | undefined {
  const given = text.slice(start, end)
  const value = given.trim()
  const from = start + given.indexOf(value)
  const [open] = /^(?:[NE]?'|")/i.exec(value) ?? []
  if (open && value.length > open.length && value.endsWith(open.at(-1)!))
    return { start: from + open.length, end: from + value.length - 1 }
  return noValue.test(value) || /[()'"]/.test(value) ? undefined : { start: from, end: from + value.length }
}

/** Rows of values, and where they end; whether what follows can't be read. */
type Rows = { rows: (Stretch | undefined)[][]; end: number; isBroken?: boolean }

/** The rows behind `VALUES`. */
function rowsOf(text: string, at: number): Rows {
  const rows: Rows['rows'] = []
  let end = at
  for (let next = at; text[next] === '('; ) {
    const list = listAt(text, next)
    if (!list) return { rows, end, isBroken: true }
    rows.push(list.parts.map(part => unquoted(text, part)))
    end = list.end
    const [gap] = /^\s{0,9},\s{0,9}(?=\()/.exec(text.slice(end, end + 20)) ?? []
    next = end + (gap?.length ?? text.length)
  }
  return { rows, end }
}

/** The rows of `COPY`: lines of cells between tabs, up to the line that ends them. */
function copiedRows(text: string, at: number): Rows {
  const rows: Rows['rows'] = []
  let start = at
  while (start < text.length && !text.startsWith('\\.', start)) {
    const line = text.indexOf('\n', start)
    const end = line < 0 ? text.length : line
    let from = start
    rows.push(
      text
        .slice(start, end)
        .replace(/\r$/, '')
        .split('\t')
        .map(cell => {
          const value = { start: from, end: from + cell.length }
          from = value.end + 1
          return cell === '\\N' || noValue.test(cell) ? undefined : value
        }),
    )
    start = end + 1
  }
  return { rows, end: Math.min(start, text.length) }
}

/** The cells of rows by the columns of their table; none of rows that have others. */
function* cellsOf(text: string, names: readonly string[], rows: readonly (Stretch | undefined)[][]) {
  const columns = names.map(name => ({ name, values: [] as string[], beside: names }))
  const fitting = rows.filter(row => row.length === names.length)
  for (const row of fitting.slice(0, mostValues))
    for (const [n, value] of row.entries()) if (value) columns[n]!.values.push(text.slice(value.start, value.end))
  for (const row of fitting)
    for (const [n, value] of row.entries())
      if (value && value.end > value.start) yield { ...value, column: columns[n]!, isClosed: true as const }
}

const firstName = new RegExp(`^\\s*(${name})`, 'u')

/** The columns that a definition of a table names. */
const columnsIn = (text: string, parts: readonly Stretch[]): string[] =>
  parts
    .map(({ start, end }) => firstName.exec(text.slice(start, end))?.[1] ?? '')
    .filter(word => word !== '' && !noColumn.test(word))
    .map(bare)

/** The values that statements of databases put into tables, by the columns that these or the definition of the table name. */
export function* sqlTables(text: string): Generator<TextCell> {
  const defined = new Map<string, string[]>()
  let broken = 0
  let end = 0
  for (const { groups, index, 0: whole } of text.matchAll(statements)) {
    if (index < end) continue
    const { created, into, columns, copied } = groups!
    const behind = index + whole.length
    if (created) {
      const list = listAt(text, behind - 1)
      if (list) defined.set(tableOf(created), columnsIn(text, list.parts))
      else broken++
    } else {
      const read = copied ? copiedRows(text, behind) : rowsOf(text, behind)
      if (read.isBroken) broken++
      const list = copied ?? columns
      yield* cellsOf(text, list ? namesIn(list) : (defined.get(tableOf(into!)) ?? []), read.rows)
      end = read.end
    }
    if (broken > mostBroken) return
  }
}
