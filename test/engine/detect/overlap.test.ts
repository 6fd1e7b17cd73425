import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolveOverlaps } from '../../../shared/engine/detect/overlap.ts'
import type { Span } from '../../../shared/engine/detect/span.ts'

const span = (start: number, end: number, rule = 0, score = 1, label = 'x'): Span => ({
  start,
  end,
  rule,
  score,
  label,
})

const outcome = (spans: Span[]) => resolveOverlaps(spans).map(({ start, end, owner }) => [start, end, owner.rule])

test.each([
  ['nothing', [], []],
  ['one', [span(1, 4)], [[1, 4, 0]]],
  [
    'apart',
    [span(5, 7, 1), span(1, 4)],
    [
      [1, 4, 0],
      [5, 7, 1],
    ],
  ],
  [
    'touching',
    [span(1, 4), span(4, 6, 1)],
    [
      [1, 4, 0],
      [4, 6, 1],
    ],
  ],
  ['the longest wins, though a later rule', [span(2, 4, 0), span(1, 6, 1)], [[1, 6, 1]]],
  ['of equal length the earlier rule wins', [span(1, 4, 1), span(1, 4, 0)], [[1, 4, 0]]],
  ['of one rule the higher score wins', [span(1, 4, 0, 0.5, 'low'), span(1, 4, 0, 0.9, 'high')], [[1, 4, 0]]],
  [
    'what the loser has left is its own',
    [span(0, 6, 0), span(4, 8, 1)],
    [
      [0, 6, 0],
      [6, 8, 1],
    ],
  ],
  [
    'on both sides',
    [span(2, 12, 0), span(0, 4, 1), span(10, 14, 2)],
    [
      [0, 2, 1],
      [2, 12, 0],
      [12, 14, 2],
    ],
  ],
  [
    'a chain',
    [span(0, 5, 0), span(4, 8, 1), span(7, 13, 2)],
    [
      [0, 5, 0],
      [5, 7, 1],
      [7, 13, 2],
    ],
  ],
  ['empty ones count for nothing', [span(3, 3), span(1, 2)], [[1, 2, 0]]],
])('%s', (_, spans, expected) => {
  expect(outcome(spans)).toEqual(expected)
})

const anySpan = fc
  .record({
    start: fc.nat(60),
    length: fc.integer({ min: 1, max: 20 }),
    rule: fc.nat(4),
    score: fc.constantFrom(0.5, 0.9, 1),
  })
  .map(({ start, length, rule, score }) => span(start, start + length, rule, score))

test('covers exactly the union, in order and without overlap, whatever the order of the spans', () => {
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 30 }), fc.infiniteStream(fc.nat()), (spans, order) => {
      const stretches = resolveOverlaps(spans)
      const covered = new Set<number>()
      let last = 0
      for (const { start, end, owner } of stretches) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(start).toBeGreaterThanOrEqual(owner.start)
        expect(end).toBeLessThanOrEqual(owner.end)
        for (let at = start; at < end; at++) covered.add(at)
        last = end
      }
      const union = new Set(
        spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
      )
      expect(covered).toEqual(union)
      const shuffled = spans.map(value => ({ value, key: order.next().value })).sort((a, b) => a.key - b.key)
      expect(outcome(shuffled.map(({ value }) => value))).toEqual(outcome(spans))
    }),
  )
})

test('of two as long, that which goes on in another text comes first, however sure the other is', () => {
  const whole: Span = { ...span(2, 8, 0, 0.6), value: 'Quirin Zyloph', isPart: true }
  for (const spans of [
    [span(2, 8, 0, 0.9), whole],
    [whole, span(2, 8, 0, 0.9)],
  ])
    expect(resolveOverlaps(spans)).toEqual([{ start: 2, end: 8, owner: whole }])
})
