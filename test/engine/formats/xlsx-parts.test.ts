import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOffice, readZip, relationships } from './package.ts'

const canary = regexRule('X', '\\b[Zz]y\\w*')

async function clean(bytes: Buffer, rules = [canary]) {
  const { output, report } = await anonymise(call({ input: bufferInput('x.xlsx', bytes), rules }))
  return { bytes: await output.read(0, output.size), report }
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"`
const cell = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`

/** A workbook of one sheet with two cells that embeds an object. */
const withObject = (kind: string, target: string, inner: string | Uint8Array) =>
  makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData><row r="1">${cell('A1', 'Zyanne')}${cell('B1', 'Secret')}</row></sheetData><oleObjects><oleObject progId="Word.Document.12" shapeId="1025" r:id="o1"/></oleObjects></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships([['o1', kind, `../embeddings/${target}`]]),
    [`xl/embeddings/${target}`]: inner,
  })

const properties =
  '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Microsoft Macintosh Excel</Application><Company>Zycorp</Company></Properties>'
const workbookWith = (properties: string, rows = '') =>
  makeOffice(
    'xl/workbook.xml',
    {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
      'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData>${rows}</sheetData></worksheet>`,
      'docProps/app.xml': properties,
    },
    [['p1', 'extended-properties', 'docProps/app.xml']],
  )
const withProperties = workbookWith(properties)

describe('what a workbook holds beside its cells', () => {
  test('a document in a workbook is anonymised too, also of what only a cell tells', async () => {
    const inner = makeDocx('<w:p><w:r><w:t>Letter of Zyanne, Secret, and others</w:t></w:r></w:p>')
    const rules = [canary, regexRule('cell', '^Secret$')]
    const { bytes, report } = await clean(withObject('package', 'Microsoft_Word_Document1.docx', inner), rules)
    const files = readZip(bytes)
    expect(files.get('xl/worksheets/sheet1.xml')!.toString()).toContain('r:id="o1"')
    const document = readZip(files.get('xl/embeddings/Microsoft_Word_Document1.docx')!).get('word/document.xml')!
    expect(document.toString()).toContain('and others')
    expect(document.toString()).not.toMatch(/Zyanne|Secret/)
    expect(report.dropped).toEqual([])
  })

  test('an object that nothing can read goes with what shows it', async () => {
    const { bytes, report } = await clean(withObject('oleObject', 'oleObject1.bin', 'Zyole'))
    expect([...readZip(bytes).keys()].join()).not.toContain('embeddings')
    expect(readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString()).not.toContain('oleObject')
    expect(report.dropped).toEqual([{ what: 'embedded objects', count: 1 }])
  })

  test('of the properties only that a well-known program wrote the file is left', async () => {
    const { bytes, report } = await clean(withProperties)
    const left = readZip(bytes).get('docProps/app.xml')!.toString()
    expect(left).toMatch(/>Microsoft Excel</)
    expect(left).not.toMatch(/Company|Zycorp/)
    expect(report.dropped).toEqual([{ what: 'properties', count: 1 }])
    expect(left).not.toContain('AppVersion')
    // Also this is a place where a rule finds a value.
    const named = await clean(withProperties, [regexRule('maker', 'Microsoft')])
    expect(readZip(named.bytes).get('docProps/app.xml')!.toString()).toMatch(/>\[maker\] Excel</)
  })
  test('only a small x begins a character by its number', async () => {
    const cells = ['_X0000_', '_x005F_x0000_', '_x', 'Zyanne _x0041_']
    const row = `<row r="1">${cells.map((text, i) => cell(`${'ABCD'[i]}1`, text)).join('')}</row>`
    const { bytes } = await clean(workbookWith(properties, row))
    const sheet = readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString()
    for (const text of cells.slice(0, 3)) expect(sheet).toContain(`>${text}<`)
    expect(sheet).toContain('>[X] A<')
  })

  test('the version of 2007 stays, for charts mean something else by it', async () => {
    const stated = (version: string) =>
      workbookWith(properties.replace('<Company>', `<AppVersion>${version}</AppVersion><Company>`))
    const app = async (version: string, rules = [canary]) =>
      readZip((await clean(stated(version), rules)).bytes)
        .get('docProps/app.xml')!
        .toString()
    expect(await app('12.0000')).toContain('</Application><AppVersion>12.0000</AppVersion></Properties>')
    expect(await app('16.0300')).not.toContain('AppVersion')
    expect(await app('12.Zyanne')).not.toContain('AppVersion')
    // A replacement is no version, and a file without one that is valid counts as damaged.
    expect(await app('12.0000', [regexRule('number', '\\d{4}')])).toContain('<AppVersion>16.0300</AppVersion>')
  })
})
