import { expect, test } from 'vitest'
import { measureChecksums } from './measure.ts'

test('numbers with a checksum: recall and precision against look-alikes', () => {
  const { found, missed, wrong } = measureChecksums()
  console.log(`generated numbers: ${found} found, ${missed} missed, ${wrong} look-alikes taken`)
  expect(found).toBeGreaterThan(1000)
  expect(found / (found + missed)).toBeGreaterThanOrEqual(0.99)
  expect(found / (found + wrong)).toBeGreaterThanOrEqual(0.99)
})
