import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { textOf } from '../../../shared/engine/surrogates/comparison.ts'
import { call, regexRule } from '../call.ts'
import { namesOf } from './listed.ts'

/** What a column of a table becomes. */
async function madeOf(values: readonly string[], surrogate: { as: string; locale?: string }): Promise<string[]> {
  const rule = regexRule('value', '.+', { replacement: { surrogate }, replace: 'cell' })
  const input = bufferInput('t.csv', Buffer.from(values.join('\n')))
  const { output } = await anonymise(call({ input, rules: [rule], assetType: 'TABLE', options: { header: false } }))
  return Buffer.from(await output.read(0, output.size))
    .toString()
    .split('\n')
}

/** A million telephone numbers among nine million. */
const values = Array.from({ length: 1_000_000 }, (_, n) => `+49 170 ${String(n * 9).padStart(7, '0')}`)

test('none of a million numbers becomes another, and no two the same', { timeout: 600_000 }, async () => {
  const made = await madeOf(values, { as: 'PHONE' })
  const held = new Set(values)
  expect([made.length, new Set(made).size, made.filter(value => held.has(value)).length]).toEqual([1e6, 1e6, 0])
})

test.each(['de', 'pl'])(
  'none of a million names becomes another, and no two the same: %s',
  {
    timeout: 600_000,
  },
  async language => {
    const { given, surnames } = namesOf(language)
    const all = given.length * surnames.length
    const step = Math.max(1, Math.floor(all / 1e6))
    const names = new Map<string, string>()
    for (let n = 0; n < all && names.size < 1e6; n += step) {
      const name = `${given[n % given.length]} ${surnames[Math.floor(n / given.length)]}`
      // Names that differ in marks alone are one.
      if (!names.has(textOf(name))) names.set(textOf(name), name)
    }
    const made = await madeOf([...names.values()], { as: 'PERSON', locale: language })
    const apart = new Set(made.map(textOf))
    expect([made.length, apart.size, [...apart].filter(name => names.has(name)).length]).toEqual([
      names.size,
      names.size,
      0,
    ])
  },
)
