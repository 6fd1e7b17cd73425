import { expect, test } from 'vitest'
import { compare, type Found, type Placed, SHOWN } from '../../console/screens/shadow-compare.ts'

/** Findings of a table, one in each of some rows, answer by answer. */
function pages(rows: (row: number) => boolean, count: number, unlisted: string[] = []) {
  return async function* (): AsyncGenerator<Found> {
    for (let begin = 0; begin < count; begin += 1000) {
      const numbers = Array.from({ length: Math.min(1000, count - begin) }, (_, n) => begin + n).filter(rows)
      yield { findings: numbers.map(finding), unlisted: begin === 0 ? unlisted : [] }
    }
  }
}

const finding = (row: number): Placed => ({
  id: String(row),
  assetId: '00000000-0000-4000-8000-000000000000',
  file: 'people.csv',
  label: 'EMAIL',
  ruleId: '00000000-0000-4000-8000-000000000001',
  rule: 'Mail',
  score: 1,
  reason: { by: 'pattern' },
  place: { kind: 'cell', row, column: 'mail' },
  start: 0,
  end: 15,
})

test('a hundred thousand findings of each side are compared exactly, and no more of them are kept than are shown', async () => {
  const [before, now] = [pages(row => row % 10 !== 3, 100_000), pages(row => row % 10 !== 7, 100_000)]
  const { newly, gone, same } = await compare(before, now)
  expect([newly.count, gone.count, same]).toEqual([10_000, 10_000, 80_000])
  expect(newly.first.map(({ place }) => place.row)).toEqual(Array.from({ length: SHOWN }, (_, n) => 10 * n + 3))
  expect(gone.first.map(({ place }) => place.row)).toEqual(Array.from({ length: SHOWN }, (_, n) => 10 * n + 7))
  expect([...newly.columns.values()].map(({ count }) => count)).toEqual([10_000])
})

test('files of which one side has numbers only are named, and left out', async () => {
  const told = await compare(
    pages(() => false, 1, ['people.csv']),
    pages(() => true, 10),
  )
  expect([told.newly.count, told.gone.count, told.same, told.uncompared]).toEqual([0, 0, 0, ['people.csv']])
})

test.each([
  ['before', 30, 5],
  ['now', 5, 30],
])('where there is more than can be compared %s, files are left out and named', async (_, before, now) => {
  const file = (name: string, count: number) =>
    async function* (): AsyncGenerator<Found> {
      const small = { ...finding(1), file: 'first.csv' }
      yield {
        findings: [small, ...Array.from({ length: count }, (_, n) => ({ ...finding(n), file: name }))],
        unlisted: [],
      }
    }
  const told = await compare(file('large.csv', before), file('large.csv', now), 20)
  expect(told.cut).toEqual(['large.csv'])
  expect(told.gone.count).toBe(0)
  expect(told.same).toBeGreaterThanOrEqual(1)
})
