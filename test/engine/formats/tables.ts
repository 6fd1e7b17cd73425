import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { makeOdf, makeOffice, readZip, relationships } from './package.ts'

/** A format of tables as the tests see it: files of some texts under names of columns, and the texts read out of one. */
export type TableKind = {
  name: string
  make(header: string[], rows: string[][]): Uint8Array
  /** The rows without the header, by code that is not under test. */
  read(bytes: Uint8Array): Promise<string[][]>
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The fields of a line; those with the mark in them are quoted. */
const fieldsOf = (line: string, mark: string) =>
  [...`${line}${mark}`.matchAll(new RegExp(`(?:"([^"]*)"|([^"${mark}]*))${mark}`, 'g'))].map(
    ([, quoted, bare]) => quoted ?? bare!,
  )

const separated = (name: string, mark: string): TableKind => ({
  name,
  make: (header, rows) => Buffer.from([header, ...rows].map(cells => `${cells.join(mark)}\n`).join('')),
  read: async bytes =>
    Buffer.from(bytes)
      .toString()
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => fieldsOf(line, mark)),
})

const records = (header: string[], rows: string[][]) =>
  rows.map(cells => Object.fromEntries(header.map((name, n) => [name, cells[n]!])))

const valuesOf = (text: string) => Object.values(JSON.parse(text) as Record<string, string>)

/** Texts between tags, by row. */
const cellsIn = (source: string, row: RegExp, cell: RegExp) =>
  [...source.matchAll(row)].slice(1).map(([, inside]) => [...inside!.matchAll(cell)].map(([, text]) => plain(text!)))

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Every format of tables that there is. */
export const tableKinds: readonly TableKind[] = [
  separated('t.csv', ','),
  separated('t.tsv', '\t'),
  {
    name: 't.ndjson',
    make: (header, rows) =>
      Buffer.from(
        records(header, rows)
          .map(record => `${JSON.stringify(record)}\n`)
          .join(''),
      ),
    read: async bytes => Buffer.from(bytes).toString().trimEnd().split('\n').map(valuesOf),
  },
  {
    name: 't.json',
    make: (header, rows) => Buffer.from(JSON.stringify(records(header, rows))),
    read: async bytes =>
      (JSON.parse(Buffer.from(bytes).toString()) as Record<string, string>[]).map(record => Object.values(record)),
  },
  {
    name: 't.xlsx',
    make: (header, rows) => {
      const cell = (text: string) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
      const row = (cells: string[]) => `<row>${cells.map(cell).join('')}</row>`
      return makeOffice('xl/workbook.xml', {
        'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': relationships([['rId1', 'worksheet', 'worksheets/sheet1.xml']]),
        'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${[header, ...rows].map(row).join('')}</sheetData></worksheet>`,
      })
    },
    read: async bytes =>
      cellsIn(
        readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString(),
        /<row>(.*?)<\/row>/gs,
        /<t(?: xml:space="preserve")?>([^<]*)<\/t>/g,
      ),
  },
  {
    name: 't.ods',
    make: (header, rows) => {
      const cell = (text: string) =>
        `<table:table-cell office:value-type="string"><text:p>${escaped(text)}</text:p></table:table-cell>`
      const row = (cells: string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
      return makeOdf('spreadsheet', `<table:table table:name="S">${[header, ...rows].map(row).join('')}</table:table>`)
    },
    read: async bytes =>
      cellsIn(
        readZip(bytes).get('content.xml')!.toString(),
        /<table:table-row>(.*?)<\/table:table-row>/gs,
        /<text:p>([^<]*)<\/text:p>/g,
      ),
  },
  {
    name: 't.parquet',
    make: (header, rows) =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: header.map((name, n) => ({ name, data: rows.map(cells => cells[n]!), type: 'STRING' as const })),
        }),
      ),
    read: async bytes => {
      const file = Uint8Array.from(bytes).buffer
      const found = (await parquetReadObjects({ file })) as Record<string, string>[]
      return found.map(record => Object.values(record))
    },
  },
]
