import { type EventName, events } from '../api/events.ts'
import type { Notification } from '../api/notifications.ts'
import { describeFailure } from '../failure.ts'
import { log } from '../log.ts'
import { settings } from '../settings.ts'
import { type Transact, transact, ttlIn, type Write } from './dynamo.ts'
import { idFrom } from './ids.ts'
import type { Kind } from './kinds.ts'
import { publishing } from './outbox.ts'
import { sendMessages } from './queue.ts'
import { changing, creating, findRecord, type Stored, whileSame } from './records.ts'

export const NOTIFICATION: Kind = { table: 'notifications', name: 'NOTIFICATION', expires: true }

/** A notification as stored; `name` is the title again, under the name that lists search. */
export type NotificationRecord = Notification & Stored & { name: string; ttl: number }

/** What happened: ids, counts and names that people gave, never any content of an asset. */
export type Event = {
  kind: EventName
  /** What it happened to. */
  resource: { type: 'job' | 'user' | 'reidentification' | 'schedule' | 'webhook'; id: string }
  /** Name of the record, as its owner gave it; it stays in the notification. */
  name?: string
  /** What webhooks are told besides the resource. */
  counts?: Record<string, number>
  /** Tells two events of one kind about one resource apart; the same one again changes nothing. */
  occasion?: string
}

const idOf = (userId: string, { kind, resource, occasion = '' }: Event): string =>
  idFrom(userId, kind, resource.id, occasion)

/**
 * The writes that tell a user and the webhooks of an event: for a transaction together with the change it tells of. The id
 * follows from the event, so the same event twice is one; the writes then fail, and with them the transaction. After it,
 * {@link announce} has the webhooks told soon.
 */
export function telling(userId: string, event: Event): Write[] {
  const { kind, resource, name = '', counts } = event
  const [title, message] = events[kind]
  const createdAt = new Date().toISOString()
  const id = idOf(userId, event)
  const record: NotificationRecord = {
    id,
    ownerId: userId,
    kind,
    title,
    name: title,
    message: message.replace('{name}', () => name),
    resource,
    read: false,
    readAt: null,
    createdAt,
    updatedAt: createdAt,
    ttl: ttlIn(settings().NOTIFICATION_DAYS * 24 * 3600),
  }
  const data = { ownerId: userId, resource, ...(counts && { counts }) }
  return [...creating(NOTIFICATION, record), publishing({ id, type: kind, timestamp: createdAt, data })]
}

/**
 * Has the webhooks told of an event that was written. Nothing is lost should this fail: the sweeper finds the event.
 */
export async function announce(userId: string, event: Event): Promise<void> {
  try {
    await sendMessages('events', userId, [{ type: 'PUBLISH', eventId: idOf(userId, event) }])
  } catch (error) {
    log.warn('event not announced', { failure: describeFailure(error) })
  }
}

/** Tells of an event, once however often it is called for the same one. */
export const notify = async (userId: string, event: Event): Promise<void> => {
  if (await transact(telling(userId, event))) await announce(userId, event)
}

/** Marks a user's own notification as read, the first time it is; undefined when there is none of theirs. */
export async function markRead(
  userId: string,
  id: string,
  write: Transact = transact,
): Promise<NotificationRecord | undefined> {
  const notification = await findRecord<NotificationRecord>(NOTIFICATION, id)
  if (notification?.ownerId !== userId) return undefined
  if (notification.read) return notification
  const readAt = new Date().toISOString()
  const { after, write: change } = changing<NotificationRecord>(
    NOTIFICATION,
    notification,
    { read: true, readAt },
    whileSame(notification, ['read']),
  )
  // Where another call was faster, its time counts.
  return (await write([change])) ? after : findRecord<NotificationRecord>(NOTIFICATION, id)
}
