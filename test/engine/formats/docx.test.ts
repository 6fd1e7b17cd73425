import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { docx, pptx } from '../../../shared/engine/formats/ooxml/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOffice, readZip } from './package.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus'
const file = (path: string) => () => readFileSync(`${corpus}/${path}`)
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const decoded = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const bodyOf = (bytes: Uint8Array) => {
  const text = readZip(bytes).get('word/document.xml')!.toString()
  return text.slice(text.indexOf('<w:body>') + 8, text.indexOf('</w:body>'))
}

formatSuite(docx, {
  name: 'letter.docx',
  make: texts => makeDocx(texts.map(text => paragraph(escaped(text))).join('')),
  show: bytes =>
    bodyOf(bytes)
      .split('</w:p>')
      .map(part => decoded(part.replace(/<[^>]*>/g, ''))),
  untouched: 'text',
  files: existsSync(corpus) ? [{ name: 'canary.docx', bytes: file('synthetic/canary.docx') }] : [],
  refused: [
    {
      name: 'a DTD',
      bytes: () => makeDocx('', { 'word/document.xml': '<!DOCTYPE a [<!ATTLIST a b CDATA "c">]><a/>' }),
      type: 'corrupt_file',
    },
    { name: 'no main part', bytes: () => makeOffice('word/none.xml', { 'word/x.xml': '<a/>' }), type: 'corrupt_file' },
    { name: 'elements in elements', bytes: () => makeDocx('<w:p>'.repeat(200_000)), type: 'limit_exceeded' },
    ...(existsSync(corpus)
      ? [
          { name: 'lying size', bytes: file('synthetic/hostile-lying-size.docx'), type: 'corrupt_file' as const },
          { name: 'overlap', bytes: file('synthetic/hostile-overlap.docx'), type: 'limit_exceeded' as const },
          { name: 'zip slip', bytes: file('synthetic/hostile-zipslip.docx'), type: 'corrupt_file' as const },
          { name: 'a password', bytes: file('docx/bug53475-password-is-pass.docx'), type: 'encrypted_file' as const },
        ]
      : []),
  ],
})

const slide = (texts: string[]) =>
  `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:txBody>${texts.map(text => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sld>`

formatSuite(pptx, {
  name: 'talk.pptx',
  make: texts => makeOffice('ppt/slide.xml', { 'ppt/slide.xml': slide(texts) }),
  show: bytes => {
    const text = readZip(bytes).get('ppt/slide.xml')!.toString()
    return text.split('</a:p>').map(part => decoded(part.replace(/<[^>]*>/g, '')))
  },
  untouched: 'text',
})

async function clean(bytes: Buffer, options = {}) {
  const rules = [regexRule('X', '\\b[Zz]y\\w*')]
  const { output, report } = await anonymise(call({ input: bufferInput('x.docx', bytes), rules, options }))
  return { bytes: await output.read(0, output.size), report }
}

