import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { startEvents, startSQS } from 'aws-emulators'
import type { Context, SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { handler } from '../../functions/pipeline/events.ts'
import { log } from '../../shared/log.ts'
import { transact } from '../../shared/store/dynamo.ts'
import type { WebhookEvent } from '../../shared/store/outbox.ts'
import { publishing, unpublished } from '../../shared/store/outbox.ts'
import { sendMessages } from '../../shared/store/queue.ts'
import { dueSendings } from '../../shared/store/sendings.ts'
import { createUser } from '../../shared/store/users.ts'
import { createWebhook, type WebhookRecord } from '../../shared/store/webhooks.ts'
import { sweepWebhooks } from '../../shared/webhooks/sweep-webhooks.ts'
import { startReceiver } from '../api/receiver.ts'
import { random } from '../reliability/chaos.ts'
import { startTables } from '../store/tables.ts'

// Metrics are printed, unless this is set when they are made.
vi.hoisted(() => {
  process.env.POWERTOOLS_METRICS_DISABLED = 'true'
})

/** Events that are told, 10,000 by `npm run test:faults`. */
const COUNT = Number(process.env.EVENTS ?? 200)

/** How often each thing goes wrong. */
const odds = { write: 0.04, lostReply: 0.02, lostMessage: 0.03, twice: 0.04, refused: 0.2, cutOff: 0.05, bus: 0.1 }
/** Rounds of a minute and a half in which all attempts there may be are made: a week. */
const MOST_ROUNDS = 7000
const chance = random(7)
let isFaulty = false

const ends: (() => unknown)[] = []
const sqs = new SQSClient({ region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } })
let QueueUrl: string
const busDirectory = mkdtempSync(join(tmpdir(), 'bus-'))

beforeAll(async () => {
  // Each fault would be told on the screen.
  log.setLogLevel('SILENT')
  // A worker ends in the middle of its work when a write of its fails, and does not know what came of one without an answer.
  ends.push(
    await startTables((_, action) => {
      if (!isFaulty || !/Write|Put|Update|Delete/.test(action)) return undefined
      const drawn = chance()
      if (drawn < odds.write) return { error: { name: 'ValidationException', status: 400 } }
      return drawn < odds.write + odds.lostReply ? { loseReply: true } : undefined
    }),
  )
  const queues = await startSQS({ directory: join(mkdtempSync(join(tmpdir(), 'events-')), 'sqs') })
  ends.push(queues.close)
  process.env.AWS_ENDPOINT_URL_SQS = queues.endpoint
  const bus = await startEvents({
    directory: busDirectory,
    faults: () => {
      if (!isFaulty) return undefined
      const drawn = chance()
      if (drawn < odds.bus) return { error: { name: 'ValidationException', status: 400 } }
      return drawn < odds.bus + odds.lostReply ? { loseReply: true } : undefined
    },
  })
  ends.push(bus.close)
  Object.assign(process.env, { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint, EVENT_BUS: 'Events' })
  Object.assign(process.env, { EGRESS_ALLOW: '127.0.0.0/8', WEBHOOK_HTTP: 'true' })
  const Attributes = { VisibilityTimeout: '60' }
  const created = await sqs.send(new CreateQueueCommand({ QueueName: 'events', Attributes }))
  QueueUrl = process.env.QUEUE_EVENTS = created.QueueUrl!
})
afterAll(async () => {
  vi.useRealTimers()
  for (const end of ends) await end()
})

const newEvent = (n: number, ownerId: string): WebhookEvent => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  type: 'job.succeeded',
  timestamp: new Date().toISOString(),
  data: { ownerId, resource: { type: 'job', id: `job-${n}` }, counts: { assets: n } },
})

/** A message as Lambda hands it to the function. */
const record = ({ MessageId, Body }: Message): SQSRecord =>
  ({
    messageId: MessageId,
    body: Body,
    attributes: { ApproximateReceiveCount: '1', ApproximateFirstReceiveTimestamp: '0', SentTimestamp: '0' },
    messageAttributes: {},
  }) as unknown as SQSRecord

/** Handles the messages that are there, as far as nothing goes wrong; how many there were. */
async function work(): Promise<number> {
  const received = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
  const messages = received.Messages ?? []
  await Promise.all(
    messages.map(async message => {
      const drawn = chance()
      const times = drawn < odds.lostMessage ? 0 : drawn < odds.lostMessage + odds.twice ? 2 : 1
      const runs = Array.from({ length: times }, () => handler({ Records: [record(message)] }, {} as Context))
      const failed = (await Promise.all(runs)).some(({ batchItemFailures }) => batchItemFailures.length > 0)
      if (!failed) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle! }))
    }),
  )
  return messages.length
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let found = 0
  for await (const _ of rows) found++
  return found
}

const far = '9999'
const isDone = async () => (await count(unpublished())) === 0 && (await count(dueSendings(far))) === 0

test(`of ${COUNT} events none is lost and each keeps its id, whatever fails`, { timeout: 3_600_000 }, async () => {
  const receiver = await startReceiver(() => {
    const drawn = chance()
    if (drawn < odds.cutOff) return undefined
    return { status: drawn < odds.cutOff + odds.refused ? 503 : 204 }
  })
  ends.push(receiver.close)
  const user = await createUser({ name: 'Ada', email: 'ada@example.org', role: 'admin', passwordHash: '' })
  const now = new Date().toISOString()
  await createWebhook({
    ...{ id: 'b1000000-0000-4000-8000-000000000000', ownerId: user.id, name: 'Tickets', url: receiver.url },
    ...{ events: ['job.*'], scope: 'own', enabled: true, signing: 'hmac', keys: [], publicKey: null },
    ...{ failingSince: null, disabledBecause: null, createdAt: now, updatedAt: now },
  } as WebhookRecord)
  const events = Array.from({ length: COUNT }, (_, n) => newEvent(n, user.id))
  for (const event of events) {
    await transact([publishing(event)])
    await sendMessages('events', user.id, [{ type: 'PUBLISH', eventId: event.id }])
  }
  // Time goes on by itself, faster than waits would take.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  isFaulty = true
  for (let round = 0; !(await isDone()); round++) {
    expect(round).toBeLessThan(MOST_ROUNDS)
    while ((await work()) > 0);
    vi.setSystemTime(Date.now() + 90_000)
    if (round % 3 === 2) await sweepWebhooks().catch(() => undefined)
  }
  const told = new Map<string, Set<string>>()
  for (const { headers, body } of receiver.received) {
    const id = headers['webhook-id'] as string
    told.set(id, (told.get(id) ?? new Set()).add(body))
  }
  expect(receiver.received.length).toBeGreaterThan(COUNT)
  expect([...told.keys()].sort()).toEqual(events.map(({ id }) => id))
  for (const { id, ...event } of events) expect([...told.get(id)!]).toEqual([JSON.stringify(event)])

  const put = readFileSync(join(busDirectory, 'events.ndjson'), 'utf8').trimEnd().split('\n')
  expect(put.length).toBeGreaterThan(COUNT)
  const details = new Map(
    put.map(line => JSON.parse(line)).map(({ detail, ...about }) => [detail.id, { ...about, detail }]),
  )
  expect([...details.keys()].sort()).toEqual(events.map(({ id }) => id))
  for (const { type, ...detail } of events)
    expect(details.get(detail.id)).toMatchObject({ 'detail-type': type, detail })
})
