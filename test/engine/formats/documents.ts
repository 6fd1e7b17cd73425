import PostalMime from 'postal-mime'
import { emfFont, emfText, makeEmf } from './metafile-samples.ts'
import { makeDocx, makeOdf, makeOffice, readZip } from './package.ts'
import { makePdf, showPdf } from './pdf-samples.ts'
import { elementsOf, shownByContentLines, shownByEmf, shownByHtml, shownByRtf } from './shown.ts'

/** A format of documents as the tests see it: files that show some texts, and the texts that one shows, by other code. */
export type DocumentKind = {
  /** What the texts are written in: the format, or a way to spell letters in it. */
  what: string
  name: string
  make(texts: string[]): Uint8Array | Promise<Uint8Array>
  read(bytes: Uint8Array): string[] | Promise<string[]>
}

const utf8 = (text: string) => Buffer.from(text)
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const between = (tag: string) => (texts: string[]) => texts.map(text => `<${tag}>${escaped(text)}</${tag}>`).join('')
const numeric = (text: string) => text.replace(/[^\0-\x7f]/gu, char => `&#${char.codePointAt(0)};`)
const lines = (bytes: Uint8Array) => textOf(bytes).split('\n')

const page = (texts: string[], spell = (text: string) => text) =>
  utf8(`<!DOCTYPE html><meta charset="utf-8"><body>${spell(between('p')(texts))}`)
const shownByPage = (bytes: Uint8Array) => shownByHtml(bytes).filter(text => text.trim() !== '')

const data = (texts: string[], spell = (text: string) => text) =>
  utf8(`<?xml version="1.0"?>\n<r>${spell(between('t')(texts))}</r>\n`)
const shownByData = (bytes: Uint8Array) => elementsOf(bytes, 't').map(({ text }) => text)

const head = 'Subject: s\r\nMIME-Version: 1.0\r\n'
const quoted = (text: string) =>
  [...Buffer.from(text)].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('=\r\n')
const mail = (type: string, encoding: string, body: string) =>
  utf8(`${head}Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`)
const parsed = (bytes: Uint8Array) => PostalMime.parse(Buffer.from(bytes))
const shownByMail = async (bytes: Uint8Array) => ((await parsed(bytes)).text ?? '').split(/\r?\n/)

const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const slide = (texts: string[]) =>
  `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${drawing}><p:txBody>${texts.map(text => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sld>`
const shownBy = (part: string, element: string) => (bytes: Uint8Array) =>
  elementsOf(readZip(bytes).get(part)!, element).map(({ text }) => text)

const rtfHead = '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}'
const inRtf = (text: string) =>
  text.replace(/[\\{}]/g, '\\$&').replace(/[^\x20-\x7e]/g, unit => `\\u${(unit.charCodeAt(0) << 16) >> 16}?`)

const contentLines = (kind: string, field: string) => (texts: string[]) =>
  utf8(
    `BEGIN:${kind}\r\nVERSION:4.0\r\n${texts.map(text => `${field}:${text.replace(/[\\;,]/g, '\\$&')}\r\n`).join('')}END:${kind}\r\n`,
  )

