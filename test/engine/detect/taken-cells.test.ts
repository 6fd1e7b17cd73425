import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { Plan, PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { tableKinds } from '../formats/tables.ts'

const mails = ['ada@example.org', 'Grace@example.org', 'alan@example.org']
const notes = ['order for Grace', 'paid by Ada@example.org', 'call Alan 12']
const header = ['mail', 'amount', 'note']
const rows = mails.map((mail, n) => [mail, `${n + 1}2.50`, notes[n]!])
const kindOf = (name: string) => tableKinds.find(kind => kind.name === name)!

const mail = regexRule('MAIL', '[\\w.]+@[\\w.]+')
const person: PlannedRule = {
  ruleId: 'person',
  name: 'PERSON',
  detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5, entities: ['PERSON'] },
  replacement: { text: '<{{label}}>' },
}

/** What a file becomes, and the texts that a model was asked about which finds words with a capital, and numbers. */
async function ask(rules: PlannedRule[], more: Partial<Plan> = {}, name = 't.csv') {
  const asked = new Set<string>()
  const found = (text: string) =>
    Array.from(text.matchAll(/[A-Z]\w+|\d+/g), ({ index, 0: word }) => ({
      ...{ label: 'PERSON', score: 0.9 },
      ...{ start: index, end: index + word.length },
    }))
  const model: EntityModel = {
    async find(texts) {
      for (const one of texts) asked.add(one)
      return texts.map(found)
    },
  }
  const asking = call({ input: bufferInput(name, kindOf(name).make(header, rows)), rules, assetType: 'TABLE' })
  const { output, findings } = await anonymise({
    ...asking,
    plan: { ...asking.plan, ...more },
    models: async () => model,
    lists: async () => [{ value: 'Nobody at all', match: 'exact' }],
  })
  const made = await kindOf(name).read(await output.read(0, output.size))
  return { asked: [...asked], made, counts: findings.map(({ count }) => count) }
}

test('a model is not asked about cells that an earlier rule takes, nor about those whose column allows nothing', async () => {
  const { asked, made, counts } = await ask([mail, person])
  expect(asked).toEqual([...header, ...notes, 't'])
  expect(made[1]).toEqual(['[MAIL]', '22.50', 'paid by [MAIL]'])
  expect(counts).toEqual([4, 3])
})

test.each(tableKinds.map(({ name }) => name))('%s becomes the same where it is asked about every cell', async name => {
  const { asked, ...short } = await ask([mail, person], {}, name)
  const { asked: all, ...whole } = await ask([mail, person], { exclusions: { lists: ['nobody'] } }, name)
  expect(all.length).toBe(asked.length + mails.length)
  expect(short).toEqual(whole)
})

test('it is asked about all where more counts than what is replaced', async () => {
  expect((await ask([person, mail])).asked).toEqual(expect.arrayContaining(mails))
  const shifted = regexRule('DATE', '\\d{4}-\\d\\d-\\d\\d', { replacement: { dateShift: { by: { rule: 'person' } } } })
  expect((await ask([mail, person, shifted])).asked).toEqual(expect.arrayContaining(mails))
})
