import { createWriteStream, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { ZipFile } from 'yazl'

/** Rows of the made tables: a number, a name, an e-mail address, a telephone number, a day, a remark. */
export const columns = ['id', 'name', 'email', 'phone', 'since', 'remark']

const names = ['Anna', 'Bjarne', 'Chloé', 'Dmitri', 'Eva', 'Farid', 'Grete', 'Håkon']
const towns = ['north', 'south', 'harbour', 'old town', 'station', 'market']

/** The cells of a row of the made tables, by its number from 0: always the same. */
export function rowOf(n: number): [number, string, string, string, string, string] {
  const digits = String((n * 7919) % 10_000).padStart(4, '0')
  const name = `${names[n % 8]} ${names[(n >> 3) % 8]}sen`
  const day = `20${String(n % 25).padStart(2, '0')}-0${(n % 9) + 1}-1${n % 10}`
  const remark = n % 50 === 0 ? `asked us to write to b${n}@example.org instead` : `${towns[n % 6]}, visit ${n % 97}`
  return [n, name, `user${n}@example.com`, `(555) 010-${digits}`, day, remark]
}

async function write(path: string, parts: [name: string, text: () => Iterable<string>][]): Promise<void> {
  const zip = new ZipFile()
  for (const [name, text] of parts) {
    const bytes = function* () {
      for (const piece of text()) yield Buffer.from(piece)
    }
    if (name === 'mimetype') zip.addBuffer(Buffer.concat([...bytes()]), name, { compress: false })
    else zip.addReadStream(Readable.from(bytes(), { objectMode: false }), name, { compressionLevel: 3 })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

function* lines(rows: number, line: (cells: (string | number)[], row: number) => string): Generator<string> {
  yield line(columns, 0)
  for (let n = 0; n < rows; n += 500) {
    let text = ''
    for (let at = n; at < Math.min(n + 500, rows); at++) text += line(rowOf(at), at + 1)
    yield text
  }
}

/** Writes a workbook of one sheet: numbers, inline strings and, for the remarks, shared strings. */
export async function makeXlsx(path: string, rows: number): Promise<void> {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packaged = 'http://schemas.openxmlformats.org/package/2006'
  const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const shared = new Map<string, number>()
  const number = (text: string) => shared.get(text) ?? shared.set(text, shared.size).size - 1
  const cell = (value: string | number, row: number, column: number) => {
    const at = `${'ABCDEF'[column]}${row + 1}`
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
    if (column === 5) return `<c r="${at}" t="s"><v>${number(value)}</v></c>`
    return `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  }
  const row = (cells: (string | number)[], at: number) =>
    `<row r="${at + 1}">${cells.map((value, column) => cell(value, at, column)).join('')}</row>`
  const item = (text: string) => `<si><t>${text}</t></si>`
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${media}.${type}+xml"/>`
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="r${id}" Type="${office}/${type}" Target="${target}"/>`
  const relations = (inner: string) => `${xml}<Relationships xmlns="${packaged}/relationships">${inner}</Relationships>`
  for (let n = 0; n < rows; n++) number(rowOf(n)[5])
  number('remark')
  await write(path, [
    [
      '[Content_Types].xml',
      () => [
        `${xml}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
        `${override('workbook', 'sheet.main')}${override('worksheets/sheet1', 'worksheet')}${override('sharedStrings', 'sharedStrings')}</Types>`,
      ],
    ],
    ['_rels/.rels', () => [relations(relation(1, 'officeDocument', 'xl/workbook.xml'))]],
    [
      'xl/workbook.xml',
      () => [
        `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ],
    ],
    [
      'xl/_rels/workbook.xml.rels',
      () => [
        relations(
          relation(1, 'worksheet', 'worksheets/sheet1.xml') + relation(2, 'sharedStrings', 'sharedStrings.xml'),
        ),
      ],
    ],
    [
      'xl/sharedStrings.xml',
      () => [`${xml}<sst xmlns="${main}">`, ...Iterator.from(shared.keys()).map(item), '</sst>'],
    ],
    [
      'xl/worksheets/sheet1.xml',
      function* () {
        yield `${xml}<worksheet xmlns="${main}"><sheetData>`
        yield* lines(rows, row)
        yield '</sheetData></worksheet>'
      },
    ],
  ])
}

/** Writes an OpenDocument spreadsheet of one table. */
export async function makeOds(path: string, rows: number): Promise<void> {
  const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
  const spaces = ['office', 'table', 'text'].map(name => ` xmlns:${name}="${oasis}:${name}:1.0"`).join('')
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
      : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
  const row = (cells: (string | number)[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`
  const type = 'application/vnd.oasis.opendocument.spreadsheet'
  await write(path, [
    ['mimetype', () => [type]],
    [
      'META-INF/manifest.xml',
      () => [
        `${xml}<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" manifest:version="1.2">${entry('/', type)}${entry('content.xml', 'text/xml')}</manifest:manifest>`,
      ],
    ],
    [
      'content.xml',
      function* () {
        yield `${xml}<office:document-content${spaces} office:version="1.2"><office:body><office:spreadsheet><table:table table:name="People">`
        yield* lines(rows, row)
        yield '</table:table></office:spreadsheet></office:body></office:document-content>'
      },
    ],
  ])
}

/** Writes a Parquet file of eight columns, 100,000 rows in a group. */
export function makeParquet(path: string, rows: number): void {
  const data = Array.from({ length: 8 }, () => new Array<unknown>(rows))
  for (let n = 0; n < rows; n++)
    [...rowOf(n), n * 1.5, n % 2 === 0].forEach((value, column) => {
      data[column]![n] = value
    })
  const types = ['INT32', 'STRING', 'STRING', 'STRING', 'STRING', 'STRING', 'DOUBLE', 'BOOLEAN'] as const
  const columnData = [...columns, 'amount', 'active'].map((name, column) => ({
    name,
    data: data[column]!,
    type: types[column]!,
  }))
  writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 100_000 })))
}
