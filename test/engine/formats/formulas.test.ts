import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { sheetNames } from '../../../shared/engine/formats/office/sheet-names.ts'
import { Dependents } from '../../../shared/engine/formats/ooxml/dependents.ts'
import { formulaRuns, withoutFunctions } from '../../../shared/engine/formats/ooxml/formulas.ts'
import { lastColumn, referencesIn } from '../../../shared/engine/formats/ooxml/references.ts'
import { serialNumber } from '../../../shared/engine/formats/ooxml/styles.ts'
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
    ['B2-DATE(1961, 4,7)', ['1961-04-07']],
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

describe('formulas that depend on a cell that was replaced', () => {
  const number = (ref: string, value: number) => `<c r="${ref}"><v>${value}</v></c>`
  const plain = `<row r="1">${number('A1', 7)}${number('B1', 1)}</row><row r="2">${number('A2', 5550123)}</row>`
  const rules = [regexRule('N', '5550123')]
  const formula = (ref: string, code: string, value = '14') =>
    `<c r="${ref}"><f>${code.replace('&', '&amp;')}</f><v>${value}</v></c>`
  test.each([
    ['A2*2', true],
    ['SUM(A:A)', true],
    ['SUM(2:2)', true],
    ['SUM($A$1:$C$9)', true],
    ['SUM($B2:A$9)', true],
    ["'Anna Rand'!A2+1", true],
    ['Salary*2', true],
    ['Known*2', true],
    ['SUM(Team[pay])', true],
    ['INDIRECT("A"&2)', true],
    ['SUM(B1:INDEX(B1:B9,3))', true],
    ['SUMIF(B1:B9,1,A1)', true],
    ['SUM((B1):(A3))', true],
    ['Unknown(B1)', true],
    ['A1*2', false],
    ['SUM(B:B)', false],
    ['SUM(1:1)+LOG10(B1)', false],
    ['IF(TRUE,B1,"A2")', false],
    ['IF(ISNA(B1),#N/A,#DIV/0!)', false],
    ["IFERROR(#NAME?,'Anna Rand'!#REF!+#REF!B1+#NULL!)", false],
    ['IF(B1,A2,#N/A)', true],
    ['B1#', true],
    ['COUNTA(Team[#ALL],#N/A)', true],
    ['Other+1', false],
  ])('%s: %s', async (code, depends) => {
    const names =
      '<definedNames><definedName name="Known">\'Anna Rand\'!$A$1:$A$9</definedName><definedName name="Other">\'Anna Rand\'!$B$1</definedName></definedNames>'
    const own = `<row r="3">${formula('D3', code)}</row>`
    for (const rows of [plain + own, own.replaceAll('3"', '0"') + plain]) {
      const files = await parts('x.xlsx', book(rows, names), ...rules)
      const after = files.get('xl/worksheets/sheet1.xml')!.toString()
      expect(after.includes('<v>14</v>')).toBe(!depends)
      expect(after).toContain('</f>')
      expect(files.get('xl/workbook.xml')!.toString().includes('</definedNames><calcPr fullCalcOnLoad="1"/>')).toBe(
        depends,
      )
    }
  })

  test('lose their results through others, in any order, and are counted', async () => {
    const rows = `<row r="1">${formula('B1', 'C1+1')}${formula('C1', 'D1+1')}${formula('D1', 'A2+1')}</row>${plain.slice(plain.indexOf('<row r="2"'))}`
    const { output, report } = await anonymise(call({ input: bufferInput('x.xlsx', book(rows)), rules }))
    const after = readZip(await output.read(0, output.size))
      .get('xl/worksheets/sheet1.xml')!
      .toString()
    expect(after).not.toContain('<v>14</v>')
    expect(after).toContain('<c r="B1"><f>C1+1</f></c>')
    expect(report.dropped).toContainEqual({ what: 'results of formulas', count: 3 })
  })

  test('keep those that do not depend, row by row', async () => {
    const rows = [1, 2, 3, 4].map(
      row => `<row r="${row}">${number(`A${row}`, row === 3 ? 5550123 : row)}${formula(`B${row}`, `A${row}*2`)}</row>`,
    )
    const after = await sheet(rows.join(''), ...rules)
    expect([...after.matchAll(/<c r="B(\d)"><f>[^<]*<\/f><v>/g)].map(([, row]) => row)).toEqual(['1', '2', '4'])
  })

  test.each([
    ['in the wrong order', 'A1', [9001, ...Array.from({ length: 9000 }, (_, at) => 9000 - at)]],
    ['behind others', 'A9002', [9001, ...Array.from({ length: 9000 }, (_, at) => at + 1), 9002]],
  ])('lose theirs where rows stand %s', async (_, cell, order) => {
    const own = (row: number) =>
      row === 9001
        ? `${formula('B9001', cell)}<c r="D9001" cm="1"><f t="array" ref="D9001:D9003">A8999:A9001+${cell}</f><v>1</v></c>`
        : number(`A${row}`, `A${row}` === cell ? 5550123 : row) +
          text(`B${row}`, 'x'.repeat(60)) +
          number(`D${row}`, 14)
    const rows = order.map(row => `<row r="${row}">${own(row)}</row>`)
    const after = await sheet(rows.join(''), ...rules)
    expect(after).toContain(`<c r="B9001"><f>${cell}</f></c>`)
    expect(after).toContain('<c r="D9001"/>')
    if (order.includes(9002)) expect(after).toContain('<c r="D9002"/>')
  })

  test('running totals lose theirs from the row on', async () => {
    const rows = [1, 2, 3, 4, 5].map(
      row =>
        `<row r="${row}">${number(`A${row}`, row === 3 ? 5550123 : row)}${formula(`B${row}`, `SUM(A$1:A${row})`)}</row>`,
    )
    const after = await sheet(rows.join(''), ...rules)
    expect([...after.matchAll(/<c r="B(\d)"><f>[^<]*<\/f><v>/g)].map(([, row]) => row)).toEqual(['1', '2'])
  })

  test('one that several cells share refers to other cells in each', async () => {
    const rows = `${plain}<row r="3"><c r="C3"><f t="shared" ref="C3:C4" si="0">A1*2</f><v>14</v></c></row><row r="4"><c r="C4"><f t="shared" si="0"/><v>15</v></c></row>`
    const after = await sheet(rows, ...rules)
    expect(after).toContain('A1*2</f><v>14</v></c>')
    expect(after).toContain('<c r="C4"><f t="shared" si="0"/></c>')
  })

  test('one that fills several cells takes the results of all along', async () => {
    const rows = `${plain}<row r="3"><c r="C3" cm="1"><f t="array" ref="C3:C4">A1:A2</f><v>14</v></c></row><row r="4"><c r="C4"><v>15</v></c><c r="D4"><v>16</v></c></row>`
    const after = await sheet(rows, ...rules)
    expect(after).toContain('<c r="C3" cm="1"><f t="array" ref="C3:C4">A1:A2</f></c>')
    expect(after).toContain('<c r="C4"/><c r="D4"><v>16</v></c>')
  })

  test('one that fills thousands of rows takes them along, however these are read', async () => {
    const array = `<c r="D2" cm="1"><f t="array" ref="D2:D9000">_xlfn._xlws.SORT(A2:A9000)</f><v>1</v></c>`
    const rows = Array.from({ length: 9000 }, (_, at) => {
      const row = at + 1
      const rich = row === 6000 ? `<c r="C${row}" t="inlineStr"><is><r><t>One</t></r><r><t>Two</t></r></is></c>` : ''
      const filled = row === 2 ? array : number(`D${row}`, row)
      return `<row r="${row}">${number(`A${row}`, row === 3 ? 5550123 : row)}${text(`B${row}`, 'x'.repeat(60))}${rich}${filled}</row>`
    })
    const after = await sheet(rows.join(''), ...rules)
    expect(after).toContain('<r><t>One</t></r>')
    expect(after.match(/<c r="D\d+"\/>/g)).toHaveLength(8999)
  })

  test('take the values along that a chart keeps of them', async () => {
    const c = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    const points = (cells: string, ...values: string[]) =>
      `<c:numRef><c:f>${cells}</c:f><c:numCache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef>`
    const level = (of: string) =>
      `<c:lvl>${[0, 1, 2].map(at => `<c:pt idx="${at}"><c:v>${of}${at}</c:v></c:pt>`).join('')}</c:lvl>`
    const levels = `<c:multiLvlStrRef><c:f>S!$A$1:$B$3</c:f><c:multiLvlStrCache>${level('b')}${level('a')}</c:multiLvlStrCache></c:multiLvlStrRef>`
    const bytes = makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
      'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData>${plain}<row r="3">${formula('A3', 'A2*2', '11100246')}</row></sheetData><drawing r:id="d1"/></worksheet>`,
      'xl/worksheets/_rels/sheet1.xml.rels': relationships([['d1', 'drawing', '../drawings/drawing1.xml']]),
      'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>`,
      'xl/drawings/_rels/drawing1.xml.rels': relationships([['c1', 'chart', '../charts/chart1.xml']]),
      'xl/charts/chart1.xml': `<c:chartSpace ${c}>${points('S!$A$1:$A$3', '7', '5550123', '11100246')}${points('S!$A$1:$B$1', '7', '1')}${points('(S!$B$1:$B$2,S!$A$1:$A$2)', '1', '2', '8', '14')}${points('Unknown', '99')}${levels}</c:chartSpace>`,
    })
    const after = (await parts('x.xlsx', bytes, ...rules)).get('xl/charts/chart1.xml')!.toString()
    expect([...after.matchAll(/<c:v>([^<]*)/g)].map(([, value]) => value)).toEqual('7 0 7 1 1 2 8 b1 b2'.split(' '))
  })

  test('a table is known by its columns', async () => {
    const bytes = makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
      'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData><row r="1">${text('A1', 'Phone')}${text('B1', 'Pay')}</row><row r="2">${number('A2', 5550123)}${number('B2', 3)}</row><row r="3">${formula('D3', 'SUM(Team[Pay])')}${formula('E3', 'Team[[#This Row],[Phone]]', '15')}${formula('F3', 'COUNT(Team[])', '16')}</row></sheetData></worksheet>`,
      'xl/worksheets/_rels/sheet1.xml.rels': relationships([['t1', 'table', '../tables/table1.xml']]),
      'xl/tables/table1.xml': `<table ${s} id="1" name="Team" displayName="Team" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="Phone"/><tableColumn id="2" name="Pay"/></tableColumns></table>`,
    })
    const after = (await parts('x.xlsx', bytes, ...rules)).get('xl/worksheets/sheet1.xml')!.toString()
    expect([...after.matchAll(/<\/f><v>(\d+)/g)].map(([, value]) => value)).toEqual(['14'])
  })
})

