import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { account } from '../aws/hooks.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { allSettings, isFifo, type Queue, queueArn, readAttributes, redriveOf, setting } from './attributes.ts'
import type { Store } from './store.ts'

const TextMap = z.record(z.string(), z.string())
const QueueUrl = z.string()
const Page = { MaxResults: z.int().min(1).max(1000).optional(), NextToken: z.string().optional() }

const CreateQueue = z.strictObject({
  QueueName: z.string(),
  Attributes: TextMap.optional(),
  tags: TextMap.optional(),
  Tags: TextMap.optional(),
})

const missing = () => new AwsError('QueueDoesNotExist', 'The specified queue does not exist.')

/** Finds the queue of a URL and asks whether the caller may do something with it. */
export function openQueue(store: Store, url: string, action: string, { authorize, region }: Context): Queue {
  const name = url.split('/').at(-1) ?? ''
  const queue = store.find(name)
  authorize(action, queue?.arn ?? queueArn(region, name))
  if (!queue) throw missing()
  return queue
}

function attributes(store: Store, queue: Queue): Record<string, string> {
  const { visible, inFlight, delayed } = store.count(queue)
  return {
    ...allSettings(queue),
    QueueArn: queue.arn,
    CreatedTimestamp: String(queue.created),
    LastModifiedTimestamp: String(queue.modified),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
  }
}

function page<T>(all: T[], { MaxResults: most = 1000, NextToken: from }: { MaxResults?: number; NextToken?: string }) {
  const start = from === undefined ? 0 : Number(from)
  if (!Number.isSafeInteger(start) || start < 0) throw new AwsError('InvalidParameterValue', 'Invalid NextToken')
  return { items: all.slice(start, start + most), next: all.length > start + most ? String(start + most) : undefined }
}

type UrlOf = (queue: Queue) => string

const seconds = (store: Store) => Math.floor(store.now() / 1000)

/** The queue that a request wants: a new one, or the one that is there already and is the same. */
function create(store: Store, input: z.output<typeof CreateQueue>, { authorize, region }: Context): Queue {
  const { QueueName: name, tags = input.Tags ?? {} } = input
  const arn = queueArn(region, name)
  authorize('CreateQueue', arn)
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(name.replace(/\.fifo$/, '')) || name.length > 80)
    throw new AwsError(
      'InvalidParameterValue',
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
    )
  const given = readAttributes(input.Attributes ?? {})
  if (name.endsWith('.fifo') !== (given.FifoQueue === 'true'))
    throw new AwsError('InvalidParameterValue', 'The name of a FIFO queue must end in .fifo, and FifoQueue be true')
  const known = store.find(name)
  if (known) {
    if (Object.entries(given).some(([key, value]) => setting(known, key) !== value))
      throw new AwsError(
        'QueueNameExists',
        'A queue already exists with the same name and a different value for an attribute',
      )
    return known
  }
  const now = seconds(store)
  return store.create({ name, arn, created: now, modified: now, attributes: given, tags })
}

const queueLifeOperations = (store: Store, url: UrlOf): Record<string, Operation> => ({
  CreateQueue: operation(CreateQueue, (input, context) => ({ QueueUrl: url(create(store, input, context)) })),
  GetQueueUrl: operation(
    z.strictObject({ QueueName: z.string(), QueueOwnerAWSAccountId: z.string().optional() }),
    (input, context) => ({ QueueUrl: url(openQueue(store, input.QueueName, 'GetQueueUrl', context)) }),
  ),
  ListQueues: operation(z.strictObject({ QueueNamePrefix: z.string().optional(), ...Page }), (input, { authorize }) => {
    authorize('ListQueues', '*')
    const found = store.queues().filter(({ name }) => name.startsWith(input.QueueNamePrefix ?? ''))
    const { items, next } = page(found, input)
    return { QueueUrls: items.map(url), NextToken: next }
  }),
  DeleteQueue: operation(z.strictObject({ QueueUrl }), (input, context) => {
    store.remove(openQueue(store, input.QueueUrl, 'DeleteQueue', context))
  }),
  PurgeQueue: operation(z.strictObject({ QueueUrl }), (input, context) => {
    store.purge(openQueue(store, input.QueueUrl, 'PurgeQueue', context))
  }),
  ListDeadLetterSourceQueues: operation(z.strictObject({ QueueUrl, ...Page }), (input, context) => {
    const target = openQueue(store, input.QueueUrl, 'ListDeadLetterSourceQueues', context)
    const sources = store.queues().filter(queue => redriveOf(queue)?.deadLetterTargetArn === target.arn)
    const { items, next } = page(sources, input)
    return { queueUrls: items.map(url), NextToken: next }
  }),
})

const attributeOperations = (store: Store): Record<string, Operation> => ({
  GetQueueAttributes: operation(
    z.strictObject({ QueueUrl, AttributeNames: z.array(z.string()).optional() }),
    (input, context) => {
      const all = attributes(store, openQueue(store, input.QueueUrl, 'GetQueueAttributes', context))
      const wanted = input.AttributeNames ?? []
      const unknown = wanted.find(name => name !== 'All' && !Object.hasOwn(all, name) && !/^[A-Z][A-Za-z]+$/.test(name))
      if (unknown) throw new AwsError('InvalidAttributeName', 'Unknown Attribute.')
      const kept = Object.entries(all).filter(([name]) => wanted.includes('All') || wanted.includes(name))
      return { Attributes: kept.length ? Object.fromEntries(kept) : undefined }
    },
  ),
  SetQueueAttributes: operation(z.strictObject({ QueueUrl, Attributes: TextMap }), (input, context) => {
    const queue = openQueue(store, input.QueueUrl, 'SetQueueAttributes', context)
    const given = readAttributes(input.Attributes)
    if ('FifoQueue' in given && (given.FifoQueue === 'true') !== isFifo(queue))
      throw new AwsError('InvalidAttributeValue', 'The kind of a queue cannot be changed')
    const kept = Object.entries(queue.attributes).filter(([name]) => !Object.hasOwn(input.Attributes, name))
    store.save({ ...queue, modified: seconds(store), attributes: { ...Object.fromEntries(kept), ...given } })
  }),
  TagQueue: operation(z.strictObject({ QueueUrl, Tags: TextMap }), (input, context) => {
    const queue = openQueue(store, input.QueueUrl, 'TagQueue', context)
    store.save({ ...queue, tags: { ...queue.tags, ...input.Tags } })
  }),
  UntagQueue: operation(z.strictObject({ QueueUrl, TagKeys: z.array(z.string()) }), (input, context) => {
    const queue = openQueue(store, input.QueueUrl, 'UntagQueue', context)
    const kept = Object.entries(queue.tags).filter(([key]) => !input.TagKeys.includes(key))
    store.save({ ...queue, tags: Object.fromEntries(kept) })
  }),
  ListQueueTags: operation(z.strictObject({ QueueUrl }), (input, context) => ({
    Tags: openQueue(store, input.QueueUrl, 'ListQueueTags', context).tags,
  })),
})

/** The operations on queues themselves. `endpoint` gives the address that queue URLs begin with. */
export const queueOperations = (store: Store, endpoint: () => string): Record<string, Operation> => ({
  ...queueLifeOperations(store, ({ name }) => `${endpoint()}/${account}/${name}`),
  ...attributeOperations(store),
})
