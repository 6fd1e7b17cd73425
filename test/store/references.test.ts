import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecord, findRecord } from '../../shared/store/records.ts'
import { addReferences, removeReferences, removeUnreferenced } from '../../shared/store/references.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop())

async function newRule(): Promise<RuleRecord> {
  const now = new Date().toISOString()
  const config = { regexRuleConfig: { pattern: 'a' } }
  const named = { id: randomUUID(), ownerId: randomUUID(), name: 'A', description: '' }
  const rule: RuleRecord = { ...named, type: 'REGEX', config, createdAt: now, updatedAt: now }
  await createRecord(RULE, rule)
  return rule
}
const is = (answer: boolean | 'never') => async () => answer

test('a use that was announced and is not written yet keeps the record', async () => {
  const rule = await newRule()
  expect(await addReferences(RULE, [rule.id], 'workflow')).toBe(true)
  expect(await removeUnreferenced(RULE, rule, is(false))).toEqual(['workflow'])
  expect(await findRecord(RULE, rule.id)).toBeDefined()
})

test('a use that cannot come any more does not, nor one that was taken back', async () => {
  const [ended, forgotten] = [await newRule(), await newRule()]
  await addReferences(RULE, [ended.id, forgotten.id], 'workflow')
  await removeReferences(RULE, [forgotten.id], 'workflow')
  expect(await removeUnreferenced(RULE, ended, is('never'))).toEqual([])
  expect(await removeUnreferenced(RULE, forgotten, is(true))).toEqual([])
  expect(await addReferences(RULE, [ended.id], 'another')).toBe(false)
})

test('used and removed at the same moment, only one of the two happens', async () => {
  for (let round = 0; round < 20; round++) {
    const rule = await newRule()
    const [noted, usedBy] = await Promise.all([
      addReferences(RULE, [rule.id], 'workflow'),
      removeUnreferenced(RULE, rule, is(false)),
    ])
    expect(usedBy.length > 0).toBe(noted)
  }
})
