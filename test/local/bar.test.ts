import { expect, test } from 'vitest'
import { textOf } from '../../local/anonymise/bar.ts'

test.each([
  [{ finished: 0, files: 2, done: 0, all: 20_400_000, seconds: 0 }, '0/2 files, 0.0 of 20 MB'],
  [{ finished: 0, files: 2, done: 5_100_000, all: 20_400_000, seconds: 10 }, '0/2 files, 5.1 of 20 MB, 30 s left'],
  [{ finished: 1, files: 2, done: 5_000_000, all: 20_000_000, seconds: 50 }, '1/2 files, 5.0 of 20 MB, 3 min left'],
  [
    { finished: 1, files: 2, done: 1_000_000, all: 2_000_000, seconds: 7_500 },
    '1/2 files, 1.0 of 2.0 MB, 2 h 5 min left',
  ],
  [{ finished: 2, files: 2, done: 2_000_000, all: 2_000_000, seconds: 9 }, '2/2 files, 2.0 of 2.0 MB'],
])('%o is told as %s', (state, text) => {
  expect(textOf(state)).toBe(text)
})
