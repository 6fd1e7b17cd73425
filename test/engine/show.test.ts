import { randomBytes } from 'node:crypto'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { decodeJpeg, encodePage, encodePng } from '../../shared/engine/formats/image/codecs.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { showPage } from '../../shared/engine/show.ts'
import { makeDocx } from './formats/package.ts'
import { typedBitmap, typedPicture } from './formats/picture-samples.ts'

const { signal } = new AbortController()
const show = (name: string, bytes: Uint8Array, number = 1, limits = {}) =>
  showPage({ input: bufferInput(name, bytes), number, signal, limits })

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, n) => `<w:p><w:r><w:t>Paragraph ${n + 1}</w:t></w:r></w:p>`).join('')

/** How dark the darkest dot of a JPEG is in a part of it, given in shares of its sides. */
async function darkest(bytes: Uint8Array, [left, top, right, bottom]: [number, number, number, number]) {
  const { width, height, data } = await decodeJpeg(bytes)
  let least = 255
  for (let y = Math.floor(top * height); y < bottom * height; y++)
    for (let x = Math.floor(left * width); x < right * width; x++) least = Math.min(least, data[(y * width + x) * 4]!)
  return least
}

describe('a PDF is shown by pictures of its pages', () => {
  const pdf = async () => {
    const document = await PDFDocument.create()
    const font = await document.embedFont(StandardFonts.Helvetica)
    document.addPage([400, 400]).drawText('First', { x: 40, y: 340, size: 40, font })
    const page = document.addPage([400, 200])
    const field = document.getForm().createTextField('name')
    field.setText('Ngozi')
    field.addToPage(page, { x: 200, y: 20, width: 180, height: 60, font })
    return document.save()
  }

  test('one at a time, with its form fields', async () => {
    const bytes = await pdf()
    const first = await show('a.pdf', bytes)
    expect(first).toMatchObject({ pages: 2, more: true, texts: [], view: { width: 611, height: 611 } })
    expect(await darkest(first!.view!.bytes, [0, 0, 0.5, 0.25])).toBeLessThan(100)
    expect(await darkest(first!.view!.bytes, [0, 0.5, 1, 1])).toBeGreaterThan(200)
    const second = await show('a.pdf', bytes, 2)
    expect(second).toMatchObject({ pages: 2, more: false, view: { width: 611, height: 306 } })
    expect(await darkest(second!.view!.bytes, [0.5, 0.6, 1, 1])).toBeLessThan(100)
    expect(await show('a.pdf', bytes, 3)).toBeUndefined()
  })

  test('but not a damaged, a large or a long one', async () => {
    const bytes = await pdf()
    await expect(show('a.pdf', bytes.slice(0, 300))).rejects.toMatchObject({ type: 'corrupt_file' })
    await expect(show('a.pdf', bytes, 1, { bytes: 100 })).rejects.toMatchObject({ type: 'limit_exceeded' })
    await expect(show('a.pdf', bytes, 1, { pages: 1 })).rejects.toMatchObject({ type: 'limit_exceeded' })
  })
})

test.each([
  ['a.png', async () => encodePng(await typedBitmap(['Ngozi Achterberg']))],
  ['a.jpg', async () => encodePage(await typedPicture(['Ngozi Achterberg']), 90)],
])('a picture is shown as one: %s', async (name, make) => {
  const bytes = await make()
  const shown = await show(name, bytes)
  expect(shown).toMatchObject({ pages: 1, more: false, texts: [] })
  expect(await darkest(shown!.view!.bytes, [0, 0, 1, 1])).toBeLessThan(100)
  expect(await show(name, bytes, 2)).toBeUndefined()
})

describe('another file is shown by its texts', () => {
  test('as many at a time as one page has, to the end', async () => {
    const bytes = makeDocx(paragraphs(900))
    const pages = await Promise.all([1, 2, 3, 4].map(number => show('a.docx', bytes, number)))
    expect(pages.map(page => page && [page.pages, page.more, page.texts.length])).toEqual([
      [null, true, 400],
      [null, true, 400],
      [3, false, 100],
      undefined,
    ])
    expect(pages[1]!.texts[0]!.text).toBe('Paragraph 401')
    expect(pages[2]!.texts.at(-1)!.text).toBe('Paragraph 900')
  })

  test('of just one page without a second, empty one', async () => {
    const bytes = makeDocx(paragraphs(400))
    expect(await show('a.docx', bytes)).toMatchObject({ pages: 1, more: false })
    expect(await show('a.docx', bytes, 2)).toBeUndefined()
    expect(await show('a.docx', makeDocx(''))).toMatchObject({ pages: 1, more: false, texts: [] })
  })

  test('also of cells, with their places, and without what nobody sees', async () => {
    const shown = await show('a.html', Buffer.from('<p title="Hidden Ngozi">Seen<!-- Ngozi --></p>'))
    expect(shown!.texts.map(({ text }) => text)).toEqual(['Seen'])
    const table = await show('a.csv', Buffer.from('name,town\nNgozi,Lagos\n'))
    expect(table!.texts.map(({ text, place: { row, column } }) => [row, column, text]).slice(-2)).toEqual([
      [2, 'name', 'Ngozi'],
      [2, 'town', 'Lagos'],
    ])
  })

  test('whose pictures are left alone', async () => {
    const picture = await encodePage(await typedPicture(['Ngozi Achterberg']), 90)
    const parts = { 'word/media/image1.jpeg': picture }
    const shown = await show('a.docx', makeDocx(paragraphs(1), parts))
    expect(shown!.texts.map(({ text }) => text)).toEqual(['Paragraph 1'])
  })

  test('but not a drawing, nor a file of no known format', async () => {
    const emf = Buffer.alloc(120)
    emf.writeUInt32LE(1, 0)
    emf.writeUInt32LE(108, 4)
    emf.write(' EMF', 40, 'latin1')
    await expect(show('a.emf', emf)).rejects.toMatchObject({ type: 'unsupported_format' })
    await expect(show('a.bin', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toMatchObject({
      type: 'unsupported_format',
    })
  })
})

test('a page that is too far on is given up in time, while the rows before it are read', async () => {
  const rows = Array.from({ length: 200_000 }, (_, n) => `${n},Paragraph ${n}`).join('\n')
  const input = bufferInput('a.csv', Buffer.from(`id,text\n${rows}\n`))
  const given = new AbortController()
  const shown = showPage({ input, number: 1_000_000, signal: given.signal })
  setImmediate(() => given.abort())
  await expect(shown).rejects.toThrow('aborted')
})

test('a document that is large when unpacked is refused before it is', async () => {
  // No bomb: a tenth of it is as random as pictures are.
  const piece = Buffer.concat([randomBytes(100_000), Buffer.alloc(900_000, ' ')])
  const part = Buffer.concat(Array.from({ length: 45 }, () => piece))
  const parts = Object.fromEntries([1, 2, 3].map(n => [`word/large${n}.bin`, part]))
  await expect(show('a.docx', makeDocx(paragraphs(1), parts))).rejects.toMatchObject({ type: 'limit_exceeded' })
})
