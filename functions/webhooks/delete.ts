import { notFound } from '../../shared/api/problems.ts'
import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { removeWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'

export const handler = handle(webhooks.delete)(async ({ params, user, write }) => {
  const webhook = await findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks')
  if (!(await removeWebhook(webhook, write))) throw notFound('webhook')
  return { id: webhook.id, deleted: true as const }
})
