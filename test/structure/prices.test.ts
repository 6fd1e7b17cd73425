import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { price } from '../../shared/jobs/estimate/prices.ts'

test('the prices of estimates and benches are those of docs/costs.md', () => {
  const [, , ...rows] = readFileSync('docs/costs.md', 'utf8').match(/^\|.*\|$/gm)!
  const told = rows.slice(0, 7).flatMap(row => row.match(/\d+\.\d+/g)!.map(Number))
  const { gbSecond, ...others } = price
  for (const [name, dollars] of Object.entries(others)) expect([name, told.includes(dollars)]).toEqual([name, true])
  expect(told).toContain(Number((gbSecond / 1e6).toFixed(10)))
})
