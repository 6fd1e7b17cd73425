import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { builtInForms, dateForms } from '../../../shared/engine/formats/ooxml/date-forms.ts'
import { dateReadings } from '../../../shared/engine/formats/ooxml/date-readings.ts'
import { isoDate, numberStyles } from '../../../shared/engine/formats/ooxml/styles.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { inspect } from '../../../shared/engine/inspect.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeOffice, readZip, relationships } from './package.ts'

const readings = (forms: ReturnType<typeof dateForms>, serial: number) =>
  dateReadings(forms, serial, false, isoDate(serial, false)!)
const shownBy = (code: string, serial: number) => readings(dateForms(code), serial).map(({ text }) => text)

describe('how number formats show dates and times', () => {
  test.each<[string, number, string[]]>([
    ['dd\\.mm\\.yyyy', 31909, ['12.05.1987']],
    ['dd.mm.yy', 31909, ['12.05.87']],
    ['dd/mm/yyyy;@', 31909, ['12/05/1987', '12.05.1987', '12-05-1987']],
    ['[$-407]d. mmmm yyyy', 31909, ['12. Mai 1987']],
    ['[$-de-DE]dddd', 31909, ['Dienstag']],
    ['[$-415]d mmmm yyyy', 31909, ['12 maj 1987', '12 maja 1987']],
    ['[$-405]d. mmmm', 31909, ['12. květen', '12. května']],
    ['[$-415]mmmm yyyy', 31909, ['maj 1987']],
    ['[$-409]mmm d", "yyyy', 31909, ['May 12, 1987']],
    ['[$-4009]dd.mm.yyyy', 31909, ['12.05.1987']],
    ['[$-1010409]dd.mm.yyyy', 31909, ['12.05.1987']],
    ['[$-42c]dd.mm.yyyy', 31909, ['12.05.1987']],
    ['[$-42c]d mmmm', 31909, []],
    ['[$-580a]mmmm', 31909, ['mayo']],
    ['[$-1010407]mmmm', 31909, ['Mai']],
    ['[$-fil-PH]dd.mm.yyyy', 31909, ['12.05.1987']],
    ['[$-2000401]dd.mm.yyyy', 31909, []],
    ['[$-107041e]dd.mm.yyyy', 31909, []],
    ['[$-th-TH,D07]dd.mm.yyyy', 31909, []],
    ['mmmmm', 31909, ['M']],
    ['d.m.yyyy h:mm', 31909.4375, ['12.5.1987 10:30']],
    ['h:mm AM/PM', 0.5625, ['1:30 PM']],
    ['mm:ss.00', 0.000_123_4, ['00:10.66']],
    ['[h]:mm', 1.25, ['30:00']],
    ['m:mm', 31909.4375, ['5:05']],
    ['yyyy-mm-dd', 31909, []],
    ['dd.mm.yyyy hh:mm', 0.5, []],
    ['[$-411]ggge"年"m"月"d"日"', 31909, []],
    ['[<100]dd.mm.yyyy;yyyy', 31909, []],
    ['[DBNum1]yyyy', 31909, []],
  ])('%s shows %d as %j', (code, serial, shown) => {
    expect(shownBy(code, serial)).toEqual(shown)
  })

  test('built-in formats are those of several countries', () => {
    expect(readings(builtInForms(14), 31909).map(({ text }) => text)).toEqual([
      '5/12/1987',
      '05/12/1987',
      '12/5/1987',
      '12/05/1987',
      '12.5.1987',
      '12.05.1987',
      '12-5-1987',
      '12-05-1987',
      '1987/5/12',
      '1987/05/12',
    ])
    expect(readings(builtInForms(22), 31909.5)[5]!.text).toBe('12.05.1987 12:00')
    expect(readings(builtInForms(15), 31909).map(({ text }) => text)).toEqual(['12-May-87'])
  })
})

test.each([
  [2_958_465.999_99, false, '9999-12-31 23:59:59'],
  [2_958_465.999_999_9, false, undefined],
  [2_957_003, true, '9999-12-31'],
  [2_957_004, true, undefined],
])('the number %d is one of a day up to the end of the year 9999', (serial, from1904, shown) => {
  expect(isoDate(serial, from1904)).toBe(shown)
})

test('the form of the country is shown whatever code a file has for it', () => {
  const codes = [14, 22].map(id => `<numFmt numFmtId="${id}" formatCode="m/d/yyyy"/>`).join('')
  const cells = [14, 22].map(id => `<xf numFmtId="${id}"/>`).join('')
  const { forms } = numberStyles(`<styleSheet ${s}><numFmts>${codes}</numFmts><cellXfs>${cells}</cellXfs></styleSheet>`)
  const shown = forms.map(own => dateReadings(own, 31909.5, false, '1987-05-12 12:00:00').map(({ text }) => text))
  expect(shown[0]).toEqual(expect.arrayContaining(['5/12/1987', '12.05.1987']))
  expect(shown[1]).toEqual(expect.arrayContaining(['5/12/1987', '12.05.1987 12:00']))
})

const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
const formats = ['dd\\.mm\\.yyyy', 'dd\\.mm\\.yyyy\\ hh:mm', '[$-407]mmmm', 'yyyy']
const workbook = (rows: string, behind = '') =>
  makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${s}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['r1', 'worksheet', 'sheet1.xml'],
      ['r2', 'styles', 'styles.xml'],
    ]),
    'xl/sheet1.xml': `<worksheet ${s}><sheetData>${rows}</sheetData>${behind}</worksheet>`,
    'xl/styles.xml': `<styleSheet ${s}><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs><xf/><xf numFmtId="14"/>${formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`,
  })

