import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { xlsx } from '../../../shared/engine/formats/ooxml/xlsx.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { showPage } from '../../../shared/engine/show.ts'
import { call, regexRule } from '../call.ts'
import { type Link, makeOffice, readZip, relationships } from './package.ts'
import { shownByWorkbook } from './shown.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus'
const file = (path: string) => () => readFileSync(`${corpus}/${path}`)
const s = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

type Book = {
  rows: string
  strings?: string[]
  tail?: string
  parts?: Record<string, string>
  links?: Link[]
  book?: string
}

/** A workbook of one sheet with these rows, as they are written. */
function makeBook({ rows, strings = [], tail = '', parts = {}, links = [], book = '' }: Book): Buffer {
  return makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${s} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets>${book}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/worksheets/sheet1.xml': `<worksheet ${s}><sheetData>${rows}</sheetData>${tail}</worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships(links),
    'xl/sharedStrings.xml': `<sst ${s}>${strings.map(item => `<si>${item}</si>`).join('')}</sst>`,
    ...parts,
  })
}

const rowsOf = (bytes: Uint8Array) => {
  const text = readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString()
  return text.slice(text.indexOf('<sheetData>') + 11, text.indexOf('</sheetData>'))
}

formatSuite(xlsx, {
  name: 'table.xlsx',
  make: texts =>
    makeBook({
      rows: texts.map((_, n) => `<row r="${n + 1}"><c r="A${n + 1}" t="s"><v>${n}</v></c></row>`).join(''),
      strings: texts.map(text => `<t xml:space="preserve">${escaped(text)}</t>`),
    }),
  show: shownByWorkbook,
  untouched: 'text',
  files: existsSync(corpus) ? [{ name: 'canary.xlsx', bytes: file('synthetic/canary.xlsx') }] : [],
  refused: existsSync(corpus)
    ? [{ name: 'an XML bomb', bytes: file('xlsx/poc-xmlbomb.xlsx'), type: 'corrupt_file' }]
    : [
        {
          name: 'a missing string',
          bytes: () => makeBook({ rows: '<row><c t="s"><v>9</v></c></row>' }),
          type: 'corrupt_file',
        },
      ],
})

async function clean(bytes: Buffer, rules: PlannedRule[] = [regexRule('X', '\\b[Zz]y\\w*')]) {
  const { output, report } = await anonymise(call({ input: bufferInput('x.xlsx', bytes), rules, assetType: 'TABLE' }))
  return { bytes: await output.read(0, output.size), report }
}

const inline = (ref: string, text: string) =>
  `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`