describe('Word documents', () => {
  const run = (text: string, isSpaced = false) =>
    `<w:r><w:t${isSpaced ? ' xml:space="preserve"' : ''}>${text}</w:t></w:r>`
  const hidden = (text: string) => `<w:r><w:rPr><w:vanish/></w:rPr><w:t>${text}</w:t></w:r>`
  const symbol = (letter: string) => `<w:sym w:font="Arial" w:char="00${letter.charCodeAt(0).toString(16)}"/>`
  const kept = '<w:pPr><w:rPr></w:rPr></w:pPr>'
  const deletedEnd = kept.replace('></w:rPr>', '><w:del w:id="1" w:author="Zyo"/></w:rPr>')
  const hiddenEnd = kept.replace('></w:rPr>', '><w:vanish/></w:rPr>')
  const separated = kept.replace('></w:rPr>', '><w:specVanish/></w:rPr>')
  const shownEnd = kept.replace('></w:rPr>', '><w:vanish w:val="0"/></w:rPr>')
  const mc = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
  const branches = (choice: string, fallback: string) =>
    `<mc:AlternateContent xmlns:mc="${mc}"><mc:Choice Requires="w14">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
  const cases: [string, string, string][] = [
    ['a word over runs', `<w:p>${run('Zys')}${run('plit')}</w:p>`, `<w:p>${run('[X]')}${run('')}</w:p>`],
    [
      'a word over what only some see',
      `<w:p>${run('Zys')}${hidden('a b')}${run('plit c')}</w:p>`,
      `<w:p>${run('[X]')}${hidden('')}${run(' c', true)}</w:p>`,
    ],
    [
      'a word of which some see a part',
      `<w:p>${run('a Zys')}${hidden('plit')}</w:p>`,
      `<w:p>${run('a [X]')}${hidden('')}</w:p>`,
    ],
    [
      'a word in what only some see',
      `<w:p>${run('a b')}${hidden('Zys')}${run('c')}</w:p>`,
      `<w:p>${run('a b')}${hidden('[X]')}${run('c')}</w:p>`,
    ],
    [
      'a word of letters of a font',
      `<w:p><w:r>${symbol('Z')}${symbol('y')}<w:t>s</w:t></w:r></w:p>`,
      '<w:p><w:r><w:t xml:space="preserve">[X]</w:t><w:t></w:t></w:r></w:p>',
    ],
    [
      'a letter of a font within',
      `<w:p><w:r><w:t>Z</w:t>${symbol('y')}<w:t>s</w:t></w:r></w:p>`,
      '<w:p><w:r><w:t>[X]</w:t><w:t></w:t></w:r></w:p>',
    ],
    [
      'a sign of a font',
      `<w:p><w:r><w:sym w:font="Wingdings" w:char="F05A"/><w:t>ys</w:t></w:r></w:p>`,
      `<w:p><w:r><w:sym w:font="Wingdings" w:char="F05A"/><w:t>ys</w:t></w:r></w:p>`,
    ],
    [
      'a word over the deleted end of a paragraph',
      `<w:p>${deletedEnd}${run('a Zy')}</w:p><w:p>${run('s b')}</w:p>`,
      `<w:p>${kept}${run('a [X]')}</w:p><w:p>${run(' b', true)}</w:p>`,
    ],
    [
      'words beside the deleted end of a paragraph',
      `<w:p>${deletedEnd}${run('a b')}</w:p><w:p>${run('Zys c')}</w:p>`,
      `<w:p>${kept}${run('a b')}</w:p><w:p>${run('[X] c')}</w:p>`,
    ],
    [
      'a word over the hidden end of a paragraph',
      `<w:p>${hiddenEnd}${run('a Zy')}</w:p><w:p>${run('s b')}</w:p>`,
      `<w:p>${hiddenEnd}${run('a [X]')}</w:p><w:p>${run(' b', true)}</w:p>`,
    ],
    [
      'a word over one that separates two styles',
      `<w:p>${separated}${run('a Zy')}</w:p><w:p>${run('s b')}</w:p>`,
      `<w:p>${separated}${run('a [X]')}</w:p><w:p>${run(' b', true)}</w:p>`,
    ],
    [
      'words beside the hidden end of a paragraph',
      `<w:p>${hiddenEnd}${run('a b')}</w:p><w:p>${run('Zys c')}</w:p>`,
      `<w:p>${hiddenEnd}${run('a b')}</w:p><w:p>${run('[X] c')}</w:p>`,
    ],
    [
      'an end that is said not to be hidden',
      `<w:p>${shownEnd}${run('a Zy')}</w:p><w:p>${run('s b')}</w:p>`,
      `<w:p>${shownEnd}${run('a [X]')}</w:p><w:p>${run('s b')}</w:p>`,
    ],
    [
      'a word that goes on in both branches',
      `<w:p>${run('a Zy')}${branches(run('s'), run('sa b'))}${run(' c', true)}</w:p>`,
      `<w:p>${run('a [X]')}${branches(run(''), run(' b', true))}${run(' c', true)}</w:p>`,
    ],
    [
      'a word that goes on in one branch',
      `<w:p>${run('a Z')}${branches(run('b c'), run('ys b'))}</w:p>`,
      `<w:p>${run('a [X]')}${branches(run(''), run(' b', true))}</w:p>`,
    ],
    [
      'a word that goes on behind both branches',
      `<w:p>${run('a ', true)}${branches(run('Zy'), run('Zys'))}${run('l b')}</w:p>`,
      `<w:p>${run('a ', true)}${branches(run('[X]'), run(''))}${run(' b', true)}</w:p>`,
    ],
    [
      'words that are whole in one branch each',
      `<w:p>${branches(run('Zy'), run('a b'))}${branches(run('s'), run('c'))}</w:p>`,
      `<w:p>${branches(run('[X]'), run(''))}${branches(run(''), run('c'))}</w:p>`,
    ],
    [
      'a word in one branch',
      `<w:p>${run('a ', true)}${branches(run('Zys'), run('b'))}${run(' c', true)}</w:p>`,
      `<w:p>${run('a ', true)}${branches(run('[X]'), run('b'))}${run(' c', true)}</w:p>`,
    ],
    [
      'a word around a picture',
      `<w:p>${run('Zys')}<w:r>${branches('<w:drawing/>', '<w:pict/>')}</w:r>${run('plit b')}</w:p>`,
      `<w:p>${run('[X]')}<w:r>${branches('<w:drawing/>', '<w:pict/>')}</w:r>${run(' b', true)}</w:p>`,
    ],
    [
      'a paragraph that ends',
      `<w:p>${run('a Zy')}</w:p><w:p>${run('s b')}</w:p>`,
      `<w:p>${run('a [X]')}</w:p><w:p>${run('s b')}</w:p>`,
    ],
    [
      'a word over a proofing mark',
      `<w:p>${run('Zys')}<w:proofErr/>${run('plit')}</w:p>`,
      `<w:p>${run('[X]')}${run('')}</w:p>`,
    ],
    [
      'a tab inside of no match stays',
      `<w:p><w:r><w:t>Zya</w:t><w:tab/><w:t>b</w:t></w:r></w:p>`,
      `<w:p><w:r><w:t>[X]</w:t><w:tab/><w:t>b</w:t></w:r></w:p>`,
    ],
    [
      'a soft hyphen inside of a match goes',
      `<w:p><w:r><w:t>Zya</w:t><w:softHyphen/><w:t>b</w:t></w:r></w:p>`,
      `<w:p><w:r><w:t>[X]</w:t><w:t></w:t></w:r></w:p>`,
    ],
    ['inserted text is accepted', `<w:p><w:ins w:author="Zya">${run('Zyb')}</w:ins></w:p>`, `<w:p>${run('[X]')}</w:p>`],
    [
      'deleted text goes',
      `<w:p>${run('a')}<w:del w:author="Zya"><w:r><w:delText>Zyb</w:delText></w:r></w:del></w:p>`,
      `<w:p>${run('a')}</w:p>`,
    ],
    [
      'a deleted row goes',
      `<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p>${run('Zya')}</w:p></w:tc></w:tr><w:tr/></w:tbl>`,
      `<w:tbl><w:tr/></w:tbl>`,
    ],
    [
      'inserted and deleted text are not glued',
      `<w:p><w:ins>${run('Zya')}</w:ins><w:del><w:r><w:delText>x</w:delText></w:r></w:del>${run('b')}</w:p>`,
      `<w:p>${run('[X]')}${run('')}</w:p>`,
    ],
    ['blanks at an edge get their attribute', `<w:p>${run('Zya b')}</w:p>`, `<w:p>${run('[X] b')}</w:p>`],
    [
      'a word with a large first letter',
      '<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr><w:r><w:t>Z</w:t></w:r></w:p><w:p><w:r><w:t>yanna b</w:t></w:r></w:p>',
      '<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr><w:r><w:t>[X]</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve"> b</w:t></w:r></w:p>',
    ],
    [
      'two paragraphs are two texts',
      `<w:p>${run('Zya')}</w:p><w:p>${run('b')}</w:p>`,
      `<w:p>${run('[X]')}</w:p><w:p>${run('b')}</w:p>`,
    ],
    [
      'a field code over runs',
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "mailto:zy</w:instrText></w:r><w:r><w:instrText>a@b"</w:instrText></w:r></w:p>`,
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK &quot;mailto:[X]</w:instrText></w:r><w:r><w:instrText>@b&quot;</w:instrText></w:r></w:p>`,
    ],
    ['editing sessions go', `<w:p w:rsidR="00AB12CD">${run('a')}</w:p>`, `<w:p>${run('a')}</w:p>`],
    ['an XML comment goes', `<w:p><!-- Zya -->${run('a')}</w:p>`, `<w:p>${run('a')}</w:p>`],
    ['a bookmark keeps a valid name', `<w:bookmarkStart w:name="Zya"/>`, `<w:bookmarkStart w:name="X"/>`],
    ['a tooltip', `<w:hyperlink w:tooltip="by Zya"/>`, `<w:hyperlink w:tooltip="by [X]"/>`],
    [
      'other prefixes than usual',
      `<q:p xmlns:q="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><q:r><q:t>Zya</q:t></q:r></q:p>`,
      `<q:p xmlns:q="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><q:r><q:t>[X]</q:t></q:r></q:p>`,
    ],
    ['text in an element nobody knows', `<w:new>Zya</w:new>`, `<w:new>[X]</w:new>`],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    expect(bodyOf((await clean(makeDocx(body))).bytes)).toBe(expected)
  })

  const v = 'urn:schemas-microsoft-com:vml'
  const o = 'urn:schemas-microsoft-com:office:office'
  const w15 = 'http://schemas.microsoft.com/office/word/2012/wordml'
  const attributes: [string, string][] = [
    ['a watermark', `<v:textpath xmlns:v="${v}" style="font-family:&quot;Arial&quot;" string="zyanna"/>`],
    ['the last choice of a list', '<w:dropDownList w:lastValue="zyanna"/>'],
    ['a choice of a list', '<w:listItem w:displayText="zyanna" w:value="zyanna"/>'],
    ['a title of a control', `<w:alias w:val="zyanna"/><w15:sectionTitle xmlns:w15="${w15}" w15:val="zyanna"/>`],
    ['a field of a form', '<w:ffData><w:name w:val="zyanna"/><w:entryMacro w:val="zyanna"/></w:ffData>'],
    ['a building block', '<w:docPart w:val="zyanna"/>'],
    ['the frame of a link', '<w:hyperlink w:tgtFrame="zyanna"/>'],
    ['who is to sign', `<o:signatureline xmlns:o="${o}" o:suggestedsigner="zyanna" o:suggestedsigneremail="zyanna"/>`],
  ]
  test.each(attributes)('%s that looks like a word of the format', async (_, body) => {
    const { bytes } = await clean(makeDocx(body))
    expect(bodyOf(bytes)).toBe(body.replaceAll('zyanna', '[X]'))
  })

  test('a style keeps what it is called by', async () => {
    const body = '<w:p><w:pPr><w:pStyle w:val="zyanna"/></w:pPr></w:p>'
    const styles =
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:styleId="zyanna"><w:name w:val="zyanna"/><w:aliases w:val="zyanna"/></w:style></w:styles>'
    const { bytes } = await clean(makeDocx(body, { 'word/styles.xml': styles }, [['r1', 'styles', 'styles.xml']]))
    expect(bodyOf(bytes)).toBe(body.replaceAll('zyanna', '[X]'))
    expect(readZip(bytes).get('word/styles.xml')!.toString()).toBe(styles.replaceAll('zyanna', '[X]'))
  })

  test('a style named by a number', async () => {
    const body = (name: string) => `<w:tbl><w:tblPr><w:tblStyle w:val="${name}"/></w:tblPr></w:tbl>`
    const rules = [regexRule('X', '4821390517', { replacement: { text: '[X]' } })]
    const { output } = await anonymise(call({ input: bufferInput('x.docx', makeDocx(body('4821390517'))), rules }))
    expect(bodyOf(await output.read(0, output.size))).toBe(body('[X]'))
  })

  const drawn: [string, string, string][] = [
    ['a word over an end of a line', 'a Zy_x000B_anna b', 'a [X] b'],
    ['a word behind one', 'a_x000B_Zyanna_x000b_b', 'a_x000B_[X]_x000B_b'],
    ['a letter by its number', 'Zy_x0061_nna', '[X]'],
    ['what only looks so', 'Zyanna _x005F_x0061_', '[X] _x005F_x0061_'],
    ['what nobody changes', 'a_x000b__x0007_', 'a_x000b__x0007_'],
  ]
  test.each(drawn)('%s, as PowerPoint writes it', async (_, written, expected) => {
    const rules = [regexRule('X', 'Zy\\s?anna', { replacement: { text: '[X]' } })]
    const input = bufferInput('x.pptx', makeOffice('ppt/slide.xml', { 'ppt/slide.xml': slide([written]) }))
    const { output } = await anonymise(call({ input, rules }))
    const part = readZip(await output.read(0, output.size))
      .get('ppt/slide.xml')!
      .toString()
    expect(part).toBe(slide([expected]))
  })

  const p = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
  const values: [string, string, string][] = [
    ['a name that an animation sets', 'Zyanna', '[X]'],
    ['a word that it sets', 'zyanna', '[X]'],
    ['a switch that it sets', 'visible', 'visible'],
    ['a place that it computes', '1-#ppt_w*sin(2*pi)', '1-#ppt_w*sin(2*pi)'],
  ]
  test.each(values)('%s', async (_, value, expected) => {
    const slide = (text: string) => `<p:sld ${p}><p:strVal val="${text}"/></p:sld>`
    const rules = [regexRule('X', '[Zz]yanna|visible|ppt', { replacement: { text: '[X]' } })]
    const input = bufferInput('x.pptx', makeOffice('ppt/slide.xml', { 'ppt/slide.xml': slide(value) }))
    const { output } = await anonymise(call({ input, rules }))
    const written = readZip(await output.read(0, output.size))
      .get('ppt/slide.xml')!
      .toString()
    expect(written).toBe(slide(expected))
  })

  test('keeps blanks at the edge of a text that gains one', async () => {
    const rules = [regexRule('X', 'Zya', { replacement: { text: ' ' } })]
    const input = bufferInput('x.docx', makeDocx(`<w:p>${run('Zyab')}</w:p>`))
    const { output } = await anonymise(call({ input, rules }))
    const expected = '<w:p><w:r><w:t xml:space="preserve"> b</w:t></w:r></w:p>'
    expect(bodyOf(await output.read(0, output.size))).toBe(expected)
  })

  test('leaves out and reports what no relationship of a known kind leads to', async () => {
    const parts = {
      'word/vbaProject.bin': 'Zymacro',
      'word/stray.txt': 'Zystray',
      'docProps/core.xml': '<a>Zycore</a>',
      'customXml/item1.xml': '<a>Zycustom</a>',
    }
    const links = [
      ['r1', 'vbaProject', 'vbaProject.bin'],
      ['r2', 'customXml', '../customXml/item1.xml'],
    ] as [string, string, string][]
    const { bytes, report } = await clean(makeDocx(paragraph('a'), parts, links))
    expect([...readZip(bytes).keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'word/_rels/document.xml.rels',
      'word/document.xml',
    ])
    expect(report.dropped).toEqual([
      { what: 'macros', count: 1 },
      { what: 'custom XML', count: 1 },
      { what: 'stray parts', count: 2 },
    ])
    expect(readZip(bytes).get('word/_rels/document.xml.rels')!.toString()).not.toContain('Relationship Id')
    expect(readZip(bytes).get('[Content_Types].xml')!.toString()).not.toContain('customXml')
  })

  test('says what was left out, but quotes no kind that it does not know', async () => {
    const kinds = ['webSettings', 'commentsExtensible', 'constructor', 'Zykind']
    const parts = Object.fromEntries(kinds.map(kind => [`word/${kind}.xml`, '<a/>']))
    const links = kinds.map((kind, n) => [`r${n}`, kind, `${kind}.xml`]) as [string, string, string][]
    expect((await clean(makeDocx(paragraph('a'), parts, links))).report.dropped).toEqual([
      { what: 'settings of web pages', count: 1 },
      { what: 'dates of comments', count: 1 },
      { what: 'parts of an unknown kind', count: 2 },
    ])
  })

  test('keeps links and edits their addresses', async () => {
    const links = [['r1', 'hyperlink', 'mailto:Zya@example.com?subject=Zy%20b', true]] as [
      string,
      string,
      string,
      boolean,
    ][]
    const { bytes } = await clean(makeDocx(`<w:p><w:hyperlink r:id="r1">${run('x')}</w:hyperlink></w:p>`, {}, links))
    const list = readZip(bytes).get('word/_rels/document.xml.rels')!.toString()
    expect(list).toContain('Target="mailto:%5BX%5D@example.com?subject=%5BX%5D%20b"')
  })

  test('cleans a document inside of a document', async () => {
    const inner = makeDocx(paragraph('Zyinner'))
    const links = [['r1', 'package', 'embeddings/Zysecret contract.docx']] as [string, string, string][]
    const outer = makeDocx(
      `<w:p><w:object r:id="r1"/></w:p>`,
      { 'word/embeddings/Zysecret contract.docx': inner },
      links,
    )
    const { bytes } = await clean(outer)
    const names = [...readZip(bytes).keys()]
    expect(names.filter(name => name.includes('embeddings'))).toEqual(['word/embeddings/file1.docx'])
    expect(bodyOf(readZip(bytes).get('word/embeddings/file1.docx')!)).toBe(paragraph('[X]'))
  })

  test('an embedded object that nothing can read goes with what shows it', async () => {
    const links = [['r1', 'oleObject', 'embeddings/ole.bin']] as [string, string, string][]
    const { bytes, report } = await clean(
      makeDocx('<w:p><w:object><w:x r:id="r1"/></w:object></w:p>', { 'word/embeddings/ole.bin': 'Zyole' }, links),
    )
    expect(bodyOf(bytes)).toBe('<w:p><w:object></w:object></w:p>')
    expect(report.dropped).toEqual([{ what: 'embedded objects', count: 1 }])
  })

  test('a picture that nothing can read becomes an empty one', async () => {
    const links = [['r1', 'image', 'media/image1.emf']] as [string, string, string][]
    const { bytes, report } = await clean(
      makeDocx('<w:p><w:x r:embed="r1"/></w:p>', { 'word/media/image1.emf': 'Zyemf' }, links),
    )
    expect([...readZip(bytes).keys()]).toContain('media/blank.png')
    expect(readZip(bytes).get('word/_rels/document.xml.rels')!.toString()).toContain('Target="/media/blank.png"')
    expect(report.dropped).toEqual([{ what: 'pictures', count: 1 }])
  })
})
