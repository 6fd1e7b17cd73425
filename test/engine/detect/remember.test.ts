import { expect, test } from 'vitest'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { cachedFinder } from '../../../shared/engine/detect/model-cache.ts'

const { signal } = new AbortController()

/** A model that notes what it is asked, and finds the whole of each text. */
function noting() {
  const asked: string[][] = []
  const model: EntityModel = {
    async find(texts) {
      asked.push(texts)
      return texts.map(text => [{ label: 'ALL', start: 0, end: text.length, score: 1 }])
    },
  }
  return { asked, model }
}

test('a value is read once, in whichever batch it stands', async () => {
  const { asked, model } = noting()
  const column = cachedFinder(model)
  await column.find(['Ada', 'Grace', 'Ada'], signal)
  const found = await column.find(['Grace', 'Alan', 'Ada'], signal)
  expect(asked).toEqual([['Ada', 'Grace'], ['Alan']])
  expect(found.map(([entity]) => entity!.end)).toEqual([5, 4, 3])
})

test('beyond its bound the values not seen longest are forgotten, and no others', async () => {
  const { asked, model } = noting()
  const column = cachedFinder(model, 500)
  await column.find(['aaaa', 'bbbb'], signal)
  await column.find(['aaaa'], signal)
  await column.find(['cccc'], signal)
  await column.find(['aaaa', 'cccc'], signal)
  await column.find(['bbbb'], signal)
  expect(asked).toEqual([['aaaa', 'bbbb'], ['cccc'], ['bbbb']])
  expect(await column.find(['d'.repeat(500)], signal)).toHaveLength(1)
  await column.find(['d'.repeat(500)], signal)
  expect(asked.slice(3)).toEqual([['d'.repeat(500)], ['d'.repeat(500)]])
})
