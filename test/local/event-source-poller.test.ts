import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { Emulator } from 'aws-emulators'
import { startSQS } from 'aws-emulators'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Poller, pollSources } from '../../local/runner/event-source-poller.ts'
import { directTransport } from '../../local/runner/exchanges.ts'
import type { Functions } from '../../local/runner/functions.ts'
import type { Outcome } from '../../local/runner/pool.ts'
import { interval } from '../../local/runner/schedules.ts'
import type { Physical, Template } from '../../local/template.ts'

type Record_ = { messageId: string; body: string; receiptHandle: string; attributes: Record<string, string> }
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

let directory: string
let emulator: Emulator
let client: SQSClient
let physical: Map<string, Physical>
let pollers: Poller[]
let batches: string[][]
let errors: unknown[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sources-'))
  emulator = await startSQS({ directory })
  client = new SQSClient({ endpoint: emulator.endpoint, region: 'us-east-1', credentials })
  physical = new Map()
  for (const [QueueName, RedrivePolicy] of [
    ['Dead', undefined],
    ['Work', JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Dead', maxReceiveCount: 3 })],
  ] as const) {
    const Attributes = { VisibilityTimeout: '1', ...(RedrivePolicy && { RedrivePolicy }) }
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }))
    physical.set(QueueName, { ref: QueueUrl!, attributes: { Arn: `arn:aws:sqs:us-east-1:000000000000:${QueueName}` } })
  }
  pollers = []
  batches = []
  errors = []
})
afterEach(async () => {
  await Promise.all(pollers.map(poller => poller.stop(0)))
  client.destroy()
  await emulator.close()
  await rm(directory, { recursive: true })
})

type Options = {
  BatchSize?: number
  MaximumBatchingWindowInSeconds?: number
  MaximumConcurrency?: number
  redeliverySeconds?: number
}

function start(
  work: (records: Record_[]) => Promise<unknown> | unknown,
  { BatchSize = 1, MaximumBatchingWindowInSeconds, MaximumConcurrency = 2, redeliverySeconds }: Options = {},
) {
  const template: Template = {
    Resources: {
      Source: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: { Ref: 'Function' },
          EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
          BatchSize,
          MaximumBatchingWindowInSeconds,
          ScalingConfig: { MaximumConcurrency },
        },
      },
    },
  }
  const functions = {
    concurrency: (wanted: number) => wanted,
    async invoke(_: string, event: unknown): Promise<Outcome> {
      const { Records } = event as { Records: Record_[] }
      batches.push(Records.map(({ body }) => body))
      try {
        return { payload: JSON.stringify((await work(Records)) ?? null) }
      } catch (error) {
        return { failure: { errorType: 'Error', errorMessage: String(error), trace: [] } }
      }
    },
  } as unknown as Functions
  const onError = (error: unknown) => errors.push(error)
  pollers = pollSources({
    template,
    physical,
    functions,
    endpoint: emulator.endpoint,
    transport: directTransport(new Map([[emulator.endpoint, emulator.exchange!]])),
    credentials: () => credentials,
    redeliverySeconds,
    onError,
  })
}

const send = (MessageBody: string) =>
  client.send(new SendMessageCommand({ QueueUrl: physical.get('Work')!.ref, MessageBody }))

async function counts(queue: string) {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: physical.get(queue)!.ref, AttributeNames: ['All'] }),
  )
  return [Number(Attributes!.ApproximateNumberOfMessages), Number(Attributes!.ApproximateNumberOfMessagesNotVisible)]
}

