import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EngineError } from '../../../shared/engine/errors.ts'
import { type Bitmap, holdsUnseen, rgba } from '../../../shared/engine/formats/image/bitmap.ts'
import { decodeJpeg, decodeWebp, encodeJpeg, encodeWebp } from '../../../shared/engine/formats/image/codecs.ts'
import { segmentsOf } from '../../../shared/engine/formats/image/jpeg-segments.ts'
import { encodeInStrips } from '../../../shared/engine/formats/image/jpeg-strips.ts'
import { type Kind, kinds } from '../../../shared/engine/formats/image/kinds.ts'
import { forReading } from '../../../shared/engine/formats/image/ocr-bitmap.ts'
import { turned } from '../../../shared/engine/formats/image/orientation.ts'
import { stripJpeg } from '../../../shared/engine/formats/image/sanitise.ts'
import { encodeTiff } from '../../../shared/engine/formats/image/tiff/write.ts'
import { verifyImage } from '../../../shared/engine/formats/image/verify.ts'
import { formatOf, registry } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { doubtfulReadings } from '../../../shared/engine/ocr/doubt.ts'
import { startOcr } from '../../../shared/engine/ocr/ocr.ts'
import type { OcrWord } from '../../../shared/engine/ocr/picture.ts'
import { levelled } from '../../../shared/engine/ocr/slant.ts'
import { call, regexRule } from '../call.ts'
import { allOf, typedBitmap, typedPicture, wavy } from './picture-samples.ts'

const lines = ['Contract between Zacharias Quorum', 'and the Northern Harbour Bank', 'signed on the first of May']
const picture = await typedBitmap(lines)

const run = async (bytes: Uint8Array, pattern = 'Zacharias Quorum') => {
  const result = await anonymise(call({ input: bufferInput('picture', bytes), rules: [regexRule('name', pattern)] }))
  return { result, bytes: await result.output.read(0, result.output.size) }
}

const linesIn = async ({ width, height, data }: Bitmap): Promise<OcrWord[][]> => {
  const ocr = await startOcr(['eng'], new AbortController().signal)
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => data[i * 4]!)
  const { lines: found } = await ocr.read({ width, height, channels: 1, pixels })
  await ocr.close()
  return found
}

const read = async (bitmap: Bitmap): Promise<string> =>
  (await linesIn(bitmap)).map(line => line.map(word => word.text).join(' ')).join('\n')

/** A JPEG with a segment of metadata (application data of that number) after its first marker. */
const withSegment = (jpeg: Uint8Array, number: number, payload: Buffer): Buffer => {
  const head = Buffer.from([0xff, 0xe0 + number, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, payload, jpeg.subarray(2)])
}

