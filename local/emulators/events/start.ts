import { randomUUID } from 'node:crypto'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { account, type Emulator, type EmulatorOptions } from '../aws/hooks.ts'
import { type Context, type JsonProtocol, jsonService, operation, unauthentic } from '../aws/json.ts'
import { inBackground, listen } from '../aws/server.ts'
import { createRules } from './rules.ts'

/** Bytes of a request with all its entries. */
const largest = 1024 * 1024

const Entry = z.strictObject({
  Time: z.number().optional(),
  Source: z.string().min(1),
  DetailType: z.string().min(1).max(128),
  Detail: z.string(),
  EventBusName: z.string().min(1),
})
type Entry = z.infer<typeof Entry>

const PutEvents = z.strictObject({ Entries: z.array(Entry).min(1).max(10) })

/** What a service of AWS tells the default bus of. */
export type ServiceEvent = {
  source: string
  'detail-type': string
  time: string
  region: string
  resources: string[]
  detail: object
}

/** The emulator, and how other emulators tell it of events. */
export type EventBridge = Emulator & { tell(event: ServiceEvent): void }

/**
 * Starts Amazon EventBridge's API, as far as it puts events on buses and has rules with patterns hand them to targets:
 * `deliver` gets the ARN of each, and the event. What callers put also becomes a line of `events.ndjson` in the directory, in
 * that same form.
 */
export async function startEvents(
  options: EmulatorOptions & { deliver?: (arn: string, event: string) => void | Promise<void> },
): Promise<EventBridge> {
  const now = options.now ?? Date.now
  const file = join(options.directory, 'events.ndjson')
  const { operations, targetsOf } = createRules()
  await mkdir(options.directory, { recursive: true })
  const hand = (event: object, bus: string) => {
    const text = JSON.stringify(event)
    for (const arn of targetsOf(event, bus)) void inBackground('events', 'deliver', () => options.deliver?.(arn, text))
  }
  const put = async ({ Entries }: z.infer<typeof PutEvents>, { authorize, region }: Context) => {
    for (const { EventBusName } of Entries)
      authorize('PutEvents', `arn:aws:events:${region}:${account}:event-bus/${EventBusName}`)
    const told = Entries.map(entry => (isObject(entry.Detail) ? eventOf(entry, region, now()) : undefined))
    const taken = told.flatMap((event, n) => (event ? { event, bus: Entries[n]!.EventBusName } : []))
    await appendFile(file, taken.map(({ event, bus }) => `${JSON.stringify({ ...event, bus })}\n`).join(''))
    for (const { event, bus } of taken) hand(event, bus)
    return {
      FailedEntryCount: told.length - taken.length,
      Entries: told.map(event =>
        event ? { EventId: event.id } : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' },
      ),
    }
  }
  const protocol: JsonProtocol = {
    service: 'events',
    target: 'AWSEvents',
    contentType: 'application/x-amz-json-1.1',
    namespace: 'com.amazonaws.events',
    limit: largest,
    denied: { name: 'AccessDeniedException', status: 400 },
    unauthentic,
    operations: { PutEvents: operation(PutEvents, put), ...operations },
  }
  const { exchange, handler } = jsonService(protocol, options)
  const emulator = await listen(options, handler, () => {})
  return {
    ...emulator,
    exchange,
    tell: event => hand({ version: '0', id: randomUUID(), account, ...event }, 'default'),
  }
}

function isObject(detail: string): boolean {
  try {
    const value: unknown = JSON.parse(detail)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const eventOf = ({ Time, Source, DetailType, Detail }: Entry, region: string, now: number) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType,
  source: Source,
  account,
  time: new Date(Time === undefined ? now : Time * 1000).toISOString(),
  region,
  resources: [],
  detail: JSON.parse(Detail),
})
