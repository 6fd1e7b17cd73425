import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call } from '../call.ts'

const rule: PlannedRule = {
  ruleId: 'case',
  name: 'CASE',
  detection: {
    type: 'REGEX',
    pattern: '\\d{4}',
    score: 0.2,
    context: [
      { words: ['total', 'année'], score: 0, before: 12, after: 6 },
      { words: ['case', 'file no.'], score: 0.9, before: 12, after: 6 },
    ],
  },
  replacement: { text: '[CASE]' },
}

async function applied(name: string, text: string): Promise<string> {
  const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(text)), rules: [rule] }))
  return (await output.read(0, output.size)).toString()
}

test.each([
  ['Case 1234', 'Case [CASE]'],
  ['file  no. 1234', 'file  no. [CASE]'],
  ['1234 (case)', '[CASE] (case)'],
  ['in 1234', 'in 1234'],
  ['showcase 1234', 'showcase 1234'],
  ['Case: the long way 1234', 'Case: the long way 1234'],
  ['case, total 1234', 'case, total 1234'],
  ['case 1234 ANNÉE', 'case 1234 ANNÉE'],
])('%j becomes %j, in texts and in cells', async (text, expected) => {
  expect(await applied('a.txt', text)).toBe(expected)
  expect(await applied('a.csv', `a,b\n"${text}",2021\n`)).toContain(expected)
  expect(await applied('a.csv', `a,b\n"${text}",2021\n`)).toContain('2021')
})
