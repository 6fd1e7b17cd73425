import { notFound } from '../../shared/api/problems.ts'
import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changing, whileThere } from '../../shared/store/records.ts'
import { showWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { requireEncrypted } from '../../shared/webhooks/address.ts'

export const handler = handle(webhooks.update)(async ({ params, body, user, write }) => {
  const webhook = await findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks')
  if (body.url) requireEncrypted(body.url)
  // Whoever enables it says that the receiver is well again.
  const anew = body.enabled && { disabledBecause: null, failingSince: null }
  const changed = changing<WebhookRecord>(WEBHOOK, webhook, { ...body, ...anew }, whileThere)
  if (!(await write([changed.write]))) throw notFound('webhook')
  return showWebhook(changed.after)
})
