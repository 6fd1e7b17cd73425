import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { isFifo, type Queue, setting } from './attributes.ts'

const MessageAttribute = z.strictObject({
  DataType: z
    .string()
    .regex(/^(String|Number|Binary)(\..+)?$/)
    .max(256),
  StringValue: z.string().optional(),
  BinaryValue: z.base64().optional(),
})
const MessageAttributes = z.record(z.string().regex(/^[A-Za-z0-9_.-]{1,256}$/), MessageAttribute)

/** What a message is sent with, alone or in a batch. */
export const messageFields = {
  MessageBody: z.string(),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageAttributes: MessageAttributes.optional(),
  MessageSystemAttributes: z.strictObject({ AWSTraceHeader: MessageAttribute.optional() }).optional(),
  MessageGroupId: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/)
    .optional(),
  MessageDeduplicationId: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/)
    .optional(),
}
const Message = z.object(messageFields)
export type Message = z.output<typeof Message>
export type MessageAttributes = z.output<typeof MessageAttributes>

/** The most that one message, or all messages of a batch, may count, bytes. */
export const MAX_BYTES = 1_048_576

const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex')
const sized = (data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, data])
}

/** MD5 of a message's body. */
export const bodyDigest = (body: string) => md5(body)

/** MD5 of attributes, undefined if there are none. Source: AWS, "Calculating the MD5 message digest for message attributes". */
export function attributesDigest(attributes: MessageAttributes | undefined): string | undefined {
  const entries = Object.entries(attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  if (entries.length === 0) return undefined
  const parts = entries.flatMap(([name, { DataType, StringValue, BinaryValue }]) => [
    sized(Buffer.from(name)),
    sized(Buffer.from(DataType)),
    Buffer.from([BinaryValue === undefined ? 1 : 2]),
    sized(BinaryValue === undefined ? Buffer.from(StringValue ?? '') : Buffer.from(BinaryValue, 'base64')),
  ])
  return md5(Buffer.concat(parts))
}

/** Bytes that a message counts for. */
export function messageSize({ MessageBody, MessageAttributes = {} }: Message): number {
  const sizes = Object.entries(MessageAttributes).map(
    ([name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      Buffer.byteLength(name + DataType + StringValue) + Buffer.from(BinaryValue, 'base64').length,
  )
  return sizes.reduce((total, size) => total + size, Buffer.byteLength(MessageBody))
}

/** Refuses a message that a queue doesn't take; returns what duplicates of it are known by, undefined in a standard queue. */
export function checkMessage(queue: Queue, message: Message): string | undefined {
  const { MessageBody, MessageAttributes = {}, MessageGroupId, MessageDeduplicationId, DelaySeconds } = message
  const bad = (text: string) => new AwsError('InvalidParameterValue', text)
  if (MessageBody === '') throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.')
  if (!/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(MessageBody))
    throw new AwsError('InvalidMessageContents', 'Invalid characters found in the message body')
  const most = Number(setting(queue, 'MaximumMessageSize'))
  if (messageSize(message) > most)
    throw bad(`One or more parameters are invalid. Reason: Message must be shorter than ${most} bytes.`)
  if (Object.keys(MessageAttributes).length > 10)
    throw bad('Number of message attributes exceeds the allowed maximum of 10.')
  for (const { DataType, StringValue, BinaryValue } of Object.values(MessageAttributes))
    if ((DataType.startsWith('Binary') ? BinaryValue : StringValue) === undefined)
      throw bad('The message attribute value does not fit its type.')
  if (!isFifo(queue)) {
    if (MessageDeduplicationId !== undefined)
      throw bad('The request includes a parameter that is not valid for this queue type.')
    return undefined
  }
  if (MessageGroupId === undefined)
    throw new AwsError('MissingParameter', 'The request must contain the parameter MessageGroupId.')
  if (DelaySeconds)
    throw bad('The request include parameter that is not valid for this queue type. Reason: DelaySeconds')
  const byContent = setting(queue, 'ContentBasedDeduplication') === 'true'
  if (MessageDeduplicationId === undefined && !byContent)
    throw bad(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    )
  const id = MessageDeduplicationId ?? createHash('sha256').update(MessageBody).digest('hex')
  return setting(queue, 'DeduplicationScope') === 'messageGroup' ? `${MessageGroupId}/${id}` : id
}
