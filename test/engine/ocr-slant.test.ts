import { expect, test } from 'vitest'
import type { OcrResult, OcrWord, Picture } from '../../shared/engine/ocr/picture.ts'
import { commonSlant, levelled, levelledBox, readLevel, slantOf, wordSize } from '../../shared/engine/ocr/slant.ts'

const degree = Math.PI / 180

/** Something like a page of text: rows of strokes as high as letters, every 30 pixels. */
const page = (width = 800, height = 1000): Picture => {
  const pixels = new Uint8Array(width * height).fill(255)
  for (let y = 100; y < height - 100; y++)
    for (let x = 100; x < width - 100; x++) if (y % 30 < 12 && (x * 7) % 11 < 4) pixels[y * width + x] = 0
  return { width, height, channels: 1, pixels }
}

/** The same on its side. */
const onSide = ({ width, height, pixels, channels }: Picture): Picture => ({
  width: height,
  height: width,
  channels,
  pixels: Uint8Array.from(pixels, (_, at) => pixels[(at % height) * width + Math.floor(at / height)]!),
})

/** The same in red and black. */
const inColours = ({ pixels, ...more }: Picture): Picture => ({
  ...more,
  channels: 3,
  pixels: Uint8Array.from({ length: 3 * pixels.length }, (_, at) => (at % 3 === 0 ? 255 : pixels[Math.floor(at / 3)]!)),
})

/** A picture with its lines turned clockwise. */
const slanted = (picture: Picture, degrees: number) => levelled(picture, -degrees * degree)

const slantIn = (picture: Picture) => (slantOf(picture)?.slant ?? 0) / degree

test.each([1, -2, 3, -7, 15])('lines that are turned by %f degrees are found so', degrees => {
  expect(Math.abs(slantIn(slanted(page(), degrees)) - degrees)).toBeLessThan(0.2)
  expect(Math.abs(slantIn(slanted(onSide(page()), degrees)) - degrees)).toBeLessThan(0.2)
  expect(Math.abs(slantIn(slanted(inColours(page()), degrees)) - degrees)).toBeLessThan(0.2)
})

test('level lines, noise, a bare drawing and an empty page have no slant', () => {
  let seed = 1
  const noise = page().pixels.map(() => {
    seed = (seed * 48271) % 0x7fffffff
    return seed % 256
  })
  const circle = page().pixels.map((_, at) => (Math.hypot((at % 800) - 400, at / 800 - 500) < 300 ? 0 : 255))
  for (const pixels of [page().pixels, noise, circle, page().pixels.fill(255)])
    expect(slantIn({ ...page(), pixels })).toBe(0)
  expect(slantIn(onSide(page()))).toBe(0)
})

const word = (more: Partial<OcrWord>): OcrWord => ({
  text: 'word',
  confidence: 0.9,
  left: 100,
  top: 90,
  right: 200,
  bottom: 110,
  ...more,
})

const resultOf = (...words: OcrWord[]): OcrResult => ({ lines: [words], confidence: words[0]?.confidence ?? 0 })

test('what is read of a level copy comes back where it stands in the picture', async () => {
  const picture = slanted(page(), 7)
  let copy: Picture | undefined
  const { lines } = await readLevel(picture, async asked => {
    copy = asked
    return resultOf(word({}))
  })
  const [found] = lines[0]!
  expect(Math.abs(found!.slant! / degree - 7)).toBeLessThan(0.2)
  expect(wordSize(found!).width).toBeCloseTo(100)
  expect(wordSize(found!).height).toBeCloseTo(20)
  expect(levelledBox(found!, found!.slant!, picture)).toMatchObject({
    left: expect.closeTo(100),
    top: expect.closeTo(90),
    right: expect.closeTo(200),
    bottom: expect.closeTo(110),
  })
  expect(slantIn(copy!)).toBe(0)
  // The box around it is as much higher as the line falls or rises over its length.
  expect(found!.bottom - found!.top).toBeCloseTo(20 * Math.cos(found!.slant!) + 100 * Math.sin(found!.slant!))
})

test('a level picture is read as it came', async () => {
  const picture = page()
  const asked: Picture[] = []
  await readLevel(picture, async one => {
    asked.push(one)
    return resultOf(word({}))
  })
  expect(asked.length).toBe(1)
  expect(asked[0]).toBe(picture)
})

test('what can hardly be read in a level copy is read as it came as well', async () => {
  const picture = slanted(page(), 5)
  const read = (level: OcrResult, asItCame: OcrResult) =>
    readLevel(picture, async asked => (asked === picture ? asItCame : level))
  const [doubtful, poor] = [word({ text: 'doubtful', confidence: 0.65 }), word({ confidence: 0.3 })]
  expect((await read(resultOf(doubtful), resultOf(word({ text: 'certainly' })))).lines[0]![0]!.text).toBe('certainly')
  expect((await read(resultOf(doubtful), resultOf(poor))).lines[0]![0]!.text).toBe('doubtful')
})

test('lines that slant beside as many level ones are read both ways', async () => {
  const turned = slanted(page(), 5)
  const mixed = { ...turned, pixels: turned.pixels.slice() }
  const level = page(800, 500)
  for (let y = 0; y < level.height; y++)
    mixed.pixels.set(level.pixels.subarray(y * level.width, (y + 1) * level.width), y * mixed.width)
  let times = 0
  await readLevel(mixed, async () => {
    times++
    return resultOf(word({}))
  })
  expect(times).toBe(2)
})

test('blurred and pale letters are found as well', () => {
  const { pixels, ...more } = slanted(page(), 4)
  const blurred = pixels.map((_, at) => {
    let sum = 0
    for (let y = -2; y <= 2; y++) for (let x = -1; x <= 1; x++) sum += pixels[at + y * more.width + x] ?? 255
    return 120 + (100 * sum) / 15 / 255
  })
  expect(Math.abs(slantIn({ ...more, pixels: blurred }) - 4)).toBeLessThan(0.2)
})

test('words of which only some slant are taken for boxes', () => {
  expect(commonSlant([{ slant: 0.1 }, { slant: 0.1 }])).toBe(0.1)
  expect(commonSlant([{ slant: 0.1 }, {}])).toBe(0)
  expect(commonSlant([{}, {}])).toBe(0)
  expect(commonSlant([])).toBe(0)
})
