import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { odp, odt } from '../../../shared/engine/formats/odf/index.ts'
import { ods } from '../../../shared/engine/formats/odf/ods.ts'
import { blankPng } from '../../../shared/engine/formats/ooxml/blank-image.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, readZip } from './package.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus'
const file = (path: string) => () => readFileSync(`${corpus}/${path}`)
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const bodyOf = (bytes: Uint8Array) =>
  /<office:body><office:\w+>([\s\S]*)<\/office:\w+><\/office:body>/.exec(
    readZip(bytes).get('content.xml')!.toString(),
  )![1]!
const show = (bytes: Uint8Array) =>
  bodyOf(bytes)
    .split('</text:p>')
    .map(text => decoded(text.replace(/<[^>]*>/g, '')))
const paragraphs = (texts: string[]) => texts.map(text => `<text:p>${escaped(text)}</text:p>`).join('')
const cells = (texts: string[]) =>
  `<table:table table:name="S">${texts.map(text => `<table:table-row><table:table-cell office:value-type="string">${paragraphs([text])}</table:table-cell></table:table-row>`).join('')}</table:table>`

formatSuite(odt, {
  name: 'letter.odt',
  make: texts => makeOdf('text', paragraphs(texts)),
  show,
  untouched: 'text',
  refused: existsSync(corpus)
    ? [{ name: 'a password', bytes: file('odt/testODTEncrypted.odt'), type: 'encrypted_file' }]
    : [{ name: 'no content', bytes: () => makeOdf('text', '<a').subarray(0, 900), type: 'corrupt_file' }],
})
formatSuite(odp, {
  name: 'talk.odp',
  make: texts => makeOdf('presentation', paragraphs(texts)),
  show,
  untouched: 'text',
})
formatSuite(ods, { name: 'table.ods', make: texts => makeOdf('spreadsheet', cells(texts)), show, untouched: 'text' })

test('a spreadsheet of many cells', { timeout: 120_000 }, async () => {
  const row = '<table:table-row>'.concat(
    '<table:table-cell/>'.repeat(3),
    '<table:table-cell office:value="7"/>'.repeat(4),
  )
  const rows = `${row}<table:table-cell office:value-type="string"><text:p>Zyanne</text:p></table:table-cell></table:table-row>`
  const table = `<table:table table:name="S">${rows.repeat(30_000)}</table:table>`
  const input = bufferInput('many.ods', makeOdf('spreadsheet', table))
  const { findings } = await anonymise(call({ input, rules: [regexRule('X', 'Zyanne')], assetType: 'TABLE' }))
  expect(findings[0]!.count).toBe(30_000)
})

async function clean(bytes: Buffer, rules: PlannedRule[] = [regexRule('X', '\\b[Zz]y\\w*')]) {
  const { output, report } = await anonymise(call({ input: bufferInput('x', bytes), rules }))
  return { bytes: await output.read(0, output.size), report }
}

