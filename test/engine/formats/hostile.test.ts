import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, deflateRawSync, deflateSync, crc32 as sumOf } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDocx, makeOdf, makeOffice, makeZip } from './package.ts'

const mebibyte = 1024 * 1024

/** A deflated GiB of blanks, made without holding it: one packed block over and over. */
function gibibyte(): { packed: Buffer; size: number; crc: number } {
  const blank = Buffer.alloc(mebibyte, ' ')
  const block = deflateRawSync(blank, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  let crc = 0
  for (let n = 0; n < 1024; n++) crc = sumOf(blank, crc)
  const packed = Buffer.concat([...Array<Buffer>(1024).fill(block), deflateRawSync(Buffer.alloc(0))])
  return { packed, size: 1024 * mebibyte, crc }
}

const bomb = gibibyte()
const packedBomb = (name: string) => ({ name, content: bomb.packed, size: bomb.size, crc: bomb.crc, packed: true })
const types = { name: '[Content_Types].xml', content: '<Types/>' }
const laughs = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'b'.repeat(n + 1)} "${`&${n === 0 ? 'a' : 'b'.repeat(n)};`.repeat(10)}">`).join('')}]><x>&bbbbbbbbb;</x>`

/** A document in a document in a document, and so on. */
const russianDolls = (levels: number): Buffer => {
  let inner = makeDocx('<w:p><w:r><w:t>Zyinner</w:t></w:r></w:p>')
  for (let level = 0; level < levels; level++)
    inner = makeDocx('<w:p><w:object r:id="r1"/></w:p>', { 'word/embeddings/a.docx': inner }, [
      ['r1', 'package', 'embeddings/a.docx'],
    ])
  return inner
}

const mailIn = (inner: string) => `From: a@b.c\r\nSubject: x\r\nContent-Type: message/rfc822\r\n\r\n${inner}`
const attached = (bytes: Uint8Array) =>
  `From: a@b.c\r\nSubject: x\r\nDate: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n--b--`

const chunk = (type: string, content: Buffer): Buffer => {
  const file = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), content, Buffer.alloc(4)])
  file.writeUInt32BE(content.length, 0)
  file.writeUInt32BE(sumOf(file.subarray(4, -4)), file.length - 4)
  return file
}
const png = (width: number, height: number, pixels: Buffer, ...more: Buffer[]): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const end = chunk('IEND', Buffer.alloc(0))
  return Buffer.concat([signature, chunk('IHDR', header), ...more, chunk('IDAT', pixels), end])
}
const zeros = (size: number) => deflateSync(Buffer.alloc(size), { level: 9 })

/** A TIFF of one page with these tags (type `LONG`), and whatever is to stand at the end. */
const tiff = (tags: Record<number, number>, tail: Buffer, next = 0): Buffer => {
  const entries = Object.entries(tags)
  const file = Buffer.alloc(14 + entries.length * 12)
  file.write('II*\0', 0, 'latin1')
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(entries.length, 8)
  entries.forEach(([tag, value], n) => {
    file.writeUInt16LE(Number(tag), 10 + n * 12)
    file.writeUInt16LE(4, 12 + n * 12)
    file.writeUInt32LE(1, 14 + n * 12)
    file.writeUInt32LE(value, 18 + n * 12)
  })
  file.writeUInt32LE(next, 10 + entries.length * 12)
  return Buffer.concat([file, tail])
}
const strip = zeros(256 * mebibyte)
const page = { 256: 64, 257: 64, 258: 8, 259: 8, 262: 1, 277: 1, 278: 64 }
const webp = Buffer.from('524946461a000000574542505650384c0d0000002fffffff0f00000000000000000000', 'hex')

