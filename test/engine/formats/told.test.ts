import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { documentKinds } from './documents.ts'
import { book, row } from './hiding-samples.ts'
import { emfRecord, emfText, makeEmf } from './metafile-samples.ts'
import { makeDocx, makeOdf, readZip } from './package.ts'
import { allOf, typedBitmap } from './picture-samples.ts'
import { tableKinds } from './tables.ts'

// What a report says against what is counted in the file and in what became of it, by other code.

const rules = [regexRule('X', '\\bZy\\w+'), regexRule('none', 'Qqqq')]

async function run(name: string, bytes: Uint8Array) {
  const assetType = tableKinds.some(kind => kind.name === name) ? 'TABLE' : 'DOCUMENT'
  const { output, report, findings } = await anonymise(call({ input: bufferInput(name, bytes), rules, assetType }))
  return { after: await output.read(0, output.size), report, findings }
}

const count = (texts: readonly string[], pattern: RegExp) => texts.join('\n').match(pattern)?.length ?? 0

describe('what was replaced', () => {
  const texts = ['Zyanne met Zyrah and Zyanne', 'none here', 'Zyanne again']
  const documents = documentKinds.map(({ what, name, make, read }) => ({ what, name, make, read }))
  const tables = tableKinds.map(({ name, make, read }) => ({
    what: name,
    name,
    make: (lines: string[]) =>
      make(
        ['note', 'n'],
        lines.map((line, n) => [line, String(n)]),
      ),
    read: async (bytes: Uint8Array) => (await read(bytes)).map(cells => cells[0]!),
  }))

  test.each([...documents, ...tables])('in $what', async ({ name, make, read }) => {
    const before = await make(texts)
    const { after, report, findings } = await run(name, before)
    const [old, fresh] = [await read(before), await read(after)]
    expect(findings.map(({ count: times }) => times)).toEqual([count(old, /\bZy\w+/g), 0])
    expect(count(fresh, /\[X\]/g)).toBe(findings[0]!.count)
    expect(count(fresh, /Zy/g)).toBe(0)
    expect(report.searched, 'values that are gone').toBe(new Set(old.join('\n').match(/\bZy\w+/g)).size)
    expect([report.dropped, report.rasterised, report.escalated]).toEqual([[], [], []])
    expect(report.examined).toBeGreaterThanOrEqual(count(old, /\S/g))
  })
})

/** Something that is left out of a file: the file with so many of them, and how many another reader finds in it. */
type Leftover = {
  name: string
  make(times: number): Uint8Array | Promise<Uint8Array>
  found(bytes: Uint8Array): number | Promise<number>
}

const numbers = (times: number) => Array.from({ length: times }, (_, n) => n)
const repeated = (times: number, make: (n: number) => string) => numbers(times).map(make).join('')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const inBytes = (pattern: RegExp) => (bytes: Uint8Array) => count([Buffer.from(bytes).toString('latin1')], pattern)
const inPart = (part: string, pattern: RegExp) => (bytes: Uint8Array) =>
  count([readZip(bytes).get(part)?.toString() ?? ''], pattern)
const inNames = (pattern: RegExp) => (bytes: Uint8Array) => count([...readZip(bytes).keys()], pattern)
const inPdf = (key: string) => async (bytes: Uint8Array) => {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  return document.getPages().filter(({ node }) => node.has(PDFName.of(key))).length
}
const pdf = (key: string) => async (times: number) => {
  const document = await PDFDocument.create({ updateMetadata: false })
  for (const n of numbers(4)) {
    const { node } = document.addPage([200, 200])
    if (n < times) node.set(PDFName.of(key), document.context.register(document.context.stream(`Zy${n}`)))
  }
  return document.save({ useObjectStreams: false })
}
const bitmap = latin1('BM\0\x01\0\0 Zypicture')
const base64 = bitmap.toString('base64')
const w = (content: string) => `<w:p><w:r><w:t>a</w:t></w:r>${content}</w:p>`
const word = (content: (n: number) => string) => (times: number) => makeDocx(w(repeated(times, content)))
const text = (content: (n: number) => string) => (times: number) =>
  makeOdf('text', `<text:p>a${repeated(times, content)}</text:p>`)
const settings = (items: string) =>
  `<office:document-settings xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0">${items}</office:document-settings>`
