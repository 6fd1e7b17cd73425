import { expect, test } from 'vitest'
import { told } from '../../shared/jobs/review/carry-over.ts'

const gone = (value: string) => ({ value, label: 'NAME' })

test('of what is gone a thousand are told', () => {
  const all = Array.from({ length: 1200 }, (_, n) => gone(`Zymax ${n}`))
  expect(told(all)).toEqual(all.slice(0, 1000))
})

test('what is gone is told as far as an answer has room for it', () => {
  const long = gone('x'.repeat(100_000))
  expect(told([long, long, long, gone('Zymax'), gone('x'.repeat(300_000))])).toEqual([long, long, gone('Zymax')])
})
