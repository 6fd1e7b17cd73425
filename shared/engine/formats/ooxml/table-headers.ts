import { type Patch, splice } from '../text/text-nodes.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeString } from './escapes.ts'
import { officeNamespaces } from './namespaces.ts'
import type { Part } from './package.ts'
import { columnOf } from './slow-rows.ts'
import type { Workbook } from './workbook.ts'

/** The texts of cells that changed, by row and column from 1: `2:1`. */
export type ChangedCells = Map<string, string>

/** A table: the row of its header and its first column from 1, and what its columns are called. */
type Table = { row: number; left: number; names: string[] }

/** The headers of the tables of a workbook and what becomes of them while the sheets are written. */
export type TableHeaders = {
  /** Notes a cell of a sheet that now shows something else. */
  note(sheet: Part, row: number, column: number, text: string): void
  /**
   * The text of a part, once all sheets are written. Programs report a file as damaged where the columns of a table are not
   * called what its header shows: such a table loses its header, whose cells stay; `report` is told.
   */
  agreeing(part: Part, text: string, report: (what: string) => void): string
}

/** Reads the tables of all sheets. */
export function tableHeaders({ opened, sheets }: Workbook): TableHeaders {
  const tables = new Map<string, { sheet: Part; table: Table }>()
  const changed = new Map<Part, { rows: Set<number>; cells: ChangedCells }>()
  for (const { part: sheet } of sheets)
    for (const { target } of sheet.relationships) {
      const part = opened.parts.get(target)
      if (part?.kind !== 'table' || part.source === undefined) continue
      const { table } = readTable(part.source.text)
      if (table === undefined) continue
      tables.set(part.name, { sheet, table })
      const known = changed.get(sheet) ?? { rows: new Set<number>(), cells: new Map() }
      known.rows.add(table.row)
      changed.set(sheet, known)
    }
  return {
    note(sheet, row, column, text) {
      const own = changed.get(sheet)
      if (own?.rows.has(row)) own.cells.set(`${row}:${column}`, text)
    },
    agreeing(part, text, report) {
      const known = tables.get(part.name)
      if (known === undefined) return text
      const { row, left, names } = known.table
      const cells = changed.get(known.sheet)!.cells
      const written = readTable(text)
      const agrees = names.every((name, n) => written.table!.names[n] === (cells.get(`${row}:${left + n}`) ?? name))
      if (agrees) return text
      report('headers of tables')
      return splice(text, written.headless)
    },
  }
}

/** A table that has a header and cells below it, and the changes that take the header from it. */
function readTable(source: string): { table?: Table; headless: Patch[] } {
  const names: string[] = []
  const headless: Patch[] = []
  let found: { row: number; left: number } | undefined
  let filter = -1
  scanNamed(
    source,
    officeNamespaces,
    {
      open(element, start, end, empty, attributes) {
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)
        if (element === 's:tableColumn') names.push(decodeString(value('name')?.value ?? ''))
        if (element === 's:autoFilter') {
          filter = start
          if (empty) headless.push({ start, end, text: '' })
        }
        if (element !== 's:table') return
        const ref = value('ref')
        const count = value('headerRowCount')
        const [, letters, row, rest, last] = /^([A-Z]+)(\d+)(:[A-Z]+(\d+))$/.exec(ref?.value ?? '') ?? []
        if (ref === undefined || Number(count?.value ?? 1) !== 1 || !(Number(last) > Number(row))) return
        found = { row: Number(row), left: columnOf(letters, 0) }
        const below = `${letters}${Number(row) + 1}${rest}`
        headless.push({ start: ref.valueStart, end: ref.valueEnd, text: below })
        if (count !== undefined) headless.push({ start: count.valueStart, end: count.valueEnd, text: '0' })
        else headless.push({ start: ref.start, end: ref.start, text: ' headerRowCount="0"' })
      },
      close(element, _start, end) {
        if (element === 's:autoFilter' && end > filter) headless.push({ start: filter, end, text: '' })
      },
      text() {},
    },
    64,
  )
  return { table: found && { ...found, names }, headless }
}