describe('numbers behind dates that were replaced', () => {
  const styles = `<styleSheet ${s}><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`
  const tail = (serial: string, day: string) =>
    `<autoFilter ref="A1:A9"><filterColumn colId="0"><filters><dateGroupItem year="1987" month="5" day="${day}" dateTimeGrouping="day"/></filters></filterColumn><filterColumn colId="1"><customFilters><customFilter val="${serial}"/></customFilters></filterColumn></autoFilter><conditionalFormatting sqref="A1"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="num" val="${serial}"/></dataBar></cfRule><cfRule type="cellIs" priority="2"><formula>${serial}</formula></cfRule></conditionalFormatting>`
  const workbook = (rows: string) =>
    makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([
        ['r1', 'worksheet', 'worksheets/sheet1.xml'],
        ['r2', 'styles', 'styles.xml'],
      ]),
      'xl/styles.xml': styles,
      'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData>${rows}</sheetData>${tail('31909', '12')}${tail('32875', '13')}</worksheet>`,
    })

  test.each([
    ['<row r="1"><c r="A1" s="1"><v>31909</v></c></row>'],
    ['<row r="1"><c r="A1" t="str"><v>12.05.1987</v></c></row>'],
    ['<row r="1"><c r="A1" t="str"><v>12.05.1987</v></c><c r="B1"><f>1+DATE(1987,5,12)</f><v>2</v></c></row>'],
    [
      '<row r="1"><c r="A1" s="1"><v>31909</v></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1"><f>B1-DATE(1987,5,12)</f><v>7</v></c><c r="D1"><f>B1+31909</f><v>8</v></c></row>',
    ],
  ])('go from filters, conditions and formulas: %s', async rows => {
    const files = await parts(
      'x.xlsx',
      workbook(rows),
      regexRule('D', rows.includes('12.05') ? '^12\\.05\\.1987' : '1987-05-12'),
    )
    const after = files.get('xl/worksheets/sheet1.xml')!.toString()
    expect(after).not.toMatch(/31909|day="12"|DATE\(1987/)
    expect(after).toContain('<dateGroupItem year="1900" dateTimeGrouping="year"/>')
    expect(after).toContain('<cfvo type="num" val="0"/>')
    expect(after).toContain(tail('32875', '13'))
  })
})

