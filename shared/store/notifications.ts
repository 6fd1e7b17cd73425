import type { Notification, NotificationKind } from '../api/notifications.ts'
import { settings } from '../settings.ts'
import { type Item, transact, ttlIn, updateItem, type Write } from './dynamo.ts'
import { idFrom } from './ids.ts'
import { creating, findRecord, type Kind, keyOf, type Stored } from './records.ts'

export const NOTIFICATION: Kind = { table: 'notifications', name: 'NOTIFICATION', expires: true }

/** A notification as stored; `name` is the title again, under the name that lists search. */
export type NotificationRecord = Notification & Stored & { name: string; ttl: number }

/** What happened: ids and names that people gave, never any content of an asset. */
export type Event = {
  kind: NotificationKind
  /** What it happened to. */
  resource: { type: 'job' | 'user' | 'reidentification'; id: string }
  /** Name of the job, as its owner gave it. */
  name?: string
  /** Tells two events of one kind about one resource apart; the same one again changes nothing. */
  occasion?: string
}

const wording: Record<NotificationKind, [title: string, message: (name: string) => string]> = {
  'job.succeeded': ['Job succeeded', name => `The job “${name}” has finished. Its results can be fetched.`],
  'job.failed': ['Job failed', name => `The job “${name}” has finished with errors. The job says which.`],
  'job.cancelled': ['Job cancelled', name => `The job “${name}” was cancelled.`],
  'review.waiting': ['Review waits', name => `The job “${name}” waits for its review. Nothing is released before.`],
  'load.failed': ['Load failed', name => `Files of the job “${name}” could not be loaded. Its assets say why.`],
  'delivery.succeeded': [
    'Results delivered',
    name => `The results of the job “${name}” have been written to the source.`,
  ],
  'delivery.failed': [
    'Delivery failed',
    name => `Some results of the job “${name}” could not be written to the source. The job says which, and why.`,
  ],
  'reidentification.approved': ['Request approved', () => 'Your request for what tokens stand for was approved.'],
  'reidentification.rejected': ['Request rejected', () => 'Your request for what tokens stand for was rejected.'],
  'reidentification.opened': ['Tokens opened', () => 'Somebody was given values that tokens of your jobs stand for.'],
  'user.blocked': ['Account blocked', () => 'An administrator blocked your account and ended its sessions.'],
  'user.password_reset': ['Password reset', () => 'An administrator reset your password and ended your sessions.'],
  'user.password_changed': ['Password changed', () => 'Your password was changed and your other sessions were ended.'],
  'user.second_factor_changed': [
    'Second factor changed',
    () => 'Your second factor was turned on or off and your other sessions were ended.',
  ],
}

/**
 * The write that notifies a user: for a transaction together with the change it tells of. The id follows from the
 * event, so the same event twice is one notification; the write then fails, and with it the transaction.
 */
export function notifying(userId: string, { kind, resource, name = '', occasion = '' }: Event): Write {
  const [title, message] = wording[kind]
  const createdAt = new Date().toISOString()
  const record: NotificationRecord = {
    id: idFrom(userId, kind, resource.id, occasion),
    ownerId: userId,
    kind,
    title,
    name: title,
    message: message(name),
    resource,
    read: false,
    readAt: null,
    createdAt,
    updatedAt: createdAt,
    ttl: ttlIn(settings().NOTIFICATION_DAYS * 24 * 3600),
  }
  return creating(NOTIFICATION, record)[0]!
}

/** Notifies a user, once however often it is called for the same event. */
export const notify = async (userId: string, event: Event): Promise<void> => {
  await transact([notifying(userId, event)])
}

/** Marks a user's own notification as read, the first time it is; undefined when there is none of theirs. */
export async function markRead(userId: string, id: string): Promise<NotificationRecord | undefined> {
  const changed = await updateItem<Item & NotificationRecord>('notifications', keyOf(NOTIFICATION, id), {
    update: 'SET #read = :true, readAt = :now, updatedAt = :now',
    condition: 'ownerId = :owner AND #read = :false',
    names: { '#read': 'read' },
    values: { ':true': true, ':false': false, ':now': new Date().toISOString(), ':owner': userId },
  })
  if (changed) return changed
  const notification = await findRecord<NotificationRecord>(NOTIFICATION, id)
  return notification?.ownerId === userId ? notification : undefined
}
