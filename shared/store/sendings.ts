import type { Sending } from '../api/webhooks.ts'
import { settings } from '../settings.ts'
import { type Item, queryItems, setting, type Transact, transact, ttlIn, type Write } from './dynamo.ts'
import { idFrom } from './ids.ts'
import type { Kind } from './kinds.ts'
import type { WebhookEvent } from './outbox.ts'
import { creating, keyOf, type Stored } from './records.ts'

export const SENDING: Kind = { table: 'webhooks', name: 'SENDING', expires: true }

/** An event on its way to a webhook, which stands in the place of its owner. While it is PENDING it is due at `nextAttemptAt`. */
export type SendingRecord = Stored & Omit<Sending, 'webhookId' | 'eventId'> & { event: WebhookEvent; ttl: number }

/** What the sweeper reads in the order of time: what is due when. */
type DueRow = Item & { sendingId: string; attempt: number }

/** Days that a sending is kept at least: longer than it can be under way. */
const LEAST_DAYS = 7

const PARTITION = 'DUE'
const dueKey = (id: string, at: string) => ({ pk: PARTITION, sk: `${at}#${id}` })
const dueWrite = (id: string, at: string, attempt: number): Write => ({
  table: 'webhooks',
  put: { ...dueKey(id, at), sendingId: id, attempt },
})

/** A sending as it is shown. */
export const showSending = ({ ownerId, event, ttl: _ttl, ...sending }: SendingRecord): Sending => ({
  ...sending,
  webhookId: ownerId,
  eventId: event.id,
})

const leastTtl = () => ttlIn(LEAST_DAYS * 24 * 3600)

/** A sending of an event to a webhook that nothing has been done for. */
export function newSending(webhookId: string, event: WebhookEvent): SendingRecord {
  const now = new Date().toISOString()
  const unknown = { responseStatus: null, problem: null, milliseconds: null, nextAttemptAt: null, lastAttemptAt: null }
  const times = {
    createdAt: now,
    updatedAt: now,
    ttl: ttlIn(Math.max(LEAST_DAYS, settings().NOTIFICATION_DAYS) * 24 * 3600),
  }
  const id = idFrom(event.id, webhookId)
  return { id, ownerId: webhookId, event, type: event.type, status: 'PENDING', attempts: 0, ...unknown, ...times }
}

/** Begins a sending, due at a time by which its message should long have come; nothing happens when it has begun before. */
export function beginSending(sending: SendingRecord, nextAttemptAt: string): Promise<boolean> {
  const begun: SendingRecord = { ...sending, nextAttemptAt }
  return transact([...creating(SENDING, begun), dueWrite(sending.id, nextAttemptAt, 0)])
}

/** Keeps a sending that has ended with its only attempt. */
export const keepSending = (sending: SendingRecord, write: Transact): Promise<boolean> =>
  write(creating(SENDING, sending))

/** Changes a sending, and when it is due, if nobody has since it was read; false otherwise. One that is due again is kept as long as a new one. */
export function changeSending(
  before: SendingRecord,
  changes: Partial<SendingRecord> & Pick<SendingRecord, 'nextAttemptAt'>,
  write: Transact = transact,
): Promise<boolean> {
  const { id } = before
  const { nextAttemptAt, attempts = before.attempts } = changes
  const kept = nextAttemptAt ? { ttl: Math.max(before.ttl, leastTtl()) } : {}
  const set = setting({ ...changes, ...kept, updatedAt: new Date().toISOString() })
  const change = {
    update: set.update,
    condition: '#status = :status AND attempts = :attempts AND nextAttemptAt = :due',
    names: { ...set.names, '#status': 'status' },
    values: { ...set.values, ':status': before.status, ':attempts': before.attempts, ':due': before.nextAttemptAt },
  }
  const writes: Write[] = [{ table: 'webhooks', update: keyOf(SENDING, id), change }]
  if (before.nextAttemptAt) writes.push({ table: 'webhooks', delete: dueKey(id, before.nextAttemptAt) })
  if (nextAttemptAt) writes.push(dueWrite(id, nextAttemptAt, attempts))
  return write(writes)
}

/** What is due by now, the oldest first. */
export async function* dueSendings(now: string): AsyncGenerator<{ sendingId: string; attempt: number; sk: string }> {
  for await (const row of queryItems<DueRow>({ table: 'webhooks', key: PARTITION })) {
    if (row.sk > now) return
    yield row
  }
}