describe('dates that take the place of others', () => {
  test.each(['', '<c r="D1"><f>A1</f><v>31909</v></c>'])('stay dates: %s', async more => {
    const bytes = makeOffice('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships([
        ['r1', 'worksheet', 'worksheets/sheet1.xml'],
        ['r2', 'styles', 'styles.xml'],
      ]),
      'xl/styles.xml': `<styleSheet ${s}><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData><row r="1"><c r="A1" s="1"><v>31909</v></c><c r="B1" s="1"><v>31909.5</v></c><c r="C1" t="str"><v>1987-05-12</v></c>${more}</row></sheetData></worksheet>`,
    })
    const rule = regexRule('D', '1987-05-12', { replacement: { text: '1987-06-01' } })
    const after = (await parts('x.xlsx', bytes, rule)).get('xl/worksheets/sheet1.xml')!.toString()
    expect(after).toContain(
      '<c r="A1" s="1"><v>31929</v></c><c r="B1" s="1"><v>31929.5</v></c><c r="C1" t="inlineStr">',
    )
    expect(after).not.toContain('31909')
  })

  test.each([
    ['1900-02-28', 59],
    ['1900-03-01', 61],
    ['2021-03-04', 44259],
    ['2021-02-30', undefined],
    ['04.03.2021', undefined],
  ])('%s is day %s', (date, serial) => {
    expect(serialNumber(date, false)).toBe(serial)
  })
})

