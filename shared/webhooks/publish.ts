import { putOnBus } from '../store/bus.ts'
import { findUnpublished, published } from '../store/outbox.ts'
import { sendMessages } from '../store/queue.ts'
import { beginSending, newSending } from '../store/sendings.ts'
import { listenersTo } from './hearing.ts'

/** By when the message of an attempt should have come, milliseconds; after that the sweeper sends it again. */
export const GRACE_MS = 5 * 60_000

/**
 * Sends an event on its way to every webhook that is to hear of it, and to the bus. May be called again: each webhook gets it
 * on its way once. Webhooks don't wait for the bus.
 */
export async function publish(eventId: string): Promise<void> {
  const event = await findUnpublished(eventId)
  if (!event) return
  for (const { id } of await listenersTo(event)) {
    const sending = newSending(id, event)
    if (!(await beginSending(sending, new Date(Date.now() + GRACE_MS).toISOString()))) continue
    // The webhook makes the queue fair: a slow receiver holds up no other.
    await sendMessages('events', id, [{ type: 'SEND', sendingId: sending.id, attempt: 0 }])
  }
  await putOnBus(event)
  await published(eventId)
}
