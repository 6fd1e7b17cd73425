import type { Column } from '../detect/entity-model.ts'
import { saysWhatItHolds } from './columns.ts'

/** A cell of a table that stands in a text, and its column. */
export type TextCell = { start: number; end: number; column: Column }

type Cell = { value: string; start: number; end: number }
type Line = { text: string; start: number }

/** How cells of a line stand apart; commas only where none has a blank behind it, as those of sentences have. */
const separators = [/\t/, /\|/, /;/, /,(?! )/, / {2,}/] as const

/** A line that may name columns: cells apart, and no sentence. */
const mayNameColumns = /^(?=[^\r\n]{5,400}$)(?![^\r\n]*[.!?] \p{Lu})[^\r\n]*(?:[\t|;]|,(?! )| {2,})[^\r\n]*$/gmu
/** What is drawn between the head of a table and its rows, and around them. */
const rule = /^[\s|+:=─━┼-]+$/

const longestHeading = 40
const mostRows = 2000
/** Columns that must say what they hold where most of the others don't, and rows that must follow then. */
const fewest = 2
/** Lines that look like rows but are none, after which these are not looked at one by one again. */
const mostLabels = 50

/** The cells of a line, as the pieces between separators; without the empty ones around a line in pipes. */
function cellsOf({ text, start }: Line, separator: RegExp): Cell[] {
  const cells: Cell[] = []
  let at = 0
  for (const piece of text.split(separator)) {
    const value = piece.trim()
    const begin = value === '' ? at : text.indexOf(value, at)
    cells.push({ value, start: start + begin, end: start + begin + value.length })
    at = begin + value.length
    at += separator.exec(text.slice(at))?.[0].length ?? 0
  }
  if (separator.source !== '\\|') return cells
  const first = cells[0]?.value === '' ? 1 : 0
  return cells.slice(first, cells.at(-1)?.value === '' ? -1 : undefined)
}

/** Without the quotes that files of values put around cells. */
function unquoted(cell: Cell): Cell {
  const [, inner] = /^"([^"]*)"$/.exec(cell.value) ?? []
  return inner === undefined ? cell : { value: inner, start: cell.start + 1, end: cell.end - 1 }
}

/** The names of columns, if a line is nothing else. */
function headOf(line: Line, separator: RegExp): Cell[] | undefined {
  const cells = cellsOf(line, separator).map(unquoted)
  const given = cells.filter(({ value }) => value !== '')
  if (given.length < 2 || given.some(({ value }) => value.length > longestHeading || /\d{3}|[@:]./.test(value))) return
  return given.some(({ value }) => saysWhatItHolds(value)) ? cells : undefined
}

/** Where two stretches share most, as columns of a text in one width do. */
const shared = (a: Cell, b: Cell, shift: number) => Math.min(a.end - shift, b.end) - Math.max(a.start - shift, b.start)

/** The cell of a row under each heading; none where the row is not of the table. */
function underHeads(
  row: Line,
  head: { line: Line; cells: Cell[] },
  separator: RegExp,
): (Cell | undefined)[] | undefined {
  const cells = cellsOf(row, separator).map(unquoted)
  const { length } = head.cells
  if (separator.source !== ' {2,}')
    return cells.length >= 2 && cells.length <= length && cells.length >= length - 1 ? cells : undefined
  if (cells.length < 2) return undefined
  const found: (Cell | undefined)[] = Array.from({ length })
  for (const cell of cells) {
    const [best] = head.cells
      .map((heading, n) => ({ n, common: shared(cell, heading, row.start - head.line.start) }))
      .sort((a, b) => b.common - a.common)
    // A cell may be shorter than its heading and stand beside it, but no more than a column away.
    if (best && best.common > -3) found[best.n] ??= cell
  }
  return found
}

/** The lines of a text from a place on. */
function* linesFrom(text: string, at: number): Generator<Line> {
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, start: at }
    if (end < 0) return
    at = end + 1
  }
}

/** The rows below a head, up to the first line that is none. */
function rowsBelow(text: string, head: { line: Line; cells: Cell[] }, separator: RegExp): (Cell | undefined)[][] {
  const rows: (Cell | undefined)[][] = []
  for (const line of linesFrom(text, head.line.start)) {
    if (line.start === head.line.start) continue
    if (line.text.trim() !== '' && rule.test(line.text)) continue
    const row = underHeads(line, head, separator)
    if (!row || rows.length === mostRows) break
    rows.push(row)
  }
  return rows
}

const areNamed = (cells: readonly (Cell | undefined)[]) =>
  cells.filter(cell => cell !== undefined && saysWhatItHolds(cell.value)).length

/** Whether names of columns stand above values; in the lines of a form labels stand below each other. */
function isTable(head: readonly Cell[], rows: readonly (Cell | undefined)[][]): boolean {
  if (rows.length === 0 || areNamed(rows.map(([first]) => first)) * 2 > rows.length) return false
  const named = areNamed(head)
  return head.length === 2 ? named === 2 : named * 2 >= head.length || (named >= fewest && rows.length >= fewest)
}

/** The cells of a table by its rows, and where it ends; where there is none, where the next one may begin. */
function tableAt(text: string, line: Line): { cells: TextCell[]; end: number } {
  let end = line.start
  for (const separator of separators) {
    const head = headOf(line, separator)
    if (!head) continue
    const rows = rowsBelow(text, { line, cells: head }, separator)
    const last = rows.at(-1)?.findLast(cell => cell !== undefined)?.end ?? end
    if (isTable(head, rows)) return { cells: cellsByColumn(head, rows), end: last }
    if (rows.length > mostLabels) end = Math.max(end, last)
  }
  return { cells: [], end }
}

function cellsByColumn(head: readonly Cell[], rows: readonly (Cell | undefined)[][]): TextCell[] {
  const names = head.map(({ value }) => value)
  return names.flatMap((name, n) => {
    const found = rows.map(row => row[n]).filter(cell => cell !== undefined && cell.value !== '') as Cell[]
    const column = { name, values: found.map(({ value }) => value), beside: names.filter(other => other !== name) }
    return name === '' ? [] : found.map(({ start, end }) => ({ start, end, column }))
  })
}

/** The cells of tables that stand in a text with the names of their columns above, as they are pasted into mails and notes. */
export function* textTables(text: string): Generator<TextCell> {
  let from = 0
  for (const { 0: line, index } of text.matchAll(mayNameColumns)) {
    if (index < from) continue
    const { cells, end } = tableAt(text, { text: line, start: index })
    from = end
    yield* cells
  }
}
