import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { untilChanged } from '../../shared/store/records.ts'
import { changeWebhook, showWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { requireEncrypted } from '../../shared/webhooks/address.ts'

export const handler = handle(webhooks.update)(async ({ params, body, user, write }) => {
  if (body.url) requireEncrypted(body.url)
  // Whoever enables it says that the receiver is well again.
  const anew = body.enabled && { disabledBecause: null, failingSince: null }
  const after = await untilChanged(
    () => findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks'),
    webhook => changeWebhook(webhook, { ...body, ...anew }, write),
  )
  return showWebhook(after)
})