describe('OpenDocument', () => {
  const cases: [string, string, string][] = [
    [
      'a word over spans',
      '<text:p>Zy<text:span>sp</text:span>lit</text:p>',
      '<text:p>[X]<text:span></text:span></text:p>',
    ],
    ['a blank element inside of no match', '<text:p>Zya<text:s/>b</text:p>', '<text:p>[X]<text:s/>b</text:p>'],
    [
      'deleted text goes',
      '<text:tracked-changes><text:p>Zya</text:p></text:tracked-changes><text:p>b<text:change/></text:p>',
      '<text:p>b</text:p>',
    ],
    [
      'a note beside a word',
      '<text:p><text:note><text:note-citation>1</text:note-citation></text:note>Zyb</text:p>',
      '<text:p><text:note><text:note-citation>1</text:note-citation></text:note>[X]</text:p>',
    ],
    [
      'an annotation and its author',
      '<text:p><office:annotation><dc:creator>Zya</dc:creator><text:p>Zyb</text:p></office:annotation>c</text:p>',
      '<text:p><office:annotation><dc:creator>Author</dc:creator><text:p>[X]</text:p></office:annotation>c</text:p>',
    ],
    [
      'an address',
      '<text:p><text:a xlink:href="mailto:%5aya@b">c</text:a></text:p>',
      '<text:p><text:a xlink:href="mailto:%5BX%5D@b">c</text:a></text:p>',
    ],
    [
      'scripts go',
      '<office:event-listeners><a b="Zya"/></office:event-listeners><text:p>b</text:p>',
      '<text:p>b</text:p>',
    ],
    [
      'the value behind a cell goes with its text',
      '<table:table-cell office:value-type="float" office:value="34600123456" table:formula="of:=1"><text:p>34600123456</text:p></table:table-cell>',
      '<table:table-cell office:value-type="string"><text:p>[X]</text:p></table:table-cell>',
    ],
    [
      'a cell whose value alone is a hit',
      '<table:table-cell office:value-type="float" office:value="34600123456"><text:p>3E10</text:p></table:table-cell>',
      '<table:table-cell office:value-type="string"><text:p>3E10</text:p></table:table-cell>',
    ],
    [
      'a formula that points to another file goes',
      '<table:table-cell table:formula="of:=[\'file:///a.ods\'#$S.A1]"><text:p>b</text:p></table:table-cell>',
      '<table:table-cell><text:p>b</text:p></table:table-cell>',
    ],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    const rules = [regexRule('X', '\\b[Zz]y\\w*|^346\\d{8}$')]
    expect(bodyOf((await clean(makeOdf('text', body), rules)).bytes)).toBe(expected)
  })

  test.each(['<text:tab/>', '<text:line-break/>', ' <text:s text:c="2"/>'])(
    'what a tab, a line or blanks part is not what one blank parts: %s',
    async blank => {
      const body = `<text:p>Zya Berg</text:p><text:p>Zya${blank}Berg</text:p>`
      const { bytes } = await clean(makeOdf('text', body), [regexRule('X', 'Zya Berg')])
      expect(bodyOf(bytes)).toBe(body.replace('Zya Berg', '[X]'))
    },
  )

  test('several blanks in a replacement stay several', async () => {
    const rules = [regexRule('X', 'Zya', { replacement: { text: 'a  b' } })]
    const { bytes } = await clean(makeOdf('text', '<text:p>Zya</text:p>'), rules)
    expect(bodyOf(bytes)).toBe('<text:p>a <text:s text:c="1"/>b</text:p>')
  })

  test('leaves out previews, properties, macros and stray parts, and their names', async () => {
    const parts = {
      'meta.xml': '<Zy/>',
      'Thumbnails/t.png': 'Zya',
      'Basic/m.xml': '<Zy/>',
      'stray.bin': 'Zyb',
      'ObjectReplacements/Object 1': 'Zyc',
    }
    const body = '<text:p><draw:frame><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p>'
    const { bytes, report } = await clean(makeOdf('text', body, parts))
    expect([...readZip(bytes).keys()]).toEqual(['mimetype', 'content.xml', 'META-INF/manifest.xml'])
    expect(readZip(bytes).get('META-INF/manifest.xml')!.toString()).not.toContain('stray')
    expect(bodyOf(bytes)).toBe('<text:p><draw:frame></draw:frame></text:p>')
    expect(report.dropped.map(({ what }) => what)).toEqual([
      'properties',
      'previews',
      'macros',
      'parts of an unknown kind',
    ])
  })

  test('a picture that nothing can read becomes an empty one', async () => {
    const body = '<text:p><draw:image xlink:href="Pictures/Zya.emf"/></text:p>'
    const { bytes } = await clean(makeOdf('text', body, { 'Pictures/Zya.emf': 'Zyb' }))
    expect(bodyOf(bytes)).toBe('<text:p><draw:image xlink:href="media/blank.png"/></text:p>')
    expect(readZip(bytes).get('META-INF/manifest.xml')!.toString()).toContain('full-path="media/blank.png"')
  })

  test('settings keep what shapes the page and lose what names printers and people', async () => {
    const item = (name: string, value: string) =>
      `<config:config-item config:name="${name}">${value}</config:config-item>`
    const settings = `<o xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0">${item('PrinterName', 'Zya')}${item('AddParaSpacing', 'true')}</o>`
    const { bytes } = await clean(makeOdf('text', '<text:p>b</text:p>', { 'settings.xml': settings }))
    expect(readZip(bytes).get('settings.xml')!.toString()).toContain(`>${item('AddParaSpacing', 'true')}<`)
  })

  test('cells know their column', async () => {
    const row = (...texts: string[]) =>
      `<table:table-row>${texts.map(text => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`
    const body = `<table:table>${row('name', 'city')}${row('Zya', 'Zya')}</table:table>`
    const { bytes } = await clean(makeOdf('spreadsheet', body), [regexRule('X', 'Zya', { columns: ['name'] })])
    expect(show(bytes).map(text => text.trim())).toEqual(['name', 'city', '[X]', 'Zya', ''])
  })
})

describe('what stands beside the content', () => {
  const clean = async (body: string, parts: Record<string, string | Uint8Array>) => {
    const input = bufferInput('a.odt', makeOdf('text', body, parts))
    const { output, report } = await anonymise(call({ input, rules: [regexRule('X', 'Zy\\w*')] }))
    return { files: readZip(await output.read(0, output.size)), dropped: report.dropped }
  }

  test.each(['Object 1', './Object 1', 'Object 1/', './Object 1/'])('an object named %s is still shown', async href => {
    const office = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    const { files, dropped } = await clean(`<text:p><draw:object xlink:href="${href}"/>Zyanne</text:p>`, {
      'Object 1/content.xml': `<office:document-content ${office}><office:body/></office:document-content>`,
    })
    expect(files.get('content.xml')!.toString()).toContain(`<draw:object xlink:href="${href}"/>[X]`)
    expect([...files.keys()]).toContain('Object 1/content.xml')
    expect(dropped).toEqual([])
  })

  test.each(['Pictures', 'media'])('a picture in the folder %s is still shown', async folder => {
    const name = `${folder}/image1.png`
    const { files } = await clean(`<text:p><draw:image xlink:href="${name}"/>Zyanne</text:p>`, { [name]: blankPng })
    expect(files.get('content.xml')!.toString()).toContain(`<draw:image xlink:href="${name}"/>[X]`)
    expect([...files.keys()]).toContain(name)
  })
})
