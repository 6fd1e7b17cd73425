import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { book, deck, tree } from './hiding-samples.ts'
import { makeDocx, makeOdf, readZip } from './package.ts'
import { typedBitmap } from './picture-samples.ts'

// What a file shows must not depend on what is left out of it: programs compute fields anew, follow links of pictures,
// measure letters as settings say.

async function clean(name: string, bytes: Uint8Array, pattern = 'Zy\\w*') {
  const input = bufferInput(name, bytes)
  const { output, report } = await anonymise(call({ input, rules: [regexRule('X', pattern)] }))
  const parts = readZip(await output.read(0, output.size))
  return { part: (path: string) => parts.get(path)!.toString(), dropped: report.dropped }
}

const run = (content: string) => `<w:r>${content}</w:r>`
const text = (value: string) => run(`<w:t>${value}</w:t>`)
const mark = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`)
const code = (value: string) => run(`<w:instrText xml:space="preserve">${value}</w:instrText>`)
const field = (value: string, shown: string) => mark('begin') + code(value) + mark('separate') + shown + mark('end')
const fieldsLeft = /fldSimple|fldChar|instr/

describe('fields that show properties become the text that they show', () => {
  const shows = (content: string) => content.replace(/<[^>]*>/g, '')

  test.each([
    ['whole', `<w:fldSimple w:instr=" TITLE  \\* MERGEFORMAT ">${text('Plan')}</w:fldSimple>`],
    ['in marks', field(' DOCPROPERTY "Status" ', text('Plan'))],
    [
      'whose code is in two runs',
      mark('begin') + code(' DOC') + code('PROPERTY x') + mark('separate') + text('Plan') + mark('end'),
    ],
    ['in the result of another', field(' QUOTE ', field(' author ', text('Plan'))).replace(/QUOTE/, 'SUBJECT')],
  ])('%s', async (_, content) => {
    const { part, dropped } = await clean(
      'a.docx',
      makeDocx(`<w:p>${text('The ')}${content}${text(' of Zyanne')}</w:p>`),
    )
    const after = part('word/document.xml')
    expect(shows(after)).toContain('The Plan of [X]')
    expect(after).not.toMatch(fieldsLeft)
    expect(dropped).toEqual([{ what: 'fields of properties (kept as text)', count: expect.any(Number) }])
  })

  test.each([
    ['of another kind', field(' PAGE ', text('7'))],
    [
      'in the code of another',
      field(`IF </w:instrText></w:r>${field(' TITLE ', text('a'))}<w:r><w:instrText> = "a" "b"`, text('b')),
    ],
    ['that show nothing', mark('begin') + code(' TITLE ') + mark('end')],
    ['that do not end', mark('begin') + code(' TITLE ') + mark('separate') + text('a')],
  ])('but not those %s', async (_, content) => {
    const body = `<w:p>${content}</w:p>`
    const { part, dropped } = await clean('a.docx', makeDocx(body))
    expect(part('word/document.xml')).toContain(body)
    expect(dropped).toEqual([])
  })

  test('a value in what they show is replaced', async () => {
    const { part } = await clean('a.docx', makeDocx(`<w:p>${field(' AUTHOR ', text('Zyanne'))}</w:p>`))
    expect(shows(part('word/document.xml')).trim()).toBe('[X]')
  })

  test('in OpenDocument', async () => {
    const body =
      '<text:p>The <text:title>Plan</text:title><text:s/>of <text:creator>Zyanne</text:creator>, <text:user-defined text:name="Zyfield">7</text:user-defined><text:subject/> <text:page-number>3</text:page-number></text:p>'
    const { part, dropped } = await clean('a.odt', makeOdf('text', body))
    expect(part('content.xml')).toContain(
      '<text:p>The Plan<text:s/>of [X], 7 <text:page-number>3</text:page-number></text:p>',
    )
    expect(dropped).toEqual([{ what: 'fields of properties (kept as text)', count: 4 }])
  })
})

test('a picture in the file stays where the file that it came from goes', async () => {
  const png = await kindOf('png').encode([await typedBitmap(['Seen'])], new Uint8Array())
  const blip = '<p:pic><p:blipFill><a:blip r:embed="r1" r:link="r2"/></p:blipFill></p:pic>'
  const only = '<p:pic><p:blipFill><a:blip r:link="r2"/></p:blipFill></p:pic>'
  const file = deck(
    tree(`${blip}${only}`),
    { 'ppt/media/image1.png': png },
    {
      slide: [
        ['r1', 'image', '../media/image1.png'],
        ['r2', 'image', 'file:///home/zyanne/a.png', true],
      ],
    },
  )
  const { part, dropped } = await clean('a.pptx', file)
  expect(part('ppt/slides/slide1.xml').match(/<a:blip[^>]*>/g)).toEqual(['<a:blip r:embed="r1"/>'])
  expect(dropped).toContainEqual({ what: 'external links', count: 1 })
})

test('a colour of a text in a cell may be lighter by a long fraction', async () => {
  const strings = (item: string) =>
    `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si>${item}</si></sst>`
  const item = (tint: string) =>
    `<r><rPr><color theme="9" tint="${tint}"/></rPr><t>dark</t></r><r><rPr><b/></rPr><t xml:space="preserve"> and bold</t></r>`
  const file = (tint: string) =>
    book(
      '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>',
      { 'xl/sharedStrings.xml': strings(item(tint)) },
      {
        main: [['s2', 'sharedStrings', 'sharedStrings.xml']],
      },
    )
  for (const tint of ['-0.499984740745262', '0.39997558519241921', '1', '0'])
    expect((await clean('a.xlsx', file(tint))).part('xl/sharedStrings.xml')).toBe(strings(item(tint)))
  // Anything else than a number from -1 to 1 is no measure.
  for (const tint of ['0.4917012345678901234', '49170123456789', 'Zyanne'])
    expect((await clean('a.xlsx', file(tint))).part('xl/sharedStrings.xml')).not.toContain('tint')
})

test('settings of how letters are measured stay, those of printers go', async () => {
  const item = (name: string, value: string) =>
    `<config:config-item config:name="${name}" config:type="string">${value}</config:config-item>`
  const config = 'xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0"'
  const office = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
  const settings = (items: string) =>
    `<office:document-settings ${office} ${config}><office:settings>${items}</office:settings></office:document-settings>`
  const measures = item('PrinterIndependentLayout', 'low-resolution') + item('UseOldPrinterMetrics', 'true')
  const printer = item('PrinterName', 'Zyprinter') + item('PrinterSetup', 'Zysetup')
  const { part, dropped } = await clean(
    'a.odt',
    makeOdf('text', '<text:p>a</text:p>', { 'settings.xml': settings(measures + printer) }),
  )
  expect(part('settings.xml')).toBe(settings(measures))
  expect(dropped).toEqual([{ what: 'private settings', count: 2 }])
})
