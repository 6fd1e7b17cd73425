import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { variable } from '../settings.ts'
import { transport } from '../transport.ts'
import { lean } from './lean-client.ts'
import type { WebhookEvent } from './outbox.ts'

let client: EventBridgeClient | undefined

/**
 * Puts an event on the bus of the stack, where there is one. It may come there more than once, always with the same `id` in
 * its detail. Throws where the bus did not take it.
 */
export async function putOnBus({ type, ...detail }: WebhookEvent): Promise<void> {
  const EventBusName = process.env[variable.bus]
  if (!EventBusName) return
  client ??= lean(new EventBridgeClient({ maxAttempts: 5, ...transport('EVENTBRIDGE') }))
  const entry = {
    EventBusName,
    Source: 'anonymisation',
    DetailType: type,
    Time: new Date(detail.timestamp),
    Detail: JSON.stringify(detail),
  }
  const { FailedEntryCount, Entries } = await client.send(new PutEventsCommand({ Entries: [entry] }))
  if (FailedEntryCount) throw new Error(`EventBridge refused an event: ${Entries?.[0]?.ErrorCode}`)
}
