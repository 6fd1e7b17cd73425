import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { officeAddresses, officeFormula } from '../../../shared/engine/formats/odf/office-formulas.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { hasLibreOffice } from './libreoffice.ts'
import { makeOdf, readZip } from './package.ts'

describe('a formula of OpenDocument', () => {
  test.each([
    ['of:=[.A1]', 'A1'],
    ["of:=SUM([.A1:.$B$3];[$Sheet2.A1];[$'a ''b'.C1:.C9])", "SUM(A1:$B$3;'Sheet2'!A1;'a ''b'!C1:C9)"],
    ['of:=[$S1.A1:$S3.B2]', "'S1:S3'!A1:B2"],
    ['of:=SUM([.A:.B];[.1:.2];[.C])', 'SUM(A:B;1:2;C:C)'],
    ['oooc:="[.A1]"&[.#REF!]&[#REF!.A1]', '"[.A1]"&#REF!&#REF!'],
    ['of:=SUM([.A1:.B2]![.B1:.C3]~[.D1])', 'SUM(A1:B2 B1:C3 D1)'],
    ["of:=['file:///a.ods'#$S.A1]", '0'],
    ['of:=[what.ever]', 'INDIRECT()'],
    ['msoxl:=SUM(A1:B2)', 'SUM(A1:B2)'],
  ])('%s refers to %s', (formula, office) => {
    expect(officeFormula(formula)).toBe(office)
  })

  test('that is broken or very long takes no time', () => {
    const began = performance.now()
    expect(officeFormula(`of:=${'['.repeat(16_000)}`)).toHaveLength(16_000)
    expect(officeFormula(`of:=${'[.A1]+'.repeat(40_000)}1`)).toBe('INDIRECT()')
    expect(performance.now() - began).toBeLessThan(200)
  })

  test('and so do addresses', () => {
    expect(officeAddresses("$S.$A$1:.$B$2 $'a b'.$C$1")).toBe("'S'!$A$1:$B$2,'a b'!$C$1")
  })
})

const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const cell = (shown: string, attributes = '') =>
  `<table:table-cell${attributes}><text:p>${shown}</text:p></table:table-cell>`
const table = (rows: string, name = 'S') => `<table:table table:name="${name}">${rows}</table:table>`
const number = (value: string, formula = '') =>
  cell(value, `${formula && ` table:formula="of:=${formula}"`} office:value-type="float" office:value="${value}"`)
const computed = (formula: string) =>
  `<table:table-cell table:formula="of:=${formula}"><text:p></text:p></table:table-cell>`

async function clean(body: string, pattern = 'Anna|4711') {
  const input = bufferInput('t.ods', makeOdf('spreadsheet', body))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('X', pattern)], assetType: 'TABLE' }))
  const written = readZip(await output.read(0, output.size))
    .get('content.xml')!
    .toString()
  const tables = /<office:spreadsheet>([\s\S]*)<\/office:spreadsheet>/.exec(written)![1]!
  return { tables, dropped: report.dropped, output }
}

