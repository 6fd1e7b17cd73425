import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { openReader } from '../../shared/engine/formats/pdf/page-reader.ts'
import { drawPage } from '../../shared/engine/formats/pdf/pictures/raster.ts'
import { cutRow } from '../../shared/engine/ocr/halves.ts'
import { startOcr } from '../../shared/engine/ocr/ocr.ts'
import type { Picture } from '../../shared/engine/ocr/picture.ts'

const [width, height] = [1200, 1600]

/** A white page on which `ink` says what is dark. */
const page = (ink: (x: number, y: number) => boolean, paper = 250): Picture => {
  const pixels = new Uint8Array(width * height).fill(paper)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (ink(x, y)) pixels[y * width + x] = 20
  return { width, height, channels: 1, pixels }
}

/** Lines of 30 rows, 20 of them ink: words of 60 pixels, 12 apart, which begin elsewhere on each line. */
const line = (y: number) => Math.floor(y / 30)
const isInk = (x: number, y: number) => x > 100 && x < 1100 && y % 30 < 20 && (x + 17 * line(y)) % 72 < 60

test('a page of lines is cut between two of them, near the middle', () => {
  const cut = cutRow(page(isInk)) ?? 0
  expect(cut % 30).toBeGreaterThanOrEqual(20)
  expect(Math.abs(cut - height / 2)).toBeLessThan(30)
})

test('a page is cut rather between paragraphs', () => {
  expect(cutRow(page((x, y) => isInk(x, y) && !(y > 600 && y < 660)))).toBe(630)
})

test('a page in colours is cut like a grey one, and not through letters of any colour', () => {
  const grey = page(isInk)
  const inColours = (tint: (x: number, y: number) => readonly number[]): Picture => {
    const pixels = new Uint8Array(3 * width * height)
    for (let at = 0; at < width * height; at++) pixels.set(tint(at % width, Math.floor(at / width)), 3 * at)
    return { width, height, channels: 3, pixels }
  }
  const [paper, yellow] = [
    [250, 250, 250],
    [255, 240, 0],
  ] as const
  expect(cutRow(inColours((x, y) => (isInk(x, y) ? yellow : paper)))).toBe(cutRow(grey))
  expect(cutRow(inColours((x, y) => (isInk(y, x) ? yellow : paper)))).toBeUndefined()
})

const whole: [string, Picture][] = [
  ['two columns', page((x, y) => isInk(x, y) && !(x > 580 && x < 640))],
  ['lines that run down', page((x, y) => isInk(y, x))],
  ['slanted lines', page((x, y) => isInk(x, (y + Math.floor(x / 20)) % height))],
  ['a photograph', page((x, y) => (x * y) % 3 === 0)],
  ['dark paper', page(isInk, 60)],
  ['an empty page', page(() => false)],
  ['a small picture', { ...page(isInk), height: 600 }],
]

test.each(whole)('%s: read whole', (_, picture) => {
  expect(cutRow(picture)).toBeUndefined()
})

test('a page that two threads read has the lines of the whole, where they stand', { timeout: 60_000 }, async () => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  const sheet = document.addPage([595, 842])
  const lines = Array.from({ length: 18 }, (_, n) => `Clause ${n + 11} binds the harbour and the northern bank alike`)
  lines.forEach((text, n) => {
    sheet.drawText(text, { x: 90, y: 740 - 36 * n, size: 16, font })
  })
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  const picture = reader.page(0, loaded => drawPage(reader, loaded, 200))
  reader.close()
  const cut = cutRow(picture) ?? 0
  expect(cut).toBeGreaterThan(0)
  const ocr = await startOcr(['eng'], new AbortController().signal)
  const read = await ocr.read(picture)
  await ocr.close()
  expect(read.lines.map(words => words.map(({ text }) => text).join(' '))).toEqual(lines)
  read.lines.forEach(([word], n) => {
    // 16 points above the line that the text stands on, at 200 dots per inch.
    const bottom = ((842 - 740 + 36 * n) * 200) / 72
    expect(word?.bottom).toBeGreaterThan(bottom - 20)
    expect(word?.bottom).toBeLessThan(bottom + 20)
  })
})
