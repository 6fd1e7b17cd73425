import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { textOf } from '../../../shared/engine/surrogates/comparison.ts'
import { exhaustive } from '../../runs.ts'
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

/** So many values are made: a million in the long run. */
const COUNT = exhaustive ? 1_000_000 : 200_000

/** Telephone numbers, each ninth of a block. */
const values = Array.from({ length: COUNT }, (_, n) => `+49 170 ${String(n * 9).padStart(7, '0')}`)

test(`none of ${COUNT} numbers becomes another, and no two the same`, { timeout: 600_000 }, async () => {
  const made = await madeOf(values, { as: 'PHONE' })
  const held = new Set(values)
  expect([made.length, new Set(made).size, made.filter(value => held.has(value)).length]).toEqual([COUNT, COUNT, 0])
})

/** So many names of a language's lists, each word of them in many; those that differ in marks alone are one. */
function namesOfLists(language: string): Map<string, string> {
  const { given, surnames } = namesOf(language)
  const all = given.length * surnames.length
  const step = Math.max(1, Math.floor(all / COUNT))
  const names = new Map<string, string>()
  for (let n = 0; n < all && names.size < COUNT; n += step) {
    const name = `${given[n % given.length]} ${surnames[Math.floor(n / given.length)]}`
    const plain = textOf(name)
    // With a title for a given name it is a name of one word.
    if (plain.includes(' ') && !names.has(plain)) names.set(plain, name)
  }
  return names
}

/** All Polish names of two words there are take two minutes: the long run does. */
test.each(exhaustive ? ['de', 'pl'] : ['de'])(
  'no name becomes another, and no two the same: %s',
  { timeout: 600_000 },
  async language => {
    const names = namesOfLists(language)
    const made = await madeOf([...names.values()], { as: 'PERSON', locale: language })
    const values = made.filter(name => names.has(textOf(name)))
    expect([made.length, new Set(made).size, values]).toEqual([names.size, names.size, []])
  },
)
