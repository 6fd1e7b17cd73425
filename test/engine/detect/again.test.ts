import { expect, test } from 'vitest'
import { cachedDetector } from '../../../shared/engine/detect/detector-cache.ts'
import type { Detector } from '../../../shared/engine/detect/span.ts'
import type { Segment } from '../../../shared/engine/formats/format.ts'

const segment = (text: string, more: Partial<Segment> = {}): Segment => ({
  text,
  place: { kind: 'body' },
  visible: true,
  ...more,
})

/** Finds each `x`, and tells the texts that it was asked for. */
const counting = () => {
  const asked: string[][] = []
  const detector: Detector = {
    async detect(batch) {
      asked.push(batch.map(({ text }) => text))
      return batch.map(({ text }) =>
        [...text.matchAll(/x/g)].map(({ index }) => ({ start: index, end: index + 1, rule: 0, label: 'x', score: 1 })),
      )
    },
  }
  return { asked, detector }
}

test('what was found in a batch is found again without a search, as often as the file is gone through', async () => {
  const { asked, detector } = counting()
  const { first, again } = cachedDetector(detector)
  const batches = [[segment('axa'), segment('b')], [segment('xx')]]
  const found = []
  for (const batch of batches) found.push(await first.detect(batch))
  for (const second of [again(), again()])
    for (const [index, batch] of batches.entries()) expect(await second.detect(batch)).toEqual(found[index])
  expect(asked).toEqual([['axa', 'b'], ['xx']])
})

test('a batch of other texts is searched', async () => {
  const { asked, detector } = counting()
  const { first, again } = cachedDetector(detector)
  await first.detect([segment('axa')])
  expect(await again().detect([segment('xaa')])).toMatchObject([[{ start: 0, end: 1 }]])
  expect(asked).toEqual([['axa'], ['xaa']])
})

/** A text in three pieces, between two others. */
const inPieces = () => [
  [segment('a')],
  [segment('b', { after: 'cd' })],
  [segment('c', { before: 'b', after: 'd' })],
  [segment('d', { before: 'c' })],
  [segment('e')],
]

test('a text in pieces is found again too', async () => {
  const { asked, detector } = counting()
  const { first, again } = cachedDetector(detector)
  for (const batch of inPieces()) await first.detect(batch)
  const second = again()
  for (const batch of inPieces()) await second.detect(batch)
  expect(asked).toEqual([['a'], ['b'], ['c'], ['d'], ['e']])
})

test('a text of which a piece is another is searched from its first one on, and to its end', async () => {
  const { asked, detector } = counting()
  const { first, again } = cachedDetector(detector)
  for (const batch of inPieces()) await first.detect(batch)
  asked.length = 0
  const second = again()
  const batches = inPieces()
  batches[2] = [segment('C', { before: 'b', after: 'd' })]
  for (const batch of batches) await second.detect(batch)
  expect(asked).toEqual([['b'], ['C'], ['d']])
})

test('a text that is too long to be kept is searched each time, and what came before it is not', async () => {
  const { asked, detector } = counting()
  const { first, again } = cachedDetector(detector)
  const long = 'b'.repeat(5 * 1024 * 1024)
  const batches = [[segment('a')], [segment(long, { after: long })], [segment(long, { before: long })], [segment('c')]]
  for (const batch of batches) await first.detect(batch)
  asked.length = 0
  const second = again()
  for (const batch of batches) await second.detect(batch)
  expect(asked).toEqual([[long], [long], ['c']])
})

test('the same text in another column, or as a piece of a longer one, is searched', async () => {
  const { asked, detector } = counting()
  const { first, again } = cachedDetector(detector)
  await first.detect([segment('a')])
  await again().detect([segment('a', { place: { kind: 'cell', column: 'name' } })])
  await again().detect([segment('a', { before: 'b' })])
  expect(asked).toEqual([['a'], ['a'], ['a']])
})
