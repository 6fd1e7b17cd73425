import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test, vi } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { encodePage } from '../../../shared/engine/formats/image/codecs.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { pictureReader } from '../../../shared/engine/formats/pdf/pictures/pictures.ts'
import { drawPage } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import { isBlank } from '../../../shared/engine/formats/pdf/pictures/views.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { startOcr } from '../../../shared/engine/ocr/ocr.ts'
import type { OcrReader, OcrResult } from '../../../shared/engine/ocr/picture.ts'
import { levelled } from '../../../shared/engine/ocr/slant.ts'
import { call, regexRule } from '../call.ts'
import { typedPicture } from './picture-samples.ts'

const lines = ['Contract between Zacharias Quorum', 'and the Northern Harbour Bank', 'signed on the first of May']

/** A page that is a picture of some lines, as a scanner makes it; turned pages are shown upright. */
const scan = async (rotation: number, invisible?: string, slant = 0, shown = lines, step = 40): Promise<Uint8Array> => {
  const picture = await encodePage(levelled(await typedPicture(shown, 300, step), (-slant * Math.PI) / 180), 90)
  const document = await PDFDocument.create()
  const image = await document.embedJpg(picture)
  const upright = rotation % 180 === 0
  const page = document.addPage(upright ? [420, 300] : [300, 420])
  page.setRotation(degrees(rotation))
  const place = [
    { x: 0, y: 0 },
    { x: 300, y: 0 },
    { x: 420, y: 300 },
    { x: 0, y: 420 },
  ][rotation / 90]
  page.drawImage(image, { ...place, width: 420, height: 300, rotate: degrees(rotation) })
  if (invisible) {
    const font = await document.embedFont(StandardFonts.Helvetica)
    page.drawText(invisible, { x: 30, y: 240, size: 18, font, renderMode: 3 })
  }
  return document.save({ useObjectStreams: false })
}

const run = async (bytes: Uint8Array, pattern: string) => {
  const input = bufferInput('scan.pdf', bytes)
  const result = await anonymise(call({ input, rules: [regexRule('name', pattern)] }))
  return { result, bytes: await result.output.read(0, result.output.size) }
}

const read = async (bytes: Uint8Array, page = 0): Promise<string> => {
  const reader = await openReader(bytes)
  const pictures = pictureReader(reader, new Set(), () => startOcr(['eng'], new AbortController().signal))
  try {
    return (await pictures.read(page))?.text ?? ''
  } finally {
    await pictures.close()
    reader.close()
  }
}

test('what was hidden of a page shows again', async () => {
  const reader = await openReader(await scan(0))
  const drawn = (hides: boolean) =>
    reader.hiding(0, (page, hide) => {
      if (hides) hide(reader.pdfium.FPDFPage_GetObject(page, 0))
      return drawPage(reader, page, 40)
    })
  const whole = drawn(false)
  expect(isBlank(whole)).toBe(false)
  expect(isBlank(drawn(true))).toBe(true)
  expect(drawn(false)).toEqual(whole)
  reader.close()
})

test('the next page is read together with the one that is asked for, and fails in its own turn', async () => {
  const document = await PDFDocument.create()
  for (const line of ['The first page', 'Another page', 'The last page']) {
    const image = await document.embedJpg(await encodePage(await typedPicture([line]), 90))
    document.addPage([840, 600]).drawImage(image, { x: 0, y: 0, width: 840, height: 600 })
  }
  const reader = await openReader(await document.save())
  const started: PromiseWithResolvers<OcrResult>[] = []
  const ocr: OcrReader = {
    read() {
      const result = Promise.withResolvers<OcrResult>()
      started.push(result)
      return result.promise
    },
    close: async () => {},
  }
  const pictures = pictureReader(reader, new Set(), async () => ocr)
  const answer = (n: number) => started[n]!.resolve({ lines: [], confidence: 0 })
  const first = pictures.read(0, 1)
  await vi.waitFor(() => expect(started).toHaveLength(2))
  answer(0)
  expect(await first).toMatchObject({ text: '' })
  const second = pictures.read(1, 2)
  await vi.waitFor(() => expect(started).toHaveLength(3))
  answer(1)
  await second
  started[2]!.reject(new Error('unreadable'))
  await new Promise(resolve => setImmediate(resolve))
  const last = pictures.read(2)
  await vi.waitFor(() => expect(started).toHaveLength(4))
  started[3]!.reject(new Error('unreadable'))
  await expect(last).rejects.toThrow('unreadable')
  reader.close()
})

