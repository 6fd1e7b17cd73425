import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { knownInHidden } from '../../../shared/engine/formats/ooxml/known-values.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, makeOffice, readZip, relationships } from './package.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing'

type Book = {
  sheets: { name?: string; head?: string; rows: string; tail?: string; links?: Parameters<typeof relationships>[0] }[]
  names?: string
  parts?: Record<string, string>
}

const cell = (text: string, ref = 'A1') => `<row r="1"><c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c></row>`
const formula = (text: string) => `<row r="2"><c r="A2"><f>${text}</f><v>1</v></c></row>`

function workbook({ sheets, names = '', parts = {} }: Book): Buffer {
  const tags = sheets.map(({ name }, n) => `<sheet name="${name ?? `S${n}`}" sheetId="${n + 1}" r:id="r${n}"/>`)
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${tags.join('')}</sheets><definedNames>${names}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(sheets.map((_, n) => [`r${n}`, 'worksheet', `worksheets/s${n}.xml`])),
    ...parts,
  }
  sheets.forEach(({ head = '', rows, tail = '', links = [] }, n) => {
    files[`xl/worksheets/s${n}.xml`] =
      `<worksheet xmlns="${main}" xmlns:r="${office}">${head}<sheetData>${rows}</sheetData>${tail}</worksheet>`
    files[`xl/worksheets/_rels/s${n}.xml.rels`] = relationships(links).replace(
      /hyperlink" /g,
      'hyperlink" TargetMode="External" ',
    )
  })
  return makeOffice('xl/workbook.xml', files)
}

const rule = regexRule('X', 'Jonathan\\s+Quimby')

async function clean(name: string, bytes: Uint8Array, one = rule) {
  const { output, report } = await anonymise(
    call({ input: bufferInput(name, bytes), rules: [one], assetType: 'TABLE' }),
  )
  const files = readZip(await output.read(0, output.size))
  const of = (part: string) => files.get(part)!.toString()
  return { of, all: [...files.values()].join('\n'), report }
}

describe('names of files and identifiers in a workbook go with the name in a cell', () => {
  test('names of sheets, ranges and tables, and what refers to them before it is found', async () => {
    const { of, all, report } = await clean(
      'a.xlsx',
      workbook({
        sheets: [
          { rows: formula("Jonathan_Quimby!A1+SUM(Jonathan.Quimby)+SUM(JONATHAN_QUIMBY_2[a])+'Jonathan-Quimby'!A1") },
          { name: 'Jonathan_Quimby', rows: cell('Jonathan Quimby'), links: [['t', 'table', '../tables/t.xml']] },
          { name: 'Jonathan-Quimby', rows: cell('b') },
        ],
        names: '<definedName name="Jonathan.Quimby">Jonathan_Quimby!$A$1</definedName>',
        parts: {
          'xl/tables/t.xml': `<table xmlns="${main}" id="1" name="Jonathan_Quimby_2" displayName="Jonathan_Quimby_2" ref="A3:A4"><tableColumns count="1"><tableColumn id="1" name="a"/></tableColumns></table>`,
        },
      }),
    )
    expect(all).not.toMatch(/quimby/i)
    const [, first, second] = /<sheet name="S0".*<sheet name="([^"]*)".*<sheet name="([^"]*)"/.exec(
      of('xl/workbook.xml'),
    )!
    expect([first, second].toSorted()).toEqual(['X', 'X_2'])
    const [, range, target] = /definedName name="([^"]*)">([^<]*)!/.exec(of('xl/workbook.xml'))!
    const table = /displayName="([^"]*)"/.exec(of('xl/tables/t.xml'))![1]
    expect(target).toBe(first)
    expect(of('xl/worksheets/s0.xml')).toContain(`<f>${first}!A1+SUM(${range})+SUM(${table}[a])+'${second}'!A1</f>`)
    expect(report.escalated).toEqual([])
  })

  test('what stands before the cells that hold it', async () => {
    const { of } = await clean(
      'a.xlsx',
      workbook({
        sheets: [
          { head: '<sheetPr codeName="Jonathan_Quimby"/>', rows: cell('Jonathan Quimby') },
          { rows: cell('b'), tail: '<headerFooter><oddHeader>jonathan_quimby.docx</oddHeader></headerFooter>' },
        ],
      }),
    )
    expect(of('xl/worksheets/s0.xml')).toContain('codeName="[X]"')
    expect(of('xl/worksheets/s1.xml')).toContain('<oddHeader>[X].docx</oddHeader>')
  })

  test.each([
    'cv/Jonathan_Quimby.pdf',
    'file:///C:/cv/Jonathan%20Quimby.pdf',
    'https://x.example/?q=Jonathan+Quimby',
    'https://x.example/people/jonathan-quimby',
    'https://x.example/jonathan.quimby/1',
    'cv/Jonathan_-_Quimby.pdf',
    'cv/Jonathan__Quimby.pdf',
    'cv/Jonathan%2520Quimby.pdf',
  ])('a link to %s', async target => {
    const { all } = await clean(
      'a.xlsx',
      workbook({ sheets: [{ rows: cell('Jonathan Quimby'), links: [['l', 'hyperlink', target]] }] }),
    )
    expect(all).not.toMatch(/jonathan|quimby/i)
  })

  test.each(['a.xlsx', 'a.ods'])('other cells of a small workbook: %s', async name => {
    const texts = ['cv/Jonathan_Quimby.pdf', 'https://x.example/people/jonathan-quimby', 'Jonathan Quimby', 'jonathan']
    const rows = texts.map((text, n) => cell(text).replaceAll('1"', `${n + 1}"`)).join('')
    const odf = texts.map(
      text =>
        `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`,
    )
    const { all } = await clean(
      name,
      name === 'a.ods'
        ? makeOdf('spreadsheet', `<table:table table:name="S">${odf.join('')}</table:table>`)
        : workbook({ sheets: [{ rows }] }),
    )
    for (const text of ['cv/[X].pdf', 'https://x.example/people/[X]', '>jonathan<']) expect(all).toContain(text)
    expect(all).not.toMatch(/quimby/i)
  })

  test('pictures, and formulas near to the cell', async () => {
    const { of, all } = await clean(
      'a.xlsx',
      workbook({
        sheets: [
          {
            rows: cell('Jonathan Quimby') + formula('HYPERLINK("cv/Jonathan_Quimby.pdf","x")'),
            links: [['d', 'drawing', '../drawings/d.xml']],
          },
        ],
        parts: {
          'xl/drawings/d.xml': `<xdr:wsDr xmlns:xdr="${drawing}"><xdr:sp><xdr:cNvPr id="2" name="Jonathan_Quimby.jpg" descr="C:\\photos\\jonathan-quimby.jpg"/></xdr:sp></xdr:wsDr>`,
        },
      }),
    )
    expect(all).not.toMatch(/quimby/i)
    expect(of('xl/worksheets/s0.xml')).toContain('<f>HYPERLINK("cv/[X].pdf","x")</f>')
  })

  test('sheets, ranges, links and frames of OpenDocument', async () => {
    const row = (content: string, attributes = '') =>
      `<table:table-row><table:table-cell${attributes}><text:p>${content}</text:p></table:table-cell></table:table-row>`
    const body = [
      '<table:table table:name="S">',
      row(
        '1',
        ' table:formula="of:=[Jonathan_Quimby.A1]+SUM(Jonathan.Quimby)" office:value-type="float" office:value="1"',
      ),
      '</table:table><table:table table:name="Jonathan_Quimby"><table:shapes><draw:frame draw:name="Jonathan_Quimby.jpg"/></table:shapes>',
      row('<text:a xlink:href="../cv/Jonathan_Quimby.pdf">x</text:a>'),
      row('Jonathan Quimby'),
      '</table:table><table:named-expressions><table:named-range table:name="Jonathan.Quimby" table:cell-range-address="$Jonathan_Quimby.$A$1"/></table:named-expressions>',
    ]
    const { of, report } = await clean('a.ods', makeOdf('spreadsheet', body.join('')))
    const content = of('content.xml')
    expect(content).not.toMatch(/quimby/i)
    const sheet = /table:name="S".*?table:table table:name="([^"]*)"/s.exec(content)![1]
    const range = /named-range table:name="([^"]*)"/.exec(content)![1]
    expect(content).toContain(`table:formula="of:=[${sheet}.A1]+SUM(${range})"`)
    expect(content).toContain(`table:cell-range-address="$${sheet}.$A$1"`)
    expect(report.escalated).toEqual([])
  })
})

