import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { layers, withoutCanaries } from './hiding.ts'
import { makeDocx, makeOdf } from './package.ts'

/** A picture of a kind that nothing reads. */
const unread = Buffer.from('BM\0\u0001\0\0 Zyphotograph')
const base64 = unread.toString('base64')
const mail = (type: string) =>
  Buffer.from(
    `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nText\r\n--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--b--\r\n`,
  )

const pdf = async (): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const page = document.addPage([200, 200])
  const stream = (text: string, entries: Record<string, string | number>) =>
    document.context.register(document.context.stream(text, entries))
  page.node.set(PDFName.of('Thumb'), stream('Zyphotograph', {}))
  page.node.setXObject(PDFName.of('Unused'), stream('(Zyphotograph) pop', { Type: 'XObject', Subtype: 'Form' }))
  const picture = { Subtype: 'Image', Width: 4, Height: 3, BitsPerComponent: 8, ColorSpace: 'DeviceGray' }
  const image = stream('Zyphotograph', picture)
  page.node.setXObject(PDFName.of('Picture'), image)
  page.node.setXObject(PDFName.of('Again'), image)
  return document.save({ useObjectStreams: false })
}

const files: [name: string, make: () => Uint8Array | Promise<Uint8Array>, dropped: Record<string, number>][] = [
  [
    'file.docx',
    () =>
      makeDocx('<w:p><w:x r:embed="r1"/></w:p>', { 'word/media/one.bmp': unread }, [['r1', 'image', 'media/one.bmp']]),
    { pictures: 1 },
  ],
  ['file.odt', () => makeOdf('text', '<text:p>Text</text:p>', { 'Pictures/one.bmp': unread }), { pictures: 1 }],
  ['file.rtf', () => Buffer.from(`{\\rtf1 Text {\\pict\\dibitmap0 ${unread.toString('hex')}}}`), { pictures: 1 }],
  ['file.html', () => Buffer.from(`<p><img src="data:image/bmp;base64,${base64}">`), { 'embedded files': 1 }],
  [
    'file.svg',
    () =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/bmp;base64,${base64.slice(0, 8)}&#10; ${base64.slice(8)}"/><text>Seen</text></svg>`,
      ),
    { pictures: 1 },
  ],
  ['file.xml', () => Buffer.from(`<a photo="data:application/x-photo;base64,${base64}">Seen</a>`), { pictures: 1 }],
  ['file.md', () => Buffer.from(`Seen ![one](data:image/bmp;base64,${base64}) too`), { pictures: 1 }],
  ['file.ipynb', () => Buffer.from(JSON.stringify({ a: `data:image/bmp;base64,${base64}` })), { pictures: 1 }],
  ...['%PDF-1.7\n', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', '{\\rtf1'].map((start): (typeof files)[number] => {
    const document = Buffer.from(`${start} Zyphotograph ${'.'.repeat(50)}`, 'latin1').toString('base64')
    return ['file.json', () => Buffer.from(JSON.stringify({ a: document, b: 'Seen' })), { pictures: 1 }]
  }),
  [
    'slashes.json',
    () => Buffer.from(JSON.stringify({ a: `data:image/bmp;base64,${base64}` }).replaceAll('/', '\\/')),
    { pictures: 1 },
  ],
  [
    'output.ipynb',
    () =>
      Buffer.from(
        JSON.stringify({
          outputs: [{ data: { 'text/plain': 'Figure', 'image/bmp': `${base64}\n` } }],
        }),
      ),
    { pictures: 1 },
  ],
  [
    'within.json',
    () =>
      Buffer.from(
        JSON.stringify({
          html: `"Seen" <img src="data:image/bmp;base64,${base64}"> \u00e4 and <img src='data:image/bmp;base64,${base64}'>`,
        }),
      ),
    { pictures: 2 },
  ],
  [
    'file.vcf',
    () => Buffer.from(`BEGIN:VCARD\r\nVERSION:4.0\r\nPHOTO:data:image/bmp;base64,\r\n ${base64}\r\nEND:VCARD\r\n`),
    { 'embedded files': 1 },
  ],
  ['file.eml', () => mail('image/bmp'), { attachments: 1 }],
  ['file.pdf', pdf, { 'content that nothing shows': 2, thumbnails: 1 }],
]

describe('what is left out of a file is in its report', () => {
  test.each(files)('%s', async (name, make, expected) => {
    const before = await make()
    expect([...layers(before)].join('\n')).toContain('Zyphotograph')
    const { bytes, report } = await withoutCanaries(name, before)
    expect([...layers(bytes)].join('\n')).not.toContain('Zyphotograph')
    const dropped = Object.fromEntries(report.dropped.map(({ what, count }) => [what, count]))
    expect(dropped).toMatchObject(expected)
  })

  test.each(['utf8', 'utf16le'] as const)('files of any kind in Markdown in %s', async encoding => {
    const text = `\ufeff[one](DATA:;BASE64,${base64}) and [two](data:application/x-y;v=1;base64,${base64})`
    const { bytes, report } = await withoutCanaries('file.md', Buffer.from(text, encoding))
    expect(Buffer.from(bytes).toString(encoding)).not.toContain(base64)
    expect(report.dropped).toEqual([{ what: 'pictures', count: 2 }])
  })

  test('a broken picture before a good one in a text goes alone', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
      'base64',
    )
    const good = `data:image/png;base64,${png.toString('base64')}`
    const broken = `data:image/png;base64,${png.subarray(0, 30).toString('base64')}`
    for (const [name, text] of [
      ['a.md', `![one](${broken}) ![two](${good})`],
      ['a.json', JSON.stringify([broken, good])],
      ['a.html', `<p>Text <img src="${broken}"> <img src="${good}"></p>`],
    ] as const) {
      const { report } = await withoutCanaries(name, Buffer.from(text))
      expect(report.dropped).toContainEqual({ what: 'pictures', count: 1 })
    }
  })
})