describe('pictures on pages', () => {
  test.each([0, 90, 180, 270])('a scan turned by %i degrees is read and painted over', async rotation => {
    const { result, bytes } = await run(await scan(rotation), 'Zacharias Quorum')
    expect(result.findings[0]?.count).toBe(1)
    expect(result.report.rasterised).toEqual([1])
    expect(result.report.ocr?.pages).toBe(1)
    const text = await read(bytes)
    expect(text).not.toMatch(/Zachar|Quorum/)
    expect(text).toContain('Contract between')
    expect(text).toContain('Northern Harbour Bank')
  })

  test.each([
    [0, 3],
    [90, -6],
  ])(
    'a scan on a page turned by %i degrees whose lines slant by %i is read and painted over',
    async (rotation, slant) => {
      const { result, bytes } = await run(await scan(rotation, undefined, slant), 'Zacharias Quorum')
      expect(result.findings[0]?.count).toBe(1)
      const text = await read(bytes)
      expect(text).not.toMatch(/Zach|rias|Quor/)
      expect(text).toContain('Contract between')
      expect(text).toContain('Northern Harbour Bank\nsigned on the first of May')
    },
  )

  test.each(['Anna Meyer-Landau', 'ZX-48213', 'anonymous'])('%s goes where a line ends at a hyphen', async value => {
    const broken = ['By the anony-', 'mous Anna Meyer-', 'Landau of case ZX-', '48213 in the Harbour']
    const { result, bytes } = await run(await scan(0, undefined, 0, broken), value)
    expect(result.findings[0]?.count).toBe(1)
    const text = await read(bytes)
    for (const part of value.split(/[ -]|(?<=anony)/)) expect(text).not.toContain(part)
    expect(text).toContain('in the Harbour')
  })

  test('a scan without a hit stays a scan', async () => {
    const { result } = await run(await scan(0), 'Nobody')
    expect(result.report.rasterised).toEqual([])
    expect(result.report.ocr?.confidence).toBeGreaterThan(0.8)
  })

  test('a grey scan with noise, too large without loss, becomes a JPEG that looks as before', async () => {
    const clear = await typedPicture(lines)
    let seed = 1
    const noisy = clear.pixels.map(shade => {
      seed = (seed * 48_271) % 0x7fffffff
      return Math.max(0, shade - (seed % 64))
    })
    const document = await PDFDocument.create()
    const image = await document.embedJpg(await encodePage({ ...clear, pixels: noisy }, 95))
    document.addPage([840, 600]).drawImage(image, { x: 0, y: 0, width: 840, height: 600 })
    const { result, bytes } = await run(await document.save(), 'Zacharias Quorum')
    expect(result.report.rasterised).toEqual([1])
    expect(Buffer.from(bytes).toString('latin1')).toContain('/DCTDecode')
    const text = await read(bytes)
    expect(text).not.toMatch(/Zachar|Quorum/)
    expect(text).toContain('Northern Harbour Bank')
  })

  test('invisible text over a scan takes the scan with it', async () => {
    const { result, bytes } = await run(await scan(0, 'C0ntract betvveen'), 'betvveen')
    expect(result.report.rasterised).toEqual([1])
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('betvveen')
  })

  test('pages of large scans come out that would not fit into memory together', async () => {
    const document = await PDFDocument.create()
    const [width, height, pages] = [3400, 4400, 13]
    const pixels = new Uint8Array(3 * width * height).fill(230)
    pixels.fill(0, 0, 3 * width * 40)
    const image = await document.embedJpg(await encodePage({ width, height, channels: 3, pixels }, 80))
    for (let page = 0; page < pages; page++)
      document.addPage([612, 792]).drawImage(image, { x: 0, y: 0, width: 612, height: 792 })
    const { result } = await run(await document.save(), 'Nobody')
    expect(result.report.ocr?.pages).toBe(pages)
  })

  test('a language without data is a named error', async () => {
    const input = bufferInput('scan.pdf', await scan(0))
    const wanted = anonymise(call({ input, rules: [regexRule('name', 'x')], options: { ocrLanguages: ['xyz'] } }))
    await expect(wanted).rejects.toMatchObject({ type: 'invalid_workflow' })
  })
})

describe('of a scan', () => {
  test.each([
    ['an address', String.raw`[\w.+-]+@[\w-]+(\.[\w-]+)+`, ['Write to', 'quirin.zylop', 'h@example.', 'org for it']],
    ['a number', String.raw`\b\d{22}\b`, ['The number is', '774550000000', '5839825774', 'or another']],
  ])('%s goes that a column is too narrow for', async (_, pattern, shown) => {
    const { result, bytes } = await run(await scan(0, undefined, 0, shown, 22), pattern)
    expect(result.findings[0]?.count).toBe(1)
    const left = await read(bytes)
    expect(left).not.toMatch(/zylo|ph@|example|4550|5839/)
    expect(left).toContain(shown[0])
  })

  test('a name goes that begins on one page and ends on the next', async () => {
    const document = await PDFDocument.create()
    const full = 'and all of this goes on and on'
    for (const shown of [
      [full, full, full, full, 'as was told by Quirin'],
      ['Zyloph and all the others', full],
    ]) {
      const image = await document.embedJpg(await encodePage(await typedPicture(shown), 90))
      document.addPage([840, 600]).drawImage(image, { x: 0, y: 0, width: 840, height: 600 })
    }
    const { result, bytes } = await run(await document.save(), String.raw`Quirin\sZyloph`)
    expect(result.findings[0]?.count).toBe(2)
    expect(await read(bytes)).not.toContain('Quirin')
    expect(await read(bytes, 1)).not.toContain('Zyloph')
    expect(await read(bytes, 1)).toContain('all the others')
  })

  test('words on two lines stay apart', async () => {
    const shown = ['informations', 'q@example.org', 'everything']
    const { result, bytes } = await run(await scan(0, undefined, 0, shown, 22), String.raw`\w+@[\w.]+`)
    expect(result.findings[0]?.count).toBe(1)
    expect(await read(bytes)).toMatch(/informations\s[\s\S]*everything/)
  })
})