const mail = (head: string, body: string) =>
  latin1(`Subject: s\r\nMIME-Version: 1.0\r\n${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`)
const textPart = '--b\r\n\r\ntext\r\n'
const filePart = `--b\r\nContent-Type: image/bmp\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`
const pictures = (folder: string) => (times: number) =>
  Object.fromEntries(numbers(times).map(n => [`${folder}/${n}.bmp`, bitmap]))

const leftovers: [what: string, of: Leftover][] = [
  [
    'deleted text',
    {
      name: 'a.docx',
      make: word(n => `<w:del><w:r><w:delText>Zy${n}</w:delText></w:r></w:del>`),
      found: inPart('word/document.xml', /<w:del>/g),
    },
  ],
  [
    'fields of properties (kept as text)',
    {
      name: 'a.docx',
      make: word(() => '<w:fldSimple w:instr=" TITLE "><w:r><w:t>b</w:t></w:r></w:fldSimple>'),
      found: inPart('word/document.xml', /<w:fldSimple/g),
    },
  ],
  [
    'pictures',
    {
      name: 'a.docx',
      make: times =>
        makeDocx(
          w(repeated(times, n => `<w:x r:embed="p${n}"/>`)),
          pictures('word/media')(times),
          numbers(times).map(n => [`p${n}`, 'image', `media/${n}.bmp`]),
        ),
      found: inNames(/\.bmp$/gm),
    },
  ],
  [
    'stray parts',
    { name: 'a.docx', make: times => makeDocx(w(''), pictures('word/stray')(times)), found: inNames(/stray/g) },
  ],
  [
    'external links',
    {
      name: 'a.xlsx',
      make: times =>
        book(row('a'), Object.fromEntries(numbers(times).map(n => [`xl/externalLinks/l${n}.xml`, '<externalLink/>'])), {
          main: numbers(times).map(n => [`e${n}`, 'externalLink', `externalLinks/l${n}.xml`]),
        }),
      found: inNames(/externalLinks/g),
    },
  ],
  [
    'marks of changes',
    {
      name: 'a.odt',
      make: text(n => `<text:change text:change-id="c${n}"/>b`),
      found: inPart('content.xml', /<text:change /g),
    },
  ],
  [
    'private settings',
    {
      name: 'a.odt',
      make: times => {
        const items = repeated(times, n => `<config:config-item config:name="PrinterName${n}">Zy</config:config-item>`)
        return makeOdf('text', '<text:p>a</text:p>', { 'settings.xml': settings(items) })
      },
      found: inPart('settings.xml', /<config:config-item /g),
    },
  ],
  [
    'pictures',
    {
      name: 'a.odp',
      make: times => makeOdf('presentation', '<text:p>a</text:p>', pictures('Pictures')(times)),
      found: inNames(/\.bmp$/gm),
    },
  ],
  [
    'attachments',
    {
      name: 'a.eml',
      make: times => mail('', textPart + filePart.repeat(times)),
      found: inBytes(/image\/bmp/g),
    },
  ],
  [
    'transport headers',
    {
      name: 'a.eml',
      make: times =>
        mail(
          repeated(times, n => `Received: by Zy${n}\r\n`),
          textPart,
        ),
      found: inBytes(/^Received:/gm),
    },
  ],
  [
    'pictures',
    {
      name: 'a.rtf',
      make: times => latin1(`{\\rtf1 a ${`{\\pict\\dibitmap0 ${bitmap.toString('hex')}}`.repeat(times)}}`),
      found: inBytes(/dibitmap0 424d/g),
    },
  ],
  [
    'embedded files',
    {
      name: 'a.html',
      make: times => latin1(`<p>a${`<img src="data:image/bmp;base64,${base64}">`.repeat(times)}`),
      found: inBytes(/base64,Qk0/g),
    },
  ],
  [
    'pictures',
    {
      name: 'a.md',
      make: times => latin1(`a${` ![b](data:image/bmp;base64,${base64})`.repeat(times)}`),
      found: inBytes(/base64,Qk0/g),
    },
  ],
  [
    'embedded files',
    {
      name: 'a.vcf',
      make: times =>
        latin1(
          `BEGIN:VCARD\r\nVERSION:4.0\r\nNOTE:a\r\n${`PHOTO:data:image/bmp;base64,${base64}\r\n`.repeat(times)}END:VCARD\r\n`,
        ),
      found: inBytes(/^PHOTO/gm),
    },
  ],
  ['thumbnails', { name: 'a.pdf', make: pdf('Thumb'), found: inPdf('Thumb') }],
  ['private data of programs', { name: 'a.pdf', make: pdf('PieceInfo'), found: inPdf('PieceInfo') }],
  ['XMP metadata', { name: 'a.pdf', make: pdf('Metadata'), found: inPdf('Metadata') }],
]

