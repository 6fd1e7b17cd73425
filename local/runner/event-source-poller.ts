import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { Transport } from '../../shared/transport.ts'
import { type Physical, region, resourcesOf, type Template } from '../template.ts'
import type { Functions } from './functions.ts'

/** A queue whose messages start a function: an event source mapping. */
type Source = {
  functionId: string
  queueUrl: string
  queueArn: string
  batchSize: number
  /** For how long messages are gathered, milliseconds. */
  window: number
  /** Invocations at once. */
  concurrency: number
  redeliverySeconds: number | undefined
  client: SQSClient
}

/** Polls until it is stopped. */
export type Poller = {
  /** Takes no more messages, waits for those in work, and gives back what isn't done in time, milliseconds. */
  stop(grace: number): Promise<void>
}

/** Polls for every event source mapping of a template, each with the credentials of its function. */
export function pollSources(options: {
  template: Template
  physical: ReadonlyMap<string, Physical>
  functions: Functions
  /** Where SQS listens. */
  endpoint: string
  /** What reaches it without HTTP. */
  transport: Transport
  credentials: (functionId: string) => { accessKeyId: string; secretAccessKey: string }
  /** Seconds after which a message comes back whose function has failed; when absent, once it is no longer hidden. */
  redeliverySeconds?: number
  onError: (error: unknown) => void
}): Poller[] {
  const { template, physical, functions, endpoint, transport, credentials, redeliverySeconds, onError } = options
  return resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, properties]) => {
    const functionId: string = properties.FunctionName.Ref
    const queue = physical.get(properties.EventSourceArn['Fn::GetAtt'][0])!
    const source = {
      functionId,
      queueUrl: queue.ref,
      queueArn: queue.attributes.Arn!,
      batchSize: properties.BatchSize,
      window: (properties.MaximumBatchingWindowInSeconds ?? 0) * 1000,
      concurrency: functions.concurrency(properties.ScalingConfig.MaximumConcurrency),
      redeliverySeconds,
      client: new SQSClient({ endpoint, region, credentials: credentials(functionId), ...transport(endpoint) }),
    }
    return poll(source, functions, onError)
  })
}

/** Feeds a function from a queue as Lambda does: what the function doesn't report as failed is deleted. */
function poll(source: Source, functions: Functions, onError: (error: unknown) => void): Poller {
  const { queueUrl: QueueUrl, client } = source
  const stopping = new AbortController()
  const working = new Map<Promise<void>, Message[]>()

  async function work(messages: Message[]) {
    const outcome = await functions.invoke(source.functionId, {
      Records: messages.map(message => record(message, source)),
    })
    const failed = 'payload' in outcome ? failedIds(outcome.payload) : 'all'
    const isDone = ({ MessageId }: Message) => failed !== 'all' && !failed.has(MessageId!)
    const done = messages.filter(isDone)
    for (const Entries of entriesOf(done)) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
    const left = messages.filter(message => !isDone(message))
    if (left.length > 0 && source.redeliverySeconds !== undefined) await hide(left, source.redeliverySeconds)
  }

  async function hide(messages: Message[], VisibilityTimeout: number) {
    for (const entries of entriesOf(messages)) {
      const Entries = entries.map(entry => ({ ...entry, VisibilityTimeout }))
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }))
    }
  }

  async function receive(most: number, seconds: number): Promise<Message[]> {
    const request = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: Math.min(10, most),
      WaitTimeSeconds: Math.min(20, seconds),
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    })
    return (await client.send(request, { abortSignal: stopping.signal })).Messages ?? []
  }

  /** A batch: what comes within the window after the first message. */
  async function gather(): Promise<Message[]> {
    const { batchSize, window } = source
    const messages = await receive(batchSize, 20)
    const end = Date.now() + (messages.length > 0 ? window : 0)
    while (messages.length < batchSize && Date.now() < end && !stopping.signal.aborted) {
      // What was taken is worked on, whatever hinders the rest.
      const more = await receive(batchSize - messages.length, Math.ceil((end - Date.now()) / 1000)).catch(() => [])
      messages.push(...more)
    }
    return messages
  }

  async function loop() {
    while (!stopping.signal.aborted) {
      if (working.size >= source.concurrency) {
        await Promise.race(working.keys())
        continue
      }
      try {
        const messages = await gather()
        if (messages.length === 0) continue
        const task: Promise<void> = work(messages)
          .catch(onError)
          .finally(() => working.delete(task))
        working.set(task, messages)
      } catch (error) {
        if (stopping.signal.aborted) return
        onError(error)
        await new Promise(resolve => setTimeout(resolve, 200))
      }
    }
  }

  const looping = loop()
  return {
    async stop(grace) {
      stopping.abort()
      await looping
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise(resolve => {
        timer = setTimeout(resolve, grace)
      })
      await Promise.race([Promise.all(working.keys()), patience])
      clearTimeout(timer)
      for (const messages of working.values()) await hide(messages, 0)
    },
  }
}

/** Messages as entries of requests, of which each takes ten. */
const entriesOf = (messages: Message[]) => {
  const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle: ReceiptHandle! }))
  return Array.from({ length: Math.ceil(entries.length / 10) }, (_, n) => entries.slice(n * 10, (n + 1) * 10))
}

/** The messages that a function reports as failed; an answer that is no such report fails them all, as in Lambda. */
function failedIds(payload: string): Set<string> | 'all' {
  const answer = JSON.parse(payload) as { batchItemFailures?: { itemIdentifier?: unknown }[] | null } | null
  const failures = answer?.batchItemFailures ?? []
  if (!Array.isArray(failures)) return 'all'
  const ids = failures.map(failure => failure?.itemIdentifier)
  return ids.every(id => typeof id === 'string' && id !== '') ? new Set(ids as string[]) : 'all'
}

const record = (message: Message, { queueArn }: Source) => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes ?? {},
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attribute(value)]),
  ),
  md5OfBody: message.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
})

const attribute = ({ StringValue, BinaryValue, DataType }: MessageAttributeValue) => ({
  stringValue: StringValue,
  binaryValue: BinaryValue && Buffer.from(BinaryValue).toString('base64'),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
})