const german = '\\b\\d{2}\\.\\d{2}\\.\\d{4}\\b'
const asked = (bytes: Uint8Array, ...rules: PlannedRule[]) => ({
  ...call({ input: bufferInput('x.xlsx', bytes), rules, assetType: 'TABLE' }),
})
const changed = async (bytes: Uint8Array, ...rules: PlannedRule[]) => {
  const { output, findings } = await anonymise(asked(bytes, ...rules))
  const sheet = readZip(await output.read(0, output.size))
    .get('xl/sheet1.xml')!
    .toString()
  return { sheet, counts: findings.map(({ count }) => count) }
}

/** Rows that are read as bytes, and others. */
describe.each([
  ['in plain rows', ''],
  ['beside a formula', '<c r="Z1"><f>1+1</f><v>2</v></c>'],
])('a date is found as people see it, %s', (_, more) => {
  const cell = (style: number, value = '31909') => `<row r="1"><c r="A1" s="${style}"><v>${value}</v></c>${more}</row>`
  const text = (style: number, shown: string) =>
    `<c r="A1" s="${style}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`

  test.each([1, 2])('and becomes text (style %d)', async style => {
    const { sheet, counts } = await changed(workbook(cell(style)), regexRule('D', german))
    expect(sheet).toContain(text(style, '[D]'))
    expect(sheet).not.toContain('31909')
    expect(counts).toEqual([1])
  })

  test('and counts once where it is found as a number of a day, too', async () => {
    const rule = regexRule('D', `${german}|\\d{4}-\\d\\d-\\d\\d`)
    expect((await changed(workbook(cell(2)), rule)).counts).toEqual([1])
  })

  test('and stays a date where another takes its place, at the same time of day', async () => {
    const shift = regexRule('D', german, { replacement: { dateShift: {} } })
    const { sheet } = await changed(workbook(cell(3, '31909.4375')), shift)
    const value = Number(/<c r="A1" s="3"><v>([\d.]+)/.exec(sheet)?.[1])
    expect(value % 1).toBe(0.4375)
    expect(Math.floor(value)).not.toBe(31909)
  })

  test('and a time with it only where it is seen', async () => {
    expect((await changed(workbook(cell(3, '31909.4375')), regexRule('D', german))).sheet).toContain('>[D] 10:30:00<')
    expect((await changed(workbook(cell(2, '31909.4375')), regexRule('D', german))).sheet).toContain(text(2, '[D]'))
    expect((await changed(workbook(cell(3, '31909.4375')), regexRule('T', '\\b10:30$'))).sheet).toContain(
      '>1987-05-12 [T]<',
    )
  })

  test('where it is written out in the cell', async () => {
    const own = cell(3, '1987-05-12T10:30:00').replace(' s="3"', ' s="3" t="d"')
    expect((await changed(workbook(own), regexRule('D', '^12.05.1987 10:30$'))).sheet).toContain(text(3, '[D]'))
  })

  test.each(['1987-05-12T00:00:00', '1987-05-12T10:30:00.250', '1987-05-12T10:30Z', '1987-05-12Z'])(
    'where it is written out as %s',
    async value => {
      const own = cell(2, value).replace(' s="2"', ' s="2" t="d"')
      expect((await changed(workbook(own), regexRule('D', '^12.05.1987$'))).sheet).toContain(text(2, '[D]'))
    },
  )

  test('by the name of its month', async () => {
    expect((await changed(workbook(cell(4)), regexRule('M', '^Mai$'))).sheet).toContain(text(4, '[M]'))
  })

  test('but not by a rule for other columns', async () => {
    const { sheet, counts } = await changed(workbook(cell(2)), regexRule('D', german, { columns: ['2'] }))
    expect(sheet).toContain('<v>31909</v>')
    expect(counts).toEqual([0])
    const own = await changed(workbook(cell(2)), regexRule('D', german, { columns: ['1'], replace: 'cell' }))
    expect(own.sheet).toContain(text(2, '[D]'))
  })

  test('and an inspection counts it once, too', async () => {
    const { findings } = await inspect(asked(workbook(cell(2)), regexRule('D', german)))
    expect(findings[0]!.count).toBe(1)
  })

  test('and what is replaced goes from hidden places in both forms', async () => {
    const list = (value: string) =>
      `<dataValidations><dataValidation sqref="B1"><formula1>"${value}"</formula1></dataValidation></dataValidations>`
    const rule = regexRule('D', german, { columns: ['1'] })
    for (const value of ['12.05.1987', '1987-05-12'])
      expect((await changed(workbook(cell(2), list(value)), rule)).sheet).toContain('<formula1>"[D]"</formula1>')
  })

  test('but a year alone stays in them', async () => {
    const list = `<dataValidations><dataValidation sqref="B1"><formula1>"1987,1988"</formula1></dataValidation></dataValidations>`
    const { sheet } = await changed(workbook(cell(5), list), regexRule('Y', '^1987$', { columns: ['1'] }))
    expect(sheet).toContain(text(5, '[Y]'))
    expect(sheet).toContain('<formula1>"1987,1988"</formula1>')
  })
})

test('a formula stays that covers rows which stand in another order', async () => {
  const first = '<row r="1"><c r="A1"><f t="array" ref="A1:A3">B1:B3+1</f><v>1</v></c></row>'
  const others = [3, 2].map(row => `<row r="${row}"><c r="A${row}"><v>${row}</v></c></row>`).join('')
  expect((await changed(workbook(first + others), regexRule('X', 'nothing'))).sheet).toContain('ref="A1:A3"')
})
