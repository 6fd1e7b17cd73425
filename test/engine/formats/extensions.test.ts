import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { book, deck, row, runs, tree } from './hiding-samples.ts'
import { makeDocx, readZip } from './package.ts'

const x14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'
const uri = '{78C0D931-6437-407d-A8EE-F0AAD7539E65}'

/** A list of extensions whose attributes, names and addresses hold a value; elements have a prefix. */
const list = (prefix: string, value: string, inName = value, inAddress = value) =>
  `<${prefix}extLst><${prefix}ext uri="${uri}"><x14:a xmlns:x14="${x14}" name="${value}" descr="see ${value}" ` +
  `id="{${value}}" ref="${value}" sqref="A1:B2 $C$3" topLeftCell="${value}" val="${value}"><x14:b>${value}</x14:b></x14:a>` +
  `</${prefix}ext><${prefix}ext uri="${value}"/><${prefix}ext uri="urn:${value}" xmlns:z="urn:${inAddress}">` +
  `<z:${inName} z:${inName}="1" z:type="${value}" z:ref="${value}"/></${prefix}ext></${prefix}extLst>`

const wdp = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'
const main = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const drawing = (extensions: string) =>
  `<w:p><w:r><w:t>Zyanne</w:t></w:r><w:r><w:drawing><wp:inline xmlns:wp="${wdp}"><wp:docPr id="1" name="a">` +
  `<a:hlinkClick xmlns:a="${main}">${extensions}</a:hlinkClick></wp:docPr></wp:inline></w:drawing></w:r></w:p>`

test.each([
  ['a sheet', 'a.xlsx', '', 'xl/worksheets/sheet1.xml', (all: string) => book(row('Zyanne') + all)],
  ['a workbook', 'a.xlsx', '', 'xl/workbook.xml', (all: string) => book(row('Zyanne'), {}, {}, all)],
  ['a slide', 'a.pptx', 'p:', 'ppt/slides/slide1.xml', (all: string) => deck(tree(runs('Zyanne')) + all)],
  ['a drawing', 'a.docx', 'a:', 'word/document.xml', (all: string) => makeDocx(drawing(all))],
])('extensions of %s lose values, and keep what makes them up', async (_, name, prefix, part, make) => {
  const input = bufferInput(name, make(list(prefix, 'Zyanne')))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('X', '\\bZyanne\\b')] }))
  const files = readZip(await output.read(0, output.size))
  expect([...files.values()].join('')).not.toMatch(/zyanne/i)
  expect(files.get(part)!.toString()).toContain(list(prefix, '[X]', '_X_', '%5BX%5D'))
  expect(report.dropped).toEqual([])
})