const names = { sheet: () => 1, named: () => undefined }
const place = { start: 0, end: 0, textStart: 0, master: true }

describe('what formulas depend on', () => {
  test.each(['a:', "'", '"', 'A1:', 'A1!', "'a'!", '[', 'a[', "'[1]", '[1]a'])(
    'is read in one go, however long it is: %s',
    piece => {
      const found = referencesIn(piece.repeat(300_000), { sheet: 1, row: 1, column: 1 }, names)
      expect(found === undefined || found.length >= 0).toBe(true)
    },
  )

  test('is worked out for long chains, and for more formulas than are kept', () => {
    const depending = new Dependents(names)
    depending.begin()
    for (let row = 1; row <= 200_000; row++) {
      depending.formula(1, row, 2, { ...place, text: `B${row + 1}+C${row}` })
      depending.formula(1, row, 3, { ...place, text: `B${row}` })
    }
    depending.settle(1, 200_000)
    depending.replaced(1, 200_001, 2)
    depending.settle(1, 200_001)
    expect(depending.has(1, 1, 2)).toBe(true)
    expect(depending.areUnfinished()).toBe(true)
  })

  test('is worked out for a few formulas over a column of many replaced cells', () => {
    const depending = new Dependents(names)
    depending.begin()
    for (let row = 1; row <= 40; row++) depending.formula(1, row, 2, { ...place, text: 'COUNTIF(D:D,A1)' })
    depending.formula(1, 1, 3, { ...place, text: 'A1' })
    depending.settle(1, 40)
    for (const sheet of [1, 2])
      for (let row = 101; row <= 300_000; row += 2) {
        depending.replaced(sheet, row, 4)
        if (row % 1000 === 1) depending.settle(sheet, row)
      }
    depending.settle(2, 300_000)
    expect(depending.has(1, 1, 2)).toBe(true)
    expect(depending.has(1, 1, 3)).toBe(false)
  })
})

describe('long formulas', () => {
  const own = { sheet: 1, row: 1, column: 1 }
  test.each(["'[1]'", "'[1]", 'a:', "'a'!"])('are read fast: %s', piece => {
    const formula = piece.repeat(16_384 / piece.length)
    const start = performance.now()
    for (let times = 0; times < 20; times++) referencesIn(formula, own, names)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  test('of more references than programs allow may refer to any cell', () => {
    expect(referencesIn('A1+'.repeat(200), own, names)).toHaveLength(200)
    expect(referencesIn('A1+'.repeat(300), own, names)).toBeUndefined()
    expect(referencesIn(`A1${' '.repeat(20_000)}`, own, names)).toBeUndefined()
  })
})

describe('formulas that fill many cells', () => {
  test('are refused where they fill far more cells than programs hold', () => {
    const depending = new Dependents(names)
    depending.begin()
    depending.replaced(1, 1, 1)
    depending.settle(1, 1)
    const fill = (row: number) =>
      depending.formula(1, row, 2, { ...place, text: 'A$1', covers: { row, column: lastColumn } })
    for (let row = 2; row <= 100; row++) fill(row)
    depending.settle(1, 100)
    expect(depending.fills(1, 100, lastColumn)).toBe(true)
    expect(() => Array.from({ length: 100 }, (_, at) => fill(at + 101))).toThrow('too many cells')
  })

  test('may say that they fill columns which no program has', async () => {
    const rows =
      '<row r="1"><c r="A1"><f t="array" ref="A1:ZZZZZZZ99999999999">B1</f><v>1</v></c><c r="B1"><v>5550123</v></c></row>'
    expect(await sheet(rows, regexRule('N', '5550123'))).not.toContain('5550123')
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
