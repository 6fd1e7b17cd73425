import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { numberFormatRuns } from '../../../shared/engine/formats/ooxml/number-formats.ts'
import { maskedNumber, numberMask } from '../../../shared/engine/formats/ooxml/number-masks.ts'
import { reread } from '../../../shared/engine/formats/ooxml/verify-reader.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOffice, readZip, relationships } from './package.ts'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

describe('number formats', () => {
  test.each<[string, string[]]>([
    ['General', []],
    ['[Red]#,##0.00_);yyyy\\-mm\\-dd hh:mm:ss AM/PM;@', []],
    ['0.00&quot; of Anna&quot;', [' of Anna']],
    ['0 \\A\\n\\n\\a', ['Anna']],
    ['[$Anna-407] 0', ['Anna']],
    ['&quot;An&quot;&quot;na&quot; 0', ['Anna']],
    ['\\A&quot;nn&quot;\\a 0', ['Anna']],
    ['[Red]&quot;Anna&quot;\\ [$Smith-409]_-* 0;&quot;Bert &quot;* &quot;Smith&quot;', ['Anna Smith', 'Bert Smith']],
    ['&quot;12&quot;-\\3&quot;4&quot;', ['12-34']],
    ['&quot;An&quot;0&quot;na&quot;', ['An', 'na']],
    ['(0&quot; Anna&quot;);[$-407]d. mmmm', [' Anna)']],
  ])('texts of %s', (format, texts) => {
    const read = numberFormatRuns(format, 0).map(runs => runs.map(({ text }) => text).join(''))
    expect(read).toEqual(texts)
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

  test('a second reader sees what a number format shows side by side', () => {
    const format = '&quot;44&quot;\\7\\1&quot;-99&quot;&quot;23&quot; 0'
    const { segments } = reread(
      `<styleSheet ${main}><numFmts><numFmt formatCode="${format}"/></numFmts></styleSheet>`,
      '',
    )
    expect(segments.map(({ text }) => text)).toContain('4471-9923')
  })

  test('a workbook loses what its number formats show side by side', async () => {
    const codes = ['"Ilvar ""Sorn"', '\\I"lvar"\\ "Sorn"\\ 0', '"4471"\\-"9923"']
    const formats = codes.map(
      (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    )
    const bytes = makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${main}><sheets/></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([['r2', 'styles', 'styles.xml']]),
      'xl/styles.xml': `<styleSheet ${main}><numFmts>${formats.join('')}</numFmts></styleSheet>`,
    })
    const found = [regexRule('P', 'Ilvar Sorn'), regexRule('M', '4471-9923')]
    const { output } = await anonymise(call({ input: bufferInput('x.xlsx', bytes), rules: found }))
    const after = readZip(await output.read(0, output.size))
      .get('xl/styles.xml')!
      .toString()
    expect([...after.matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code!.replaceAll('&quot;', '"'))).toEqual([
      '"[P]"""',
      '"[P]"""""\\ 0',
      '"[M]"""',
    ])
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

  test('the numbers of a chart are read as they are shown, and stay numbers', async () => {
    const point = (value: string, more = '') => `<c:pt idx="0"${more}><c:v>${value}</c:v></c:pt>`
    const cache = (format: string, points: string) =>
      `<c:numCache><c:formatCode>${format}</c:formatCode>${points}</c:numCache>`
    const own = ' formatCode="dd/mm/yyyy"'
    const chart = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">${cache('yyyy\\-mm\\-dd', point('31909.0') + point('32875'))}${cache('000\\-00\\-0000', point('536904399'))}${cache('General', point('31909') + point('31909', own))}</c:chartSpace>`
    const document = makeDocx('<w:p><w:r><w:t>x</w:t></w:r></w:p>', { 'word/chart1.xml': chart }, [
      ['c1', 'chart', 'chart1.xml'],
    ])
    for (const day of ['1987-05-12', '12.05.1987']) {
      const found = [regexRule('N', '\\d{3}-\\d\\d-\\d{4}'), regexRule('D', day)]
      const { output } = await anonymise(call({ input: bufferInput('x.docx', document), rules: found }))
      const after = readZip(await output.read(0, output.size))
        .get('word/chart1.xml')!
        .toString()
      expect([...after.matchAll(/<c:v>([^<]*)/g)].map(([, value]) => value)).toEqual(['0', '32875', '0', '31909', '0'])
    }
  })
})

/** What a mask shows, with brackets for the marks. */
const shownBy = (format: string, value: string) => {
  const mask = numberMask(format)
  const marked = mask && maskedNumber(value, mask)
  let marks = 0
  return marked?.replaceAll('\ufeff\ufeff', () => (marks++ % 2 === 0 ? '<' : '>'))
}

describe('numbers that are shown through a mask', () => {
  test.each<[string, string, string | undefined]>([
    ['000\\-00\\-0000', '12345678', '<0>12<->34<->5678'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '5551234', '555<->1234'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '2125551234', '<(>212<) >555<->1234'],
    ['"MRN-"00000000', '12345', '<MRN-000>12345'],
    ['"+49 "000" "0000000', '1.76555012E9', '<+49 >176< >5550120'],
    ['0#" "##" "##', '1234', '<00 >12< >34'],
    ['[$-407]00000', '1067', '<0>1067'],
    ['00000', '10115', undefined],
    ['0-0', '12345', '1234<->5'],
    ['00000;"Nr. "0', '-12', undefined],
    ['00000;-00000;General;@', '1067', '<0>1067'],
    ['[>99]0.0;00000', '106', undefined],
    ['0000', '1.5', undefined],
    ['0', '12', undefined],
    ['0" kg"', '12', undefined],
    ['General', '12', undefined],
    ['#,##0.00', '12', undefined],
    ['_-* #,##0 "€"_-', '12', undefined],
    ['yyyy\\-mm', '12', undefined],
    ['00%', '1', undefined],
  ])('%s and %s', (format, value, shown) => {
    expect(shownBy(format, value)).toBe(shown)
  })

  const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
  const styles = `<styleSheet ${s}><numFmts><numFmt numFmtId="164" formatCode="000\\-00\\-0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`
  const sheetOf = (rows: string, behind = '') =>
    makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([
        ['r1', 'worksheet', 'sheet1.xml'],
        ['r2', 'styles', 'styles.xml'],
      ]),
      'xl/sheet1.xml': `<worksheet ${s}><sheetData>${rows}</sheetData>${behind}</worksheet>`,
      'xl/styles.xml': styles,
    })
  const rowsAfter = async (rows: string, ...rules: PlannedRule[]) => {
    const input = bufferInput('x.xlsx', sheetOf(rows))
    const { output } = await anonymise(call({ input, rules, assetType: 'TABLE' }))
    const sheet = readZip(await output.read(0, output.size))
      .get('xl/sheet1.xml')!
      .toString()
    return /<sheetData>(.*)<\/sheetData>/.exec(sheet)![1]
  }
  const edited = '<row><c s="1" t="inlineStr"><is><t xml:space="preserve">[N]</t></is></c></row>'

  test.each([
    ['with the mask', '\\b\\d{3}-\\d{2}-\\d{4}\\b', edited],
    ['without', '\\b12345678\\b', edited.replace('[N]', '0[N]')],
  ])('a rule finds what is shown %s', async (_, pattern, expected) => {
    const kept = '<row><c t="str"><v>a</v></c><c s="1"><v>-7</v></c></row>'
    const rows = `<row><c s="1"><v>12345678</v></c></row>${kept}`
    expect(await rowsAfter(rows, regexRule('N', pattern))).toBe(expected + kept)
  })

  test('a number that no rule finds stays one, whatever becomes of its neighbours', async () => {
    const rows = '<row><c t="str"><v>Anna</v></c><c s="1"><v>12345678</v></c></row>'
    expect(await rowsAfter(rows, regexRule('N', 'Anna'))).toBe(
      '<row><c t="inlineStr"><is><t xml:space="preserve">[N]</t></is></c><c s="1"><v>12345678</v></c></row>',
    )
  })

  test('what is replaced in a cell goes from where the number alone stands, hidden', async () => {
    const list =
      '<dataValidations><dataValidation sqref="A1"><formula1>"12345678"</formula1></dataValidation></dataValidations>'
    const bytes = sheetOf('<row><c s="1"><v>12345678</v></c></row>', list)
    const input = bufferInput('x.xlsx', bytes)
    const rules = [regexRule('N', '\\d{3}-\\d{2}-\\d{4}')]
    const { output } = await anonymise(call({ input, rules, assetType: 'TABLE' }))
    const sheet = readZip(await output.read(0, output.size))
      .get('xl/sheet1.xml')!
      .toString()
    expect(sheet).toContain('<formula1>"[N]"</formula1>')
  })

  test('a rule for columns replaces it whole', async () => {
    const rows = '<row><c t="str"><v>ssn</v></c></row><row><c s="1"><v>12345678</v></c></row>'
    const rule = regexRule('N', '.+', { columns: ['ssn'], replace: 'cell' })
    expect(await rowsAfter(rows, rule)).toContain(edited)
  })
})