/** Exif data (little-endian) with an orientation and a maker's name. */
const exif = (orientation: number, maker: string): Buffer => {
  const tiff = Buffer.alloc(8 + 2 + 24 + 4 + maker.length)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  entry(10, 0x010f, 2, maker.length, 38)
  entry(22, 0x0112, 3, 1, orientation)
  tiff.write(maker, 38, 'latin1')
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

const cases: [string, Kind][] = kinds.map(kind => [kind.id, kind])

describe('pictures', () => {
  test.each(cases)('%s: is read and painted over', async (id, kind) => {
    const bytes = await kind.encode([picture], new Uint8Array())
    expect(formatOf(bytes, 'picture').id).toBe(id)
    const { result, bytes: output } = await run(bytes)
    expect(result.findings[0]?.count).toBe(1)
    const [shown] = await allOf(kind.decode(output))
    expect([shown?.width, shown?.height]).toEqual([picture.width, picture.height])
    const text = await read(shown!)
    expect(text).not.toMatch(/Zachar|Quorum/)
    expect(text).toContain('Northern Harbour Bank')
  })

  test.each(cases)('%s: damaged or cut short, it fails by name or comes out whole', async (_, kind) => {
    const bytes = await kind.encode([picture], new Uint8Array())
    const outcomeOf = (length: number) =>
      run(bytes.subarray(0, length)).then(
        ({ bytes: output }) => output,
        (error: EngineError) => error.type,
      )
    const refusals = ['corrupt_file', 'unsupported_format']
    expect(refusals).toContain(await outcomeOf(16))
    for (const part of [0.01, 0.5]) {
      const outcome = await outcomeOf(Math.ceil(bytes.length * part))
      if (typeof outcome === 'string') expect(refusals).toContain(outcome)
      else {
        const [shown] = await allOf(kind.decode(outcome))
        expect([shown?.width, shown?.height]).toEqual([picture.width, picture.height])
        expect(await read(shown!)).not.toMatch(/Zachar|Quorum/)
      }
    }
  })

  test('metadata goes and the orientation is kept', async () => {
    const jpeg = await encodeJpeg(picture, 90)
    const tagged = withSegment(withSegment(jpeg, 1, exif(6, 'Zymaker')), 13, Buffer.from('Photoshop 3.0\0Zyiptc'))
    const { bytes } = await run(Buffer.concat([tagged, Buffer.from('Zytrailer')]), 'nothing to find')
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Zymaker|Zyiptc|Zytrailer|Exif|Photoshop/)
    const [turned] = await allOf(kinds[0]!.decode(bytes))
    expect([turned?.width, turned?.height]).toEqual([picture.height, picture.width])
  })

  test('bytes between the segments of a JPEG, which decoders pass over, hide none of them', async () => {
    const jpeg = Buffer.from(await encodeJpeg(picture, 90))
    const [end] = [...segmentsOf(jpeg)].map(segment => segment.end)
    const stray = Buffer.from('Zystray\xff\0\xff\xff', 'latin1')
    const behind = withSegment(jpeg.subarray(end! - 2), 1, exif(6, 'Zymaker')).subarray(2)
    const tagged = Buffer.concat([jpeg.subarray(0, end), stray, behind])
    expect(Buffer.from(stripJpeg(tagged)!).equals(jpeg)).toBe(true)
    const { bytes } = await run(tagged, 'nothing to find')
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Zy|Exif/)
    const [turned] = await allOf(kinds[0]!.decode(bytes))
    expect([turned?.width, turned?.height]).toEqual([picture.height, picture.width])
  })

  test('a value that was not painted over is found, wherever on the page its place is', async () => {
    const bytes = await kinds[1]!.encode([picture], new Uint8Array())
    const ocr = await startOcr(['eng'], new AbortController().signal)
    const { lines: read } = await ocr.read(forReading(picture, undefined))
    await ocr.close()
    const word = read.flat().find(({ text }) => text === 'Zacharias')!
    const expected = { digest: '', visible: [{ place: { kind: 'ocr' as const }, text: '' }], gone: ['Zacharias'] }
    const context = { ...call({ input: bufferInput('', bytes), rules: [] }), registry, options: {} }
    const check = (more: object) => verifyImage('png', bufferInput('', bytes), { ...expected, ...more }, context)
    const here = { place: { kind: 'ocr' as const, page: 1 }, ...word }
    expect(await check({ painted: [here] })).toMatchObject([{ type: 'leak_detected', place: { page: 1 } }])
    const everywhere = { ...here, left: 0, top: 0, right: picture.width, bottom: picture.height }
    expect(await check({ painted: [everywhere] })).toMatchObject([{ type: 'leak_detected' }])
    const parted = { ...expected, gone: ['Doctor Zacharias'] }
    const whole = await verifyImage('png', bufferInput('', bytes), { ...parted, painted: [here] }, context)
    expect(whole).toMatchObject([{ type: 'leak_detected' }])
    const elsewhere = { ...here, top: picture.height - 40, bottom: picture.height - 10 }
    expect(await check({ painted: [elsewhere] })).toEqual([])
  })

  test('a scan of 300 dots per inch is read at 200, but never so small that type could be lost', () => {
    const page = { width: 2480, height: 3508, data: new Uint8ClampedArray(2480 * 3508 * 4).fill(255) }
    expect([forReading(page, 300).width, forReading(page, 300).height]).toEqual([1653, 2338])
    expect(forReading(page, undefined).factor).toBe(1)
    const small = { width: 900, height: 600, data: new Uint8ClampedArray(900 * 600 * 4) }
    expect(forReading(small, 1200).factor).toBe(1)
    expect(new Set(forReading(small, 1200).pixels)).toEqual(new Set([255]))
  })

  test('every page of a TIFF is examined', async () => {
    const other = await typedBitmap(['A second page about Zacharias Quorum', 'and nothing else'])
    const { result, bytes } = await run(await encodeTiff([picture, other]))
    expect(result.findings[0]?.count).toBe(2)
    const pages = await allOf(kinds.find(({ id }) => id === 'tiff')!.decode(bytes))
    expect(pages).toHaveLength(2)
    expect(await read(pages[1]!)).not.toMatch(/Zachar|Quorum/)
  })

  test('a picture too large to decode is refused before it is decoded', async () => {
    const png = Buffer.from(await kinds.find(({ id }) => id === 'png')!.encode([picture], new Uint8Array()))
    png.writeUInt32BE(60_000, 16)
    png.writeUInt32BE(60_000, 20)
    await expect(run(png)).rejects.toMatchObject({ type: 'limit_exceeded' })
  })

  test('moving pictures are refused', async () => {
    const header = Buffer.alloc(30)
    header.write('RIFF', 0)
    header.writeUInt32LE(22, 4)
    header.write('WEBPVP8X', 8)
    header.writeUInt32LE(10, 16)
    header[20] = 2
    await expect(run(header)).rejects.toMatchObject({ type: 'unsupported_format' })
  })

  const samples = new URL('../../../../shared/corpus/image/', import.meta.url)
  test.skipIf(!existsSync(samples))('a photograph loses where it was taken', async () => {
    const { bytes } = await run(readFileSync(new URL('testJPEG_GEO.jpg', samples)))
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Canon|Exif|adobe|8BIM|moscow/)
  })
  test.skipIf(!existsSync(samples))('a TIFF of several pages comes out whole', async () => {
    const { bytes } = await run(readFileSync(new URL('testTIFF_multipage.tif', samples)))
    expect((await allOf(kinds.find(({ id }) => id === 'tiff')!.decode(bytes))).length).toBeGreaterThan(1)
  })
})