describe('Excel workbooks', () => {
  const cases: [string, Book, string][] = [
    [
      'an inline string',
      { rows: '<row r="1"><c r="A1" s="2" t="inlineStr"><is><t>Zya b</t></is></c></row>' },
      '<row r="1"><c r="A1" s="2" t="inlineStr"><is><t xml:space="preserve">[X] b</t></is></c></row>',
    ],
    [
      'rich text over runs',
      { rows: '<row><c t="s"><v>0</v></c></row>', strings: ['<r><t>Zy</t></r><r><rPr><b/></rPr><t>ab</t></r>'] },
      '<row><c t="inlineStr"><is><r><t xml:space="preserve">[X]</t></r><r><rPr><b/></rPr><t xml:space="preserve"></t></r></is></c></row>',
    ],
    [
      'a formula whose result is a hit becomes its text',
      { rows: '<row r="1"><c r="A1" t="str"><f>B1&amp;C1</f><v>Zya</v></c></row>' },
      `<row r="1">${inline('A1', '[X]')}</row>`,
    ],
    [
      'a literal in a formula',
      { rows: '<row r="1"><c r="A1"><f>LEN("Zya")</f><v>3</v></c></row>' },
      '<row r="1"><c r="A1"><f>LEN("[X]")</f><v>3</v></c></row>',
    ],
    [
      'formulas shared with one that went',
      {
        rows: '<row r="1"><c r="A1" t="str"><f t="shared" si="0" ref="A1:A2">B1</f><v>Zya</v></c></row><row r="2"><c r="A2" t="str"><f t="shared" si="0"/><v>b</v></c></row>',
      },
      `<row r="1">${inline('A1', '[X]')}</row><row r="2"><c r="A2" t="str"><v>b</v></c></row>`,
    ],
    [
      'a formula that points to another file becomes its value',
      { rows: '<row r="1"><c r="A1"><f>[1]Sheet1!A1</f><v>7</v></c></row>' },
      '<row r="1"><c r="A1"><v>7</v></c></row>',
    ],
    [
      'cells and rows that say not where they stand',
      { rows: '<row><c><v>1</v></c><c t="inlineStr"><is><t>Zya</t></is></c></row>' },
      '<row><c><v>1</v></c><c t="inlineStr"><is><t xml:space="preserve">[X]</t></is></c></row>',
    ],
    [
      'phonetic guides go',
      { rows: '<row><c t="inlineStr"><is><t>a</t><rPh sb="0" eb="1"><t>Zya</t></rPh></is></c></row>' },
      '<row><c t="inlineStr"><is><t>a</t></is></c></row>',
    ],
    [
      'logical values and errors stay',
      { rows: '<row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>' },
      '<row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>',
    ],
  ]
  test.each(cases)('%s', async (_, book, expected) => {
    expect(rowsOf((await clean(makeBook(book))).bytes)).toBe(expected)
  })

  test('a number that matches becomes a text', async () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>34600123456</v></c><c r="B1"><v>3.4600123456E10</v></c></row>'
    const { bytes } = await clean(makeBook({ rows }), [regexRule('X', '^346\\d{8}$')])
    expect(rowsOf(bytes)).toBe(`<row r="1">${inline('A1" s="1', '[X]')}${inline('B1', '[X]')}</row>`)
  })

  test('dates are read as dates', async () => {
    const styles = `<styleSheet ${s}><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`
    const rows =
      '<row r="1"><c r="A1" s="1"><v>45052</v></c><c r="B1" s="2"><v>45052.5</v></c><c r="C1"><v>45052</v></c></row>'
    const book = makeBook({ rows, parts: { 'xl/styles.xml': styles } })
    const linked = { ...Object.fromEntries([...readZip(book)].map(([name, bytes]) => [name, bytes])) }
    linked['xl/_rels/workbook.xml.rels'] = Buffer.from(
      relationships([
        ['r1', 'worksheet', 'worksheets/sheet1.xml'],
        ['r2', 'sharedStrings', 'sharedStrings.xml'],
        ['r3', 'styles', 'styles.xml'],
      ]),
    )
    delete linked['[Content_Types].xml']
    delete linked['_rels/.rels']
    const { bytes } = await clean(makeOffice('xl/workbook.xml', linked), [regexRule('X', '2023-05-06(?: 12:00:00)?')])
    expect(rowsOf(bytes)).toBe(
      `<row r="1">${inline('A1" s="1', '[X]')}${inline('B1" s="2', '[X]')}<c r="C1"><v>45052</v></c></row>`,
    )
  })

  test('rules for columns leave the same text in other columns', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>2</v></c></row>'
    const strings = ['<t>name</t>', '<t>city</t>', '<t>Zya</t>']
    const { bytes } = await clean(makeBook({ rows, strings }), [regexRule('X', '[Zz]y\\w*', { columns: ['name'] })])
    expect(rowsOf(bytes)).toContain(`<row r="2">${inline('A2', '[X]')}<c r="B2" t="s"><v>2</v></c></row>`)
    expect(readZip(bytes).get('xl/sharedStrings.xml')!.toString()).toContain('<si><t>Zya</t></si>')
  })

  test('a shared string that nothing shows any more is emptied', async () => {
    const rows = '<row r="1"><c r="A1" t="s"><v>1</v></c></row>'
    const { bytes, report } = await clean(makeBook({ rows, strings: ['<t>Zyunused</t>', '<t>Zyused</t>', '<t>b</t>'] }))
    expect(readZip(bytes).get('xl/sharedStrings.xml')!.toString()).toBe(
      `<sst ${s}><si><t/></si><si><t/></si><si><t/></si></sst>`,
    )
    expect(report.dropped).toEqual([{ what: 'unused strings', count: 3 }])
  })

  test('what a cell held is gone from the hidden places too, in any case', async () => {
    const tail = '<hyperlinks><hyperlink ref="A1" display="see ZYLOPHONE"/></hyperlinks>'
    const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>Zylophone</t></is></c></row>'
    const book = '<definedNames><definedName name="n">"zylophones"</definedName></definedNames>'
    const { bytes } = await clean(makeBook({ rows, tail, book }), [regexRule('X', '^Zylophone$')])
    expect(readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString()).toContain('display="see [X]"')
    expect(readZip(bytes).get('xl/workbook.xml')!.toString()).toContain('>"[X]s"<')
  })

  test('names of sheets stay valid and distinct', async () => {
    const two = '<sheet name="Zya 1" sheetId="2" r:id="r9"/><sheet name="Zya 2" sheetId="3" r:id="r9"/></sheets>'
    const source = makeBook({ rows: '' })
    const parts = Object.fromEntries(
      [...readZip(source)].map(([name, bytes]) => [name, bytes.toString().replace('</sheets>', two)]),
    )
    delete parts['[Content_Types].xml']
    delete parts['_rels/.rels']
    const { bytes } = await clean(makeOffice('xl/workbook.xml', parts), [regexRule('X', 'Zya \\d')])
    const names = [
      ...readZip(bytes)
        .get('xl/workbook.xml')!
        .toString()
        .matchAll(/sheet name="([^"]*)"/g),
    ].map(([, name]) => name)
    expect(names).toEqual(['Sheet1', 'X', 'X_2'])
  })

  test('what points to sheets whose names become the same points to the same sheets', async () => {
    const two = `<sheet name="Zya 1" sheetId="2" r:id="r9"/><sheet name="Zya 2" sheetId="3" r:id="r9"/></sheets><definedNames><definedName name="n">'Zya 2'!$A$1</definedName></definedNames>`
    const rows = `<row r="1"><c r="A1"><f>'Zya 2'!B1+'zya 1'!B1+SUM('Zya 1:Zya 2'!C1)</f><v>1</v></c></row>`
    const tail = `<hyperlinks><hyperlink ref="A1" location="'Zya 1'!A1"/><hyperlink ref="A2" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="l1"/></hyperlinks>`
    const source = makeBook({ rows, tail, links: [['l1', 'hyperlink', "#'Zya 1'!A3"]] })
    const parts = Object.fromEntries(
      [...readZip(source)].map(([name, bytes]) => [name, bytes.toString().replace('</sheets>', two)]),
    )
    delete parts['[Content_Types].xml']
    delete parts['_rels/.rels']
    const files = readZip(
      (await clean(makeOffice('xl/workbook.xml', parts), [regexRule('X', 'Zya \\d', { flags: 'i' })])).bytes,
    )
    const all = [...files.values()].join('')
    const [first, second] = [...all.matchAll(/sheet name="(X[^"]*)"/g)].map(([, name]) => name)
    expect([first, second].sort()).toEqual(['X', 'X_2'])
    expect(all).toContain(`<f>'${second}'!B1+'${first}'!B1+SUM('${first}:${second}'!C1)</f>`)
    expect(all).toContain(`>'${second}'!$A$1</definedName>`)
    expect(all).toContain(`location="'${first}'!A1"`.replaceAll("'", '&apos;'))
    expect(all).toContain(`Target="#'${first}'!A3"`.replaceAll("'", '&apos;'))
  })

  test('a comment over runs is one text', async () => {
    const comments = `<comments ${s}><authors><author>Zyauthor</author></authors><commentList><comment ref="A1" authorId="0"><text><r><t>Zy</t></r><r><t>ab</t></r></text></comment></commentList></comments>`
    const { bytes } = await clean(
      makeBook({ rows: '', parts: { 'xl/comments1.xml': comments }, links: [['r1', 'comments', '../comments1.xml']] }),
    )
    const text = readZip(bytes).get('xl/comments1.xml')!.toString()
    expect(text).toContain('<author>Author</author>')
    expect(text).toContain('<text><r><t>[X]</t></r><r><t></t></r></text>')
  })

  test('pivot tables and external links go with what points to them', async () => {
    const book =
      '<externalReferences><externalReference/></externalReferences><definedNames><definedName name="a">[1]Sheet1!$A$1</definedName></definedNames><pivotCaches><pivotCache/></pivotCaches>'
    const { bytes } = await clean(makeBook({ rows: '<row/>', book }))
    const text = readZip(bytes).get('xl/workbook.xml')!.toString()
    expect(text.slice(text.indexOf('</sheets>'))).toBe('</sheets><definedNames></definedNames></workbook>')
  })

  test('sets of icons keep their names', async () => {
    const tail = '<conditionalFormatting><cfRule><iconSet iconSet="3TrafficLights1"/></cfRule></conditionalFormatting>'
    const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>Traffic</t></is></c></row>'
    const { output } = await anonymise(
      call({ input: bufferInput('x.xlsx', makeBook({ rows, tail })), rules: [regexRule('X', 'Traffic')] }),
    )
    const sheet = readZip(await output.read(0, output.size))
      .get('xl/worksheets/sheet1.xml')!
      .toString()
    expect(sheet).toContain('iconSet="3TrafficLights1"')
    expect(sheet).toContain('[X]')
  })

  test('the page keeps its orientation when the settings of a printer go', async () => {
    const root = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
    const tail = `<pageSetup ${root} orientation="landscape" r:id="r1"/>`
    const links: Link[] = [['r1', 'printerSettings', '../printerSettings/printerSettings1.bin']]
    const parts = { 'xl/printerSettings/printerSettings1.bin': 'Zya' }
    const { bytes } = await clean(makeBook({ rows: '<row/>', tail, parts, links }))
    const sheet = readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString()
    expect(sheet).toContain(`<pageSetup ${root} orientation="landscape"/>`)
  })

  test.each([
    ['&L&"Arial,Bold"Zya&C&P of Zyb && c', '&L&"Arial,Bold"[X]&C&P of [X] && c'],
    ['&L&10Zya&R&K112233Zyb&8&BZyc', '&L&10[X]&R&K112233[X]&8&B'],
    ['Zya&&Zyb && a&&&BZyc', '[X]&&[X] && a&&&B[X]'],
    ['&"Zya,Bold"a&"Arial,Zyb"b&"-,Fett"c', '&"[X],Bold"a&"Arial,[X]"b&"-,Fett"c'],
  ])('headers of pages are read without their codes: %s', async (header, expected) => {
    const written = (text: string) =>
      `<headerFooter><oddHeader>${text.replaceAll('&', '&amp;')}</oddHeader></headerFooter>`
    const { bytes } = await clean(makeBook({ rows: '<row/>', tail: written(header) }))
    expect(readZip(bytes).get('xl/worksheets/sheet1.xml')!.toString()).toContain(written(expected))
  })
})

test('rows as most programs write them and others read the same, page by page', async () => {
  const cell = (n: number) => `<c t="inlineStr"><is><t>Zya ${n}</t></is></c>`
  // A sheet whose rows have a comment is read by the other, slower reader.
  const row = (n: number, mark = '') => `<row r="${n}">${mark}${cell(n)}${cell(-n)}<c t="b"><v>1</v></c><c/></row>`
  const book = (mark: string) => makeBook({ rows: Array.from({ length: 9000 }, (_, n) => row(n + 1, mark)).join('') })
  const [usual, other] = [book(''), book('<!-- -->')]
  const page = (bytes: Buffer, number: number) =>
    showPage({ input: bufferInput('x.xlsx', bytes), number, signal: new AbortController().signal })
  for (const number of [1, 23, 45]) expect(await page(usual, number)).toEqual(await page(other, number))
  const last = await page(usual, 45)
  expect([last!.pages, last!.texts.at(-1)]).toMatchObject([45, { text: 'Zya -9000', place: { row: 9000 } }])
})
