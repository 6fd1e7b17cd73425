import type { Column } from '../detect/entity-model.ts'
import { saysWhatItHolds } from './columns.ts'

/** A cell of a table that stands in a text, and its column. What stands between closed ones is no part of a value. */
export type TextCell = { start: number; end: number; column: Column; isClosed?: true }

type Cell = { value: string; start: number; end: number }
type Line = { text: string; start: number }
/** The cells of a line, in their order. */
type Splitter = (line: Line) => Cell[]
type Head = { line: Line; cells: Cell[]; split: Splitter; isAligned: boolean }
/** The cells of a row, by the headings that they stand under. */
type Row = (Cell | undefined)[]

/** A line that may name columns: cells apart, and no sentence. */
const mayNameColumns = /^(?=[^\r\n]{5,400}$)(?![^\r\n]*\p{L}{5}[.!?] \p{Lu})[^\r\n]*(?:[\t|;]|,(?! )| {2,})[^\r\n]*$/gmu
/** What is drawn between the head of a table and its rows, and around them. */
const rule = /^[\s|+:=─━┼-]+$/
/** What mails put before lines that they quote, and programs before remarks. */
const quotation = /^ *(?:>[> ]*|\/\/ ?|# )/
/** Of a heading: an address, a label with its value, or a number that is no year. */
const noHeading = /[@:].|(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3}/

const longestHeading = 40
const longestRow = 4000
/** Columns that must say what they hold where most of the others don't, and rows that must follow then. */
const fewest = 2
/** Lines that look like rows but are none, after which these are not looked at one by one again. */
const mostLabels = 50
/** Lines that don't fit, one after the other, within a table. */
const mostMisfits = 2

const trimmed = (text: string, start: number): Cell => {
  const value = text.trim()
  const begin = start + (value === '' ? 0 : text.indexOf(value))
  return { value, start: begin, end: begin + value.length }
}

/** Cells between stretches of white space. */
const between =
  (gap: RegExp): Splitter =>
  ({ text, start }) => {
    const cells: Cell[] = []
    let at = 0
    for (const { 0: found, index } of text.matchAll(gap)) {
      cells.push(trimmed(text.slice(at, index), start + at))
      at = index + found.length
    }
    return [...cells, trimmed(text.slice(at), start + at)]
  }

/** Cells between single marks, which may stand within those in quotes, as in files of values. */
const separatedBy = (mark: string, within: string): Splitter => {
  const cell = new RegExp(
    `(?<blank> *)(?:(?<quote>["'])(?<inner>(?:(?!\\k<quote>).|\\k<quote>\\k<quote>){0,200})\\k<quote> *|(?<plain>${within}))(?<mark>${mark}|$)`,
    'ys',
  )
  return ({ text, start }) => {
    const cells: Cell[] = []
    for (cell.lastIndex = 0; ; ) {
      const at = cell.lastIndex
      const { blank = '', inner, plain = '', mark: end } = cell.exec(text)?.groups ?? {}
      const begin = start + at + blank.length
      cells.push(
        inner === undefined ? trimmed(plain, begin) : { value: inner, start: begin + 1, end: begin + 1 + inner.length },
      )
      if (!end) return cells
    }
  }
}

const inPipes = separatedBy('\\|', '[^|]*')

/** How cells of a line stand apart; commas only where none has a blank behind it, as those of sentences have. */
const splitters: readonly { mark: RegExp; split: Splitter; isAligned?: true }[] = [
  { mark: /\t\t/, split: between(/\t+/g) },
  { mark: /\t/, split: separatedBy('\\t', '[^\\t]*') },
  {
    mark: /\|/,
    split: line => {
      const cells = inPipes(line)
      return cells.slice(cells[0]?.value === '' ? 1 : 0, cells.at(-1)?.value === '' ? -1 : undefined)
    },
  },
  { mark: /;/, split: separatedBy(';', '[^;]*') },
  { mark: /,(?! )/, split: separatedBy(',(?! )', '(?:[^,]|,(?= ))*') },
  { mark: / {2}/, split: between(/ {2,}/g), isAligned: true },
]

/** The names of columns, if a line is nothing else. */
function headOf(line: Line, split: Splitter, isAligned = false): Head | undefined {
  const cells = split(line)
  const given = cells.filter(({ value }) => value !== '')
  if (given.length < 2 || given.some(({ value }) => value.length > longestHeading || noHeading.test(value))) return
  return given.some(({ value }) => saysWhatItHolds(value)) ? { line, cells, split, isAligned } : undefined
}

/** Characters that a cell and a heading have in common, counted from the beginning of their lines; less than none where they stand apart. */
const shared = (a: Cell, b: Cell, shift: number) => Math.min(a.end - shift, b.end) - Math.max(a.start - shift, b.start)

/** The cell of a row under each heading; none where the row is not of the table. */
function underHeads(row: Line, { line, cells: headings, split, isAligned }: Head): Row | undefined {
  if (row.text.length > longestRow) return undefined
  const cells = split(row)
  if (!isAligned) return cells.length === headings.length ? cells : undefined
  if (cells.length < 2) return undefined
  const found: Row = Array.from({ length: headings.length })
  for (const cell of cells) {
    const common = headings.map(heading => shared(cell, heading, row.start - line.start))
    const most = Math.max(...common)
    // A cell may be shorter than its heading and stand beside it, but no more than a column away.
    if (most > -3) found[common.indexOf(most)] ??= cell
  }
  return found
}

/** The lines of a text from a place on, without what quotes them. */
function* linesFrom(text: string, at: number): Generator<Line> {
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    yield lineOf(text.slice(at, end < 0 ? text.length : end), at)
    if (end < 0) return
    at = end + 1
  }
}

