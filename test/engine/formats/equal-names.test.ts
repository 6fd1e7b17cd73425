import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, makeOffice, readZip, relationships } from './package.ts'

async function clean(name: string, source: string) {
  const rules = [regexRule('X', '\\bZy\\w*')]
  const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

describe('names that become equal', () => {
  const cases: [what: string, name: string, source: string, expected: string][] = [
    ['keys of an object', 'a.json', '{"Zya":1,"Zyb":2,"c":{"Zya":3}}', '{"[X]":1,"[X]_2":2,"c":{"[X]":3}}'],
    ['a key that stood twice', 'a.json', '{"Zya":1,"Zya":2}', '{"[X]":1,"[X]":2}'],
    ['a key that another has already', 'a.json', '{"[X]":1,"Zyb":2}', '{"[X]":1,"[X]_2":2}'],
    ['keys of records', 'a.ndjson', '{"Zya":1,"Zyb":2}\n{"Zyb":3}\n', '{"[X]":1,"[X]_2":2}\n{"[X]":3}\n'],
    ['attributes', 'a.xml', '<?xml version="1.0"?><r Zya="1" Zyb="2"/>', '<?xml version="1.0"?><r _X_="1" _X__2="2"/>'],
    [
      'elements, wherever they stand',
      'a.xml',
      '<?xml version="1.0"?><Zya><b/><Zya>c</Zya></Zya>',
      '<?xml version="1.0"?><_X_><b/><_X_>c</_X_></_X_>',
    ],
  ]
  test.each(cases)('%s', async (_, name, source, expected) => {
    expect(await clean(name, source)).toBe(expected)
  })

  test('words of a known vocabulary stay', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9"><title>Zya</title></svg>'
    const rules = [regexRule('X', 'title|width|Zya')]
    const { output } = await anonymise(call({ input: bufferInput('a.svg', Buffer.from(svg)), rules }))
    expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(svg.replace('Zya', '[X]'))
  })

  test('a prefix that holds a replaced value fails the file', async () => {
    const source = '<?xml version="1.0"?><r xmlns:Zyanne="urn:n"><Zyanne:a>Zyanne</Zyanne:a></r>'
    await expect(clean('a.xml', source)).rejects.toMatchObject({ type: 'leak_detected' })
  })
})

test('tables and ranges of a workbook stay apart, in formulas too', async () => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const table = (id: number, name: string) =>
    `<table xmlns="${main}" id="${id}" name="${name}" displayName="${name}" ref="A1:A2"><tableColumns count="1"><tableColumn id="1" name="a"/></tableColumns></table>`
  const bytes = makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets><definedNames><definedName name="Zyc">S!$A$1</definedName></definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}" xmlns:r="${office}"><sheetData><row r="1"><c r="A1"><f>SUM(Zyb[a])+ROWS(Zya)+Zyc</f><v>1</v></c></row></sheetData><tableParts count="2"><tablePart r:id="t1"/><tablePart r:id="t2"/></tableParts></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships([
      ['t1', 'table', '../tables/table1.xml'],
      ['t2', 'table', '../tables/table2.xml'],
    ]),
    'xl/tables/table1.xml': table(1, 'Zya'),
    'xl/tables/table2.xml': table(2, 'Zyb'),
  })
  const rules = [regexRule('X', '\\bZy\\w*')]
  const { output } = await anonymise(call({ input: bufferInput('a.xlsx', bytes), rules }))
  const files = readZip(await output.read(0, output.size))
  const text = (name: string) => files.get(name)!.toString()
  const named = (part: string) => /displayName="(\w+)"/.exec(text(`xl/tables/${part}.xml`))![1]
  const [first, second] = [named('table1'), named('table2')]
  const range = /definedName name="(\w+)"/.exec(text('xl/workbook.xml'))![1]
  expect(new Set([first, second, range]).size).toBe(3)
  expect(text('xl/worksheets/sheet1.xml')).toContain(`<f>SUM(${second}[a])+ROWS(${first})+${range}</f>`)
})

test('styles of a text document stay apart, as they are named and as they are shown', async () => {
  const page = (name: string, shown: string) =>
    `<style:master-page style:name="${name}" style:display-name="${shown}" style:page-layout-name="pm1" style:next-style-name="${name}"/>`
  const family = 'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
  const styles = `<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ${family}><office:master-styles>${page('Zya_20_one', 'Zya one')}${page('Zyb', 'Zyb')}${page('zyb', 'zyb')}</office:master-styles></office:document-styles>`
  const body = ['Zyb', 'Zya_20_one', 'Zyc'].map(name => `<text:p text:style-name="${name}">a</text:p>`).join('')
  const bytes = makeOdf('text', body, { 'styles.xml': styles })
  const rules = [regexRule('X', '\\b[Zz]y\\w(?: one)?\\b')]
  const { output } = await anonymise(call({ input: bufferInput('a.odt', bytes), rules }))
  const files = readZip(await output.read(0, output.size))
  const pages = [
    ...files
      .get('styles.xml')!
      .toString()
      .matchAll(/style:(?:display-|next-style-)?name="(.*?)"/g),
  ]
  const spelled = ['_5b_X_5d_', '_5b_X_5d__5f_2', '_5b_X_5d__5f_3']
  expect(pages.map(([, name]) => name)).toEqual([
    ...[spelled[1], '[X]_2', spelled[1]],
    ...[spelled[0], '[X]', spelled[0]],
    ...[spelled[2], '[X]_3', spelled[2]],
  ])
  const used = [
    ...files
      .get('content.xml')!
      .toString()
      .matchAll(/text:style-name="(.*?)"/g),
  ]
  expect(used.map(([, name]) => name)).toEqual([spelled[0], spelled[1], spelled[0]])
})

test.each([
  ['a.csv', 'Zya,Zyb,c\n1,2,3\n4,5,6\n', true],
  ['a.csv', 'Zya,b,c\n1,2,3\n4,5,6\n', false],
  ['a.tsv', 'Zya\tZya\tc\n1\t2\t3\n4\t5\t6\n', false],
])('columns of %s that become equal are reported', async (name, source, alike) => {
  const rules = [regexRule('X', '\\bZy\\w*')]
  const { report } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
  expect(report.warnings).toEqual(alike ? ['Columns that had different names are called the same now'] : [])
})
