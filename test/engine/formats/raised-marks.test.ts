import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOdf, makeOffice, makeZip, readZip } from './package.ts'
import { elementsOf, shownByHtml, shownByRtf } from './shown.ts'

/** A piece of a line, and whether it stands above it. */
type Piece = [text: string, raised?: true]

/** A format of documents that can raise text: a file of one line, and what one shows, by other code. */
type Raising = { name: string; make(line: Piece[]): Uint8Array; read(bytes: Uint8Array): string }

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

const formats: Raising[] = [
  {
    name: 'a.html',
    make: line =>
      Buffer.from(
        `<!DOCTYPE html><meta charset="utf-8"><p>${pieces(line, (text, raised) => (raised ? `<sup>${text}</sup>` : text))}`,
      ),
    read: bytes => shownByHtml(bytes).join(''),
  },
  {
    name: 'a.docx',
    make: line =>
      makeDocx(
        `<w:p>${pieces(line, (text, raised) => `<w:r>${raised ? '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>' : ''}<w:t xml:space="preserve">${text}</w:t></w:r>`)}</w:p>`,
      ),
    read: part('word/document.xml', 'w:p'),
  },
  {
    name: 'a.pptx',
    make: line =>
      makeOffice('ppt/slide.xml', {
        'ppt/slide.xml': `<p:sld xmlns:p="${presentation}" xmlns:a="${drawing}"><p:txBody><a:p>${pieces(line, (text, raised) => `<a:r><a:rPr${raised ? ' baseline="30000"' : ''}/><a:t>${text}</a:t></a:r>`)}</a:p></p:txBody></p:sld>`,
      }),
    read: part('ppt/slide.xml', 'a:p'),
  },
  {
    name: 'a.odt',
    make: line => {
      const span = (text: string, raised: boolean) =>
        raised ? `<text:span text:style-name="T1">${text}</text:span>` : text
      const files = readZip(makeOdf('text', `<text:p>${pieces(line, span)}</text:p>`))
      const content = files.get('content.xml')!.toString().replace('<office:body>', `${styles}<office:body>`)
      return makeZip(
        [...files].map(([name, bytes]) => ({
          name,
          content: name === 'content.xml' ? content : bytes,
          store: name === 'mimetype',
        })),
      )
    },
    read: part('content.xml', 'text:p'),
  },
  {
    name: 'a.rtf',
    make: line =>
      Buffer.from(`${rtfHead}${pieces(line, (text, raised) => (raised ? `{\\super ${text}}` : text))}\\par}`),
    read: bytes => shownByRtf(bytes, rtfHead)[0]!,
  },
]

const rules = [regexRule('N', '\\bMargaret Johnson\\b'), regexRule('C', '\\b\\d{4} \\d{4}\\b')]

test.each(formats)('raised marks are no part of what they stand behind, and may be: $name', async file => {
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
  expect(file.read(before)).toContain('Margaret Johnson1 and Margaret Johnson*, card 4711 08152')
  const { output, findings } = await anonymise(call({ input: bufferInput(file.name, before), rules }))
  const after = file.read(await output.read(0, output.size))
  expect(after.trim()).toBe('[N]1 and [N]*, card [C]2 or [C] in 10 m2')
  expect(findings.map(({ count }) => count)).toEqual([2, 2])
})
