import { expect, test } from 'vitest'
import { greyIfAsClear } from '../../shared/engine/ocr/grey.ts'
import type { Picture } from '../../shared/engine/ocr/picture.ts'

type Colour = readonly [red: number, green: number, blue: number]

const [width, height] = [120, 80]
const white: Colour = [255, 255, 255]

/** Strokes of four dots, with edges halfway to the paper as programs draw them. */
const strokes = (ink: Colour, paper: Colour): Picture => {
  const between = paper.map((level, i) => (level + ink[i]!) >> 1)
  const pixels = new Uint8Array(3 * width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = y > 10 && y < 70 && x % 12
      const dot = inside && inside < 6 ? (inside === 1 || inside === 5 ? between : ink) : paper
      pixels.set(dot, 3 * (y * width + x))
    }
  return { width, height, channels: 3, pixels }
}

test.each<[string, Colour, Colour]>([
  ['black on white', [0, 0, 0], white],
  ['black on light blue', [0, 0, 0], [225, 235, 250]],
  ['blue on white', [0, 0, 255], white],
  ['red on white', [220, 20, 20], white],
  ['white on dark green', white, [0, 90, 0]],
])('%s is read in grey', (_, ink, paper) => {
  const picture = strokes(ink, paper)
  const result = greyIfAsClear(picture)
  expect({ ...result, pixels: result.pixels.length }).toEqual({ width, height, channels: 1, pixels: width * height })
})

test.each<[string, Colour, Colour]>([
  ['yellow on white', [255, 240, 0], white],
  ['light green on white', [144, 238, 144], white],
  ['white on orange', white, [255, 180, 0]],
  ['pink on light blue', [255, 150, 200], [150, 220, 255]],
])('%s is read in colours', (_, ink, paper) => {
  const picture = strokes(ink, paper)
  expect(greyIfAsClear(picture)).toBe(picture)
})

test('a grey picture stays as it is', () => {
  const picture: Picture = { width: 2, height: 1, channels: 1, pixels: Uint8Array.of(0, 255) }
  expect(greyIfAsClear(picture)).toBe(picture)
})
