import { randomUUID } from 'node:crypto'
import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { keepSending, newSending, showSending } from '../../shared/store/sendings.ts'
import { WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { isAccepted } from '../../shared/webhooks/post.ts'
import { callReceiver } from '../../shared/webhooks/send-event.ts'

export const handler = handle(webhooks.test)(async ({ params, user, write }) => {
  const webhook = await findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks')
  const timestamp = new Date().toISOString()
  const data = { ownerId: user.id, resource: { type: 'webhook', id: webhook.id } }
  const event = { id: randomUUID(), type: 'webhook.test' as const, timestamp, data }
  const { retryAfter: _, ...result } = await callReceiver(webhook, event)
  const status = isAccepted(result) ? ('DELIVERED' as const) : ('FAILED' as const)
  const sending = { ...newSending(webhook.id, event), ...result, status, attempts: 1, lastAttemptAt: timestamp }
  await keepSending(sending, write)
  return showSending(sending)
})
