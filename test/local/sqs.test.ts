import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { EmulatorOptions, Fault } from 'aws-emulators'
import { startSQS } from 'aws-emulators'
import { describe, expect, test } from 'vitest'
import { clientFor, emulated } from './emulated.ts'

async function queue(options: Partial<EmulatorOptions> = {}, Attributes: Record<string, string> = {}) {
  const sqs = new SQSClient(clientFor(await emulated(startSQS, options)))
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'work', Attributes }))
  const send = (MessageBody: string, MessageGroupId?: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId }))
  const receive = async (settings = {}): Promise<Message[]> =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...settings }))).Messages ?? []
  const remove = ({ ReceiptHandle }: Message) => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  const hide = ({ ReceiptHandle }: Message, VisibilityTimeout: number) =>
    sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }))
  const counts = async () => {
    const { Attributes: all } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))
    return [all!.ApproximateNumberOfMessages, all!.ApproximateNumberOfMessagesNotVisible].map(Number)
  }
  return { sqs, send, receive, remove, hide, counts }
}

const bodies = (messages: Message[]) => messages.map(message => message.Body)

describe('receipts', () => {
  test('only the latest receiver can delete or hide a message', async () => {
    const { send, receive, remove, hide, counts } = await queue()
    await send('a')
    const [first] = await receive()
    await hide(first!, 0)
    const [second] = await receive()
    await remove(first!)
    await expect(hide(first!, 10)).rejects.toThrow()
    expect(await counts()).toEqual([0, 1])
    await remove(second!)
    await remove(second!)
    expect(await counts()).toEqual([0, 0])
  })

  test('one from another queue, or made up, is refused', async () => {
    const { sqs, send, receive } = await queue()
    await send('a')
    const [message] = await receive()
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'other' }))
    for (const ReceiptHandle of [message!.ReceiptHandle, 'x', Buffer.from('1:1:1').toString('base64')]) {
      const removal = sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      await expect(removal).rejects.toThrow(expect.objectContaining({ name: 'ReceiptHandleIsInvalid' }))
    }
  })
})

test('messages are dropped when their retention is over', async () => {
  let time = Date.now()
  const { send, receive } = await queue({ now: () => time }, { MessageRetentionPeriod: '60' })
  await send('old')
  time += 59_000
  await send('new')
  time += 2000
  expect(bodies(await receive())).toEqual(['new'])
})

describe('injected faults', () => {
  async function faulty(action: string, fault: Fault) {
    let on = true
    const faults = (_: string, called: string) => (on && called === action ? fault : undefined)
    const made = await queue({ faults })
    return { ...made, heal: () => (on = false) }
  }

  test('a message is stored twice', async () => {
    const { send, receive } = await faulty('SendMessage', { duplicate: true })
    const { MessageId } = await send('a')
    expect((await receive()).map(message => message.MessageId)).toEqual([MessageId, MessageId])
  })

  test('a message is delivered twice, each time with a receipt of its own', async () => {
    const { receive, send, remove, counts, heal } = await faulty('ReceiveMessage', { duplicate: true })
    await send('a')
    const [first] = await receive()
    heal()
    const [second] = await receive()
    expect([first!.Body, second!.Body, first!.MessageId]).toEqual(['a', 'a', second!.MessageId])
    await remove(first!)
    await remove(second!)
    expect(await counts()).toEqual([0, 0])
  })

  test('a message is lost', async () => {
    const { send, counts } = await faulty('SendMessage', { lose: true })
    expect((await send('a')).MessageId).toBeDefined()
    expect(await counts()).toEqual([0, 0])
  })

  test('messages come in another order', async () => {
    const { send, receive } = await faulty('ReceiveMessage', { reorder: true })
    for (const body of ['a', 'b', 'c']) await send(body)
    expect(bodies(await receive())).toEqual(['c', 'b', 'a'])
  })

  test('the answer to a delivery is lost: the message comes again', async () => {
    const { send, receive, counts, heal } = await faulty('ReceiveMessage', { loseReply: true })
    await send('a')
    await expect(receive({ VisibilityTimeout: 0 })).rejects.toThrow()
    heal()
    expect(bodies(await receive())).toEqual(['a'])
    expect(await counts()).toEqual([0, 1])
  })

  test('a call is throttled, and waits', async () => {
    const started = performance.now()
    const error = { name: 'RequestThrottled', status: 403 }
    const { send, counts } = await faulty('SendMessage', { error, delayMs: 50 })
    await expect(send('a')).rejects.toThrow(expect.objectContaining({ name: 'RequestThrottled' }))
    expect(performance.now() - started).toBeGreaterThan(50)
    expect(await counts()).toEqual([0, 0])
  })
})

describe('a queue with groups is fair', () => {
  const crowd = async (options: Partial<EmulatorOptions> = {}) => {
    const { send, receive, remove } = await queue(options)
    for (let n = 0; n < 40; n++) await send(`many-${n}`, 'many')
    const takeOne = async () => (await receive({ MaxNumberOfMessages: 1 }))[0]!
    return { send, receive, remove, takeOne }
  }

  test('one who takes most of the time comes after one who took none', async () => {
    let time = Date.now()
    const { send, remove, takeOne } = await crowd({ now: () => time })
    const first = await takeOne()
    time += 2000
    await remove(first)
    await send('single', 'one')
    expect((await takeOne()).Body).toBe('single')
    expect((await takeOne()).Body).toBe('many-1')
  })

  test('one who has most of what is out comes after one who has none, and two of a kind take turns as they came', async () => {
    const time = Date.now()
    const { send, receive, takeOne } = await crowd({ now: () => time })
    for (let n = 0; n < 3; n++) expect(await receive()).toHaveLength(10)
    await send('single', 'one')
    await send('other', 'two')
    expect(bodies(await receive({ MaxNumberOfMessages: 3 }))).toEqual(['single', 'other', 'many-30'])
    expect((await takeOne()).Body).toBe('many-31')
  })

  test('what was long ago is forgiven', async () => {
    let time = Date.now()
    const { send, remove, takeOne } = await crowd({ now: () => time })
    const first = await takeOne()
    time += 2000
    await remove(first)
    time += 600_000
    await send('late', 'one')
    expect((await takeOne()).Body).toBe('many-1')
  })
})