function lineOf(text: string, start: number): Line {
  const [quoted = ''] = quotation.exec(text) ?? []
  return { text: text.slice(quoted.length).replace(/\r$/, ''), start: start + quoted.length }
}

/** The rows below a head, up to the first blank line, or lines that don't fit; `end` is where they end. */
function rowsBelow(text: string, head: Head): { rows: Row[]; end: number } {
  const rows: Row[] = []
  let end = head.line.start
  let misfits = 0
  for (const line of linesFrom(text, end)) {
    if (line.start === head.line.start) continue
    if (line.text.trim() === '') break
    if (rule.test(line.text)) continue
    const row = underHeads(line, head)
    misfits = row ? 0 : misfits + 1
    if (misfits > mostMisfits) break
    if (!row) continue
    rows.push(row)
    end = line.start + line.text.length
  }
  return { rows, end }
}

const areNamed = (cells: Row) => cells.filter(cell => cell !== undefined && saysWhatItHolds(cell.value)).length

/** Whether the values of some column have a form: numbers, dates, addresses of mail. */
const haveForm = ({ cells }: Head, rows: readonly Row[]) =>
  cells.some((_, n) => rows.filter(row => /[\d@]/.test(row[n]?.value ?? '')).length * 2 >= rows.length)

/** Whether names of columns stand above values; in the lines of a form labels stand below each other. */
function isTable(head: Head, rows: readonly Row[]): boolean {
  if (rows.length === 0 || areNamed(rows.map(([first]) => first)) * 2 > rows.length || !haveForm(head, rows))
    return false
  const named = areNamed(head.cells)
  const { length } = head.cells
  return length === 2 ? named === 2 : named * 2 >= length || (named >= fewest && rows.length >= fewest)
}

/** The cells of a table by its columns, and where it ends; where there is none, where the next one may begin. */
function tableAt(text: string, line: Line): { cells: TextCell[]; end: number } {
  let next = line.start
  for (const { mark, split, isAligned } of splitters) {
    const head = mark.test(line.text) ? headOf(line, split, isAligned) : undefined
    if (!head) continue
    const { rows, end } = rowsBelow(text, head)
    if (isTable(head, rows)) return { cells: cellsByColumn(head, rows), end }
    if (rows.length > mostLabels) next = Math.max(next, end)
  }
  return { cells: [], end: next }
}

function cellsByColumn(head: Head, rows: readonly Row[]): TextCell[] {
  const names = head.cells.map(({ value }) => value)
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
    const { cells, end } = tableAt(text, lineOf(line, index))
    from = end
    yield* cells
  }
}