/** Files made to harm, and how each must end. */
const files: Record<string, [name: string, make: () => string | Uint8Array, ...outcomes: string[]]> = {
  'a GiB of blanks in a document': [
    'a.docx',
    () => makeZip([types, packedBomb('word/document.xml')]),
    'limit_exceeded',
  ],
  'a GiB of blanks in a workbook': ['a.xlsx', () => makeZip([types, packedBomb('xl/workbook.xml')]), 'limit_exceeded'],
  'a GiB of blanks in a presentation': [
    'a.pptx',
    () => makeZip([types, packedBomb('ppt/presentation.xml')]),
    'limit_exceeded',
  ],
  'a GiB of blanks in an OpenDocument text': [
    'a.odt',
    () =>
      makeZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', store: true },
        packedBomb('content.xml'),
      ]),
    'limit_exceeded',
  ],
  'a GiB of blanks that says it is small': [
    'a.docx',
    () => makeZip([types, { ...packedBomb('word/document.xml'), size: 100 }]),
    'corrupt_file',
  ],
  'more entries than anybody needs': [
    'a.docx',
    () => makeZip([types, ...Array.from({ length: 21_000 }, (_, n) => ({ name: `word/${n}`, content: '' }))]),
    'limit_exceeded',
  ],
  'entities in entities in a document': ['a.docx', () => makeDocx('', { 'word/document.xml': laughs }), 'corrupt_file'],
  'entities in entities in a workbook': [
    'a.xlsx',
    () => makeOffice('xl/workbook.xml', { 'xl/workbook.xml': laughs }),
    'corrupt_file',
  ],
  'entities in entities in a slide': [
    'a.pptx',
    () => makeOffice('ppt/presentation.xml', { 'ppt/presentation.xml': laughs }),
    'corrupt_file',
  ],
  'entities in entities in an OpenDocument text': [
    'a.odt',
    () => makeOdf('text', '', { 'content.xml': laughs }),
    'corrupt_file',
  ],
  'entities in entities in XML': ['a.xml', () => laughs, 'corrupt_file'],
  'an entity from a file': [
    'a.xml',
    () => '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>',
    'corrupt_file',
  ],
  'elements in elements of a document': ['a.docx', () => makeDocx('<w:p>'.repeat(200_000)), 'limit_exceeded'],
  'elements in elements of an OpenDocument text': [
    'a.odt',
    () => makeOdf('text', '<text:span>'.repeat(200_000)),
    'limit_exceeded',
  ],
  'elements in elements of XML': ['a.xml', () => '<a>'.repeat(1_000_000), 'limit_exceeded'],
  'elements in elements of HTML': ['a.html', () => `<html>${'<div><b>'.repeat(500_000)}`, 'clean'],
  'attributes without end in HTML': ['a.html', () => `<html><p ${'a="b" '.repeat(100_000)}>`, 'clean'],
  'tags without an end in HTML': [
    'a.html',
    () => `<html>${'<!--'.repeat(500_000)}${'<a href="'.repeat(200_000)}`,
    'clean',
  ],
  'addresses of data without end in HTML': [
    'a.html',
    () => `<html><p style="${'data:image/'.repeat(300_000)}">`,
    'clean',
  ],
  'arrays in arrays': ['a.json', () => '['.repeat(1_000_000), 'limit_exceeded'],
  'arrays in arrays of a line': ['a.ndjson', () => `{"a":1}\n${'['.repeat(1_000_000)}`, 'limit_exceeded'],
  'groups in groups of RTF': ['a.rtf', () => `{\\rtf1 ${'{'.repeat(1_000_000)}`, 'limit_exceeded'],
  'groups in a picture of RTF': [
    'a.rtf',
    () => `{\\rtf1 {\\pict ${'{a'.repeat(900)}${'}'.repeat(900)}${'0'.repeat(4_000_000)}}}`,
    'clean',
  ],
  'bytes that RTF does not have': ['a.rtf', () => '{\\rtf1 \\bin999999999 x}', 'corrupt_file'],
  'messages in messages': [
    'a.eml',
    () => Array.from({ length: 5000 }).reduce<string>(mailIn, 'From: a@b.c\r\n\r\nx'),
    'limit_exceeded',
    'unsupported_format',
  ],
  'parts without end': [
    'a.eml',
    () =>
      `From: a@b.c\r\nSubject: x\r\nDate: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}--b--`,
    'limit_exceeded',
  ],
  'multiparts in multiparts': [
    'a.eml',
    () =>
      `From: a@b.c\r\nSubject: x\r\n${Array.from({ length: 3000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')}`,
    'limit_exceeded',
  ],
  'a bomb as an attachment': [
    'a.eml',
    () => attached(makeZip([types, packedBomb('word/document.xml')])),
    'limit_exceeded',
  ],
  'documents in documents': ['a.docx', () => russianDolls(40), 'clean'],
  'a picture of 3.6 thousand million pixels': ['a.png', () => png(60_000, 60_000, zeros(1000)), 'limit_exceeded'],
  'a small picture with a GiB of rows': [
    'a.png',
    () => png(64, 64, zeros(256 * mebibyte)),
    'clean',
    'corrupt_file',
    'limit_exceeded',
  ],
  'a picture with a text of 256 MiB': [
    'a.png',
    () => png(64, 64, zeros(65 * 64), chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), zeros(256 * mebibyte)]))),
    'clean',
    'corrupt_file',
    'limit_exceeded',
  ],
  'a JPEG of 4 thousand million pixels': [
    'a.jpg',
    () => Buffer.from('ffd8ffc0001108ffffffff03012200021101031101', 'hex'),
    'limit_exceeded',
    'corrupt_file',
  ],
  'a WebP of 268 million pixels': ['a.webp', () => webp, 'limit_exceeded', 'corrupt_file'],
  'a TIFF of 3.6 thousand million pixels': [
    'a.tiff',
    () => tiff({ ...page, 256: 60_000, 257: 60_000 }, Buffer.alloc(8)),
    'limit_exceeded',
  ],
  'a TIFF whose strip is a bomb': [
    'a.tiff',
    () => tiff({ ...page, 273: 14 + 9 * 12, 279: strip.length }, strip),
    'clean',
    'corrupt_file',
    'limit_exceeded',
  ],
  'a TIFF whose pages follow each other in a ring': [
    'a.tiff',
    () => tiff(page, Buffer.alloc(8), 8),
    'corrupt_file',
    'limit_exceeded',
  ],
}

