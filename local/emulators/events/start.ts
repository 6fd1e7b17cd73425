import { randomUUID } from 'node:crypto'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { account, type Emulator, type EmulatorOptions } from '../aws/hooks.ts'
import { type Context, type JsonProtocol, jsonHandler, operation, unauthentic } from '../aws/json.ts'
import { listen } from '../aws/server.ts'

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

/**
 * Starts the part of Amazon EventBridge's API that puts events on a bus. There are no rules: each event becomes a line of
 * `events.ndjson` in the directory, in the form that targets of rules get.
 */
export async function startEvents(options: EmulatorOptions): Promise<Emulator> {
  const now = options.now ?? Date.now
  const file = join(options.directory, 'events.ndjson')
  await mkdir(options.directory, { recursive: true })
  const put = async ({ Entries }: z.infer<typeof PutEvents>, { authorize, region }: Context) => {
    for (const { EventBusName } of Entries)
      authorize('PutEvents', `arn:aws:events:${region}:${account}:event-bus/${EventBusName}`)
    const told = Entries.map(entry => (isObject(entry.Detail) ? eventOf(entry, region, now()) : undefined))
    const lines = told.flatMap(event => event ?? []).map(event => `${JSON.stringify(event)}\n`)
    await appendFile(file, lines.join(''))
    return {
      FailedEntryCount: told.length - lines.length,
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
    operations: { PutEvents: operation(PutEvents, put) },
  }
  return listen(options, jsonHandler(protocol, options), () => {})
}

function isObject(detail: string): boolean {
  try {
    const value: unknown = JSON.parse(detail)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const eventOf = ({ Time, Source, DetailType, Detail, EventBusName }: Entry, region: string, now: number) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType,
  source: Source,
  account,
  time: new Date(Time === undefined ? now : Time * 1000).toISOString(),
  region,
  resources: [],
  detail: JSON.parse(Detail),
  bus: EventBusName,
})
