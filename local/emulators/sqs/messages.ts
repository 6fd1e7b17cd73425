import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { account } from '../aws/hooks.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { type Queue, setting } from './attributes.ts'
import { attributesDigest, bodyDigest, MAX_BYTES, type Message, messageFields, messageSize } from './message.ts'
import { openQueue } from './queues.ts'
import type { Row, Store } from './store.ts'

const QueueUrl = z.string()
const Id = z.string().max(80)
const Timeout = z.int().min(0).max(43_200)
const names = z.array(z.string()).optional()
const Receive = z.strictObject({
  QueueUrl,
  AttributeNames: names,
  MessageSystemAttributeNames: names,
  MessageAttributeNames: names,
  MaxNumberOfMessages: z.int().min(1).max(10).optional(),
  VisibilityTimeout: Timeout.optional(),
  WaitTimeSeconds: z.int().min(0).max(20).optional(),
})

function checkBatch(entries: { Id: string }[]): void {
  if (entries.length === 0)
    throw new AwsError('EmptyBatchRequest', 'There should be at least one entry in the request.')
  if (entries.length > 10)
    throw new AwsError('TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10.')
  if (new Set(entries.map(entry => entry.Id)).size < entries.length)
    throw new AwsError('BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.')
  if (entries.some(entry => !/^[A-Za-z0-9_-]{1,80}$/.test(entry.Id)))
    throw new AwsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores.',
    )
}

/** Does something with every entry; those that are refused come back with their reason, the others with their result. */
function batch<E extends { Id: string }>(entries: E[], act: (entry: E) => object) {
  checkBatch(entries)
  const Successful: object[] = []
  const Failed: object[] = []
  for (const entry of entries)
    try {
      Successful.push({ Id: entry.Id, ...act(entry) })
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      Failed.push({ Id: entry.Id, Code: error.code, Message: error.message, SenderFault: true })
    }
  return { Successful, Failed: Failed.length ? Failed : undefined }
}

function wanted(name: string, filters: string[] = []): boolean {
  return filters.some(
    filter =>
      filter === 'All' ||
      filter === '.*' ||
      filter === name ||
      (filter.endsWith('.*') && name.startsWith(filter.slice(0, -1))),
  )
}

function delivered(row: Row, input: z.output<typeof Receive>) {
  const message = JSON.parse(row.message) as Message
  const system = {
    SenderId: row.sender,
    SentTimestamp: String(row.sent),
    ApproximateReceiveCount: String(row.received),
    ApproximateFirstReceiveTimestamp: String(row.first),
    MessageGroupId: row.grp ?? undefined,
    MessageDeduplicationId: row.dedup ? (message.MessageDeduplicationId ?? row.dedup) : undefined,
    SequenceNumber: row.dedup === null ? undefined : String(row.seq).padStart(20, '0'),
    AWSTraceHeader: message.MessageSystemAttributes?.AWSTraceHeader?.StringValue,
    DeadLetterQueueSourceArn: row.origin ?? undefined,
  }
  const asked = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])]
  const Attributes = Object.entries(system).filter(([name, value]) => value !== undefined && wanted(name, asked))
  const attributes = Object.entries(message.MessageAttributes ?? {}).filter(([name]) =>
    wanted(name, input.MessageAttributeNames),
  )
  const MessageAttributes = attributes.length ? Object.fromEntries(attributes) : undefined
  return {
    MessageId: row.id,
    ReceiptHandle: row.receipt,
    Body: message.MessageBody,
    MD5OfBody: bodyDigest(message.MessageBody),
    Attributes: Attributes.length ? Object.fromEntries(Attributes) : undefined,
    MessageAttributes,
    MD5OfMessageAttributes: attributesDigest(MessageAttributes),
  }
}

function send(store: Store, queue: Queue, message: Message, { fault }: Context) {
  const copies = fault.lose ? 0 : fault.duplicate ? 2 : 1
  const { id, seq } = store.send(queue, message, account, copies)
  return {
    MessageId: id,
    MD5OfMessageBody: bodyDigest(message.MessageBody),
    MD5OfMessageAttributes: attributesDigest(message.MessageAttributes),
    MD5OfMessageSystemAttributes: attributesDigest(message.MessageSystemAttributes as Message['MessageAttributes']),
    SequenceNumber: queue.name.endsWith('.fifo') ? String(seq).padStart(20, '0') : undefined,
  }
}