type Outcome = { path: string; outcome: string; seconds: number; mebibytes: number }

describe('files made to harm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const outcomes = new Map<string, Outcome>()
  let peak = 0

  beforeAll(async () => {
    const paths = Object.values(files).map(([name, make], n) => {
      const path = join(folder, `${n}-${name}`)
      writeFileSync(path, make())
      return path
    })
    const child = join(import.meta.dirname, 'hostile-child.ts')
    // A heap that must be tidied as where memory is scarce: without it V8 keeps what it no longer needs.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--max-old-space-size=256', '--max-semi-space-size=8', child, ...paths],
      {
        timeout: 240_000,
        maxBuffer: 16 * mebibyte,
      },
    ).catch(error => error as { stdout: string })
    for (const line of stdout.split('\n').filter(text => text !== '')) {
      const outcome = JSON.parse(line) as Outcome
      outcomes.set(outcome.path, outcome)
      peak = Math.max(peak, outcome.mebibytes)
    }
    if (process.env.HOSTILE_TIMES) console.table([...outcomes.values()])
  })

  test.each(Object.entries(files).map(([what, [name, , ...allowed]], n) => ({ what, path: `${n}-${name}`, allowed })))(
    '$what: $allowed',
    ({ path, allowed }) => {
      expect(allowed).toContain(outcomes.get(join(folder, path))?.outcome)
    },
  )

  test('all of them together never take more than 512 MiB', () => {
    expect(outcomes.size).toBe(Object.keys(files).length)
    expect(peak).toBeLessThan(512)
  })
})
