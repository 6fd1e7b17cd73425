import { expect, test } from 'vitest'
import { readUpright, turnedBy } from '../../shared/engine/ocr/orientation.ts'
import type { OcrResult, OcrWord, Picture } from '../../shared/engine/ocr/picture.ts'

/** A white page with something like text in its middle. */
const page = (width: number, height: number): Picture => {
  const pixels = new Uint8Array(width * height).fill(255)
  for (let y = 600; y < 900; y++) for (let x = 300; x < 700; x++) if (x % 4 < 2) pixels[y * width + x] = 0
  return { width, height, channels: 1, pixels }
}

/** Words all over the middle of the page, some of them sure. */
const words = (sure: number, all: number): OcrResult => {
  const made = Array.from({ length: all }, (_, i): OcrWord => {
    const [left, top] = [300 + (i % 10) * 40, 600 + Math.floor(i / 10) * 20]
    return { text: 'word', confidence: i < sure ? 0.9 : 0.3, left, top, right: left + 36, bottom: top + 16 }
  })
  const confidence = made.reduce((sum, word) => sum + word.confidence, 0) / all
  return { lines: [made], confidence }
}

/** Reads a page, and what parts of it are read as, one after the other. */
const readBy = async (whole: OcrResult, ...parts: OcrResult[]) => {
  const asked: Picture[] = []
  const wholes = [whole, words(100, 100)]
  const result = await readUpright(
    page(1000, 1500),
    async () => wholes.shift()!,
    async part => {
      asked.push(part)
      return parts.shift()!
    },
  )
  return { result, asked, turned: result.lines[0]?.[0]?.turns }
}

test('text that is read well is looked at once', async () => {
  const { asked, turned } = await readBy(words(90, 100))
  expect([asked.length, turned]).toEqual([0, undefined])
})

test('text that is read in part, and worse upside down, is looked at once more, by a small part', async () => {
  const { asked, turned } = await readBy(words(40, 100), words(5, 50))
  expect([asked.length, turned]).toEqual([1, undefined])
  expect(asked[0]).toMatchObject({ width: 450, height: 450 })
})

test('text that is read in part, but better upside down, is turned', async () => {
  const { asked, turned } = await readBy(
    words(40, 100),
    words(50, 50),
    words(40, 50),
    words(5, 50),
    words(100, 100),
    words(5, 50),
  )
  expect([asked.length, turned]).toEqual([5, 2])
})

test.each([
  ['hardly', words(10, 100)],
  ['not', { lines: [], confidence: 0 }],
  ['in a few words', words(4, 8)],
])('text that is read %s is looked at in every orientation', async (_, whole) => {
  const { asked, turned } = await readBy(whole, words(5, 50), words(5, 50), words(5, 50), words(50, 50))
  expect([asked.length, turned]).toEqual([4, 3])
})

test.each([
  [1, [4, 1, 5, 2, 6, 3]],
  [2, [6, 5, 4, 3, 2, 1]],
  [3, [3, 6, 2, 5, 1, 4]],
] as const)('a picture is turned clockwise by quarters: %s', (turns, turned) => {
  const grey: Picture = { width: 3, height: 2, channels: 1, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) }
  expect([...turnedBy(grey, turns).pixels]).toEqual(turned)
  const coloursOf = (levels: Iterable<number>) => [...levels].flatMap(level => [level, 10 + level, 20 + level])
  const coloured: Picture = { ...grey, channels: 3, pixels: Uint8Array.from(coloursOf(grey.pixels)) }
  expect([...turnedBy(coloured, turns).pixels]).toEqual(coloursOf(turned))
})
