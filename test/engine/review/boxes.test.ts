import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { Bitmap } from '../../../shared/engine/formats/image/bitmap.ts'
import { decodeJpeg, decodePng, encodePng } from '../../../shared/engine/formats/image/codecs.ts'
import type { Box } from '../../../shared/engine/formats/page-views.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { drawPage } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { inspect } from '../../../shared/engine/inspect.ts'
import type { Decision } from '../../../shared/engine/review/decisions.ts'
import type { ProposedPage, ProposedText } from '../../../shared/engine/review/proposals.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from '../formats/pdf-samples.ts'
import { typedBitmap } from '../formats/picture-samples.ts'

const rules = [regexRule('name', 'Zyada')]

const proposed = async (bytes: Uint8Array) => {
  const { places } = await inspect({ ...call({ input: bufferInput('a', bytes), rules }), proposes: true })
  const lines = Buffer.from(await places.file.read(0, places.file.size))
    .toString()
    .trim()
    .split('\n')
  const all = lines.map(line => JSON.parse(line) as ProposedText | ProposedPage)
  return {
    texts: all.filter(one => 'text' in one),
    pages: all.filter(one => 'picture' in one),
  }
}

const decided = async (bytes: Uint8Array, decisions: Decision[]) => {
  const result = await anonymise({ ...call({ input: bufferInput('a', bytes), rules }), decisions })
  return { ...result, bytes: await result.output.read(0, result.output.size) }
}

const add = (box: Box, page = 1): Decision => ({ action: 'add', at: { page, box }, label: 'SEEN' })

/** Mean brightness of a box of a picture. */
const brightness = ({ width, height, data }: Bitmap, box: Box): number => {
  let [sum, count] = [0, 0]
  for (let y = Math.ceil(box.top * height); y < box.bottom * height; y++)
    for (let x = Math.ceil(box.left * width); x < box.right * width; x++) {
      sum += data[(y * width + x) * 4]!
      count++
    }
  return sum / count
}

/** Share of dark pixels in a box of a picture. */
const ink = ({ width, height, data }: Bitmap, box: Box): number => {
  let [dark, count] = [0, 0]
  for (let y = Math.ceil(box.top * height); y < box.bottom * height; y++)
    for (let x = Math.ceil(box.left * width); x < box.right * width; x++) {
      if (data[(y * width + x) * 4]! < 128) dark++
      count++
    }
  return dark / count
}

const font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)

/** Where a word stands in the line at that height of the page below. */
const inLine = (y: number, before: string, word: string): Box => {
  const [left, wide] = [60 + font.widthOfTextAtSize(before, 20), font.widthOfTextAtSize(word, 20)]
  return { left: left / 600, right: (left + wide) / 600, top: (800 - y - 18) / 800, bottom: (800 - y + 4) / 800 }
}

/** A page of 600 by 800 points with three lines, and a dark square at its foot. */
const typedPdf = async (turns = 0): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([600, 800])
  page.setRotation(degrees(turns))
  page.drawText('Write to Zyada today', { x: 60, y: 700, size: 20, font })
  page.drawText('or to Zybob tomorrow', { x: 60, y: 600, size: 20, font })
  page.drawText('and not to anyone else', { x: 60, y: 500, size: 20, font })
  const dark = { width: 40, height: 40, data: new Uint8ClampedArray(6400).map((_, at) => (at % 4 === 3 ? 255 : 20)) }
  page.drawImage(await document.embedPng(await encodePng(dark)), { x: 60, y: 100, width: 200, height: 200 })
  return document.save({ useObjectStreams: false })
}

const pixelsOf = async (bytes: Uint8Array): Promise<Bitmap> => {
  const reader = await openReader(bytes)
  const { width, height, channels, pixels } = reader.page(0, page => drawPage(reader, page, 72))
  reader.close()
  const data = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) => pixels[(at >> 2) * channels]!)
  return { width, height, data }
}

/** Boxes as they are on the page turned a quarter clockwise. */
const turned = ({ left, top, right, bottom }: Box): Box => ({
  left: 1 - bottom,
  right: 1 - top,
  top: left,
  bottom: right,
})