describe('what hides in opacity', () => {
  const over = (data: Uint8ClampedArray, pixel: (at: number) => [number, number, number, number]) => {
    for (let at = 0; at < data.length; at += 4) data.set(pixel(at), at)
    return data
  }
  const png = async (bitmap: Bitmap) => kinds.find(({ id }) => id === 'png')!.encode([bitmap], new Uint8Array())
  const colours = async (bytes: Uint8Array) =>
    (await allOf(kinds.find(({ id }) => id === 'png')!.decode(bytes)))[0]!.data

  test('colours of pixels that show nothing go, whether anything is found or not', async () => {
    const data = over(picture.data.slice(), at => [picture.data[at]!, picture.data[at + 1]!, picture.data[at + 2]!, 0])
    const { bytes } = await run(await png({ ...picture, data }))
    expect((await colours(bytes)).every(value => value === 0)).toBe(true)
  })

  test('a WebP with loss that shows nothing in places comes out', async () => {
    const half = over(picture.data.slice(), at =>
      at < picture.data.length / 2 ? [200, picture.data[at]!, 0, 255] : [9, 9, 9, 0],
    )
    const { result, bytes } = await run(await encodeWebp({ ...picture, data: half }, 80))
    expect(result.findings[0]?.count).toBe(1)
    expect(result.format).toBe('webp')
    expect(holdsUnseen(await decodeWebp(bytes))).toBe(false)
  })

  test('white letters on nothing are read', async () => {
    const data = over(picture.data.slice(), at => [255, 255, 255, 255 - picture.data[at]!])
    const { result, bytes } = await run(await png({ ...picture, data }))
    expect(result.findings[0]?.count).toBe(1)
    const left = await colours(bytes)
    const onBlack = left.map((value, at) => (at % 4 === 3 ? 255 : (value * left[at | 3]!) / 255))
    expect(await read({ ...picture, data: onBlack })).not.toMatch(/Zachar|Quorum/)
  })
})

test('a JPEG of four inks is read and comes back as one of three colours', async () => {
  const inks = Buffer.from(readFileSync(new URL('picture-inks.jpg', import.meta.url)))
  const { result, bytes } = await run(inks, 'Margaret Johnson')
  expect(result.findings[0]?.count).toBe(1)
  const [page] = await allOf(kinds.find(({ id }) => id === 'jpg')!.decode(bytes))
  expect(await read(page!)).not.toMatch(/Margaret|Johnson/)
})

