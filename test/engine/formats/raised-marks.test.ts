import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { book } from './hiding-samples.ts'
import { makeDocx, makeOdf, makeOffice, makeZip, readZip } from './package.ts'
import { elementsOf, shownByHtml, shownByRtf } from './shown.ts'

/** A piece of a line, and whether it stands above it. */
type Piece = [text: string, raised?: true]

/** A format that can raise text: a file of one line, or of one cell, and what one shows, by other code. */
type Raising = { what: string; name: string; make(line: Piece[]): Uint8Array; read(bytes: Uint8Array): string }

const part = (name: string, element: string) => (bytes: Uint8Array) =>
  elementsOf(readZip(bytes).get(name)!, element)
    .map(({ text }) => text)
    .join('\n')

const pieces = (line: Piece[], write: (text: string, raised: boolean) => string) =>
  line.map(([text, raised = false]) => write(text, raised)).join('')

const rtfHead = '{\\rtf1\\ansi '
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const presentation = 'http://schemas.openxmlformats.org/presentationml/2006/main'
const styles =
  '<office:automatic-styles><style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style></office:automatic-styles>'

const odfSpan = (text: string, raised: boolean) =>
  raised ? `<text:span text:style-name="T1"><text:span text:style-name="T2">${text}</text:span></text:span>` : text

/** An OpenDocument file in which one style raises text. */
const makeRaising = (kind: string, body: string) => withStyles(makeOdf(kind, body), styles)

/** An OpenDocument file with these styles in front of its body. */
function withStyles(file: Buffer, styles: string): Buffer {
  const files = readZip(file)
  const content = files.get('content.xml')!.toString().replace('<office:body>', `${styles}<office:body>`)
  return makeZip(
    [...files].map(([name, bytes]) => ({
      name,
      content: name === 'content.xml' ? content : bytes,
      store: name === 'mimetype',
    })),
  )
}

const odfStyle = (name: string, parent: string, inside = '') =>
  `<style:style style:name="${name}" style:family="text" style:parent-style-name="${parent}">${inside}</style:style>`
const odfStyles = `<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:styles>${odfStyle('Heir', 'Note')}${odfStyle('Note', '', '<style:text-properties style:text-position="-25% 58%"/>')}</office:styles></office:document-styles>`

const wordRun = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const wordStyle = (id: string, inside: string) => `<w:style w:type="character" w:styleId="${id}">${inside}</w:style>`
const wordStyles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${wordStyle('Heir', '<w:basedOn w:val="Note"/>')}${wordStyle('Note', '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>')}</w:styles>`
const word = (what: string, properties: string): Raising => ({
  what: `DOCX, ${what}`,
  name: 'a.docx',
  make: line =>
    makeDocx(
      `<w:p>${pieces(line, (text, raised) => wordRun(text, raised ? properties : ''))}</w:p>`,
      { 'word/styles.xml': wordStyles },
      [['rId1', 'styles', 'styles.xml']],
    ),
  read: part('word/document.xml', 'w:p'),
})

const rtf = (what: string, head: string, raise: string): Raising => ({
  what: `RTF, ${what}`,
  name: 'a.rtf',
  make: line => Buffer.from(`${head}${pieces(line, (text, raised) => (raised ? `{${raise} ${text}}` : text))}\\par}`),
  read: bytes => shownByRtf(bytes, head)[0]!,
})

const xlsxRun = (text: string, raised: boolean) =>
  `<r>${raised ? '<rPr><vertAlign val="superscript"/></rPr>' : ''}<t xml:space="preserve">${text}</t></r>`
const oneCell = (cell: string) => `<sheetData><row r="1">${cell}</row></sheetData>`
const strings = (item: string) =>
  `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si>${item}</si></sst>`

/** A page in which other elements and styles than `sup` raise text. */
const page = (what: string, head: string, raise: (text: string) => string): Raising => ({
  what: `HTML, ${what}`,
  name: 'a.html',
  make: line =>
    Buffer.from(
      `<!DOCTYPE html><meta charset="utf-8">${head}<p>${pieces(line, (text, raised) => (raised ? raise(text) : text))}`,
    ),
  read: bytes =>
    shownByHtml(bytes)
      .join('')
      .slice(head.replace(/<.?style>/g, '').length),
})

/** A drawing that raises text. */
const drawn = (what: string, raise: (text: string) => string): Raising => ({
  what: `SVG, ${what}`,
  name: 'a.svg',
  make: line =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg"><style>.n{baseline-shift:40%}</style><text y="9">${pieces(line, (text, raised) => (raised ? raise(text) : text))}</text></svg>`,
    ),
  read: bytes => elementsOf(Buffer.from(bytes), 'text')[0]!.text,
})