describe('boxes on the pages of a PDF', () => {
  const secondLine = inLine(600, 'or to ', 'Zybob')
  const square: Box = { left: 0.1, top: 0.625, right: 0.4333, bottom: 0.875 }

  test.each([0, 90])(
    'what was found stands in its box on the picture of its page, turned by %i degrees',
    async turns => {
      const { texts, pages } = await proposed(await typedPdf(turns))
      const [{ findings }] = texts as [ProposedText]
      expect(findings).toHaveLength(1)
      const [box] = findings[0]!.boxes!
      const picture = await decodeJpeg(Buffer.from(pages[0]!.picture, 'base64'))
      expect([picture.width, picture.height]).toEqual([pages[0]!.width, pages[0]!.height])
      const there = inLine(700, 'Write to ', 'Zyada')
      const wanted = turns === 0 ? there : turned(there)
      for (const side of ['left', 'right', 'top', 'bottom'] as const) expect(box![side]).toBeCloseTo(wanted[side], 1.6)
      expect(ink(picture, box!)).toBeGreaterThan(0.1)
    },
  )

  test.each([0, 90])(
    'a box over text replaces the text, and the page stays text, turned by %i degrees',
    async turns => {
      const box = turns === 0 ? secondLine : turned(secondLine)
      const { bytes, report, findings } = await decided(await typedPdf(turns), [add(box)])
      const shown = (await showPdf(bytes)).join('\n')
      expect(shown).toContain('[name]')
      expect(shown).not.toMatch(/Zybob|Zyada/)
      for (const word of ['or to', 'tomorrow', 'and not to anyone else']) expect(shown).toContain(word)
      expect([report.rasterised, report.escalated]).toEqual([[], []])
      expect(findings[0]!.count).toBe(2)
    },
  )

  test.each([0, 90])('a box over a picture is painted over, turned by %i degrees', async turns => {
    const [box, other] = [
      { ...square, right: 0.25 },
      { ...square, left: 0.27 },
    ].map(one => (turns === 0 ? one : turned(one))) as [Box, Box]
    const source = await typedPdf(turns)
    const { bytes, report } = await decided(source, [add(box)])
    expect([report.rasterised, report.escalated]).toEqual([[1], []])
    const [before, after] = [await pixelsOf(source), await pixelsOf(bytes)]
    expect(brightness(before, box)).toBeLessThan(40)
    expect(brightness(after, box)).toBeGreaterThan(190)
    expect(brightness(after, other)).toBeLessThan(40)
  })

  test('a box stays painted over where the page becomes a picture for another reason', async () => {
    const document = await PDFDocument.load(await typedPdf())
    // Invisible text over the picture, as a scanner writes it: the page has to become a picture.
    document.getPage(0).drawText('Zyada', { x: 180, y: 150, size: 20, opacity: 0 })
    const source = await document.save({ useObjectStreams: false })
    const box = { ...square, right: 0.25 }
    const { bytes, report } = await decided(source, [add(box)])
    expect(report.rasterised).toEqual([1])
    expect(brightness(await pixelsOf(bytes), box)).toBeGreaterThan(190)
  })

  test('a box on a page that there is not ends in an error, not in an output', async () => {
    await expect(decided(await typedPdf(), [add(secondLine, 2)])).rejects.toMatchObject({ type: 'internal' })
  })
})

describe('boxes on pictures', () => {
  test('what was found stands in its box, and what is boxed is painted over', async () => {
    const bitmap = await typedBitmap(['Write to Zyada', 'not to Quimbly', 'nor here'])
    const source = await encodePng(bitmap)
    const { texts, pages } = await proposed(source)
    const [{ findings }] = texts as [ProposedText]
    expect(pages).toHaveLength(1)
    const [box] = findings[0]!.boxes!
    expect(ink(bitmap, box!)).toBeGreaterThan(0.05)
    const [third, empty]: [Box, Box] = [
      { left: 0.05, top: 0.43, right: 0.4, bottom: 0.53 },
      { left: 0.6, top: 0.7, right: 0.9, bottom: 0.9 },
    ]
    expect(ink(bitmap, third)).toBeGreaterThan(0.03)
    const { bytes } = await decided(source, [add(third), add(empty)])
    const after = await decodePng(bytes)
    expect([brightness(bitmap, empty), brightness(after, empty)]).toEqual([255, expect.closeTo(217, 0)])
    const again = await proposed(bytes)
    expect(again.texts[0]!.text).toContain('Quimbly')
    expect(again.texts[0]!.text).not.toMatch(/Zyada|nor here/)
  })
})
