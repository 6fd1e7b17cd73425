import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '../../shared/store/dynamo.ts'
import { changing, createRecord, findRecord, untilChanged } from '../../shared/store/records.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'
import { changeWebhook, noteFailing, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop?.())

const made = () => {
  const now = new Date().toISOString()
  return { id: randomUUID(), ownerId: 'owner', createdAt: now, updatedAt: now }
}

test('of changes at the same time each is answered with those that were stored before it', async () => {
  const list: ListRecord = { ...made(), name: '', description: '', entries: 0, content: null }
  await createRecord(LIST, list)
  const read = async () => (await findRecord<ListRecord>(LIST, list.id))!
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      untilChanged(read, async before => {
        const field = n % 2 === 0 ? 'name' : 'description'
        const changed = changing<ListRecord>(LIST, before, { [field]: before[field] + n })
        return (await transact([changed.write])) ? changed.after : undefined
      }),
    ),
  )
  const inOrder = answers.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
  expect(inOrder.map(({ name, description }) => (name + description).length)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(new Set(answers.map(({ updatedAt }) => updatedAt)).size).toBe(8)
  expect(await read()).toMatchObject(inOrder.at(-1)!)
})

test('a webhook that begins to fail at the same time is not answered as one that does not', async () => {
  const webhook = { ...made(), name: 'A', enabled: true, failingSince: null } as WebhookRecord
  await createRecord(WEBHOOK, webhook)
  const since = new Date().toISOString()
  await noteFailing(webhook, since)
  expect(await changeWebhook(webhook, { name: 'B' }, transact)).toBeUndefined()
  const now = (await findRecord<WebhookRecord>(WEBHOOK, webhook.id))!
  expect(await changeWebhook(now, { name: 'B' }, transact)).toMatchObject({ name: 'B', failingSince: since })
})
