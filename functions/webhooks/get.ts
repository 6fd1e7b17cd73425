import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { showWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'

export const handler = handle(webhooks.get)(async ({ params, user }) =>
  showWebhook(await findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks')),
)
