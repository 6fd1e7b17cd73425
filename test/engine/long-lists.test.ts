import { PDFDocument, type PDFFont, PDFName, type PDFPage } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { call, regexRule } from './call.ts'
import { makeWmf, wmfRecord } from './formats/metafile-samples.ts'
import { makeDocx, makeOdf, makeOffice, relationships } from './formats/package.ts'

/** More than fit on the stack as the arguments of a call. */
const many = 130_000

const zebulon = regexRule('X', 'Zebulon')

/** How often each rule finds something. */
async function counts(name: string, bytes: string | Uint8Array, rules: PlannedRule[] = [zebulon]): Promise<number[]> {
  const { findings } = await anonymise(call({ input: bufferInput(name, Buffer.from(bytes)), rules }))
  return findings.map(({ count }) => count)
}

describe('a text with very many', () => {
  test.each<[string, string, PlannedRule[], number[]]>([
    ['comments', `[${'// c\n'.repeat(many)}"Zebulon"]`, [zebulon], [1]],
    ['values that overlap', JSON.stringify('ab'.repeat(many)), [regexRule('A', 'ab'), regexRule('B', 'ba')], [many, 0]],
    ['values that are escaped', JSON.stringify('a%40b '.repeat(many)), [regexRule('A', 'a@b')], [many]],
  ])('%s', async (_what, source, rules, expected) => {
    expect(await counts('a.json', source, rules)).toEqual(expected)
  })
})

describe('a drawing with very many', () => {
  test('places of letters', async () => {
    const places = Array.from({ length: many }, (_, n) => n * 900)
    const text = `Zebulon${'a'.repeat(many)}`
    const source = `<svg xmlns="http://www.w3.org/2000/svg"><text x="${places.join(' ')}" y="9">${text}</text></svg>`
    expect(await counts('a.svg', source, [regexRule('X', 'Z')])).toEqual([1])
  })

  test('records', async () => {
    const mode = wmfRecord(0x102, Uint8Array.of(1, 0))
    expect(await counts('a.wmf', makeWmf(Array(many).fill(mode)))).toEqual([0])
  })
})

describe('a field of a document with very many', () => {
  const run = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const field = (code: string) =>
    makeDocx(`<w:p>${mark('begin')}${code}${mark('separate')}<w:r><w:t>Zebulon</w:t></w:r>${mark('end')}</w:p>`)
  const data = run('QUJD'.repeat(60))

  test.each([
    ['escapes in its address', run(`HYPERLINK "http://a/${'%20a'.repeat(many)}"`)],
    ['runs in its code', run(' AUTHOR ').repeat(many)],
    ['runs with its data', data + run('a ').repeat(many) + data],
  ])('%s', async (_what, code) => {
    expect(await counts('a.docx', field(code))).toEqual([1])
  })
})

test('a chart with very many points', async () => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const c = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
  const ns = `xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
  const points = Array.from({ length: many }, (_, n) => `<c:pt idx="${n}"/>`).join('')
  const series = `<c:numRef><c:f>INDIRECT("a")</c:f><c:numCache>${points}</c:numCache></c:numRef>`
  const book = makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${ns}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet ${ns}><sheetData><row r="1"><c r="A1" t="str"><v>Zebulon</v></c></row></sheetData><drawing r:id="r1"/></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships([['r1', 'drawing', '../drawings/drawing1.xml']]),
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>',
    'xl/drawings/_rels/drawing1.xml.rels': relationships([['r1', 'chart', '../charts/chart1.xml']]),
    'xl/charts/chart1.xml': `<c:chartSpace xmlns:c="${c}"><c:chart><c:plotArea><c:lineChart><c:ser><c:val>${series}</c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
  })
  expect(await counts('a.xlsx', book)).toEqual([1])
})

test('a cell with very many runs', async () => {
  const lines = `<text:p>Zebulon</text:p><text:p>${'<text:span>b </text:span>'.repeat(many)}</text:p>`
  const row = `<table:table-row><table:table-cell>${lines}</table:table-cell></table:table-row>`
  const sheet = makeOdf('spreadsheet', `<table:table table:name="S">${row}</table:table>`)
  expect(await counts('a.ods', sheet)).toEqual([1])
})

describe('a PDF with very many', () => {
  const add: Record<string, (document: PDFDocument, page: PDFPage) => void> = {
    'elements in its structure'({ context, catalog }) {
      const element = context.register(context.obj({ Type: 'StructElem', S: 'Span', K: [] }))
      const root = context.register(context.obj({ Type: 'StructTreeRoot', K: Array(many).fill(element) }))
      catalog.set(PDFName.of('StructTreeRoot'), root)
    },
    'points around an annotation'({ context }, page) {
      const points = Array.from({ length: many }, (_, n) => `${n % 50} ${n % 37} l`).join(' ')
      const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 50, 50] }
      const N = context.register(context.flateStream(`0 0 m ${points} h W n 0 0 10 10 re f`, form))
      page.node.set(
        PDFName.of('Annots'),
        context.obj([{ Type: 'Annot', Subtype: 'Stamp', F: 4, Rect: [10, 10, 60, 60], AP: { N } }]),
      )
    },
  }

  test.each(Object.keys(add))('%s', async what => {
    const document = await PDFDocument.create({ updateMetadata: false })
    const page = document.addPage([400, 200])
    const font: PDFFont = await document.embedFont('Helvetica')
    page.drawText('Zebulon goes', { font, x: 20, y: 100, size: 20 })
    add[what]!(document, page)
    expect(await counts('a.pdf', await document.save({ useObjectStreams: false }))).toEqual([1])
  })
})
