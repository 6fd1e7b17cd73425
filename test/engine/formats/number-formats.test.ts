import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { numberFormatRuns } from '../../../shared/engine/formats/ooxml/number-formats.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOffice, readZip, relationships } from './package.ts'

describe('number formats', () => {
  test.each<[string, string[]]>([
    ['General', []],
    ['[Red]#,##0.00_);yyyy\\-mm\\-dd hh:mm:ss AM/PM;@', []],
    ['0.00&quot; of Anna&quot;', [' of Anna']],
    ['0 \\A\\n\\n\\a', ['Anna']],
    ['[$Anna-407] 0', ['Anna']],
  ])('texts of %s', (format, texts) => {
    expect(numberFormatRuns(format, 0).map(({ text }) => text)).toEqual(texts)
  })

  const rules = [regexRule('N', '\\bGeneral\\b|\\bAnna\\b')]

  test('a workbook keeps its codes and loses what they write beside numbers', async () => {
    const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
    const formats =
      '<numFmts><numFmt numFmtId="164" formatCode="General&quot; Anna&quot;"/><numFmt numFmtId="165" formatCode="General"/></numFmts>'
    const bytes = makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([
        ['r1', 'worksheet', 'sheet1.xml'],
        ['r2', 'styles', 'styles.xml'],
      ]),
      'xl/sheet1.xml': `<worksheet ${s}><sheetData><row><c t="str"><v>General Anna</v></c></row></sheetData></worksheet>`,
      'xl/styles.xml': `<styleSheet ${s}>${formats}</styleSheet>`,
    })
    const { output } = await anonymise(call({ input: bufferInput('x.xlsx', bytes), rules }))
    const after = readZip(await output.read(0, output.size))
      .get('xl/styles.xml')!
      .toString()
    expect(after).toContain('formatCode="General&quot; [N]&quot;"/>')
    expect(after).toContain('formatCode="General"/>')
  })

  test('a chart in a document does too', async () => {
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:numCache><c:formatCode>General</c:formatCode></c:numCache></c:chartSpace>'
    const document = makeDocx('<w:p><w:r><w:t>General Anna</w:t></w:r></w:p>', { 'word/chart1.xml': chart }, [
      ['c1', 'chart', 'chart1.xml'],
    ])
    const { output } = await anonymise(call({ input: bufferInput('x.docx', document), rules }))
    const files = readZip(await output.read(0, output.size))
    expect(files.get('word/chart1.xml')!.toString()).toContain('<c:formatCode>General</c:formatCode>')
    expect(files.get('word/document.xml')!.toString()).toContain('[N] [N]')
  })
})
