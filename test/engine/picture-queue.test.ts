import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pictureQueue, queued } from '../../shared/engine/ocr/picture-queue.ts'

/** Pictures in a queue; each is read once `end` is called for it, or `fail`. */
const pictures = (...all: { key: string; isLarge?: boolean }[]) => {
  const queue = pictureQueue()
  const begun: string[] = []
  const readings = new Map<string, PromiseWithResolvers<string>>()
  const made = all.map(({ key, isLarge = false }) =>
    queued(queue, key, isLarge, () => {
      begun.push(key)
      const reading = Promise.withResolvers<string>()
      readings.set(key, reading)
      return reading.promise
    }),
  )
  const end = async (key: string) => {
    readings.get(key)!.resolve(`text of ${key}`)
    await turn()
  }
  return { made, begun, end, fail: (key: string) => readings.get(key)!.reject(new Error(key)) }
}

test('the next picture is read while one is, and never a third', async () => {
  const { made, begun, end } = pictures({ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'd' })
  const first = made[0]!.read()
  void made[0]!.read()
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(await first).toBe('text of a')
  const second = made[1]!.read()
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('b')
  expect(await second).toBe('text of b')
})

test('equal pictures are read once', async () => {
  const { made, begun, end } = pictures({ key: 'logo' }, { key: 'logo' }, { key: 'photo' })
  const [first, second] = [made[0]!.read(), made[1]!.read()]
  expect(begun).toEqual(['logo', 'photo'])
  await end('logo')
  expect(await Promise.all([first, second])).toEqual(['text of logo', 'text of logo'])
})

test('what goes wrong with a picture is told when it is asked for', async () => {
  const { made, end, fail } = pictures({ key: 'a' }, { key: 'b' })
  const first = made[0]!.read()
  fail('b')
  await end('a')
  expect(await first).toBe('text of a')
  await expect(made[1]!.read()).rejects.toThrow('b')
})

test('nothing is read beside a large picture, and none that left', async () => {
  const { made, begun, end } = pictures({ key: 'a' }, { key: 'large', isLarge: true }, { key: 'b' }, { key: 'c' })
  made[2]!.leave()
  void made[0]!.read()
  expect(begun).toEqual(['a', 'c'])
  await end('a')
  await end('c')
  void made[1]!.read()
  expect(begun).toEqual(['a', 'c', 'large'])
})
