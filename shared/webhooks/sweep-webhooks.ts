import { unpublished } from '../store/outbox.ts'
import { sendMessages } from '../store/queue.ts'
import { dueSendings } from '../store/sendings.ts'

/** By when the message of an event should have come, milliseconds. */
const YOUNG_MS = 60_000

/** Sends the messages of events and attempts that are due and whose own have been lost, or which waited for longer than a message can. */
export async function sweepWebhooks(now = Date.now()): Promise<void> {
  for await (const { id, timestamp, data } of unpublished()) {
    if (now - Date.parse(timestamp) > YOUNG_MS) {
      await sendMessages('events', data.ownerId, [{ type: 'PUBLISH', eventId: id }])
    }
  }
  for await (const { sendingId, attempt } of dueSendings(new Date(now).toISOString())) {
    await sendMessages('events', sendingId, [{ type: 'SEND', sendingId, attempt }])
  }
}
