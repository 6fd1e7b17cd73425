import type { EventName } from '../api/events.ts'
import { deleteItem, getItem, type Item, queryItems, type Write } from './dynamo.ts'

/** An event as webhooks get it: `id` is the same however often it is sent; ids and counts only. */
export type WebhookEvent = {
  id: string
  type: EventName | 'webhook.test'
  timestamp: string
  data: {
    /** Whose event it is. */
    ownerId: string
    resource: { type: string; id: string }
    counts?: Record<string, number>
  }
}

type EventRow = Item & { event: WebhookEvent }

const PARTITION = 'OUTBOX'
const keyOf = (id: string) => ({ pk: PARTITION, sk: id })

/** The write that leaves an event for the webhooks: part of the change that it tells of. */
export const publishing = (event: WebhookEvent): Write => ({
  table: 'notifications',
  put: { ...keyOf(event.id), event },
})

/** An event that webhooks have not been told of. */
export const findUnpublished = async (id: string): Promise<WebhookEvent | undefined> =>
  (await getItem<EventRow>('notifications', keyOf(id)))?.event

/** All events that webhooks have not been told of. */
export async function* unpublished(): AsyncGenerator<WebhookEvent> {
  for await (const { event } of queryItems<EventRow>({ table: 'notifications', key: PARTITION })) yield event
}

/** Lets go of an event that is on its way to every webhook that is to hear of it. */
export const published = (id: string): Promise<void> => deleteItem('notifications', keyOf(id))
