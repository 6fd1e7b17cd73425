import { createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createKeyed } from '../../../shared/engine/surrogates/keyed.ts'
import { sameShape } from '../../../shared/engine/surrogates/shape.ts'

const keyedBy = (byte: number) => createKeyed(createSecretKey(Buffer.alloc(32, byte)))
const keyed = keyedBy(7)
const drawn = (size: number, ...rest: [string, string?]) =>
  Array.from({ length: size }, (_, value) => keyed.permute(value, size, ...rest))

describe('a permutation', () => {
  test.each([2, 3, 10, 17, 1000, 4096, 99_991])('of %i numbers gives each once, and none to itself', size => {
    for (const context of [undefined, 'x']) {
      const made = drawn(size, 'test', context)
      expect(made.every((other, value) => other !== value && other < size)).toBe(true)
      expect(new Set(made).size).toBe(size)
    }
  })

  test('is another one for each key, tweak and context, and the same for the same', () => {
    const orders = [
      drawn(1000, 'test'),
      drawn(1000, 'other'),
      ...['a', 'b', 'ab', 'a\u0000', 'a'.repeat(8), 'a'.repeat(9)].map(context => drawn(1000, 'test', context)),
      Array.from({ length: 1000 }, (_, value) => keyedBy(8).permute(value, 1000, 'test')),
    ]
    expect(new Set(orders.map(String)).size).toBe(orders.length)
    expect(drawn(1000, 'test', 'a')).toEqual(drawn(1000, 'test', 'a'))
    // Two orders of a thousand numbers have one in the same place once on average.
    for (const [index, order] of orders.entries())
      for (const other of orders.slice(index + 1))
        expect(order.filter((value, place) => value === other[place]).length).toBeLessThan(12)
  })

  test('draws evenly from a large range', () => {
    const counts = new Array<number>(16).fill(0)
    const count = 16_000
    for (let value = 0; value < count; value++) counts[Math.floor(keyed.permute(value, 1e15, 'even') / (1e15 / 16))]!++
    // Chi-square of 15 degrees of freedom; 37.7 is passed by one key in a thousand, and the key is fixed.
    const expected = count / 16
    expect(counts.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0)).toBeLessThan(37.7)
  })
})

describe('a text of the same shape', () => {
  test.each([
    ['digits and letters that are permuted as one', (n: number) => `PAT-${n}`],
    ['parts that are permuted one after the other', (n: number) => `AB${n}-Cd-9876543210-0123456789-ef${n}`],
    ['what differs at the end alone', (n: number) => `abcdefghijklmnopqrstuvwxyz-${n}`],
  ])('is distinct for %s', (_, write) => {
    const values = Array.from({ length: 3000 }, (_, n) => write(1000 + n))
    const made = values.map(value => sameShape(value, keyed, 'test'))
    expect(new Set(made).size).toBe(values.length)
    for (const [index, other] of made.entries()) {
      expect(other).not.toBe(values[index])
      const shapeOf = (text: string) => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '9')
      expect(shapeOf(other)).toBe(shapeOf(values[index]!))
    }
  })
})