const formats: Raising[] = [
  word('below the line', '<w:vertAlign w:val="subscript"/>'),
  word('by a distance', '<w:position w:val="6"/>'),
  word('by a style', '<w:rStyle w:val="Note"/>'),
  word('by a style that is based on another', '<w:rStyle w:val="Heir"/>'),
  {
    what: 'ODT, by a style that is based on one of the whole file',
    name: 'a.odt',
    make: line =>
      withStyles(
        makeOdf('text', `<text:p>${pieces(line, odfSpan)}</text:p>`, { 'styles.xml': odfStyles }),
        `<office:automatic-styles>${odfStyle('T1', 'Heir')}</office:automatic-styles>`,
      ),
    read: part('content.xml', 'text:p'),
  },
  rtf('below the line', rtfHead, '\\sub'),
  rtf('by a distance', rtfHead, '\\up6'),
  rtf('by a style', `${rtfHead}{\\stylesheet{\\*\\cs1\\super Note;}{\\*\\cs2\\sbasedon1 Heir;}}`, '\\cs2'),
  drawn('by an attribute', text => `<tspan baseline-shift="super">${text}</tspan>`),
  drawn('by a style', text => `<tspan style="font-size:60%;baseline-shift:sub"><tspan>${text}</tspan></tspan>`),
  drawn('by a class', text => `<tspan class="x n">${text}</tspan>`),
  drawn('by a distance', text => `<tspan dy="-3">${text}</tspan><tspan dy="3">\u200b</tspan>`),
  page('below the line', '', text => `<sub>${text}</sub>`),
  page('by a style', '', text => `<span style="font-size: 60%; Vertical-Align : super">${text}</span>`),
  page('by a length', '', text => `<span style="vertical-align:.4em">${text}</span>`),
  page(
    'by a class',
    '<style>p, a.x .note, b { color: red; vertical-align: super } .y { vertical-align: 0 }</style>',
    text => `<a class="x note" href="#a"><b class="y">${text}</b></a>`,
  ),
  page('by the name of an element', '<style>li>i{vertical-align:sub}</style>', text => `<i>${text}</i>`),
  {
    what: 'HTML',
    name: 'a.html',
    make: line =>
      Buffer.from(
        `<!DOCTYPE html><meta charset="utf-8"><p>${pieces(line, (text, raised) => (raised ? `<sup>${text}</sup>` : text))}`,
      ),
    read: bytes => shownByHtml(bytes).join(''),
  },
  {
    what: 'DOCX',
    name: 'a.docx',
    make: line =>
      makeDocx(
        `<w:p>${pieces(line, (text, raised) => `<w:r>${raised ? '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>' : ''}<w:t xml:space="preserve">${text}</w:t></w:r>`)}</w:p>`,
      ),
    read: part('word/document.xml', 'w:p'),
  },
  {
    what: 'PPTX',
    name: 'a.pptx',
    make: line =>
      makeOffice('ppt/slide.xml', {
        'ppt/slide.xml': `<p:sld xmlns:p="${presentation}" xmlns:a="${drawing}"><p:txBody><a:p>${pieces(line, (text, raised) => `<a:r><a:rPr${raised ? ' baseline="30000"' : ''}/><a:t>${text}</a:t></a:r>`)}</a:p></p:txBody></p:sld>`,
      }),
    read: part('ppt/slide.xml', 'a:p'),
  },
  {
    what: 'ODT',
    name: 'a.odt',
    make: line => makeRaising('text', `<text:p>${pieces(line, odfSpan)}</text:p>`),
    read: part('content.xml', 'text:p'),
  },
  {
    what: 'RTF',
    name: 'a.rtf',
    make: line =>
      Buffer.from(`${rtfHead}${pieces(line, (text, raised) => (raised ? `{\\super ${text}}` : text))}\\par}`),
    read: bytes => shownByRtf(bytes, rtfHead)[0]!,
  },
  {
    what: 'XLSX, a string of one cell',
    name: 'a.xlsx',
    make: line => book(oneCell(`<c r="A1" t="inlineStr"><is>${pieces(line, xlsxRun)}</is></c>`)),
    read: part('xl/worksheets/sheet1.xml', 'c'),
  },
  {
    what: 'XLSX, a string that cells share',
    name: 'a.xlsx',
    make: line =>
      book(
        oneCell('<c r="A1" t="s"><v>0</v></c>'),
        { 'xl/sharedStrings.xml': strings(pieces(line, xlsxRun)) },
        { main: [['s2', 'sharedStrings', 'sharedStrings.xml']] },
      ),
    read(bytes) {
      const cell = part('xl/worksheets/sheet1.xml', 'c')(bytes)
      return cell === '0' ? part('xl/sharedStrings.xml', 'si')(bytes) : cell
    },
  },
  {
    what: 'ODS',
    name: 'a.ods',
    make: line =>
      makeRaising(
        'spreadsheet',
        `<table:table><table:table-row><table:table-cell><text:p>${pieces(line, odfSpan)}</text:p></table:table-cell></table:table-row></table:table>`,
      ),
    read: part('content.xml', 'text:p'),
  },
]

