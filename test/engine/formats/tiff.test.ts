import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Bitmap } from '../../../shared/engine/formats/image/bitmap.ts'
import { decodePng } from '../../../shared/engine/formats/image/codecs.ts'
import { decodeTiff, tiffSizes } from '../../../shared/engine/formats/image/tiff/read.ts'
import { encodeTiff } from '../../../shared/engine/formats/image/tiff/write.ts'
import { allOf } from './picture-samples.ts'

const folder = join(import.meta.dirname, 'tiff')
const samples = readdirSync(folder).filter(name => name.endsWith('.tif'))
const read = (name: string) => readFileSync(join(folder, name))
/** Largest difference of a value from libtiff's reading: JPEG decoders round differently, inks are mixed differently. */
const tolerance = (name: string) => (/jpeg|cmyk/.test(name) ? 12 : name.startsWith('grey-16') ? 1 : 0)

/** A value of a picture as if it had colours and opacity. */
const valueAt = ({ channels, data }: Bitmap, at: number) =>
  channels !== 1 ? data[at]! : at % 4 === 3 ? 255 : data[at >> 2]!

describe('TIFF as libtiff reads it', () => {
  test('there are samples', () => expect(samples.length).toBeGreaterThan(20))
  test.each(samples)('%s', async name => {
    const [page] = await allOf(decodeTiff(read(name)))
    const wanted = await decodePng(read(name.replace('.tif', '.png')))
    expect([page!.width, page!.height]).toEqual([wanted.width, wanted.height])
    expect(tiffSizes(read(name))[0]).toMatchObject({ width: wanted.width, height: wanted.height })
    let most = 0
    wanted.data.forEach((value, at) => {
      // What is wholly transparent shows nothing.
      if (wanted.data[at | 3] !== 0) most = Math.max(most, Math.abs(value - valueAt(page!, at)))
    })
    expect(most).toBeLessThanOrEqual(tolerance(name))
  })
})

test('what is written is read again, pixel by pixel', async () => {
  for (const name of ['rgba-lzw.tif', samples.find(one => one.startsWith('grey'))!]) {
    const pages = await allOf(decodeTiff(read(name)))
    expect(await allOf(decodeTiff(await encodeTiff(pages)))).toEqual(pages)
  }
})

test('a fourth sample is opacity where nothing is said of it', async () => {
  const opaque: Bitmap = { width: 2, height: 1, data: new Uint8ClampedArray([9, 8, 7, 255, 60, 50, 40, 128]) }
  const bytes = Buffer.from(await encodeTiff([opaque]))
  const tag = bytes.indexOf(Buffer.from([338 & 255, 338 >> 8, 3, 0]))
  bytes.writeUInt16LE(337, tag)
  const [page] = await allOf(decodeTiff(bytes))
  // Colours are those that were multiplied by it.
  expect([...page!.data]).toEqual([9, 8, 7, 255, 120, 100, 80, 128])
})

/** What becomes of a file: pixels, as many as it tells of, or an error that says what is wrong with it. */
async function outcomeOf(bytes: Uint8Array): Promise<string> {
  try {
    const sizes = tiffSizes(bytes).map(({ width, height }) => width * height)
    if (sizes.reduce((sum, pixels) => sum + pixels, 0) >= 1e7) return 'too large to try'
    const pages = await allOf(decodeTiff(bytes))
    const read = pages.map(({ data, channels = 4 }) => data.length / channels)
    return isDeepStrictEqual(read, sizes) ? 'pixels' : `${read} pixels instead of ${sizes}`
  } catch (error) {
    // These are faults of the reader, not of the file.
    return error instanceof TypeError || error instanceof RangeError ? String(error) : 'refused'
  }
}

describe('hostile TIFFs', () => {
  test.each(samples)('%s cut off anywhere or with any byte changed ends in pixels or a named error', async name => {
    const whole = read(name)
    const step = Math.max(1, Math.floor(whole.length / 12))
    const outcomes = new Set<string>()
    for (let at = 8; at < whole.length; at += step) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 0xff
      for (const bytes of [whole.subarray(0, at), changed]) outcomes.add(await outcomeOf(bytes))
    }
    expect([...outcomes].filter(one => !['pixels', 'refused', 'too large to try'].includes(one))).toEqual([])
    expect(outcomes).toContain('refused')
  })

  test('strips that decompress to more than there is room for are not decompressed further', async () => {
    const begun = process.cpuUsage()
    const bomb = await encodeTiff([{ width: 4000, height: 4000, data: new Uint8ClampedArray(4000 * 4000 * 4) }])
    // A picture of one row, with the strip of four thousand.
    const place = bomb.length - (2 + 11 * 12 + 4) + 2
    bomb.set([1, 0, 0, 0], place + 12 + 8)
    await expect(allOf(decodeTiff(bomb))).rejects.toThrow()
    expect(process.cpuUsage(begun).user).toBeLessThan(5e6)
  })
})

const hang = join(import.meta.dirname, '../../../../shared/corpus/found/19-tiff-hang.tif')
test.skipIf(!existsSync(hang))('a damaged page of a fax machine is refused at once', () => {
  expect(() => tiffSizes(readFileSync(hang))).toThrow('not supported')
})
