import { createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'

async function making(label: string, found: string[]) {
  const { load, make } = createSurrogates({ key: createSecretKey(Buffer.alloc(32, 9)), options: {}, found })
  await load([label])
  return (value: string) => make(label, value)
}

const padded = (count: number, digits: number, step = 1) =>
  Array.from({ length: count }, (_, n) => String(n * step).padStart(digits, '0'))

describe('of the values that a text holds', () => {
  // Each set fills a good part of all numbers of its form, so that most draws hit one.
  test.each([
    ['ID', padded(400, 3)],
    ['ID', padded(350, 3, 2)],
    ['PHONE', padded(4000, 4).map(end => `+49 30 123${end}`)],
    ['PAYMENT_CARD', padded(300, 6, 7).map(middle => `4111 11${middle.slice(0, 2)} ${middle.slice(2)} 0004`)],
    ['IP_ADDRESS', padded(3000, 1).map(n => `10.0.${Number(n) >> 8}.${Number(n) & 255}`)],
  ])('no surrogate is one, and no two are the same: %s', async (label, found) => {
    const make = await making(label, found)
    const made = found.map(make)
    const held = new Set(found)
    expect(made.filter(value => held.has(value))).toEqual([])
    expect(new Set(made).size).toBe(new Set(found).size)
  })

  test('each has its surrogate whatever comes first', async () => {
    const found = padded(400, 3)
    const [onwards, back] = [await making('ID', found), await making('ID', found.toReversed())]
    const made = found.map(onwards)
    expect(found.toReversed().map(back).toReversed()).toEqual(made)
  })

  test('more than half of a form become surrogates that are distinct, though some must be found ones', async () => {
    const found = padded(90, 2)
    const made = found.map(await making('ID', found))
    expect(new Set(made).size).toBe(found.length)
    expect(made.filter((value, n) => value === found[n])).toEqual([])
  })

  test('a number is known in every way to write it', async () => {
    const written = padded(4000, 4).map(end => `+49 30 123${end}`)
    const make = await making('PHONE', written)
    const national = (text: string) => text.replace(/\D/g, '').slice(-9)
    const held = new Set(written.map(national))
    const made = written.map(text => make(text.replace('+49 ', '0')))
    expect(made.filter(text => held.has(national(text)))).toEqual([])
    expect(made.map(national)).toEqual(written.map(make).map(national))
  })
})
