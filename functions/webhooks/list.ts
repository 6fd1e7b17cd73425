import { webhooks } from '../../shared/api/webhooks.ts'
import { ownedAhead, scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { showWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'

export const handler = handle(webhooks.list)(
  async call =>
    listed(call, await listRecords<WebhookRecord>(WEBHOOK, scopeOf(call.user, 'webhooks'), call.page)).map(showWebhook),
  { ahead: asked => ownedAhead(WEBHOOK, 'webhooks', asked) },
)
