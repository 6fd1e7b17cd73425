import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import type { Look } from '../../../shared/engine/formats/format.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { rasterise } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import { fineLookOf, looksTheSame, spread } from '../../../shared/engine/formats/pdf/verify/looks.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { differing, drawnByPoppler, hasPoppler } from './pdf-poppler.ts'
import { shared } from './pdf-redacted.ts'

const size = { width: 400, height: 300, channels: 1 as const }
const sheet = (ink: [x: number, y: number, side: number][]) => {
  const pixels = new Uint8Array(size.width * size.height).fill(255)
  for (const [x, y, side] of ink)
    for (let row = y; row < y + side; row++) pixels.fill(0, row * size.width + x, row * size.width + x + side)
  return { ...size, pixels }
}
const look = (more: Partial<Look> = {}): Look => ({
  ...sheet([
    [50, 50, 6],
    [200, 100, 6],
  ]),
  page: 1,
  boxes: [],
  redrawn: false,
  fine: false,
  ...more,
})

describe('comparing how pages look', () => {
  test('a page that did not change is the same', () => expect(looksTheSame(look(), look())).toBe(true))
  test.each([false, true])('one letter less is seen (redrawn: %s)', redrawn => {
    expect(looksTheSame(look({ redrawn: false }), sheet([[50, 50, 6]]))).toBe(false)
    const boxes = [{ left: 195, top: 95, right: 210, bottom: 110 }]
    expect(looksTheSame(look({ redrawn, boxes }), sheet([[50, 50, 6]]))).toBe(true)
  })
  test('a letter more is seen, beside a box too', () => {
    const boxes = [{ left: 195, top: 95, right: 210, bottom: 110 }]
    expect(
      looksTheSame(look({ boxes }), {
        ...look(),
        pixels: sheet([
          [50, 50, 6],
          [200, 100, 6],
          [220, 100, 6],
        ]).pixels,
      }),
    ).toBe(false)
  })
  test('pages of a long document are spread over all of it', () => {
    const pages = Array.from({ length: 100 }, (_, i) => i)
    expect(spread(pages, 5)).toEqual([0, 25, 50, 74, 99])
    expect(spread(pages.slice(0, 3), 5)).toEqual([0, 1, 2])
  })
})

test('a page of thin lines looks the same as a picture, and one with a word less does not', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `${20 + 3.3 * i} 20 m ${30 + 3.3 * i} 180 l S`)
  const drawn = async (content: string[]) => {
    const document = await PDFDocument.create({ updateMetadata: false })
    const page = document.addPage([240, 200])
    const stream = document.context.flateStream(`0 0 1 RG 0.2 w ${content.join(' ')}`)
    page.node.set(PDFName.of('Contents'), document.context.register(stream))
    return document
  }
  const lookAt = async (document: PDFDocument) => {
    const reader = await openReader(await document.save())
    const picture = reader.page(0, page => fineLookOf(reader, page))
    return { reader, picture }
  }
  const whole = await drawn([...lines, '100 184 40 12 re f'])
  const before = await lookAt(whole)
  const less = await lookAt(await drawn(lines))
  const looked = look({ ...before.picture, redrawn: true, fine: true })
  await rasterise(whole, before.reader, 0, 150)
  const after = await lookAt(whole)
  expect(looksTheSame(looked, after.picture)).toBe(true)
  expect(looksTheSame(looked, less.picture)).toBe(false)
  for (const { reader } of [before, less, after]) reader.close()
})

/** Of the large set each twenty-fourth file; `PDF_CORPUS=all` takes all of them. */
const every = process.env.PDF_CORPUS === 'all' ? 1 : 24
const files = [
  ['corpus/found', 1],
  ['corpus/pdf', 1],
  ['data/open/robust/pdfjs', every],
].flatMap(([folder, step]) => {
  const path = join(shared, folder as string)
  const names = existsSync(path) ? readdirSync(path).filter(name => name.endsWith('.pdf')) : []
  return names.filter((_, i) => i % (step as number) === 0).map(name => join(path, name))
})

/** Files that poppler draws otherwise for a reason that is not the product's, and the share of pixels that it may be. */
const otherwise = new Map([
  // It draws the appearance of annotations by its own rules; they are content now, as PDFium draws them.
  ['13-pdf-noview.pdf', 0.002],
  ['annotation-tx.pdf', 0.002],
  ['bug1538111.pdf', 0.01],
  ['issue13447.pdf', 0.02],
  ['issue14565.pdf', 0.01],
  ['issue18823.pdf', 0.03],
  ['issue6204.pdf', 0.002],
  ['rc_annotation.pdf', 0.06],
  ['red_stamp.pdf', 0.2],
  // It draws what lies outside of the crop box, where a picture is that no page shows.
  ['11-pdf-image-cropped.pdf', 0.005],
  // Text in Type 3 glyphs goes, and is reported.
  ['ContentStreamCycleType3insideType3.pdf', 0.01],
  // Edges of letters and rules move by a fraction of a pixel, since numbers are written with fewer digits.
  ['issue11915.pdf', 0.002],
  ['issue18030.pdf', 0.06],
])

describe('pages without a match look as before to poppler', () => {
  let refused = 0
  if (!hasPoppler || files.length === 0) test.skip('poppler or the files are missing')
  test.skipIf(!hasPoppler || files.length === 0).each(files.map(path => [path.slice(shared.length), path]))(
    '%s',
    { timeout: 120_000 },
    async (name, path) => {
      const before = readFileSync(path)
      const done = await anonymise(
        call({ input: bufferInput('file.pdf', before), rules: [regexRule('x', 'nothing at all')] }),
      ).catch((error: unknown) => {
        if (!(error instanceof EngineError) || /look/.test(error.message)) throw error
        refused++
        return undefined
      })
      if (!done) return
      const { output, report } = done
      const old = drawnByPoppler(before, 60)
      const fresh = drawnByPoppler(await output.read(0, output.size), 60)
      const most = otherwise.get(name.split('/').at(-1) as string) ?? 0.0005
      const different = old.flatMap((page, index) => {
        const share = report.rasterised.includes(index + 1) ? 0 : differing(page, fresh[index])
        return share > most ? [{ page: index + 1, share }] : []
      })
      expect(different).toEqual([])
    },
  )
  test.skipIf(!hasPoppler || files.length === 0)('few of them are refused', () => {
    // Damaged and encrypted ones, of which each set has some on purpose.
    expect(refused).toBeLessThanOrEqual(0.1 * files.length)
  })
})
