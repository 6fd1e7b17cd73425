import { notFound, ProblemError } from '../../shared/api/problems.ts'
import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { sendMessages } from '../../shared/store/queue.ts'
import { findRecord } from '../../shared/store/records.ts'
import { changeSending, SENDING, type SendingRecord, showSending } from '../../shared/store/sendings.ts'
import { WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { GRACE_MS } from '../../shared/webhooks/publish.ts'

export const handler = handle(webhooks.redeliver)(async ({ params, user, write }) => {
  const webhook = await findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks')
  const sending = await findRecord<SendingRecord>(SENDING, params.delivery_id)
  if (sending?.ownerId !== webhook.id) throw notFound('delivery')
  if (!webhook.enabled) throw new ProblemError({ type: 'webhook_disabled' })
  if (sending.status === 'PENDING') throw new ProblemError({ type: 'attempt_pending' })
  const nextAttemptAt = new Date(Date.now() + GRACE_MS).toISOString()
  const changes = { status: 'PENDING' as const, attempts: 0, nextAttemptAt }
  if (!(await changeSending(sending, changes, write))) throw new ProblemError({ type: 'attempt_pending' })
  await sendMessages('events', webhook.id, [{ type: 'SEND', sendingId: sending.id, attempt: 0 }])
  return showSending({ ...sending, ...changes })
})