test('type of the size of a screenshot is read, covered, and nothing beside it', async () => {
  const reduced = (step: number): Bitmap => {
    const [width, height] = [Math.floor(picture.width / step), Math.floor(picture.height / step)]
    const data = new Uint8ClampedArray(width * height * 4).fill(255)
    for (let at = 0; at < width * height; at++) {
      let sum = 0
      for (let y = 0; y < step; y++)
        for (let x = 0; x < step; x++)
          sum += picture.data[((Math.floor(at / width) * step + y) * picture.width + (at % width) * step + x) * 4]!
      data.fill(sum / step ** 2, at * 4, at * 4 + 3)
    }
    return { width, height, data }
  }
  for (const step of [3, 4]) {
    const small = reduced(step)
    const png = kinds.find(({ id }) => id === 'png')!
    const { result, bytes } = await run(await png.encode([small], new Uint8Array()))
    expect(result.findings[0]?.count).toBe(1)
    const [left] = await allOf(png.decode(bytes))
    // Only the first line, in the upper part, has changed.
    const changed = small.data.findLastIndex((value, at) => value !== left!.data[at])
    expect(changed / small.data.length).toBeLessThan(0.35)
  }
})

test.each([
  ['on its side', 6],
  ['upside down', 3],
])('a picture %s is read', async (_, orientation) => {
  const png = kinds.find(({ id }) => id === 'png')!
  const { result, bytes } = await run(await png.encode([turned(picture, orientation)], new Uint8Array()))
  expect(result.findings[0]?.count).toBe(1)
  const [left] = await allOf(png.decode(bytes))
  const [first, ...others] = (await read(turned(left!, orientation === 6 ? 8 : 3))).split('\n')
  expect(first).toMatch(/^Contract betwee/)
  expect(first).not.toMatch(/Zach|rias|Quor/)
  expect(others).toEqual(lines.slice(1))
})

test.each([-7, 3])(
  'a picture turned by %i degrees is read, covered along its lines, and read again there',
  async degrees => {
    const slant = (degrees * Math.PI) / 180
    const { width, height, pixels } = levelled(await typedPicture(lines), -slant)
    const bitmap = rgba({ width, height, channels: 1, pixels })
    const bytes = await kinds[1]!.encode([bitmap], new Uint8Array())
    const { result, bytes: output } = await run(bytes)
    expect(result.findings[0]?.count).toBe(1)
    const [shown] = await allOf(kinds[1]!.decode(output))
    expect((await read(shown!)).split('\n')).toEqual([expect.not.stringMatching(/Zach|rias|Quor/), ...lines.slice(1)])
    // Nothing but a stripe has changed, about as high as the line.
    const [cos, sin] = [Math.cos(slant), Math.sin(slant)]
    const across = Array.from(shown!.data.keys())
      .filter(at => shown!.data[at] !== bitmap.data[at])
      .map(at => Math.floor(at / 4 / width) * cos - (Math.floor(at / 4) % width) * sin)
    expect(across.length).toBeGreaterThan(0)
    const stripe = across.reduce(
      ([low, high], at) => [Math.min(low!, at), Math.max(high!, at)],
      [across[0]!, across[0]!],
    )
    expect(stripe[1]! - stripe[0]!).toBeLessThan(75)
    const context = { ...call({ input: bufferInput('', bytes), rules: [] }), registry, options: {} }
    const expected = { digest: '', visible: [{ place: { kind: 'ocr' as const }, text: '' }], gone: ['Zacharias'] }
    const painted = [
      {
        place: { kind: 'ocr' as const, page: 1 },
        ...(await linesIn(bitmap)).flat().find(({ text }) => text === 'Zacharias')!,
      },
    ]
    expect(painted[0]!.slant).toBeCloseTo(slant, 2)
    expect(await verifyImage('png', bufferInput('', bytes), { ...expected, painted }, context)).toMatchObject([
      { type: 'leak_detected' },
    ])
    expect(await verifyImage('png', bufferInput('', output), { ...expected, painted }, context)).toEqual([])
  },
)

test('what could hardly be read is said, and refused where more is asked for', () => {
  const word = { text: 'x', confidence: 0.3, left: 0, top: 0, right: 9, bottom: 9 }
  const readings = [
    { page: 1, words: Array(9).fill(word), confidence: 0.3 },
    { page: 2, words: [word], confidence: 0.1 },
    { page: 3, words: Array(9).fill(word), confidence: 0.9 },
  ]
  expect(doubtfulReadings(readings, {})).toEqual(['Text in pictures could hardly be read on: page 1'])
  expect(doubtfulReadings(readings.slice(1), { ocrMinConfidence: 0.8 })).toEqual([])
  expect(() => doubtfulReadings(readings, { ocrMinConfidence: 0.4 })).toThrow('page 1 cannot be read well enough')
})

