import { expect, test } from 'vitest'
import { targetsOf } from '../../../shared/engine/formats/pdf/content/glyph-targets.ts'

/** The same numbers each time, from 0 up to `below`. */
const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (below * state) / 2_147_483_648
  }
}

test('no glyph is hit in a part of the page that no target reaches into', () => {
  const next = random(3)
  let [far, hits] = [0, 0]
  for (let round = 0; round < 2000; round++) {
    const places = Array.from({ length: 4 }, () => {
      const [x, y, flat] = [next(300), next(300), next(1) < 0.2]
      return { x, y, left: x - next(3), bottom: y - (flat ? 0 : next(4)), right: x + next(20), top: y + (flat ? 0 : 9) }
    })
    const targets = targetsOf(places)
    const [left, bottom, width, height, em] = [next(300), next(300), next(90), next(90), next(40)]
    const near = targets.near(left, bottom, left + width, bottom + height)
    if (!near) far++
    for (let glyph = 0; glyph < 40; glyph++) {
      const [x, y] = [left + next(width), bottom + next(height)]
      const hit = targets.hit(x, y, left + next(width), bottom + next(height), em)
      if (hit) hits++
      expect(hit && !near).toBe(false)
    }
  }
  expect(far).toBeGreaterThan(100)
  expect(hits).toBeGreaterThan(100)
})

test('a glyph is hit where its origin is that of a target or its middle lies in one, in lines of any length', () => {
  const next = random(5)
  let hits = 0
  for (let round = 0; round < 2000; round++) {
    const places = Array.from({ length: 3 }, () => {
      const [x, y] = [next(200), next(60)]
      return { x, y, left: x - next(3), bottom: y - next(4), right: x + next(20), top: y + 5 + next(9) }
    })
    const targets = targetsOf(places)
    for (let glyph = 0; glyph < 20; glyph++) {
      const [x, y, em] = [next(200), next(60), next(40)]
      const [middleX, middleY] = [x + next(30), y + next(12)]
      const near = Math.min(2, Math.max(0.02, 0.06 * em))
      const wanted = places.some(
        p =>
          Math.max(Math.abs(p.x - x), Math.abs(p.y - y)) <= near ||
          (p.left <= middleX && middleX <= p.right && p.bottom <= middleY && middleY <= p.top),
      )
      if (wanted) hits++
      expect(targets.hit(x, y, middleX, middleY, em)).toBe(wanted)
    }
  }
  expect(hits).toBeGreaterThan(1000)
})
