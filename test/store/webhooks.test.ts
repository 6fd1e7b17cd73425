import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_WEBHOOKS } from '../../shared/api/webhooks.ts'
import { purge } from '../../shared/jobs/lifecycle/purge-user.ts'
import { getItem, transact } from '../../shared/store/dynamo.ts'
import { findRecord } from '../../shared/store/records.ts'
import {
  changeWebhook,
  createWebhook,
  disableWebhook,
  noteFailing,
  WEBHOOK,
  type WebhookRecord,
  webhooksHearing,
} from '../../shared/store/webhooks.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  process.env.LOCAL_ASSET_ROOT = tmpdir()
  stop = await startTables()
})
afterAll(() => stop())

/** A webhook whose receiver has failed for long, as it was read before an attempt. */
async function failing(ownerId?: string): Promise<WebhookRecord> {
  const [now, id] = [new Date().toISOString(), randomUUID()]
  const told = { name: 'Tickets', url: 'https://example.org/hook', events: ['job.*' as const], scope: 'own' as const }
  const state = { enabled: true, disabledBecause: null, failingSince: '2031-05-06T00:00:00.000Z', keys: [] }
  const made = { id, ownerId: ownerId ?? id, ...told, signing: 'hmac' as const, publicKey: null, ...state }
  const webhook = { ...made, createdAt: now, updatedAt: now }
  await createWebhook(webhook)
  return webhook
}

const isEnabled = async ({ id }: WebhookRecord) => (await findRecord<WebhookRecord>(WEBHOOK, id))!.enabled

test('a webhook is disabled whose receiver has failed for long', async () => {
  const webhook = await failing()
  expect(await disableWebhook(webhook, 'failing')).toBe(true)
  expect(await isEnabled(webhook)).toBe(false)
})

test('one that was changed, or whose receiver was reached, during its last attempt is not', async () => {
  const changed = await failing()
  await changeWebhook(changed, { url: 'https://example.org/other' }, transact)
  const reached = await failing()
  await noteFailing(reached, null)
  for (const webhook of [changed, reached]) {
    expect(await disableWebhook(webhook, 'failing')).toBe(false)
    expect(await isEnabled(webhook)).toBe(true)
  }
})

test('of many that are created at the same time there are as many as an owner may have', async () => {
  const owner = randomUUID()
  for (let n = 0; n < MAX_WEBHOOKS - 2; n++) await failing(owner)
  const created = await Promise.allSettled(Array.from({ length: 6 }, () => failing(owner)))
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await webhooksHearing(owner)).toHaveLength(MAX_WEBHOOKS)
})

test('nothing stays of an owner who is purged', async () => {
  const owner = randomUUID()
  const webhook = await failing(owner)
  const turn = { pk: `TURN#HEARS#${owner}`, sk: 'TURN' }
  expect(await getItem('webhooks', turn)).toMatchObject({ n: 1 })
  await purge(owner)
  expect(await findRecord(WEBHOOK, webhook.id)).toBeUndefined()
  expect(await webhooksHearing(owner)).toEqual([])
  expect(await getItem('webhooks', turn)).toBeUndefined()
})
