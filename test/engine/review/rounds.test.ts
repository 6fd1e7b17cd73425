import { expect, test } from 'vitest'
import { type Decision, decider } from '../../../shared/engine/review/decisions.ts'

const finding = (id: string) => ({ id, value: 'Zymax', label: 'NAME', score: 0.3 })
const byId: Decision = { action: 'reject', of: { id: 'a' } }

test.each<[string, Decision[], Record<string, string | undefined>]>([
  ['one finding', [byId], { a: 'reject' }],
  ['a value', [{ action: 'reject', of: { value: 'Zymax' } }], { a: 'reject' }],
  ['a value of one label', [{ action: 'reject', of: { value: 'Zymax', label: 'NAME' } }], { a: 'reject' }],
  ['a filter', [{ action: 'reject', of: { filter: { maxScore: 0.5 } } }], { a: 'reject' }],
  ['all, later', [byId, { round: 2, action: 'accept', of: { filter: {} } }], { a: 'accept', b: 'accept', c: 'accept' }],
  ['the second round', [{ round: 1, action: 'reject', of: { filter: {} } }], { a: 'reject', b: 'reject' }],
])('a decision on %s counts for what was proposed by then', (_, decisions, expected) => {
  // The third round: `a` is proposed since the first, `b` since the second, `c` is new.
  const since = new Map(Object.entries({ a: 0, b: 1 }))
  const decide = decider(decisions, { now: 2, since })
  const told = ['a', 'b', 'c'].map(id => [id, decide(finding(id))?.action])
  expect(Object.fromEntries(told)).toEqual({ a: undefined, b: undefined, c: undefined, ...expected })
})