/** Takes messages, and waits for some where there are none yet. */
async function receive(store: Store, queue: Queue, input: z.output<typeof Receive>, context: Context): Promise<Row[]> {
  const { fault, signal } = context
  const { MaxNumberOfMessages: most = 1 } = input
  const timeout = input.VisibilityTimeout ?? Number(setting(queue, 'VisibilityTimeout'))
  const wait = input.WaitTimeSeconds ?? Number(setting(queue, 'ReceiveMessageWaitTimeSeconds'))
  const deadline = store.now() + 1000 * wait
  for (;;) {
    // A client that is gone must not take messages with it.
    if (signal.aborted || !store.find(queue.name)) return []
    const since = store.now()
    const rows = store.take(queue, most, timeout, { reverse: fault.reorder, copies: fault.duplicate })
    if (rows.length || store.now() >= deadline) return rows
    await new Promise<void>(resolve => {
      const done = () => {
        forget()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const forget = store.whenReady(queue, since, deadline, done)
      signal.addEventListener('abort', done)
    })
  }
}

function remove(store: Store, queue: Queue, receipt: string) {
  const row = store.held(queue, receipt)
  if (row) store.drop(row)
  return {}
}

function hide(store: Store, queue: Queue, receipt: string, seconds: number) {
  const row = store.held(queue, receipt)
  if (!row)
    throw new AwsError(
      'InvalidParameterValue',
      'The message does not exist or is not available for visibility timeout change.',
    )
  if (row.visible <= store.now()) throw new AwsError('MessageNotInflight', 'The specified message is not in flight.')
  store.show(queue, row, store.now() + 1000 * seconds)
  return {}
}

const passingOperations = (store: Store): Record<string, Operation> => ({
  SendMessage: operation(z.strictObject({ QueueUrl, ...messageFields }), ({ QueueUrl: url, ...message }, context) =>
    send(store, openQueue(store, url, 'SendMessage', context), message, context),
  ),
  SendMessageBatch: operation(
    z.strictObject({ QueueUrl, Entries: z.array(z.strictObject({ Id, ...messageFields })) }),
    (input, context) => {
      const queue = openQueue(store, input.QueueUrl, 'SendMessage', context)
      if (input.Entries.reduce((total, entry) => total + messageSize(entry), 0) > MAX_BYTES)
        throw new AwsError('BatchRequestTooLong', `Batch requests cannot be longer than ${MAX_BYTES} bytes.`)
      return batch(input.Entries, ({ Id: _, ...message }) => send(store, queue, message, context))
    },
  ),
  ReceiveMessage: operation(Receive, async (input, context) => {
    const queue = openQueue(store, input.QueueUrl, 'ReceiveMessage', context)
    const rows = await receive(store, queue, input, context)
    return { Messages: rows.length ? rows.map(row => delivered(row, input)) : undefined }
  }),
})

const heldOperations = (store: Store): Record<string, Operation> => ({
  DeleteMessage: operation(z.strictObject({ QueueUrl, ReceiptHandle: z.string() }), (input, context) =>
    remove(store, openQueue(store, input.QueueUrl, 'DeleteMessage', context), input.ReceiptHandle),
  ),
  DeleteMessageBatch: operation(
    z.strictObject({ QueueUrl, Entries: z.array(z.strictObject({ Id, ReceiptHandle: z.string() })) }),
    (input, context) => {
      const queue = openQueue(store, input.QueueUrl, 'DeleteMessage', context)
      return batch(input.Entries, entry => remove(store, queue, entry.ReceiptHandle))
    },
  ),
  ChangeMessageVisibility: operation(
    z.strictObject({ QueueUrl, ReceiptHandle: z.string(), VisibilityTimeout: Timeout }),
    (input, context) => {
      const queue = openQueue(store, input.QueueUrl, 'ChangeMessageVisibility', context)
      return hide(store, queue, input.ReceiptHandle, input.VisibilityTimeout)
    },
  ),
  ChangeMessageVisibilityBatch: operation(
    z.strictObject({
      QueueUrl,
      Entries: z.array(z.strictObject({ Id, ReceiptHandle: z.string(), VisibilityTimeout: Timeout })),
    }),
    (input, context) => {
      const queue = openQueue(store, input.QueueUrl, 'ChangeMessageVisibility', context)
      return batch(input.Entries, entry => hide(store, queue, entry.ReceiptHandle, entry.VisibilityTimeout))
    },
  ),
})

/** Sending, receiving, hiding and deleting messages. */
export const messageOperations = (store: Store): Record<string, Operation> => ({
  ...passingOperations(store),
  ...heldOperations(store),
})
