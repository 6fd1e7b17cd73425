import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listAhead, listRecords } from '../../shared/store/lists.ts'
import { SENDING, type SendingRecord, showSending } from '../../shared/store/sendings.ts'
import { WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'

export const handler = handle(webhooks.deliveries)(
  async call => {
    const { id: ownerId } = await findOwned<WebhookRecord>(WEBHOOK, call.params.webhook_id, call.user, 'webhooks')
    return listed(call, await listRecords<SendingRecord>(SENDING, { ownerId }, call.page)).map(showSending)
  },
  { ahead: ({ params, page }) => listAhead(SENDING, { ownerId: params.webhook_id }, page) },
)
