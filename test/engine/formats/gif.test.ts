import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { Bitmap } from '../../../shared/engine/formats/image/bitmap.ts'
import { readGif } from '../../../shared/engine/formats/image/gif/blocks.ts'
import { decodeGif } from '../../../shared/engine/formats/image/gif/read.ts'
import { encodeGif } from '../../../shared/engine/formats/image/gif/write.ts'
import { forReading } from '../../../shared/engine/formats/image/ocr-bitmap.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { startOcr } from '../../../shared/engine/ocr/ocr.ts'
import { call, regexRule } from '../call.ts'
import { allOf, typedBitmap } from './picture-samples.ts'

/** Files that Pillow wrote, and the first digits of the SHA-256 of what it reads in them, moment by moment. */
const byPillow: [name: string, base64: string, shows: string[]][] = [
  [
    'an interlaced picture',
    'R0lGODdhFAATAIMAAMfdAfHCazz95jD5DjSiD+SIdcNu2EQgggsNBAAAAAAAAAAAAAAAAAAAAAAAAAAAACwAAAAAFAATAEAIlAAPCBRAMIDBAQgBKCzAkAABhQAYFnBIAIFFAxgFHiCI0YBGggIMBkA4ACJDkSRNNnRoEQFGii07fix4cABIlAkXrqyIIKXOiSwvZjwgEaZQjwNpxhy6kebInDND1iz502FUnFQjrrw5VSVQnli9GnVpwKfWr0uRig1KFmnTomxlJpU6Vm5TqU/TXu0KwC7Xp1kZBgQAOw==',
    ['fe804dedc879bd1c'],
  ],
  [
    'a moving picture',
    'R0lGODlhDAAJAIIAAL7jiVHcyYBsErhWnRwuKwAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEDAAAh/g5NYWRlIGJ5IFp5YW5uZQAh+QQABwAAACwAAAAADAAJAAAINgAJCBxAUIDBAAgFEiA4wKAAhAEYOoQIoKLEgwgrApiYsaJCjgE0KqTocSBBkgAUMhRpsqHBgAAh+QQBCAAGACwAAAAADAAJAIJi8PNNxwfwhHfLTXbyIQZ5Qr0AAAAAAAAIOQALCCRAUIBBAAgFFiBIwKAAhAAYOoQ4oKLEgwgrDpiYsWKAjxwBaPwYgKLHjwpNDiCpcCTKgQQDAgAh+QQBCQAMACwGAAAABgAJAINi8PNNxwdxuI3NlB54mzTwhHfLTXbyIQZ5Qr1tDYVYNoYuIgoAAAAAAAAAAAAAAAAIIwAXCBxAUOACgggHCFiIcKFDAQoiOoxIUUGCixQvakxAoGNAADs=',
    ['7afdf188afd2a6f0', 'f23837d71884cd26', '690b7f7443a086b6'],
  ],
  [
    'pictures with holes that come and go',
    'R0lGODlhCAAIAIEAAAAAAP8AAAAAAAAAACH5BAUFAAAALAAAAAAIAAgAAAgaAAMIFAig4ECCBg8WBHAwwMKGCyNKnEixYEAAIfkEDQUAAAAsAAAAAAcABwCBAAAAAP8AAAAAAAAACBcAAQgcSLAggAAIEQpMqPAgw4UPHSYMCAAh+QQJBQAAACwBAAIABwAGAIEAAAAAAP8AAAAAAAAIEAABCBxIsKDBAAgTKlzIMCAAOw==',
    ['4145942be236bc7c', '32fdd4c9e3a8323f', '3b63076f776a51c0'],
  ],
]

const digest = ({ data }: Bitmap) => createHash('sha256').update(data).digest('hex').slice(0, 16)

const lines = ['Contract between Zacharias Quorum', 'and the Northern Harbour Bank', 'signed on the first of May']

const run = (bytes: Uint8Array) =>
  anonymise(call({ input: bufferInput('a.gif', bytes), rules: [regexRule('name', 'Zacharias Quorum')] }))

