import { randomUUID } from 'node:crypto'
import { ProblemError } from '../../shared/api/problems.ts'
import { webhooks } from '../../shared/api/webhooks.ts'
import { hasPermission } from '../../shared/http/caller.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createWebhook, showWebhook } from '../../shared/store/webhooks.ts'
import { requireEncrypted } from '../../shared/webhooks/address.ts'
import { makeKey } from '../../shared/webhooks/new-key.ts'

export const handler = handle(webhooks.create)(async ({ body, user, note, write }) => {
  requireEncrypted(body.url)
  if (body.scope === 'all' && !hasPermission(user, 'webhooks:any'))
    throw new ProblemError({
      type: 'permission_denied',
      msg: 'This needs the permission webhooks:any',
      loc: ['body', 'scope'],
    })
  const id = randomUUID()
  const { sealed, publicKey, secret } = await makeKey(id, body.signing)
  const now = new Date().toISOString()
  const state = { publicKey, disabledBecause: null, failingSince: null, keys: [{ sealed }] }
  const webhook = { ...body, ...state, id, ownerId: user.id, createdAt: now, updatedAt: now }
  note({ newId: id })
  await createWebhook(webhook, write)
  return { ...showWebhook(webhook), secret }
})