describe('what could hardly be read', async () => {
  const png = await kinds.find(({ id }) => id === 'png')!.encode([wavy(picture)], new Uint8Array())
  const job = (bytes: Uint8Array, options = {}) =>
    anonymise(call({ input: bufferInput('wet', bytes), rules: [regexRule('name', 'Quorum')], options }))

  test('is said of a picture', async () => {
    const { report } = await job(png)
    expect(report.ocr!.confidence).toBeLessThan(0.5)
    expect(report.warnings).toContain('Text in pictures could hardly be read on: page 1')
  })

  test('fails a picture on a page where more is asked for', async () => {
    await expect(job(await onPage(png), { ocrMinConfidence: 0.6 })).rejects.toMatchObject({
      type: 'unsupported_format',
      message: 'The text in pictures on page 1 cannot be read well enough',
    })
  })
})

async function onPage(png: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage([420, 300]).drawImage(await document.embedPng(png), { width: 420, height: 300 })
  return document.save()
}

test('a JPEG that is encoded in strips shows what each strip shows', async () => {
  const [width, height] = [1200, 4500]
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    const row = picture.data.subarray(
      (y % picture.height) * picture.width * 4,
      ((y % picture.height) + 1) * picture.width * 4,
    )
    data.set(row.subarray(0, Math.min(row.length, width * 4)), y * width * 4)
    for (let x = 0; x < 90; x++)
      data.fill((x * y) % 256, (y * width + width - 1 - x) * 4, (y * width + width - x) * 4 - 1)
  }
  const bitmap = { width, height, data }
  for (const shades of ['all', 'grey'] as const) {
    const strips: Buffer[] = []
    const shown = await decodeJpeg(
      await encodeInStrips(bitmap, async strip => {
        const bytes = await encodeJpeg(strip, 92, shades)
        strips.push(Buffer.from((await decodeJpeg(bytes)).data))
        return bytes
      }),
    )
    expect(strips.length).toBeGreaterThan(2)
    expect([shown.width, shown.height]).toEqual([width, height])
    expect(Buffer.from(shown.data.buffer).equals(Buffer.concat(strips))).toBe(true)
  }
})

test('a page of A3 at 600 dots per inch is read in little more memory than a small one', {
  timeout: 240_000,
}, async () => {
  const [width, height] = [7016, 9921]
  const data = new Uint8ClampedArray(width * height).fill(255)
  for (let y = 0; y < picture.height * 3; y++)
    for (let x = 0; x < picture.width * 3; x++)
      data[(y + 600) * width + x + 600] = picture.data[(Math.floor(y / 3) * picture.width + Math.floor(x / 3)) * 4]!
  const folder = mkdtempSync(join(tmpdir(), 'large-'))
  const path = join(folder, 'a.tif')
  writeFileSync(path, await encodeTiff([{ width, height, channels: 1, data }]))
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'hostile-child.ts'),
    path,
  ]).finally(() => rmSync(folder, { recursive: true }))
  const { outcome, mebibytes } = JSON.parse(stdout) as { outcome: string; mebibytes: number }
  expect(outcome).toBe('clean')
  // An engine at rest takes about 100.
  expect(mebibytes).toBeLessThan(100 + 512)
})

test.each([
  ['in colour', 4, 8400],
  ['in grey', 1, 10_100],
])('a TIFF %s that is too large is refused before it is decoded', async (_, channels, side) => {
  const tiff = Buffer.from(
    await encodeTiff([
      { width: 8, height: 8, channels: channels as 1 | 4, data: new Uint8ClampedArray(64 * channels) },
    ]),
  )
  for (let at = tiff.readUInt32LE(4) + 2, n = tiff.readUInt16LE(at - 2); n > 0; n--, at += 12)
    if ([256, 257].includes(tiff.readUInt16LE(at))) tiff.writeUInt32LE(side, at + 8)
  await expect(run(tiff)).rejects.toMatchObject({ type: 'limit_exceeded' })
})
