import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { checkReplacement, type Replacement } from '../../shared/engine/operators/index.ts'
import { call, regexRule, secrets } from './call.ts'
import { testKeys } from './tokens/keys.ts'

const page = readFileSync(new URL('../../docs/replacements.md', import.meta.url), 'utf8')
/** The rows of the page's examples: a replacement, a value and what it becomes. */
const examples = [...page.matchAll(/^\| `(\{.+\})` \| `(.+)` \| `(.+)` \|$/gm)].map(row => row.slice(1, 4))

test('there is an example of each form that replaces a value by another of its kind or can be undone', () => {
  const forms = new Set(examples.map(([replacement]) => Object.keys(JSON.parse(replacement!) as object)[0]))
  expect([...forms].toSorted()).toEqual(['dateShift', 'fpe', 'pseudonym', 'surrogate', 'token'])
})

test.each(examples)('%s makes of %s what the page says', async (replacement, value, made) => {
  const parsed = JSON.parse(replacement!) as Replacement
  expect(checkReplacement(parsed)).toEqual([])
  const rules = [regexRule('value', value!.replace(/[.+]/g, '\\$&'), { replacement: parsed })]
  const input = bufferInput('a.txt', Buffer.from(value!))
  const { output } = await anonymise({ ...call({ input, rules }), secrets: { ...secrets, tokens: testKeys() } })
  expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(made)
})
