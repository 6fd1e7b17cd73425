import { describe, expect, test } from 'vitest'
import type { OcrResult, Picture } from '../../shared/engine/ocr/picture.ts'
import { readShown } from '../../shared/engine/ocr/shown-part.ts'

/** A white picture with a black rectangle. */
const sheet = (
  width: number,
  height: number,
  channels: 1 | 3,
  ink: { left: number; top: number; right: number; bottom: number },
): Picture => {
  const pixels = new Uint8Array(width * height * channels).fill(255)
  for (let y = ink.top; y < ink.bottom; y++)
    pixels.fill(0, (y * width + ink.left) * channels, (y * width + ink.right) * channels)
  return { width, height, channels, pixels }
}

/** What is read, and what the reader was given: it takes the black rectangle for a word. */
async function read(picture: Picture) {
  const given: Picture[] = []
  const result = await readShown(picture, async (part): Promise<OcrResult> => {
    given.push(part)
    const [first, last] = [part.pixels.indexOf(0), part.pixels.lastIndexOf(0)].map(at => Math.floor(at / part.channels))
    const [left, top] = [first! % part.width, Math.floor(first! / part.width)]
    const [right, bottom] = [(last! % part.width) + 1, Math.floor(last! / part.width) + 1]
    const word = { text: 'word', confidence: 1, left, top, right, bottom }
    return { lines: [[word]], confidence: 1 }
  })
  return { given: given[0]!, word: result.lines[0]![0]! }
}

describe('of a large picture', () => {
  test.each([1, 3] as const)('only the part that shows something is read (%d channels)', async channels => {
    const ink = { left: 1800, top: 90, right: 1850, bottom: 110 }
    const picture = sheet(3000, 2100, channels, ink)
    const { given, word } = await read(picture)
    expect(given).toMatchObject({ width: 250, height: 210, channels })
    expect(word).toMatchObject(ink)
  })

  test('that shows something everywhere all is read, in grey where it is larger still', async () => {
    const ink = { left: 0, top: 0, right: 4200, bottom: 10 }
    const picture = sheet(4200, 3000, 3, ink)
    picture.pixels[picture.pixels.length - 3] = 254
    const { given, word } = await read(picture)
    expect(given).toMatchObject({ width: 4200, height: 3000, channels: 1 })
    expect(word).toMatchObject(ink)
  })

  test('that shows nothing all is read', async () => {
    const picture = sheet(3000, 2100, 1, { left: 0, top: 0, right: 0, bottom: 0 })
    expect((await read(picture)).given).toBe(picture)
  })
})

test('a page of usual size is read as it is', async () => {
  const picture = sheet(1700, 2400, 3, { left: 800, top: 90, right: 850, bottom: 110 })
  expect((await read(picture)).given).toBe(picture)
})
