import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { untilChanged } from '../../shared/store/records.ts'
import { changeWebhook, showWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { makeKey } from '../../shared/webhooks/new-key.ts'

const HOUR = 3_600_000

export const handler = handle(webhooks.rotate)(async ({ params, body, user, write }) => {
  let shown: string | null = null
  const after = await untilChanged(
    () => findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks'),
    async webhook => {
      const { sealed, publicKey, secret } = await makeKey(webhook.id, webhook.signing)
      shown = secret
      const until = new Date(Date.now() + body.overlapHours * HOUR).toISOString()
      const before = body.overlapHours > 0 ? [{ sealed: webhook.keys[0]!.sealed, until }] : []
      return changeWebhook(webhook, { publicKey, keys: [{ sealed }, ...before] }, write)
    },
  )
  return { ...showWebhook(after), secret: shown }
})