test('a name of three letters goes from the names of sheets and ranges as a whole word', async () => {
  const { of } = await clean(
    'a.xlsx',
    workbook({
      sheets: [
        { name: 'Amy', rows: cell('Patient Amy') + formula('Amy!B1+Amyl!B1') },
        { name: 'Amyl', rows: cell('b') },
        { name: 'of_Amy', rows: cell('b') },
      ],
      names: '<definedName name="Amy">Amy!$A$1</definedName><definedName name="Bigamy">Amyl!$A$1</definedName>',
    }),
    regexRule('X', '(?<=Patient )Amy'),
  )
  expect([...of('xl/workbook.xml').matchAll(/ame="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    'X',
    'Amyl',
    'of_X',
    'X',
    'Bigamy',
  ])
  expect(of('xl/worksheets/s0.xml')).toContain('<f>X!B1+Amyl!B1</f>')
})

const completed = (value: string, text: string, wording?: 'code' | 'vocabulary') => {
  const known = knownInHidden([text])
  known.note(value, '#')
  const segment = { text, place: { kind: 'meta' as const }, visible: false, wording }
  let result = ''
  let from = 0
  for (const { start, end, text: by } of known.complete(segment, [])) {
    result += text.slice(from, start) + by
    from = end
  }
  return result + text.slice(from)
}

test.each([
  ['Anna Berg', 'Anna_Berg, annaberg, Anna__BERG.pdf, xAnna_Berg', '#, annaberg, #.pdf, xAnna_Berg'],
  ['Anna-Lena Berg', 'anna_lena-berg', '#'],
  ['Anna Berg', 'xAnna Bergs', 'x#s'],
  ['İnci Berg', 'İnci_Berg', '#'],
  ['Berg', 'Bergen', '#en'],
  ['Amy', 'amy_1 Bigamy amys', '#_1 Bigamy amys'],
  ['张伟', '表_张伟说', '表_#说'],
  ['伟', '伟', '伟'],
  ['the', 'the_list', 'the_list'],
  ['100', '100 of 100', '100 of 100'],
  ['1 - 2', '1 - 2 or 1 2', '# or 1 2'],
  ['10.5', '10.5 or 10 5', '# or 10 5'],
  ['555-1234', '555 1234', '#'],
  ['2024-01-15', '2024_01_15', '#'],
])('%s in «%s»', (value, text, expected) => {
  expect(completed(value, text)).toBe(expected)
})

test('short names stay in the words of programs, unless they are spelled like them', () => {
  expect(completed('Max', 'max', 'code')).toBe('max')
  expect(completed('Max', 'of_Max', 'code')).toBe('of_#')
  expect(completed('Bad', 'Bad', 'vocabulary')).toBe('Bad')
})
