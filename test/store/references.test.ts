import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getItem } from '../../shared/store/dynamo.ts'
import { createRecord, creating, findRecord, keyOf } from '../../shared/store/records.ts'
import { addReferences, removeReferences, removeUnreferenced, writeUsing } from '../../shared/store/references.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { startTables } from './tables.ts'

type Transaction = { TransactItems: { Put?: unknown; Update?: unknown }[] }
const transactions: Transaction[] = []
let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables((_, action, request) => {
    if (action === 'TransactWriteItems') transactions.push(request as Transaction)
    return undefined
  })
})
afterAll(() => stop())

async function newRule(): Promise<RuleRecord> {
  const rule = aRule()
  await createRecord(RULE, rule)
  return rule
}

/** A rule that is not written yet. */
const aRule = (): RuleRecord => {
  const now = new Date().toISOString()
  const config = { regexRuleConfig: { pattern: 'a' } }
  const named = { id: randomUUID(), ownerId: randomUUID(), name: 'A', description: '' }
  return { ...named, type: 'REGEX', config, createdAt: now, updatedAt: now }
}

/** Whether it is noted that one record uses another. */
const isNoted = async (id: string, by: string): Promise<boolean> =>
  (await getItem('rules', { pk: keyOf(RULE, id).pk, sk: `USE#${by}` })) !== undefined

const is = (answer: boolean | 'never') => async () => answer

test('a use that was announced and is not written yet keeps the record', async () => {
  const rule = await newRule()
  expect(await addReferences(RULE, [rule.id], 'workflow')).toBe(true)
  expect(await removeUnreferenced(RULE, rule, is(false))).toEqual(['workflow'])
  expect(await findRecord(RULE, rule.id)).toBeDefined()
})

test('of many uses the count of each comes with what notes it, in one transaction', async () => {
  const rules = await Promise.all(Array.from({ length: 120 }, newRule))
  transactions.length = 0
  const ids = rules.map(({ id }) => id)
  expect(await addReferences(RULE, ids, 'workflow')).toBe(true)
  expect(await writeUsing('other', [{ kind: RULE, ids, otherwise: new Error('gone') }], [])).toBe(true)
  expect(transactions.length).toBeGreaterThanOrEqual(6)
  for (const { TransactItems } of transactions)
    expect(TransactItems.filter(({ Put }) => Put)).toHaveLength(TransactItems.length / 2)
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

test('a record is written with the notes of what it uses, or neither is', async () => {
  const [one, other, user] = [await newRule(), await newRule(), aRule()]
  const otherwise = new Error('One of them is gone')
  const all = [{ kind: RULE, ids: [one.id, other.id, one.id], otherwise }]
  expect(await writeUsing(user.id, [...all, ...all], creating(RULE, user))).toBe(true)
  expect(await findRecord(RULE, user.id)).toBeDefined()
  expect(await isNoted(one.id, user.id)).toBe(true)

  const late = aRule()
  const gone = { kind: RULE, ids: [randomUUID()], otherwise }
  await expect(writeUsing(late.id, [...all, gone], creating(RULE, late))).rejects.toBe(otherwise)
  expect(await findRecord(RULE, late.id)).toBeUndefined()
  expect(await isNoted(one.id, late.id)).toBe(false)
  expect(await writeUsing(user.id, all, creating(RULE, user))).toBe(false)
})

test('more notes than a transaction holds are written and removed with their record', async () => {
  const [ids, user] = [Array.from({ length: 120 }, () => randomUUID()), aRule()]
  for (const id of ids) await createRecord(RULE, { ...aRule(), id })
  const used = { kind: RULE, ids, otherwise: new Error('One of them is gone') }
  expect(await writeUsing(user.id, [used], creating(RULE, user))).toBe(true)
  expect(await Promise.all(ids.map(id => isNoted(id, user.id)))).toEqual(ids.map(() => true))
  expect(await removeUnreferenced(RULE, user, is(true), { used: [used] })).toEqual([])
  expect(await Promise.all(ids.map(id => isNoted(id, user.id)))).toEqual(ids.map(() => false))
})

test('what no longer uses a record is forgotten with it, or by itself while others use it', async () => {
  const rule = await newRule()
  const past = Array.from({ length: 130 }, (_, n) => `past-${n}`)
  for (const by of [...past, 'present']) await addReferences(RULE, [rule.id], by)
  const uses = async (by: string) => (by === 'present' ? true : ('never' as const))
  expect(await removeUnreferenced(RULE, rule, uses)).toEqual(['present'])
  // A few stay, to be forgotten together with the record.
  expect(await isNoted(rule.id, past[129]!)).toBe(false)
  for (const by of past) await addReferences(RULE, [rule.id], by)
  expect(await removeUnreferenced(RULE, rule, is('never'))).toEqual([])
  expect(await isNoted(rule.id, past[129]!)).toBe(false)
  expect(await findRecord(RULE, rule.id)).toBeUndefined()
})

test('a use that is noted anew while others are looked at stays noted', async () => {
  const rule = await newRule()
  for (const by of ['before', 'other']) await addReferences(RULE, [rule.id], by)
  const uses = async (by: string) => {
    if (by === 'before') return 'never'
    await addReferences(RULE, [rule.id], 'before')
    return true
  }
  expect(await removeUnreferenced(RULE, rule, uses)).toEqual(['other'])
  expect(await isNoted(rule.id, 'before')).toBe(true)
})
