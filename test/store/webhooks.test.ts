import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '../../shared/store/dynamo.ts'
import { findRecord } from '../../shared/store/records.ts'
import {
  changeWebhook,
  createWebhook,
  disableWebhook,
  noteFailing,
  WEBHOOK,
  type WebhookRecord,
} from '../../shared/store/webhooks.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop())

/** A webhook whose receiver has failed for long, as it was read before an attempt. */
async function failing(): Promise<WebhookRecord> {
  const [now, id] = [new Date().toISOString(), randomUUID()]
  const told = { name: 'Tickets', url: 'https://example.org/hook', events: ['job.*' as const], scope: 'own' as const }
  const state = { enabled: true, disabledBecause: null, failingSince: '2031-05-06T00:00:00.000Z', keys: [] }
  const made = { id, ownerId: id, ...told, signing: 'hmac' as const, publicKey: null, ...state }
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
