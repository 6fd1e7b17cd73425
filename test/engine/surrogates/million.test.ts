import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

/** A million telephone numbers among nine million. */
const values = Array.from({ length: 1_000_000 }, (_, n) => `+49 170 ${String(n * 9).padStart(7, '0')}`)

test('none of a million numbers becomes another, and no two the same', { timeout: 600_000 }, async () => {
  const rule = regexRule('number', '.+', { replacement: { surrogate: { as: 'PHONE' } }, replace: 'cell' })
  const input = bufferInput('t.csv', Buffer.from(values.join('\n')))
  const { output } = await anonymise(call({ input, rules: [rule], assetType: 'TABLE', options: { header: false } }))
  const made = Buffer.from(await output.read(0, output.size))
    .toString()
    .split('\n')
  const held = new Set(values)
  expect([made.length, new Set(made).size, made.filter(value => held.has(value)).length]).toEqual([1e6, 1e6, 0])
})
