import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { ListEntry } from '../../../shared/engine/detect/dictionary/entry.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import type { Plan, PlannedRule } from '../../../shared/engine/plan.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { call, regexRule } from '../call.ts'

const word = (value: string): ListEntry => ({ value, match: 'word' })

const lists: Record<string, ListEntry[]> = {
  patients: [word('Erika Mustermann'), { value: 'C-\\d{4}', match: 'pattern' }],
  house: [word('Klinikum Anna Moser'), word('4111 1111 1111 1111'), { value: 'Haus \\d+', match: 'pattern' }],
}

const listRule: PlannedRule = {
  ruleId: 'patients',
  name: 'PATIENT',
  detection: { type: 'LIST', list: 'patients' },
  replacement: { text: '[{{rule}}]' },
}
const cards: PlannedRule = {
  ruleId: 'cards',
  name: 'CARD',
  detection: { type: 'AIMODEL', modelId: 'pii-patterns', modelVersion: '1.0.0', confidenceThreshold: 0.5 },
  replacement: { text: '[{{label}}]' },
}

async function applied(
  name: string,
  text: string,
  rules: PlannedRule[],
  exclusions?: Plan['exclusions'],
): Promise<string> {
  const given = call({ input: bufferInput(name, Buffer.from(text)), rules, models: modelLoader([patternSource]) })
  const plan = { ...given.plan, ...(exclusions && { exclusions }) }
  const { output } = await anonymise({ ...given, plan, lists: async list => lists[list]! })
  return (await output.read(0, output.size)).toString()
}

test('values of a list are replaced in documents and tables, patterns among them', async () => {
  const text = 'name,note\nERIKA  MUSTERMANN,case C-1234 of erika mustermann\nErik,Mustermann\n'
  const expected = 'name,note\n[PATIENT],case [PATIENT] of [PATIENT]\nErik,Mustermann\n'
  expect(await applied('a.csv', text, [listRule])).toBe(expected)
  expect(await applied('a.txt', text, [listRule])).toBe(expected)
})

test('a value is found across the edges of the pieces that a long text is read in', async () => {
  const fill = 'so it goes on, '.repeat(9000)
  const text = `${fill}Erika Mustermann ${fill}Erika Mustermann`
  expect(await applied('a.txt', text, [listRule])).toBe(text.replaceAll('Erika Mustermann', '[PATIENT]'))
  for (let shift = 0; shift < 18; shift++) {
    const shifted = `${'x'.repeat(65_536 - 24 + shift)} Erika Mustermann came`
    expect(await applied('a.txt', shifted, [listRule])).toBe(shifted.replace('Erika Mustermann', '[PATIENT]'))
  }
})

test('what lies inside of an excluded value stays, and elsewhere goes', async () => {
  const rules = [regexRule('NAME', 'Anna Moser'), regexRule('N', '\\d\\d')]
  const text = 'Anna Moser was in Klinikum Anna Moser, Haus 12, bed 34.'
  expect(await applied('a.txt', text, rules)).toBe('[NAME] was in Klinikum [NAME], Haus [N], bed [N].')
  expect(await applied('a.txt', text, rules, { lists: ['house'] })).toBe(
    '[NAME] was in Klinikum Anna Moser, Haus 12, bed [N].',
  )
  const table = 'a,b\nAnna Moser,Klinikum Anna Moser\n'
  expect(await applied('a.csv', table, rules, { lists: ['house'] })).toBe('a,b\n[NAME],Klinikum Anna Moser\n')
})

test('what a checksum proves is replaced although it is excluded, unless that is forced', async () => {
  const text = 'Card 4111 1111 1111 1111'
  const luhn = regexRule('LUHN', '\\d{4}(?: \\d{4}){3}', { validator: 'luhn' })
  for (const [rule, label] of [
    [cards, 'PAYMENT_CARD'],
    [luhn, 'LUHN'],
  ] as const) {
    expect(await applied('a.txt', text, [rule], { lists: ['house'] })).toBe(`Card [${label}]`)
    expect(await applied('a.txt', text, [rule], { lists: ['house'], force: true })).toBe(text)
  }
})

test('without lists at hand a plan that names one fails', async () => {
  const input = bufferInput('a.txt', Buffer.from('a'))
  await expect(anonymise(call({ input, rules: [listRule] }))).rejects.toMatchObject({ type: 'invalid_workflow' })
})
