import { EngineError } from '../../errors.ts'
import { type NamedAttribute, scanNamed } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { officeNamespaces } from './namespaces.ts'
import { lastColumn, lastRow } from './references.ts'

/** A cell as it is written. Offsets are those of the text that holds its row. */
export type RawCell = {
  start: number
  end: number
  /** Column from 1. */
  column: number
  type: string
  style: number
  /** Its start tag's attributes that a changed cell keeps: all but the type and those of dynamic formulas. */
  attributes: string
  /** What `<v>` holds, decoded. */
  value?: string
  formula?: Formula
  /** What `<is>` holds. */
  inline?: string
}

/** A formula and where it is written. */
export type Formula = {
  start: number
  end: number
  text: string
  textStart: number
  shared?: string
  master: boolean
  /** Of one that gives the values of several cells: the last row and column that it covers. */
  covers?: { row: number; column: number }
}

/** What is told of a formula by what it depends on. */
export type WrittenFormula = Pick<Formula, 'text' | 'shared' | 'covers'>

/** A row with its number from 1. */
export type RawRow = { number: number; cells: RawCell[] }

const rowAt = /\s*<row((?: [\w:.]+="[^"<]*")*) ?(\/?)>/y
const cellAt =
  /<c((?: [\w:.]+="[^"<&]*")*) ?(?:\/>|>(?:<v>([^<]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)?<\/c>)/y
const endAt = /\s*<\/row>/y

/** Reads rows: the way programs write them at once, any other way through the XML scanner. */
export function readRows(text: string, prefix: string, after: number): RawRow[] {
  const rows: RawRow[] = []
  let at = 0
  let number = after
  while (at < text.length) {
    const row = prefix === '' ? fastRow(text, at, number) : undefined
    if (row === undefined) {
      if (!/\S/.test(text.slice(at))) break
      return [...rows, ...slowRows(text.slice(at), at, prefix, number)]
    }
    number = row.number
    rows.push(row)
    at = row.end
  }
  return rows
}

function fastRow(text: string, start: number, after: number): (RawRow & { end: number }) | undefined {
  rowAt.lastIndex = start
  const match = rowAt.exec(text)
  if (match === null) return undefined
  const number = rowNumber(/ r="(\d+)"/.exec(match[1]!)?.[1], after)
  const cells: RawCell[] = []
  let at = rowAt.lastIndex
  if (match[2] === '/') return { number, cells, end: at }
  let column = 0
  for (;;) {
    cellAt.lastIndex = at
    const cell = cellAt.exec(text)
    if (cell === null) break
    const [, tag, value, inline] = cell
    const attributes = tag!
    column = columnOf(/ r="([A-Z]+)/.exec(attributes)?.[1], column)
    const type = / t="(\w+)"/.exec(attributes)?.[1] ?? 'n'
    const style = Number(/ s="(\d+)"/.exec(attributes)?.[1] ?? 0)
    const end = cellAt.lastIndex
    const found: RawCell = { start: at, end, column, type, style, attributes }
    if (value !== undefined) found.value = decodeXml(value)
    else if (inline !== undefined) found.inline = text.slice(text.indexOf('<is>', at) + 4, end - 9)
    cells.push(found)
    at = end
  }
  endAt.lastIndex = at
  return endAt.test(text) ? { number, cells, end: endAt.lastIndex } : undefined
}

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

function slowRows(text: string, offset: number, prefix: string, after: number): RawRow[] {
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`
  // Prefixes of extensions are declared at the root of the sheet; here it matters only that they are.
  const foreign = new Set([...text.matchAll(/[<\s/]([A-Za-z_][\w.-]*):/g)].map(([, found]) => found!))
  for (const known of ['xml', 'xmlns', prefix.slice(0, -1)]) foreign.delete(known)
  const declared = [...foreign].map(found => ` xmlns:${found}="urn:x:${found}"`).join('')
  const before = `<${prefix}sheetData ${declaration}="${namespace}"${declared}>`
  const shift = offset - before.length
  const source = `${before}${text}</${prefix}sheetData>`
  const rows: RawRow[] = []
  const open: string[] = []
  let number = after
  let column = 0
  let cell: RawCell | undefined
  let inlineStart = 0
  const attribute = (attributes: NamedAttribute[], name: string) =>
    attributes.find(({ canonical }) => canonical === name)?.value
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, start, end, _empty, attributes) {
        const parent = open.at(-1)
        open.push(name)
        if (name === 's:row') {
          number = rowNumber(attribute(attributes, 'r'), number)
          column = 0
          rows.push({ number, cells: [] })
        } else if (name === 's:c') {
          column = columnOf(/^[A-Z]+/.exec(attribute(attributes, 'r') ?? '')?.[0], column)
          const type = attribute(attributes, 't') ?? 'n'
          const style = Number(attribute(attributes, 's') ?? 0)
          const kept = attributes.map(item => source.slice(item.start, item.end)).join('')
          cell = { start: start + shift, end: 0, column, type, style, attributes: kept }
          rows.at(-1)?.cells.push(cell)
        } else if (name === 's:f' && cell !== undefined) {
          const shared = attribute(attributes, 't') === 'shared' ? attribute(attributes, 'si') : undefined
          cell.formula = { start: start + shift, end: 0, text: '', textStart: end + shift, shared, master: false }
          if (/^(?:array|dataTable)$/.test(attribute(attributes, 't') ?? ''))
            cell.formula.covers = lastCell(attribute(attributes, 'ref'))
        } else if (name === 's:is') inlineStart = end
        else if (name === 's:v' && cell !== undefined) cell.value ??= ''
        else if (parent === 's:c' && name !== 's:v' && name !== 's:extLst')
          throw new EngineError('corrupt_file', 'A cell of a worksheet holds an unknown element')
      },
      close(name, start, end) {
        open.pop()
        if (cell === undefined) return
        if (name === 's:c') {
          cell.end = end + shift
          cell = undefined
        } else if (name === 's:f') {
          cell.formula!.end = end + shift
          cell.formula!.master = cell.formula!.text !== ''
        } else if (name === 's:is') cell.inline = source.slice(inlineStart, start)
      },
      text(start, end, cdata) {
        const raw = source.slice(start, end)
        const parent = open.at(-1)
        if (parent === 's:v' && cell !== undefined)
          cell.value = (cell.value ?? '') + (cdata ? raw.slice(9, -3) : decodeXml(raw))
        else if (parent === 's:f' && cell !== undefined && !cdata) {
          cell.formula!.text += raw
          cell.formula!.textStart = Math.min(cell.formula!.textStart, start + shift)
        } else if (!open.includes('s:is') && /\S/.test(raw))
          throw new EngineError('corrupt_file', 'A worksheet holds text outside of its cells')
      },
    },
    64,
  )
  return rows
}

/** The last of several cells, at most the last that a sheet has. */
function lastCell(cells = ''): Formula['covers'] {
  const last = /:\$?([A-Z]+)\$?(\d+)$/.exec(cells)
  if (last === null) return undefined
  return { row: Math.min(Number(last[2]), lastRow), column: Math.min(columnOf(last[1], 0), lastColumn) }
}

function rowNumber(written: string | undefined, after: number): number {
  return written === undefined ? after + 1 : Number(written)
}

/** The number, from 1, of a column by its letters; without them it is the one after the last. */
export function columnOf(letters: string | undefined, after: number): number {
  if (letters === undefined) return after + 1
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}
