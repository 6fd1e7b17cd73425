import { eachMessage } from '../../shared/jobs/worker/sqs-handler.ts'
import { publish } from '../../shared/webhooks/publish.ts'
import { sendEvent } from '../../shared/webhooks/send-event.ts'

/** Tells webhooks of events: the consumer of the queue `events`. */
export const handler = eachMessage(async message => {
  if (message.type === 'PUBLISH') return publish(message.eventId)
  if (message.type === 'SEND') return sendEvent(message.sendingId, message.attempt)
  throw new Error(`The queue for events carries no ${message.type}`)
})
