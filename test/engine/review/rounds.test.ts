import { expect, test } from 'vitest'
import { type Decision, decider } from '../../../shared/engine/review/decisions.ts'

const finding = (id: string) => ({ id, value: 'Zymax', label: 'NAME', score: 0.3 })
const byId: Decision = { n: 0, action: 'reject', of: { id: 'a' } }

test.each<[string, Decision[], Record<string, string | undefined>]>([
  ['one finding', [byId], { a: 'reject' }],
  ['a value', [{ n: 0, action: 'reject', of: { value: 'Zymax' } }], { a: 'reject' }],
  ['a value of one label', [{ n: 0, action: 'reject', of: { value: 'Zymax', label: 'NAME' } }], { a: 'reject' }],
  ['a filter', [{ n: 0, action: 'reject', of: { filter: { maxScore: 0.5 } } }], { a: 'reject' }],
  ['all, later', [byId, { round: 2, action: 'accept', of: { filter: {} } }], { a: 'accept', b: 'accept', c: 'accept' }],
  ['the second round', [{ n: 1, round: 1, action: 'reject', of: { filter: {} } }], { b: 'reject' }],
  // The score was above that of the filter when both were taken, and is below it now.
  [
    'one finding, and a filter after it',
    [byId, { n: 1, action: 'accept', of: { filter: { maxScore: 0.5 } } }],
    { a: 'reject', b: 'accept' },
  ],
])('a decision on %s counts for that for which it was the last that counted', (_, decisions, expected) => {
  // The third round: the first decision counted for `a`, the second for `b`; `c` is new.
  const held = new Map(Object.entries({ a: 0, b: 1 }))
  const decide = decider(decisions, { now: 2, held })
  const told = ['a', 'b', 'c'].map(id => [id, decide(finding(id))?.action])
  expect(Object.fromEntries(told)).toEqual({ a: undefined, b: undefined, c: undefined, ...expected })
})