describe('a queue that starts a function', () => {
  test('gathers what comes within the window, up to the size of a batch', async () => {
    const QueueUrl = physical.get('Work')!.ref
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '30' } }))
    start(() => {}, { BatchSize: 15, MaximumBatchingWindowInSeconds: 3, MaximumConcurrency: 1 })
    const bodies = Array.from({ length: 16 }, (_, n) => String(n))
    for (const body of bodies) await send(body)
    await vi.waitFor(() => expect(batches.flat().sort()).toEqual(bodies.sort()), 15_000)
    expect(batches.map(batch => batch.length)).toEqual([15, 1])
    await vi.waitFor(async () => expect(await counts('Work')).toEqual([0, 0]), 5000)
    expect(errors).toEqual([])
  })

  test('works on what was gathered when it ends in the midst of it', async () => {
    start(() => {}, { BatchSize: 15, MaximumBatchingWindowInSeconds: 60 })
    await send('hello')
    await vi.waitFor(async () => expect(await counts('Work')).toEqual([0, 1]), 5000)
    await pollers[0]!.stop(1000)
    expect([batches, await counts('Work')]).toEqual([[['hello']], [0, 0]])
  })

  test('hands over a message as Lambda does, and deletes it when the function succeeds', async () => {
    let seen: unknown
    start(records => {
      seen = records[0]
    })
    await send('hello')
    await vi.waitFor(async () => expect(await counts('Work')).toEqual([0, 0]), 5000)
    await vi.waitFor(() => expect(batches).toEqual([['hello']]), 5000)
    expect(seen).toMatchObject({
      body: 'hello',
      eventSource: 'aws:sqs',
      eventSourceARN: physical.get('Work')!.attributes.Arn,
      awsRegion: 'us-east-1',
      messageAttributes: {},
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
    })
    await sleep(1200)
    expect(batches).toHaveLength(1)
  })

  test('comes again after a failure, and goes to the dead-letter queue after the last attempt', async () => {
    start(() => {
      throw new Error('no')
    })
    await send('poison')
    await vi.waitFor(async () => expect(await counts('Dead')).toEqual([1, 0]), { timeout: 15_000, interval: 100 })
    expect(batches).toEqual([['poison'], ['poison'], ['poison']])
  })

  test('only what is reported as failed of a batch comes again', async () => {
    const failed = new Set<string>()
    start(
      records => {
        const bad = records.filter(({ body }) => body === 'bad' && !failed.has(body))
        for (const { body } of bad) failed.add(body)
        return { batchItemFailures: bad.map(({ messageId }) => ({ itemIdentifier: messageId })) }
      },
      { BatchSize: 10, MaximumConcurrency: 1 },
    )
    await Promise.all(['good', 'bad', 'better'].map(send))
    await vi.waitFor(async () => expect(await counts('Work')).toEqual([0, 0]), { timeout: 10_000, interval: 100 })
    expect(batches.flat().filter(body => body === 'bad')).toHaveLength(2)
    expect(batches.flat().filter(body => body !== 'bad')).toHaveLength(2)
  })

  test.each([
    ['an entry without its id', { batchItemFailures: [{}] }],
    ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['no list', { batchItemFailures: 'x' }],
  ])('the whole batch comes again for a report with %s', async (_, report) => {
    let times = 0
    start(() => (times++ === 0 ? report : null))
    await send('again')
    await vi.waitFor(() => expect(batches).toEqual([['again'], ['again']]), { timeout: 10_000, interval: 50 })
  })

  test('comes again as soon after a failure as is asked for, and never while its function runs', async () => {
    await client.send(
      new SetQueueAttributesCommand({ QueueUrl: physical.get('Work')!.ref, Attributes: { VisibilityTimeout: '600' } }),
    )
    let running = 0
    let most = 0
    start(
      async () => {
        most = Math.max(most, ++running)
        await sleep(1500)
        running--
        if (batches.length === 1) throw new Error('no')
      },
      { redeliverySeconds: 1 },
    )
    await send('hello')
    await vi.waitFor(async () => expect(await counts('Work')).toEqual([0, 0]), 20_000)
    expect([batches, most]).toEqual([[['hello'], ['hello']], 1])
    expect(errors).toEqual([])
  })

  test('starts no more at once than it may', async () => {
    let now = 0
    let most = 0
    const three = Promise.withResolvers<void>()
    start(
      async () => {
        most = Math.max(most, ++now)
        if (now === 3) three.resolve()
        await three.promise
        await sleep(20)
        now--
      },
      { MaximumConcurrency: 3 },
    )
    await Promise.all(Array.from({ length: 30 }, (_, n) => send(`${n}`)))
    await vi.waitFor(async () => expect(await counts('Work')).toEqual([0, 0]), { timeout: 10_000, interval: 50 })
    expect(most).toBe(3)
    expect(errors).toEqual([])
  })

  test('lets what runs finish when it is stopped', async () => {
    let finished = false
    start(async () => {
      await sleep(300)
      finished = true
    })
    await send('slow')
    await vi.waitFor(() => expect(batches).toHaveLength(1), 5000)
    await Promise.all(pollers.map(poller => poller.stop(5000)))
    expect(finished).toBe(true)
    expect(await counts('Work')).toEqual([0, 0])
  })

  test('gives back what does not finish in time', async () => {
    start(() => new Promise(() => {}))
    await send('endless')
    await vi.waitFor(() => expect(batches).toHaveLength(1), 5000)
    await Promise.all(pollers.map(poller => poller.stop(10)))
    expect(await counts('Work')).toEqual([1, 0])
  })
})

test('messages that were taken when everything ended are there at once after a restart', async () => {
  const { QueueUrl } = await client.send(
    new CreateQueueCommand({ QueueName: 'Long', Attributes: { VisibilityTimeout: '900' } }),
  )
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }))
  expect((await client.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toHaveLength(1)
  await emulator.close()
  emulator = await startSQS({ directory, release: true })
  client = new SQSClient({ endpoint: emulator.endpoint, region: 'us-east-1', credentials })
  const again = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: `${emulator.endpoint}/000000000000/Long`,
      MessageSystemAttributeNames: ['All'],
    }),
  )
  expect(again.Messages).toEqual([
    expect.objectContaining({ Body: 'kept', Attributes: expect.objectContaining({ ApproximateReceiveCount: '2' }) }),
  ])
})

describe('a schedule', () => {
  test.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
  ])('%s', (expression, milliseconds) => {
    expect(interval(expression)).toBe(milliseconds)
  })

  test('that is unknown here is an error', () => {
    expect(() => interval('cron(0 * * * ? *)')).toThrow()
  })
})
