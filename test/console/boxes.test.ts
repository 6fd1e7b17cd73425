import { describe, expect, test } from 'vitest'
import { afterKey, type BoxOnPage, boxBetween, middleOf, pulledTo } from '../../console/review/boxes.ts'
import { NewDecision } from '../../shared/api/reviews.ts'

const box: BoxOnPage = { page: 2, left: 0.2, top: 0.3, right: 0.6, bottom: 0.4 }

const press = (from: BoxOnPage, key: string, isShift: boolean, times: number) => {
  let now = from
  for (let n = 0; n < times; n++) now = afterKey(now, key, isShift)!
  return now
}

/** Whether the service takes a box. */
const isTaken = (some: BoxOnPage) =>
  NewDecision.safeParse({ action: 'add', assetId: crypto.randomUUID(), box: some, label: 'A' }).success

describe('a box that is drawn', () => {
  test('lies between two corners, whichever was first', () => {
    const corners = [
      { x: 0.2, y: 0.4 },
      { x: 0.6, y: 0.3 },
    ] as const
    expect(boxBetween(2, corners[0], corners[1])).toEqual(box)
    expect(boxBetween(2, corners[1], corners[0])).toEqual(box)
  })

  test.each([
    [
      { x: 0.5, y: 0.5 },
      { x: 0.5, y: 0.5 },
    ],
    [
      { x: 1, y: 1 },
      { x: 1, y: 1 },
    ],
    [
      { x: -3, y: -2 },
      { x: 0, y: 7 },
    ],
  ])('is on the page and never empty: %j', (one, other) => {
    expect(isTaken(boxBetween(1, one, other))).toBe(true)
  })

  test('follows arrow keys to the edge of its page and keeps its size', () => {
    expect(press(box, 'ArrowLeft', false, 3)).toEqual({ ...box, left: 0.17, right: 0.57 })
    expect(press(box, 'ArrowDown', false, 1)).toEqual({ ...box, top: 0.31, bottom: 0.41 })
    expect(press(box, 'ArrowRight', false, 200)).toEqual({ ...box, left: 0.6, right: 1 })
    expect(press(box, 'ArrowUp', false, 200)).toEqual({ ...box, top: 0, bottom: 0.1 })
    expect(afterKey(box, 'a', false)).toBeUndefined()
  })

  test('grows and shrinks with Shift, and stays a box', () => {
    expect(press(box, 'ArrowRight', true, 2)).toEqual({ ...box, right: 0.61 })
    expect(press(box, 'ArrowUp', true, 2)).toEqual({ ...box, bottom: 0.39 })
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
      const end = press(middleOf(1), key, true, 300)
      expect([end.left, end.top]).toEqual([0.4, 0.48])
      expect(isTaken(end)).toBe(true)
    }
  })

  test('is pulled to a point by its nearest corner', () => {
    expect(pulledTo(box, { x: 0.1, y: 0.31 })).toEqual({ ...box, left: 0.1, top: 0.31 })
    expect(pulledTo(box, { x: 0.9, y: 0.9 })).toEqual({ ...box, right: 0.9, bottom: 0.9 })
    expect(isTaken(pulledTo(box, { x: 0.2, y: 0.4 }))).toBe(true)
  })
})
