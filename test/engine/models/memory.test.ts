import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sharedBy } from '../../../shared/jobs/worker/model-cache.ts'

const { signal } = new AbortController()

/** A model that notes what it is asked and finds nothing. */
function noting() {
  const asked: string[] = []
  return {
    asked,
    find: async (texts: string[]) => {
      asked.push(...texts)
      return texts.map(() => [])
    },
  }
}

test('chunks of one job share what was found, each way of asking by itself', async () => {
  const [first, second] = [noting(), noting()]
  const one = sharedBy('job')
  await one.over('people', first).find(['Ada', 'Grace'], signal)
  one.release()
  const two = sharedBy('job')
  await two.over('people', second).find(['Grace', 'Alan'], signal)
  await two.over('places', second).find(['Grace'], signal)
  two.release()
  expect([first.asked, second.asked]).toEqual([
    ['Ada', 'Grace'],
    ['Alan', 'Grace'],
  ])
})

test('another job knows nothing of it, and the first nothing any more', async () => {
  const model = noting()
  for (const job of ['mine', 'yours', 'mine']) {
    const shared = sharedBy(job)
    await shared.over('people', model).find(['Ada'], signal)
    shared.release()
  }
  expect(model.asked).toEqual(['Ada', 'Ada', 'Ada'])
})

test('it is gone soon after the last chunk, not while one is worked on', async () => {
  const model = noting()
  const one = sharedBy('brief', 20)
  await one.over('people', model).find(['Ada'], signal)
  await delay(60)
  const two = sharedBy('brief', 20)
  await two.over('people', model).find(['Ada'], signal)
  one.release()
  two.release()
  expect(model.asked).toEqual(['Ada'])
  await delay(60)
  const three = sharedBy('brief', 20)
  await three.over('people', model).find(['Ada'], signal)
  three.release()
  expect(model.asked).toEqual(['Ada', 'Ada'])
})
