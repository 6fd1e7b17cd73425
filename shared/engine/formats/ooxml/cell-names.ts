import { scanNamed } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { decodeString } from './escapes.ts'
import { officeNamespaces } from './namespaces.ts'
import { type CellNames, type Reference, referencesIn } from './references.ts'
import { columnOf } from './slow-rows.ts'
import type { Workbook } from './workbook.ts'

/** A table: its rows, those of its header among them, its first column, and what its columns are called. */
type Table = { sheet: number; headers: number; top: number; bottom: number; left: number; columns: string[] }

/** Longer names are looked up for any cell. */
const longestName = 100_000

/** What formulas of a workbook call its sheets, tables and ranges. */
export function cellNames({ opened, sheets }: Workbook): CellNames {
  const places = new Map<string, number | undefined>()
  sheets.forEach(({ title }, index) => {
    const name = title.toLowerCase()
    places.set(name, places.has(name) ? undefined : index + 1)
  })
  const tables = new Map<string, Table>()
  sheets.forEach(({ part }, index) => {
    for (const { target } of part.relationships) {
      const table = opened.parts.get(target)
      if (table?.kind === 'table' && table.source !== undefined) readTable(table.source.text, index + 1, tables)
    }
  })
  const sheet = (name: string) => places.get(name.toLowerCase())
  const none: CellNames = { sheet, named: () => undefined }
  const ranges = new Map<string, Reference[] | undefined>()
  for (const { name, text } of definedNames(opened.parts.get(opened.main)!.source!.text)) {
    const key = name.toLowerCase()
    const cells = referencesIn(text, { sheet: 0, row: 0, column: 0 }, none)
    const isFixed = cells?.every(({ sheet: of, top, left }) => of !== 0 && !top.moves && !left.moves)
    const known = ranges.has(key) ? ranges.get(key) : []
    ranges.set(key, isFixed && known ? [...known, ...cells!] : undefined)
  }
  return {
    sheet,
    named(name) {
      if (name.length > longestName) return undefined
      const [called = ''] = name.toLowerCase().split('[', 1)
      const table = tables.get(called)
      if (table !== undefined) return columnsOf(table, name.slice(called.length))
      return name.includes('[') ? undefined : ranges.get(called)
    },
  }
}

/** The columns of a table that brackets behind its name tell of; all of them where they tell of none. */
function columnsOf({ sheet, headers, top, bottom, left, columns }: Table, brackets: string): Reference[] | undefined {
  const first = /#(?:All|Headers)/i.test(brackets) ? top : top + headers
  const fixed = (at: number) => ({ at, moves: false })
  const cells = (from: number, to: number): Reference => ({
    ...{ sheet, left: fixed(left + from), right: fixed(left + to), top: fixed(first), bottom: fixed(bottom) },
  })
  const inner = [...brackets.matchAll(/\[((?:'[\s\S]|[^[\]'])*)\]/g)].map(([, text]) => text!)
  const named = inner.filter(text => !text.startsWith('#')).map(text => text.replace(/^@|'(?=.)/g, '').toLowerCase())
  if (named.length === 0) return [cells(0, columns.length - 1)]
  const places = named.map(name => columns.indexOf(name))
  return places.includes(-1) ? undefined : [cells(Math.min(...places), Math.max(...places))]
}

function readTable(source: string, sheet: number, tables: Map<string, Table>): void {
  let table: Table | undefined
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value ?? ''
        if (name === 's:table') {
          const cells = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(value('ref'))
          if (cells === null) return
          const headers = value('headerRowCount') === '0' ? 0 : 1
          table = {
            sheet,
            headers,
            top: Number(cells[2]),
            bottom: Number(cells[3]),
            left: columnOf(cells[1], 0),
            columns: [],
          }
          for (const key of ['name', 'displayName']) tables.set(decodeString(value(key)).toLowerCase(), table)
        } else if (name === 's:tableColumn') table?.columns.push(decodeString(value('name')).toLowerCase())
      },
      close() {},
      text() {},
    },
    64,
  )
}

function definedNames(source: string): { name: string; text: string }[] {
  const names: { name: string; text: string }[] = []
  let isOpen = false
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, _start, _end, empty, attributes) {
        isOpen = name === 's:definedName' && !empty
        if (!isOpen) return
        names.push({ name: decodeXml(attributes.find(({ canonical }) => canonical === 'name')?.value ?? ''), text: '' })
      },
      close() {
        isOpen = false
      },
      text(start, end) {
        if (isOpen) names.at(-1)!.text += source.slice(start, end)
      },
    },
    1024,
  )
  return names
}