const bare = await kindOf('png').encode([await typedBitmap(['Seen'])], new Uint8Array())
const decoded = await allOf(kindOf('png').decode(bare))
const pictureOf = async (kind: string) => Buffer.from(await kindOf(kind).encode(decoded, new Uint8Array(32)))
const segment = (marker: number, body: string) =>
  Buffer.concat([Buffer.of(0xff, marker, 0, body.length + 2), latin1(body)])
const within = (file: Buffer, at: number, more: Buffer) =>
  Buffer.concat([file.subarray(0, at), more, file.subarray(at)])

/** Pictures of each kind with something beside their pixels, and how it gets there. */
const beside: [what: string, name: string, add: (file: Buffer) => Buffer][] = [
  ['Exif', 'a.jpg', file => within(file, 2, segment(0xe1, 'Exif\0\0Zyexif'))],
  ['a comment', 'a.jpg', file => within(file, 2, segment(0xfe, 'Zycomment'))],
  ['a colour profile', 'a.jpg', file => within(file, 2, segment(0xe2, 'ICC_PROFILE\0Zyprofile'))],
  ['a text', 'a.png', file => within(file, 33, Buffer.concat([latin1('\0\0\0\x09tEXtZytext\0ab'), Buffer.alloc(4)]))],
  ['a colour profile', 'a.webp', file => Buffer.concat([file, latin1('EXIF\x06\0\0\0Zyexif')])],
  ['a comment', 'a.gif', file => Buffer.concat([file.subarray(0, -1), latin1('!\xfe\x06Zynote\0;')])],
  ...['a.jpg', 'a.png', 'a.webp', 'a.gif'].map((name): (typeof beside)[number] => [
    'something behind the end',
    name,
    file => Buffer.concat([file, latin1('Zybehind')]),
  ]),
]

/** Metafiles with something beside what they draw. */
const drawn = [emfText('Seen', 10, 10)]
const metafiles: [what: string, file: Buffer][] = [
  ['a description', makeEmf(drawn, 'Zyprogram')],
  ['a comment', makeEmf([...drawn, emfRecord(70, Buffer.of(9, 0, 0, 0), latin1('Zycomment'))])],
  ['something behind the end', Buffer.concat([makeEmf(drawn), latin1('Zybehind')])],
]

describe('metadata of pictures', () => {
  test.each(metafiles)('%s of a metafile', async (_, before) => {
    const { after, report } = await run('a.emf', before)
    expect(report.dropped).toEqual([{ what: 'metadata', count: 1 }])
    expect(Buffer.from(after).toString('latin1').replaceAll('\0', '')).not.toContain('Zy')
  })

  test.each(['jpg', 'png', 'webp', 'tiff', 'gif'])('none in %s', async kind => {
    const { report } = await run(`a.${kind}`, await pictureOf(kind))
    expect(report.dropped).toEqual([])
  })

  test.each(beside)('%s in %s', async (_, name, add) => {
    const before = add(await pictureOf(name.split('.')[1]!))
    expect(before.includes('Zy')).toBe(true)
    const { after, report } = await run(name, before)
    expect(report.dropped).toEqual([{ what: 'metadata', count: 1 }])
    expect(Buffer.from(after).includes('Zy')).toBe(false)
  })
})

describe('what was left out', () => {
  test.each(leftovers)('%s', async (what, { name, make, found }) => {
    for (const times of [0, 1, 3]) {
      const before = await make(times)
      const { after, report } = await run(name, before)
      expect(await found(before), 'made').toBe(times)
      expect(await found(after), 'left').toBe(0)
      expect(report.dropped).toEqual(times === 0 ? [] : [{ what, count: times }])
    }
  })
})
