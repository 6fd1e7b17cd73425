import { PDFDict, PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { paint } from '../../../shared/engine/formats/image/write.ts'
import { contentOf } from '../../../shared/engine/formats/pdf/content/content.ts'
import { likestFont } from '../../../shared/engine/formats/pdf/fonts/standard-fonts.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { drawPage } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import { plainText } from '../../../shared/engine/formats/pdf/text/page-text.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

/** A line of 12 points, after its names `Zy...` have become a text: as readers see it, as it is drawn, and how large. */
const labelled = async (line: string, label: string) => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([400, 100]).drawText(line, { x: 20, y: 50, size: 12, font })
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const rules = [regexRule('name', '\\bZy\\w*', { replacement: { text: label } })]
  const { output, report } = await anonymise(call({ input, rules }))
  expect(report.rasterised).toEqual([])
  const bytes = await output.read(0, output.size)
  const [page] = (await PDFDocument.load(bytes, { updateMetadata: false })).getPages()
  const content = Buffer.from(contentOf(page!)).toString('latin1')
  const sizes = [...content.matchAll(/ ([03]) Tr .*?\/AnonymisedLabel ([\d.]+) Tf/g)].map(([, mode, size]) =>
    mode === '3' ? 0 : Number(size),
  )
  const reader = await openReader(bytes)
  try {
    const { pixels, channels } = reader.page(0, loaded => drawPage(reader, loaded, 144))
    const inBoxes = new Set(pixels.filter((level, at) => at % channels === 0 && level < 255))
    return { read: plainText(reader, 0), drawn: (await showPdf(bytes)).join(' '), sizes, levels: inBoxes.size }
  } finally {
    reader.close()
  }
}

test.each([
  ['Zymargaret Holm', { surrogate: { as: 'PERSON' } }],
  ['4 March 2021', { dateShift: {} }],
])('what reads like %s stands in its line, without a box', async (value, replacement) => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([400, 100]).drawText(`${value}, here`, { x: 20, y: 50, size: 12, font })
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const { output } = await anonymise(call({ input, rules: [regexRule('value', value, { replacement })] }))
  const [page] = (await PDFDocument.load(await output.read(0, output.size))).getPages()
  const content = Buffer.from(contentOf(page!)).toString('latin1')
  expect(content).not.toContain('re f')
  const [, size, stretch, x, y] = /([\d.]+) Tf ([\d.]+) Tz 1 0 0 1 ([\d.]+) ([\d.]+) Tm/.exec(content)!.map(Number)
  expect([size, y]).toEqual([12, 50])
  expect(Math.abs(x! - 20)).toBeLessThan(1)
  expect(stretch).toBeGreaterThanOrEqual(60)
})

test.each([
  ['Helvetica', 'AnonymisedLabel'],
  ['Helvetica-BoldOblique', 'AnonymisedLabelHelvetica-BoldOblique'],
  ['Times-Roman', 'AnonymisedLabelTimes-Roman'],
  ['Times-BoldItalic', 'AnonymisedLabelTimes-BoldItalic'],
  ['Courier-Bold', 'AnonymisedLabelCourier-Bold'],
])('what reads like a value in %s stands in a font like it', async (name, label) => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(name)
  document.addPage([400, 100]).drawText('Zymargaret Holm, here', { x: 20, y: 50, size: 12, font })
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const rules = [regexRule('name', 'Zymargaret Holm', { replacement: { surrogate: { as: 'PERSON' } } })]
  const { output } = await anonymise(call({ input, rules }))
  const [page] = (await PDFDocument.load(await output.read(0, output.size))).getPages()
  expect(Buffer.from(contentOf(page!)).toString('latin1')).toContain(`/${label} 12 Tf`)
  const fonts = page!.node.Resources()!.lookup(PDFName.of('Font'), PDFDict)
  expect(fonts.lookup(PDFName.of(label), PDFDict).get(PDFName.of('BaseFont'))).toBe(PDFName.of(name))
})

test.each([
  ['ABCDEF+LiberationSerif-Italic', 4, 'Times-Italic'],
  ['LiberationMono', 4, 'Courier'],
  ['HelveticaNeueLTStd-Roman', 32, 'Helvetica'],
  ['DejaVuSans-Bold', 34, 'Helvetica-Bold'],
  ['F1', 2 + 64, 'Times-Italic'],
  ['F2', 1 + 262_144, 'Courier-Bold'],
  ['', 0, 'Helvetica'],
])('a font %s with the flags %i is like %s', (name, flags, font) => {
  expect(likestFont(name, flags)).toBe(font)
})

describe('labels in little room', () => {
  test.each([
    ['Zymargaret here', '[PERSON 12]', '[PERSON 12]'],
    ['Zyli here', '[PERSON 12]', 'PERSON'],
    ['Zy here', '[DATE_OF_BIRTH]', /^DATE(?!_)/],
    ['Zy, Zy and Zy', '[PERSON 3]', /^PERS?O?\b.*\bPERS?O?\b.*\bPERS?O?\b/],
  ])('%s as %s: a shorter one that can be read', async (line, label, shown) => {
    const { read, drawn, sizes } = await labelled(line, label)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(6)
    if (typeof shown === 'string') expect(drawn.startsWith(`${shown} `)).toBe(true)
    else expect(drawn).toMatch(shown)
    // Who copies or searches the text finds the whole label.
    expect(read.split(label)).toHaveLength(line.split('Zy').length)
  })

  test('part of another text would be another one: nothing is drawn but the box', async () => {
    const { read, sizes, levels } = await labelled('Zy', 'Smith-Jones')
    expect(sizes).toEqual([0])
    expect(levels).toBe(1)
    expect(read).toContain('Smith-Jones')
  })

  test('on pictures too', async () => {
    const [width, height] = [200, 60]
    const inked = async (right: number) => {
      const words = [{ text: 'x', confidence: 1, left: 10, top: 20, right, bottom: 40 }]
      const data = new Uint8ClampedArray(4 * width * height).fill(255)
      await paint({ width, height, data }, [{ words, text: '[DATE_OF_BIRTH]' }])
      return new Set(data.filter((level, at) => at % 4 === 0 && level < 180)).size > 0
    }
    expect(await inked(14)).toBe(false)
    expect(await inked(120)).toBe(true)
  })
})
