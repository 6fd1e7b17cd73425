import { expect, test } from 'vitest'
import { createTally, mergeFindings } from '../../shared/engine/findings.ts'

const rules = [
  { ruleId: 'a', name: 'model' },
  { ruleId: 'b', name: 'pattern' },
]

test('chunks add up to what the whole has', () => {
  const [whole, ...chunks] = [createTally(rules), createTally(rules), createTally(rules), createTally(rules)]
  for (const [n, label] of ['CITY', 'PERSON', 'PERSON', 'DATE', 'PERSON', 'CITY'].entries()) {
    for (const tally of [whole, chunks[n % 2]!]) tally.add(0, label, n + 1)
    for (const tally of [whole, chunks[n % 3]!]) tally.add(1, 'pattern', 2)
  }
  expect(whole.findings()[0]!.labels).toEqual([
    { label: 'PERSON', count: 10 },
    { label: 'CITY', count: 7 },
    { label: 'DATE', count: 4 },
  ])
  expect(mergeFindings(chunks.map(tally => tally.findings()))).toEqual(whole.findings())
})

test('findings of chunks that were stored without labels add up', () => {
  const old = rules.map(rule => ({ ...rule, count: 2 }))
  const tally = createTally(rules)
  tally.add(0, 'CITY', 3)
  expect(mergeFindings([old, tally.findings()])).toEqual([
    { ...rules[0], count: 5, labels: [{ label: 'CITY', count: 3 }] },
    { ...rules[1], count: 2, labels: [] },
  ])
})

test('labels are bounded, counts are not', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ruleId: `${n}`, name: `${n}` }))
  for (const [count, told] of [
    [1, 100],
    [20, 100],
    [200, 10],
  ] as const) {
    const tally = createTally(many(count))
    for (let rule = 0; rule < count; rule++) for (let n = 1; n <= 150; n++) tally.add(rule, `L${n}`, n)
    for (const found of [tally.findings(), mergeFindings([tally.findings()])]) {
      expect(found.map(({ labels }) => labels.length)).toEqual(many(count).map(() => told))
      expect(found.map(({ count }) => count)).toEqual(many(count).map(() => (150 * 151) / 2))
      expect(found[0]!.labels[0]).toEqual({ label: 'L150', count: 150 })
    }
  }
})
