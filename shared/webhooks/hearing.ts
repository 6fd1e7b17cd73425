import { isWanted } from '../api/events.ts'
import type { WebhookEvent } from '../store/outbox.ts'
import { findRecord } from '../store/records.ts'
import { permissionsOf } from '../store/roles.ts'
import { permissionsOfAccount, SERVICE_ACCOUNT, type ServiceAccountRecord } from '../store/service-accounts.ts'
import { USER, type UserRecord } from '../store/users.ts'
import { type WebhookRecord, webhooksHearing } from '../store/webhooks.ts'

/** The webhooks that are to hear of an event now. */
export async function listenersTo({ type, data }: WebhookEvent): Promise<WebhookRecord[]> {
  const listeners: WebhookRecord[] = []
  for (const webhook of await webhooksHearing(data.ownerId))
    if (type !== 'webhook.test' && isWanted(type, webhook.events) && (await isListening(webhook)))
      listeners.push(webhook)
  return listeners
}

/** Whether a webhook is enabled and its owner is there and may still see what it tells of. */
export async function isListening({ enabled, scope, ownerId }: WebhookRecord): Promise<boolean> {
  return enabled && (await permissionsOfOwner(ownerId)).includes(scope === 'all' ? 'webhooks:any' : 'webhooks:read')
}

async function permissionsOfOwner(id: string): Promise<readonly string[]> {
  const user = await findRecord<UserRecord>(USER, id)
  if (user) return user.blocked ? [] : ((await permissionsOf(user.role)) ?? [])
  const account = await findRecord<ServiceAccountRecord>(SERVICE_ACCOUNT, id)
  return !account || account.blocked ? [] : permissionsOfAccount(account)
}
