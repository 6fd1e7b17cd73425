import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

test('a slow pattern goes through a text of several pieces with long runs of digits', async () => {
  const line = `${'1234567890'.repeat(3)} is no number that ends in the letter, 12-34 56X is one.\n`
  const input = bufferInput('a.txt', Buffer.from(line.repeat(2500)))
  const result = await anonymise(call({ input, rules: [regexRule('n', '(\\d+[ -]?)+X')] }))
  const output = Buffer.from(await result.output.read(0, result.output.size)).toString()
  expect(output).toBe(line.replace('12-34 56X', '[n]').repeat(2500))
}, 60_000)