describe('results of formulas in a spreadsheet', () => {
  test.each([
    ['a cell', '[.A1]+1'],
    ['a cell of a sheet by its name', '[$S.A1]+1'],
    ['a range', 'SUM([.A1:.A2])'],
    ['a whole column', 'SUM([.A:.A])'],
    ['a named range', 'SUM(numbers)'],
    ['a named expression', 'SUM(sums)'],
    ['a name that nobody knows', 'SUM(unknown)'],
    ['what is computed', 'INDIRECT(&quot;A&quot;&amp;1)'],
    ['another formula', '[.D1]'],
  ])('go where they depend on a replaced cell, by %s', async (_, formula) => {
    const names = `<table:named-expressions><table:named-range table:name="numbers" table:cell-range-address="$S.$A$1:.$A$2" table:base-cell-address="$S.$A$1"/><table:named-expression table:name="sums" table:expression="[$S.$A$1]*2" table:base-cell-address="$S.$A$1"/></table:named-expressions>`
    const rows = (value: string, own: string, other: string) =>
      row(value, own, number('8', '[.A2]+1'), other) + row(number('7'))
    const before = rows(number('4711'), number('4712', formula), number('9422', '[.A1]*2'))
    const { tables, dropped } = await clean(table(before) + names)
    const replaced = cell('[X]', ' office:value-type="string"')
    expect(tables).toBe(table(rows(replaced, computed(formula), computed('[.A1]*2'))) + names)
    expect(dropped).toContainEqual({ what: 'results of formulas', count: 2 })
  })

  test('stay where they depend on none', async () => {
    const body = table(row(cell('Anna'), number('8', 'SUM([.A2:.B9])'), number('3', 'SUM([.B:.B])')))
    expect((await clean(body)).tables).toBe(body.replace('Anna', '[X]'))
    const other = table(row(number('1', '[$T.A2]'), cell('Bert'))) + table(row(cell('Anna')) + row(number('1')), 'T')
    expect((await clean(other)).tables).toBe(other.replace('Anna', '[X]'))
  })

  test('go before the cell that they depend on, and from an earlier sheet', async () => {
    const many = row(cell('x')).repeat(20_000)
    const body = (first: string, last: string) => table(row(first)) + table(many + row(last), 'T')
    const { tables } = await clean(body(number('5', 'LEN([$T.A20001])'), cell('Anna')))
    expect(tables).toBe(body(computed('LEN([$T.A20001])'), cell('[X]')))
  })

  test('go with repeated rows', async () => {
    const repeated = (inner: string) => `<table:table-row table:number-rows-repeated="5">${inner}</table:table-row>`
    const body = (one: string, two: string) => table(repeated(one) + row(two, number('7', '[.A6]')) + row(cell('a')))
    expect((await clean(body(cell('Anna'), number('4', 'LEN([.A3])')))).tables).toBe(
      body(cell('[X]'), computed('LEN([.A3])')).replace(number('7', '[.A6]'), computed('[.A6]')),
    )
  })

  test('go from all cells that one formula fills', async () => {
    const spans = ' table:number-matrix-rows-spanned="3" table:number-matrix-columns-spanned="1"'
    const filling = number('10', '[.A1:.A3]*2').replace(' office', `${spans} office`)
    const rows = (inner: string[]) =>
      table(inner.map((own, at) => row(at === 1 ? cell('Anna') : number('5'), own)).join(''))
    const { tables } = await clean(rows([filling, number('0'), number('10')]))
    const empty = '<table:table-cell><text:p></text:p></table:table-cell>'
    expect(tables).toBe(rows([empty, empty, empty]).replace('Anna', '[X]'))
  })

  test('go with the formulas where hidden texts have to go', async () => {
    const formula = (own: string) => `${own}&quot;Anna&quot;=&quot;&quot;`
    const rows = `${row(number('4', formula('LEN([.B301])+')), cell('z'))}${row(cell('x')).repeat(299)}${row(cell('y'), cell('Anna'))}`
    const { tables, dropped } = await clean(table(rows), '^Anna$')
    expect(tables).not.toContain('Anna')
    expect(tables.slice(0, 120)).not.toContain('4')
    expect(dropped.find(({ what }) => what === 'results of formulas')?.count).toBe(1)
  })
})

if (!hasLibreOffice) console.log('skipped: LibreOffice is not here')

test.skipIf(!hasLibreOffice)('LibreOffice computes them anew', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ods-'))
  const convert = (to: string, file: string) => {
    const ways = ['--headless', '--convert-to', to, '--outdir', folder, join(folder, file)]
    execFileSync('nice', ['soffice', `-env:UserInstallation=file://${folder}/profile`, ...ways], { stdio: 'ignore' })
  }
  try {
    const body = table(
      row(cell('Anna Berg'), cell('Anna', ' table:formula="of:=LEFT([.A1];4)" office:value-type="string"')) +
        row(number('5'), number('6', '[.A2]+1')) +
        row(number('4711'), number('9', 'LEN([.A1])'), number('4718', 'SUM([.A2:.A3];2)')),
    )
    const content = readZip(makeOdf('spreadsheet', body)).get('content.xml')!.toString()
    const type =
      ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'
    const flat = content
      .replace('<office:document-content', `<office:document${type}`)
      .replace('</office:document-content>', '</office:document>')
    writeFileSync(join(folder, 'a.fods'), flat)
    convert('ods', 'a.fods')
    const input = bufferInput('a.ods', readFileSync(join(folder, 'a.ods')))
    const { output } = await anonymise(call({ input, rules: [regexRule('X', 'Anna|4711')], assetType: 'TABLE' }))
    writeFileSync(join(folder, 'b.ods'), await output.read(0, output.size))
    convert('csv:Text - txt - csv (StarCalc):44,34,76', 'b.ods')
    const lines = readFileSync(join(folder, 'b.csv'), 'utf8').trim().split('\n')
    expect(lines).toEqual(['[X] Berg,[X],', '5,6,', '[X],8,7'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
