import { ProblemError } from '../api/problems.ts'
import { MAX_WEBHOOKS, type Webhook } from '../api/webhooks.ts'
import {
  countItems,
  deleteItem,
  getItem,
  getItems,
  type Item,
  queryItems,
  setting,
  type Transact,
  transact,
  updateItem,
} from './dynamo.ts'
import { type Kind, kinds } from './kinds.ts'
import { announce, telling } from './notifications.ts'
import { changing, creating, keyOf, removing, type Stored, whileSame } from './records.ts'

export const WEBHOOK: Kind = kinds.webhook_id

/** A secret or private key as stored, and until when it signs; without an end, it is the one in use. */
export type SealedKey = { sealed: string; until?: string }

/** A webhook as stored: `keys` sign, the one in use first. */
export type WebhookRecord = Stored & Omit<Webhook, 'previousKeyUntil'> & { keys: SealedKey[] }

/** Where those stand that hear of one owner's events, or of everybody's. Read consistently, unlike an index. */
const hearing = ({ ownerId, scope }: Pick<WebhookRecord, 'ownerId' | 'scope'>): string =>
  `HEARS#${scope === 'all' ? '*' : ownerId}`

const noteOf = (webhook: WebhookRecord) => ({ pk: hearing(webhook), sk: webhook.id })

/** A webhook as it may be shown. */
export function showWebhook({ keys, ...webhook }: WebhookRecord): Webhook {
  const until = keys[1]?.until
  return { ...webhook, previousKeyUntil: until && until > new Date().toISOString() ? until : null }
}

/** How often a webhook is counted anew that others were created before. */
const ATTEMPTS = 12

/** The row that changes with every webhook that is created where a webhook stands: of those that were counted at once one is. */
const turnOf = (of: Pick<WebhookRecord, 'ownerId' | 'scope'>) => ({ pk: `TURN#${hearing(of)}`, sk: 'TURN' })

/** Removes the row that counted the webhooks that an owner, who is gone, has created. */
export const forgetTurns = (ownerId: string): Promise<void> => deleteItem('webhooks', turnOf({ ownerId, scope: 'own' }))

/** Creates a webhook; refuses more than an owner may have (400), however many are created at the same time. */
export async function createWebhook(webhook: WebhookRecord, write: Transact = transact): Promise<void> {
  const scopes = (['own', 'all'] as const).map(scope => hearing({ ...webhook, scope }))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const turn = (await getItem<Item & { n: number }>('webhooks', turnOf(webhook)))?.n ?? 0
    const counts = await Promise.all(scopes.map(key => countItems({ table: 'webhooks', key })))
    if (counts.some(count => count >= MAX_WEBHOOKS)) throw new ProblemError({ type: 'too_many_webhooks' })
    const counted = {
      update: 'SET #n = :next',
      condition: turn === 0 ? 'attribute_not_exists(#n)' : '#n = :turn',
      names: { '#n': 'n' },
      values: { ':next': turn + 1, ...(turn > 0 && { ':turn': turn }) },
    }
    const writes = [...creating(WEBHOOK, webhook), { table: 'webhooks' as const, put: noteOf(webhook) }]
    if (await write([...writes, { table: 'webhooks', update: turnOf(webhook), change: counted }])) return
  }
  throw new ProblemError({ type: 'unavailable', msg: 'Others are creating webhooks; try again' })
}

/** What is as it was of a webhook that nobody has changed, and whose receiver is as well as it was. */
const UNCHANGED = ['updatedAt', 'enabled', 'failingSince'] as const

/** Changes a webhook and answers it as it is stored; undefined when it has been changed since it was read. */
export async function changeWebhook(
  webhook: WebhookRecord,
  changes: Partial<WebhookRecord>,
  write: Transact,
): Promise<WebhookRecord | undefined> {
  const same = whileSame(webhook, UNCHANGED)
  const changed = changing<WebhookRecord>(WEBHOOK, webhook, changes, same)
  return (await write([changed.write])) ? changed.after : undefined
}

/** Removes a webhook; false when there is none any more. What is on its way to it goes nowhere. */
export const removeWebhook = (webhook: WebhookRecord, write: Transact = transact): Promise<boolean> =>
  write([...removing(WEBHOOK, webhook), { table: 'webhooks', delete: noteOf(webhook) }])

/** The webhooks that hear of an owner's events, enabled or not. */
export async function webhooksHearing(ownerId: string): Promise<WebhookRecord[]> {
  const scopes = ['own', 'all'] as const
  const ids = (await Promise.all(scopes.map(scope => notedIn(hearing({ ownerId, scope }))))).flat()
  return getItems<WebhookRecord & Item>(
    'webhooks',
    ids.map(id => keyOf(WEBHOOK, id)),
  )
}

async function notedIn(key: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { sk } of queryItems<Item>({ table: 'webhooks', key })) ids.push(sk)
  return ids
}

/** Notes that a receiver failed, or no longer does; the first failure counts. */
export async function noteFailing({ id }: WebhookRecord, failingSince: string | null): Promise<void> {
  await updateItem('webhooks', keyOf(WEBHOOK, id), {
    update: 'SET failingSince = :since',
    condition: failingSince === null ? 'attribute_exists(pk)' : 'failingSince = :none',
    values: { ':since': failingSince, ...(failingSince !== null && { ':none': null }) },
  })
}

/**
 * Stops calling a webhook and tells its owner, both or neither, and says whether it did; nothing happens when it has been changed
 * since it was read, was disabled before, or has been reached again.
 */
export async function disableWebhook(
  webhook: WebhookRecord,
  disabledBecause: NonNullable<Webhook['disabledBecause']>,
): Promise<boolean> {
  const { id, ownerId, name } = webhook
  const updatedAt = new Date().toISOString()
  const set = setting({ enabled: false, disabledBecause, updatedAt })
  const same = whileSame(webhook, UNCHANGED)
  const change = { ...set, ...same, names: { ...set.names, ...same.names }, values: { ...set.values, ...same.values } }
  const event = { kind: 'webhook.disabled', resource: { type: 'webhook', id }, name, occasion: updatedAt } as const
  const writes = [{ table: 'webhooks' as const, update: keyOf(WEBHOOK, id), change }, ...telling(ownerId, event)]
  const isDone = await transact(writes)
  if (isDone) await announce(ownerId, event)
  return isDone
}