const read = async (bitmap: Bitmap): Promise<string> => {
  const ocr = await startOcr(['eng'], new AbortController().signal)
  const { lines: found } = await ocr.read(forReading(bitmap, undefined))
  await ocr.close()
  return found.map(line => line.map(word => word.text).join(' ')).join('\n')
}

describe('GIF', () => {
  test.each(byPillow)('reads %s as another program does', async (_, base64, shows) => {
    expect((await allOf(decodeGif(Buffer.from(base64, 'base64')))).map(digest)).toEqual(shows)
  })

  test.each(byPillow)('writes %s so that it shows the same', async (_, base64, shows) => {
    const source = Buffer.from(base64, 'base64')
    const output = await encodeGif(decodeGif(source), source)
    expect((await allOf(decodeGif(output))).map(digest)).toEqual(shows)
    const timing = (bytes: Uint8Array) => ({
      loops: readGif(bytes)?.loops,
      delays: readGif(bytes)?.frames.map(frame => frame.delay),
    })
    expect(timing(output)).toEqual(timing(source))
  })

  test('packs pictures in which no two pixels are alike', async () => {
    const data = new Uint8ClampedArray(300 * 200 * 4)
    let state = 1
    for (let at = 0; at < data.length; at += 4) {
      state = (state * 48_271) % 2_147_483_647
      data.set([state & 7, (state >> 3) & 7, (state >> 6) & 3, 255], at)
    }
    const picture = { width: 300, height: 200, data }
    expect((await allOf(decodeGif(await encodeGif([picture], new Uint8Array())))).map(digest)).toEqual([
      digest(picture),
    ])
  })

  test('is painted over in the moments that show a value, and only there', async () => {
    const moments = [await typedBitmap(['Nothing to see']), await typedBitmap(lines), await typedBitmap(lines.slice(1))]
    const comment = Buffer.concat([Buffer.from('21fe0e', 'hex'), Buffer.from('Made by Zyanne\0', 'latin1')])
    const made = Buffer.from(await encodeGif(moments, Buffer.from(byPillow[1]![1], 'base64')))
    const bytes = Buffer.concat([made.subarray(0, -1), comment, made.subarray(-1)])
    const { output, findings } = await run(bytes)
    expect(findings[0]?.count).toBe(1)
    const written = await output.read(0, output.size)
    expect(Buffer.from(written).includes('Zyanne')).toBe(false)
    expect(readGif(written)).toMatchObject({ loops: 3, frames: [{ delay: 7 }, { delay: 8 }, { delay: 9 }] })
    const before = (await allOf(decodeGif(bytes))).map(digest)
    const after = await allOf(decodeGif(written))
    expect(after.map(digest).map((one, index) => one === before[index])).toEqual([true, false, true])
    const text = await read(after[1]!)
    expect(text).not.toMatch(/Zachar|Quorum/)
    expect(text).toContain('Northern Harbour Bank')
  })

  test('is refused where it moves for longer than can be looked at', async () => {
    const dot = { width: 8, height: 8, data: new Uint8ClampedArray(256).fill(255) }
    const moving = (count: number) =>
      encodeGif(
        Array.from({ length: count }, () => dot),
        new Uint8Array(),
      )
    await expect(run(await moving(33))).rejects.toMatchObject({ type: 'unsupported_format' })
    await expect(run(await moving(32))).resolves.toBeDefined()
  })

  test.each([
    [
      'a canvas of four thousand million pixels',
      '474946383961ffffffff00000 02c00000000010001000002024401003b',
      'limit_exceeded',
    ],
    [
      'a picture far larger than its canvas',
      '4749463839610100010000000 02c00000000ffffffff0002024401003b',
      'corrupt_file',
    ],
    ['a code that is none', '4749463839610a000a00000000 2c000000000a000a00000202ff7f003b', 'corrupt_file'],
  ])('refuses %s', async (_, hex, type) => {
    await expect(run(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).rejects.toMatchObject({ type })
  })
})
