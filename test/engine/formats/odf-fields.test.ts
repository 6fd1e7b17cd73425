import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { readOdfPart } from '../../../shared/engine/formats/odf/xml-part.ts'
import { sheetNames } from '../../../shared/engine/formats/office/sheet-names.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, readZip } from './package.ts'

const oasis = 'urn:oasis:names:tc:opendocument:xmlns:'
const declared = ['svg-compatible', 'script', 'datastyle']
  .map(name => `xmlns:${{ 'svg-compatible': 'svg', datastyle: 'number' }[name] ?? name}="${oasis}${name}:1.0"`)
  .join(' ')

async function content(body: string): Promise<string> {
  const rules = [regexRule('N', '(?<![A-Za-z])zq[a-z]+', { flags: 'i' })]
  const input = bufferInput('x.odt', makeOdf('text', body.replaceAll('<text:p>', `<text:p ${declared}>`)))
  const { output } = await anonymise(call({ input, rules }))
  return readZip(await output.read(0, output.size))
    .get('content.xml')!
    .toString()
}

describe('what a field of OpenDocument holds', () => {
  test.each([
    '<text:script script:language="zqa" xlink:href="zqb">zqc</text:script>',
    '<text:database-display text:database-name="zqa" text:table-name="zqb" text:column-name="zqc">Zqd</text:database-display>',
    '<text:database-row-select text:condition="zqa" text:table-name="zqb"/>',
    '<text:author-name text:fixed="true">Zqa</text:author-name><text:sender-firstname>Zqb</text:sender-firstname>',
    '<text:placeholder text:placeholder-type="text" text:description="zqa">&lt;Zqb&gt;</text:placeholder>',
    '<text:conditional-text text:condition="zqa" text:string-value-if-true="zqb" text:string-value-if-false="zqc">Zqd</text:conditional-text>',
    '<text:variable-set text:name="zqa" text:formula="ooow:&quot;zqb&quot;" office:string-value="zqc">Zqd</text:variable-set>',
    '<text:reference-ref text:ref-name="zqa">Zqb</text:reference-ref>',
    '<text:alphabetical-index-mark text:string-value="zqa" text:key1="zqb" text:key2="zqc" text:string-value-phonetic="zqd"/>',
    '<text:span text:class-names="zqa" text:style-name="zqb">Zqc</text:span>',
    '<text:meta-field xml:id="zqa">Zqb</text:meta-field>',
    '<draw:frame draw:name="zqa"><svg:title>zqb</svg:title><svg:desc>Zqc</svg:desc></draw:frame>',
    '<text:list-level-style-number style:num-prefix="zqa" style:num-suffix="zqb" style:num-format="1"/>',
    '<number:date-style style:name="zqa" number:title="zqb"/>',
  ])('%s', async field => {
    const after = await content(`<text:p>Dear ${field} friend</text:p>`)
    expect(after).not.toMatch(/zq/i)
    expect(after).toContain('Dear ')
  })

  test.each([
    ['loext', 'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'sender-initials'],
    ['dc', 'http://purl.org/dc/elements/1.1/', 'creator'],
  ])('an author in the middle of a line, as LibreOffice 4 wrote %s, is no part of it', async (prefix, uri, name) => {
    const author = `<${prefix}:${name} xmlns:${prefix}="${uri}">Zqa</${prefix}:${name}>`
    expect(await content(`<text:p>Dear ${author} friend zqb</text:p>`)).toMatch(
      /Dear <[^<]*>Author<[^<]*> friend \[N\]</,
    )
  })

  test('within many others shares what goes with it', () => {
    const control = 'loext:content-control'
    const source = `<text:p xmlns:text="${oasis}text:1.0" xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0">${`<${control} loext:current-date="x">`.repeat(500)}a${`</${control}>`.repeat(500)}</text:p>`
    const shared = { part: 'content.xml', depth: 64, references: () => undefined, sheets: sheetNames() }
    const [node] = readOdfPart(source, shared).nodes
    expect(node!.runs[0]!.also!.length).toBeLessThan(50)
    expect(node!.runs[0]!.also!.flat()).toHaveLength(500)
  })

  test('what describes a picture is no part of the line that it stands in', async () => {
    const frame = '<draw:frame><svg:title>Logo</svg:title><svg:desc>Our sign</svg:desc></draw:frame>'
    expect(await content(`<text:p>${frame}Zqa</text:p><text:p>Zq${frame}b</text:p>`)).toMatch(
      /sign<\/svg:desc><\/draw:frame>\[N\]<\/text:p>.*\[N\]<draw:frame><svg:title>Logo/,
    )
  })
})

describe('what a field of OpenDocument holds for programs', () => {
  const loext = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
  test.each([
    ['<text:date text:date-value="2004-06-08" text:fixed="true">zqa</text:date>', '[N]'],
    [
      '<text:time text:time-value="2004-06-08T11:12:13"><text:span>zqa</text:span></text:time>',
      '<text:span>[N]</text:span>',
    ],
    [
      '<text:variable-set text:name="v" office:value-type="date" office:date-value="2004-06-08">zqa</text:variable-set>',
      '[N]',
    ],
    ['<text:expression text:formula="ooow:20040608" office:value="20040608">zqa</text:expression>', '[N]'],
    [
      `<loext:content-control ${loext} loext:date="true" loext:current-date="2004-06-08T00:00:00Z">zqa</loext:content-control>`,
      `<loext:content-control ${loext} loext:date="true">[N]</loext:content-control>`,
    ],
    [
      `<loext:content-control ${loext}><loext:list-item loext:display-text="Eight" loext:value="20040608"/>zqa</loext:content-control>`,
      `<loext:content-control ${loext}><loext:list-item loext:display-text="Eight"/>[N]</loext:content-control>`,
    ],
    [
      `<loext:content-control ${loext}><loext:list-item loext:display-text="zqa" loext:value="20040608"/>Nine</loext:content-control>`,
      `<loext:content-control ${loext}><loext:list-item loext:display-text="[N]"/>Nine</loext:content-control>`,
    ],
    [
      '<text:ruby><text:ruby-base>zqa</text:ruby-base><text:ruby-text>08.06.2004</text:ruby-text></text:ruby>',
      '<text:ruby><text:ruby-base>[N]</text:ruby-base><text:ruby-text></text:ruby-text></text:ruby>',
    ],
  ])('goes with its text: %s', async (field, left) => {
    expect(await content(`<text:p>Dear ${field} friend</text:p>`)).toContain(`>Dear ${left} friend<`)
    const other = field.replace('zqa', 'someone')
    expect(await content(`<text:p>Dear ${other} friend</text:p>`)).toContain(`>Dear ${other} friend<`)
  })

  test('goes with the text of any field of the same variable', async () => {
    const declared = (name: string) =>
      `<text:user-field-decl office:value-type="float" office:value="20040608" text:name="${name}"/>`
    const shown = (name: string, text: string) =>
      `<text:user-field-get text:name="${name}">${text}</text:user-field-get>`
    const after = await content(
      `<text:user-field-decls>${declared('u')}${declared('w')}</text:user-field-decls><text:p>${shown('u', 'zqa')} ${shown('u', 'eight')} ${shown('w', 'nine')}</text:p>`,
    )
    expect(after).toContain(`<text:user-field-decls>${declared('w')}</text:user-field-decls>`)
    expect(after).toContain(`>[N] eight ${shown('w', 'nine')}<`)
  })
})

describe('what a chart in a document holds', () => {
  const cell = (value: string, type = 'float') =>
    `<table:table-cell office:value-type="${type}"${type === 'float' ? ` office:value="${value}"` : ''}><text:p>${value}</text:p></table:table-cell>`
  const names = ['office', 'table', 'text', 'chart'].map(name => `xmlns:${name}="${oasis}${name}:1.0"`).join(' ')
  const chartOf = (cells: string) =>
    `<office:document-content ${names}><office:body><office:chart><text:p>Title</text:p><table:table table:name="local-table"><table:table-row>${cells}</table:table-row></table:table></office:chart></office:body></office:document-content>`

  test.each([
    [
      'numbers and days that the text shows',
      cell('20040608') + cell('38146') + cell('30'),
      cell('[X]', 'string') + cell('[Y]', 'string') + cell('30'),
    ],
    ['nothing of these', cell('3'), cell('3')],
  ])('%s', async (_, cells, left) => {
    const body = '<text:p>Of 20-0406/08 on 8 June 2004</text:p>'
    const input = bufferInput('x.odp', makeOdf('presentation', body, { 'Object 1/content.xml': chartOf(cells) }))
    const rules = [regexRule('X', '20-0406/08'), regexRule('Y', '8 June 2004')]
    const { output } = await anonymise(call({ input, rules }))
    const files = readZip(await output.read(0, output.size))
    expect(files.get('Object 1/content.xml')!.toString()).toBe(chartOf(left))
  })
})
