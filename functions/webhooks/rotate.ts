import { notFound } from '../../shared/api/problems.ts'
import { webhooks } from '../../shared/api/webhooks.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changing, whileThere } from '../../shared/store/records.ts'
import { showWebhook, WEBHOOK, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { makeKey } from '../../shared/webhooks/new-key.ts'

const HOUR = 3_600_000

export const handler = handle(webhooks.rotate)(async ({ params, body, user, write }) => {
  const webhook = await findOwned<WebhookRecord>(WEBHOOK, params.webhook_id, user, 'webhooks')
  const { id, signing, keys } = webhook
  const { sealed, publicKey, secret } = await makeKey(id, signing)
  const until = new Date(Date.now() + body.overlapHours * HOUR).toISOString()
  const before = body.overlapHours > 0 ? [{ sealed: keys[0]!.sealed, until }] : []
  const changes = { publicKey, keys: [{ sealed }, ...before] }
  const changed = changing<WebhookRecord>(WEBHOOK, webhook, changes, whileThere)
  if (!(await write([changed.write]))) throw notFound('webhook')
  return { ...showWebhook(changed.after), secret }
})
