import { EngineError } from '../../errors.ts'
import { cellText, type Dialect, readRecord } from './records.ts'

/** Delimiters that tables use, the usual ones first. */
const delimiters = [',', ';', '\t', '|', '\u001f', '^', '~']

/** The first records of a text as texts of cells; ends before a record that isn't complete or can't be read. */
export function sampleRecords(text: string, dialect: Dialect, complete: boolean, most = 200): string[][] {
  const records: string[][] = []
  let at = 0
  while (at < text.length && records.length < most) {
    try {
      const record = readRecord(text, at, dialect, complete)
      if (!record) break
      records.push(record.cells.map(cell => cellText(text, cell, dialect)))
      at = record.end
    } catch (error) {
      if (error instanceof EngineError) break
      throw error
    }
  }
  return records
}

/** How well a dialect explains a sample: the share of records with the commonest number of cells, and that number. */
function explains(text: string, dialect: Dialect, complete: boolean): { share: number; columns: number; rows: number } {
  const counts = new Map<number, number>()
  const records = sampleRecords(text, dialect, complete).filter(cells => cells.length > 1 || cells[0] !== '')
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1)
  let columns = 1
  let most = 0
  for (const [length, count] of counts)
    if (count > most || (count === most && length > columns)) [columns, most] = [length, count]
  return { share: records.length === 0 ? 0 : most / records.length, columns, rows: records.length }
}

/** Whether cells in quotes stand where a cell begins and end where one ends, in most of the places with such a quote. */
function usesQuote(text: string, delimiter: string, quote: string): boolean {
  const border = delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const opened = text.match(new RegExp(`(?:^|${border}|\\n|\\r)${quote}`, 'g'))?.length ?? 0
  const closed = text.match(new RegExp(`${quote}(?:$|${border}|\\r|\\n)`, 'g'))?.length ?? 0
  return opened > 0 && closed >= opened / 2
}

/** Finds the dialect of a sample; `complete` says that the sample is the whole table. `preferred` wins when it fits. */
export function detectDialect(
  text: string,
  complete: boolean,
  options: Record<string, unknown>,
  preferred: string,
): Dialect & { sure: boolean } {
  const given = typeof options.delimiter === 'string' && options.delimiter !== '' ? options.delimiter : undefined
  const candidates = given ? [given] : [...new Set([preferred, ...delimiters])]
  const quoting = candidates.filter(delimiter => usesQuote(text, delimiter, '"'))
  let best = { delimiter: given ?? preferred, value: -1, share: 0, columns: 1, rows: 0 }
  for (const delimiter of candidates) {
    const { share, columns, rows } = explains(text, { delimiter, quote: '"', escapeWith: '"' }, complete)
    if (columns < 2 && !given) continue
    // Where another one stands beside the quotes, this one stands inside of them.
    const misread = quoting.length > 0 && !quoting.includes(delimiter) ? 0.7 : 1
    const value = share * share * (1 + Math.log2(columns) / 8) * (delimiter === preferred ? 1.1 : 1) * misread
    if (value > best.value) best = { delimiter, value, share, columns, rows }
  }
  const { delimiter, share, columns, rows } = best
  let quote = '"'
  if (typeof options.quote === 'string') quote = options.quote.slice(0, 1)
  else if (!usesQuote(text, delimiter, '"') && usesQuote(text, delimiter, "'")) quote = "'"
  let escapeWith = quote
  if (typeof options.escape === 'string' && options.escape !== '') escapeWith = options.escape.slice(0, 1)
  else if (quote !== '' && !text.includes(quote + quote) && new RegExp(`\\\\${quote}`).test(text)) escapeWith = '\\'
  return { delimiter, quote, escapeWith, sure: columns > 1 && share > 0.8 && rows > 2 }
}

/** Numbers of things, which no column is called by: `RE-2025-0917`. */
const numbered = /\d{4}\D{1,3}\d{3}|\d{6}/
const numeric = /^[\s(+-]*[\d.,:/ -]*\d[\d.,:/ %)-]*$/

/** Whether the first record names the columns: short distinct texts that are no values, over other kinds of values. */
export function detectHeader(records: string[][]): boolean {
  const [first, ...rest] = records
  if (!first || rest.length === 0) return false
  const names = first.map(cell => cell.trim())
  const isValue = (name: string) => numeric.test(name) || numbered.test(name) || name.includes('@')
  if (names.some(name => name === '' || name.length > 80 || isValue(name))) return false
  if (new Set(names).size !== names.length) return false
  const columns = names.map((_, index) => rest.map(record => record[index] ?? '').filter(cell => cell !== ''))
  // A column of numbers, dates or addresses under a word, or a word that is never among its own values.
  const typed = columns.some(cells => cells.length > 0 && cells.every(cell => numeric.test(cell) || cell.includes('@')))
  const wordy = names.every(name => /^[\p{L}_#][\p{L}\p{N}_ .()#/%-]*$/u.test(name))
  return typed || (wordy && columns.every((cells, index) => !cells.includes(names[index]!)))
}