const rules = [regexRule('N', '\\bMargaret Johnson\\b'), regexRule('C', '\\b\\d{4} \\d{4}\\b')]
const typeOf = (name: string) => (/\.(?:xlsx|ods)$/.test(name) ? 'TABLE' : 'DOCUMENT')

test.each(formats)('raised marks are no part of what they stand behind, and may be: $what', async file => {
  const line: Piece[] = [
    ['Margaret Johnson'],
    ['1', true],
    [' and Margaret Johnson'],
    ['*', true],
    [', card 4711 0815'],
    ['2', true],
    [' or 4711 081'],
    ['5', true],
    [' in 10 m'],
    ['2', true],
  ]
  const before = file.make(line)
  expect(file.read(before).replaceAll('\u200b', '')).toContain(
    'Margaret Johnson1 and Margaret Johnson*, card 4711 08152',
  )
  const input = bufferInput(file.name, before)
  const { output, findings } = await anonymise(call({ input, rules, assetType: typeOf(file.name) }))
  const after = file.read(await output.read(0, output.size)).replaceAll('\u200b', '')
  expect(after.trim()).toBe('[N]1 and [N]*, card [C]2 or [C] in 10 m2')
  expect(findings.map(({ count }) => count)).toEqual([2, 2])
})

const tables = formats.filter(({ name }) => typeOf(name) === 'TABLE')

test.each(tables)('a cell whose text is raised in part, and one whose text is as a whole: $what', async file => {
  const whole = regexRule('N', 'Margaret', { replace: 'cell' })
  for (const line of [
    [['Margaret Johnson'], ['1', true]],
    [['Margaret'], ['1', true]],
    [['Margaret', true]],
  ] as Piece[][]) {
    const input = bufferInput(file.name, file.make(line))
    const { output } = await anonymise(call({ input, rules: [whole], assetType: 'TABLE' }))
    expect(file.read(await output.read(0, output.size)).trim()).toBe('[N]')
  }
})
