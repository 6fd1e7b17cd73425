import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { sheetNames } from '../../../shared/engine/formats/office/sheet-names.ts'
import { formulaRuns, withoutFunctions } from '../../../shared/engine/formats/ooxml/formulas.ts'
import { usedNumbers } from '../../../shared/engine/formats/ooxml/used-numbers.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, makeOffice, readZip, relationships } from './package.ts'

const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

/** A workbook whose first sheet has these rows, with this beside its list of sheets and behind its rows. */
const book = (rows: string, names = '', tail = '') =>
  makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="Anna Rand" sheetId="1" r:id="r1"/></sheets>${names}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData>${rows}</sheetData>${tail}</worksheet>`,
  })

async function parts(name: string, bytes: Uint8Array, ...rules: PlannedRule[]) {
  const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules }))
  return readZip(await output.read(0, output.size))
}

async function sheet(rows: string, ...rules: PlannedRule[]) {
  return (await parts('x.xlsx', book(rows), ...rules)).get('xl/worksheets/sheet1.xml')!.toString()
}

const text = (ref: string, value: string) => `<c r="${ref}" t="str"><v>${value}</v></c>`

describe('texts of formulas', () => {
  test.each<[string, string[]]>([
    ['MAX(B2:B3)+RAND()*$C$1', []],
    ['"Anna ""A"" Rand"&amp;LOWER(A2)', ['Anna "A" Rand']],
    ["VLOOKUP(A1,'Anna''s'!$A$1:$B$5,FALSE)", ["Anna's"]],
    ["SUM(Team[Anna Rand])+Team[[#This Row],[Na'[me]]]", ['Team', 'Anna Rand', 'Team', 'Na[me']],
    ['Margaret(A1)+_xlfn.CONCAT(A:A,1:3)+_xlfn.STDEV.S(A1)', ['Margaret']],
    ['IF(ISNA(A1),#N/A,Rose)*12345678', ['Rose', '12345678']],
    ['&quot;K&#246;ln&quot;&amp;Gr&#252;n', ['Köln', 'Grün']],
    ['"never ended', ['never ended']],
  ])('%s', (formula, texts) => {
    expect(formulaRuns(formula, 0, sheetNames()).map(run => run.text)).toEqual(texts)
  })

  test('cells in brackets are no names where OpenDocument writes them', () => {
    const formula = "of:=SUM([.A1:.B2])+MAX(['Anna Rand'.A1];[$Sheet1.$A$1])"
    expect(formulaRuns(formula, 0, sheetNames(), 'opendocument').map(run => run.text)).toEqual(['Anna Rand', 'Sheet1.'])
  })

  test('what is searched for values is neither functions nor cells', () => {
    expect(withoutFunctions(`RAND()+'RAND'!AB12&"RAND(AB12)"`)).toBe(`()+'RAND'!&"RAND(AB12)"`)
  })
})

describe('formulas that use a number that was replaced', () => {
  const number = (ref: string, value: number) => `<c r="${ref}"><v>${value}</v></c>`
  const plain = `<row r="1">${number('A1', 7)}${number('B1', 1)}</row><row r="2">${number('A2', 5550123)}</row>`
  const warning = 'Formulas may use numbers that were replaced: their results are the ones from before'
  test.each([
    ['A2*2', true],
    ['SUM(A:A)', true],
    ['SUM(2:2)', true],
    ['SUM($A$1:$C$9)', true],
    ["'Anna Rand'!A2+1", true],
    ['Salary*2', true],
    ['SUM(Team[pay])', true],
    ['A1*2', false],
    ['SUM(B:B)', false],
    ['SUM(1:1)+LOG10(B1)', false],
    ['IF(TRUE,B1,"A2")', false],
  ])('%s: %s', async (formula, isWarned) => {
    const shared = `<row r="3"><c r="A3"><f>${formula.replace('&', '&amp;')}</f><v>14</v></c></row>`
    for (const rows of [plain + shared, shared.replaceAll('3"', '0"') + plain]) {
      const rules = [regexRule('N', '5550123')]
      const { report } = await anonymise(call({ input: bufferInput('x.xlsx', book(rows)), rules }))
      expect(report.warnings).toEqual(isWarned ? [warning] : [])
    }
  })

  test.each(['a:', "'", '"', 'A1:', 'A1!', "'a'!"])('is read in one go, however long it is: %s', piece => {
    const numbers = usedNumbers()
    numbers.replaced(1, 1, 2)
    const place = { start: 0, end: 0, textStart: 0, master: true }
    numbers.formula(1, { ...place, text: piece.repeat(300_000) })
    numbers.formula(1, { ...place, text: 'B1' })
    expect(numbers.any()).toBe(true)
  })

  test('one that several cells share refers to any', async () => {
    const rows = `${plain}<row r="3"><c r="C3"><f t="shared" ref="C3:C4" si="0">A1*2</f><v>14</v></c></row>`
    const rules = [regexRule('N', '5550123')]
    const { report } = await anonymise(call({ input: bufferInput('x.xlsx', book(rows)), rules }))
    expect(report.warnings).toEqual([warning])
  })
})

describe('formulas of workbooks', () => {
  const rand = regexRule('N', '\\brand\\b|\\bmax\\b|\\bAB12\\b', { flags: 'i' })

  test('functions and references stay where a cell of the same word is replaced', async () => {
    const after = await sheet(
      `<row r="1">${text('A1', 'Rand')}${text('B1', 'AB12')}<c r="C1"><f>RAND()*MAX(AB12)</f><v>1</v></c></row>`,
      rand,
    )
    expect(after).toContain('<f>RAND()*MAX(AB12)</f><v>1</v>')
    expect(after).not.toMatch(/>Rand<|>AB12</)
  })

  test('names of sheets and ranges change together', async () => {
    const names = '<definedNames><definedName name="Rand">\'Anna Rand\'!$A$1</definedName></definedNames>'
    const files = await parts(
      'x.xlsx',
      book(`<row r="1">${text('A1', 'x')}<c r="B1"><f>Rand&amp;'Anna Rand'!A1</f><v>1</v></c></row>`, names),
      rand,
    )
    expect(files.get('xl/worksheets/sheet1.xml')!.toString()).toContain(
      '<f>N&amp;&apos;Anna N&apos;!A1</f>'.replaceAll('&apos;', "'"),
    )
    expect(files.get('xl/workbook.xml')!.toString()).toContain('<sheet name="Anna N"')
    expect(files.get('xl/workbook.xml')!.toString()).toContain('<definedName name="N">\'Anna N\'!$A$1</definedName>')
  })

  test('a formula with a number that is replaced becomes its value', async () => {
    const after = await sheet(
      `<row r="1"><c r="A1"><f>IF(B1=12345678,1,0)</f><v>1</v></c></row>`,
      regexRule('N', '\\d{8}'),
    )
    expect(after).toContain('<c r="A1"><v>1</v></c>')
  })

  const mail = regexRule('mail', '\\w+@example\\.org')
  const join = 'LOWER(A1)&amp;"@"&amp;B1'
  const sources = text('A1', 'Margaret') + text('B1', 'example.org')

  test('a value that a formula puts together is not computed again', async () => {
    const formula = `<c r="C1" t="str"><f>${join}</f><v>margaret@example.org</v></c>`
    expect(await sheet(`<row r="1">${sources}${formula}</row>`, mail)).toContain(
      `${sources}<c r="C1" t="inlineStr"><is><t xml:space="preserve">[mail]</t></is></c>`,
    )
  })

  test.each([
    ['without a value goes where it makes texts', `<c r="C1"><f>${join}</f></c>`, '<c r="C1"></c>'],
    ['with an empty value too', `<c r="C1"><f>${join}</f><v/></c>`, '<c r="C1"><v/></c>'],
    ['that shows an empty text stays', `<c r="C1" t="str"><f>${join}</f><v></v></c>`, `<f>${join}</f><v></v>`],
    ['of numbers stays', '<c r="C1"><f>SUM(A1:B1)</f></c>', '<c r="C1"><f>SUM(A1:B1)</f></c>'],
  ])('a formula %s', async (_, formula, expected) => {
    expect(await sheet(`<row r="1">${sources}${formula}</row>`, mail)).toContain(expected)
  })

  test('so does one that shares the formula of another', async () => {
    const first = `<c r="C1" t="str"><f t="shared" ref="C1:C2" si="0">${join}</f><v>x</v></c>`
    const after = await sheet(
      `<row r="1">${sources}${first}</row><row r="2"><c r="C2"><f t="shared" si="0"/></c></row>`,
      mail,
    )
    expect(after).toContain(`si="0">${join}</f>`)
    expect(after).toContain('<c r="C2"></c>')
  })

  test('a formula that fills several cells goes where one of them has changed', async () => {
    const filled = (value: string) =>
      `<row r="1">${sources}<c r="C1" cm="1" t="str"><f t="array" ref="C1:C2">A1:A2&amp;B1</f><v>x</v></c></row><row r="2">${text('C2', value)}</row>`
    expect(await sheet(filled('bob@example.org'), mail)).toContain('<c r="C1" t="str"><v>x</v></c>')
    expect(await sheet(filled('bob'), mail)).toContain(
      '<c r="C1" cm="1" t="str"><f t="array" ref="C1:C2">A1:A2&amp;B1</f>',
    )
  })

  test('a spreadsheet of OpenDocument is treated alike', async () => {
    const body = `<table:table table:name="T"><table:table-row><table:table-cell office:value-type="string" table:formula="of:=RAND()&amp;&quot;Rand&quot;"><text:p>Rand</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1" table:formula="of:=RAND()+MAX([.A1])"><text:p>1</text:p></table:table-cell></table:table-row></table:table>`
    const after = (await parts('x.ods', makeOdf('spreadsheet', body), rand)).get('content.xml')!.toString()
    expect(after).toContain('table:formula="of:=RAND()+MAX([.A1])"')
    expect(after).not.toContain('Rand')
  })

  test.each([
    ['without a value goes where it makes texts', 'table:formula="of:=LOWER([.A1])&amp;[.B1]"', ''],
    [
      'that fills several cells goes',
      'table:formula="of:=[.A1:.A2]" table:number-matrix-rows-spanned="2" office:value-type="float" office:value="1"',
      ' office:value-type="float" office:value="1"',
    ],
    ['of numbers stays', 'table:formula="of:=SUM([.A1])"', ' table:formula="of:=SUM([.A1])"'],
  ])('one of OpenDocument %s', async (_, attributes, expected) => {
    const body = `<table:table table:name="T"><table:table-row><table:table-cell ${attributes}/></table:table-row></table:table>`
    const after = (await parts('x.ods', makeOdf('spreadsheet', body), mail)).get('content.xml')!.toString()
    expect(after).toContain(`<table:table-cell${expected}/>`)
  })
})