/** Every format of documents whose texts are letters, and the ways to write a letter that some of them have. */
export const documentKinds: readonly DocumentKind[] = [
  { what: 'txt', name: 'a.txt', make: texts => utf8(texts.join('\n')), read: lines },
  {
    what: 'txt in UTF-16',
    name: 'a.txt',
    make: texts => Buffer.from(`\ufeff${texts.join('\n')}`, 'utf16le'),
    read: bytes => Buffer.from(bytes).toString('utf16le').slice(1).split('\n'),
  },
  { what: 'md', name: 'a.md', make: texts => utf8(`# Title\n\n${texts.join('\n\n')}\n`), read: lines },
  { what: 'html', name: 'a.html', make: texts => page(texts), read: shownByPage },
  { what: 'html in entities', name: 'a.html', make: texts => page(texts, numeric), read: shownByPage },
  { what: 'xml', name: 'a.xml', make: texts => data(texts), read: shownByData },
  { what: 'xml in entities', name: 'a.xml', make: texts => data(texts, numeric), read: shownByData },
  {
    what: 'json',
    name: 'a.json',
    make: texts => utf8(JSON.stringify({ texts })),
    read: bytes => JSON.parse(textOf(bytes)).texts,
  },
  {
    what: 'json in escapes',
    name: 'a.json',
    make: texts =>
      utf8(
        JSON.stringify({ texts }).replace(
          /[^\0-\x7f]/g,
          unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ),
    read: bytes => JSON.parse(textOf(bytes)).texts,
  },
  {
    what: 'ipynb',
    name: 'a.ipynb',
    make: texts =>
      utf8(
        JSON.stringify({
          cells: texts.map(text => ({ cell_type: 'markdown', metadata: {}, source: [`${text}\n`] })),
          metadata: {},
          nbformat: 4,
          nbformat_minor: 5,
        }),
      ),
    read: bytes =>
      (JSON.parse(textOf(bytes)) as { cells: { source: string[] }[] }).cells.map(({ source }) =>
        source.join('').trim(),
      ),
  },
  { what: 'eml', name: 'a.eml', make: texts => mail('text/plain', '8bit', texts.join('\r\n')), read: shownByMail },
  {
    what: 'eml in base64',
    name: 'a.eml',
    make: texts => mail('text/plain', 'base64', Buffer.from(texts.join('\r\n')).toString('base64')),
    read: shownByMail,
  },
  {
    what: 'eml in quoted-printable',
    name: 'a.eml',
    make: texts => mail('text/plain', 'quoted-printable', texts.map(quoted).join('\r\n')),
    read: shownByMail,
  },
  {
    what: 'eml with a page',
    name: 'a.eml',
    make: texts => mail('text/html', '8bit', page(texts).toString()),
    read: async bytes => shownByPage(utf8((await parsed(bytes)).html ?? '')),
  },
  {
    what: 'eml in its subject',
    name: 'a.eml',
    make: texts =>
      utf8(
        `${head.replace('Subject: s\r\n', '')}Subject:${texts.map(text => ` =?utf-8?B?${Buffer.from(`${text}|`).toString('base64')}?=`).join('\r\n')}\r\n\r\nx\r\n`,
      ),
    read: async bytes => ((await parsed(bytes)).subject ?? '').split('|'),
  },
  {
    what: 'ics',
    name: 'a.ics',
    make: contentLines('VCALENDAR', 'SUMMARY'),
    read: b => shownByContentLines(b, 'SUMMARY'),
  },
  { what: 'vcf', name: 'a.vcf', make: contentLines('VCARD', 'NOTE'), read: b => shownByContentLines(b, 'NOTE') },
  {
    what: 'rtf',
    name: 'a.rtf',
    make: texts => Buffer.from(`${rtfHead}${texts.map(text => `${inRtf(text)}\\par\r\n`).join('')}}`),
    read: bytes => shownByRtf(bytes, rtfHead),
  },
  {
    what: 'docx',
    name: 'a.docx',
    make: texts => makeDocx(texts.map(text => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`).join('')),
    read: shownBy('word/document.xml', 'w:p'),
  },
  {
    what: 'docx in several runs',
    name: 'a.docx',
    make: texts =>
      makeDocx(
        texts
          .map(text => [...text].map(char => `<w:r><w:t xml:space="preserve">${escaped(char)}</w:t></w:r>`).join(''))
          .map(runs => `<w:p>${runs}</w:p>`)
          .join(''),
      ),
    read: shownBy('word/document.xml', 'w:p'),
  },
  {
    what: 'pptx',
    name: 'a.pptx',
    make: texts => makeOffice('ppt/slide.xml', { 'ppt/slide.xml': slide(texts) }),
    read: shownBy('ppt/slide.xml', 'a:p'),
  },
  {
    what: 'odt',
    name: 'a.odt',
    make: texts => makeOdf('text', between('text:p')(texts)),
    read: shownBy('content.xml', 'text:p'),
  },
  {
    what: 'odp',
    name: 'a.odp',
    make: texts => makeOdf('presentation', between('text:p')(texts)),
    read: shownBy('content.xml', 'text:p'),
  },
  { what: 'pdf', name: 'a.pdf', make: makePdf, read: showPdf },
  {
    what: 'emf',
    name: 'a.emf',
    make: texts => makeEmf([emfFont('Arial'), ...texts.map((text, n) => emfText(text, 10, 10 + 90 * n))]),
    read: shownByEmf,
  },
]
