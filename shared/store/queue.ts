import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { currentRequest } from '../log.ts'
import { type QueueName, required, variable } from '../settings.ts'
import { transport } from '../transport.ts'
import { lean } from './lean-client.ts'
import { Sha256 } from './sha256.ts'

let client: SQSClient | undefined
const sqs = (): SQSClient => {
  // The queue's own URL says where it is, locally too.
  client ??= lean(new SQSClient({ maxAttempts: 5, useQueueUrlAsEndpoint: true, sha256: Sha256, ...transport('SQS') }))
  return client
}

/** What the queues carry: ids only. Any message may come twice, late or never. */
export type Message =
  /** jobs: send one message per asset of a job that was executed. */
  | { type: 'PLAN'; jobId: string }
  /** jobs: send one message per asset of a job that is to be loaded from its source. */
  | { type: 'PLAN_LOAD'; jobId: string }
  /** jobs: send one message per result of a job that is to be delivered to a source. */
  | { type: 'PLAN_DELIVERY'; jobId: string; deliveryId: string }
  /** jobs: certify a job that has ended. */
  | { type: 'CERTIFY'; jobId: string }
  /** jobs: remove what a cancelled or deleted job leaves behind. */
  | { type: 'CLEAN'; jobId: string; erase: boolean }
  /** jobs: remove the values of a list that was deleted. */
  | { type: 'CLEAN_LIST'; listId: string }
  /** jobs: remove what a user who is gone has left behind. */
  | { type: 'PURGE'; ownerId: string }
  /** jobs: remove what a schedule that is gone has left behind. */
  | { type: 'FORGET'; scheduleId: string }
  /** work: look whether the tables of a job have the columns that its workflow names, then do as PLAN does. */
  | { type: 'CHECK'; jobId: string }
  /** work: have a job that was released made, or proposed anew where the program has changed since. */
  | { type: 'CONFIRM'; jobId: string }
  /** work: bring together the values that were found in the files of a job, then do as PLAN does. */
  | { type: 'UNITE'; jobId: string }
  /** work: anonymise one asset, or look for its values while those of its job are not known. */
  | { type: 'ANONYMISE'; jobId: string; assetId: string }
  /** work: anonymise one chunk, counted from 0, of a large table. */
  | { type: 'CHUNK'; jobId: string; assetId: string; n: number }
  /** work: read the pictures on some pages of a document, counted in chunks from 0. */
  | { type: 'READ'; jobId: string; assetId: string; round: number; n: number }
  /**
   * transfers: copy one asset from its source, or from the job that it was given to. `waited`: how often the source had no
   * connection to spare; `tried`: how often it failed.
   */
  | { type: 'LOAD'; jobId: string; assetId: string; waited?: number; tried?: number }
  /** transfers: take what is new in the source of a schedule, and load it. */
  | { type: 'TAKE'; scheduleId: string; runId: string; waited?: number; tried?: number }
  /** transfers: write the result of one asset to a source. */
  | { type: 'DELIVER'; jobId: string; deliveryId: string; assetId: string; waited?: number; tried?: number }
  /** events: find the webhooks that are to hear of an event. */
  | { type: 'PUBLISH'; eventId: string }
  /** events: send an event to a webhook; `attempt`: how many were made before. */
  | { type: 'SEND'; sendingId: string; attempt: number }

/** Name of the attribute in which a message carries the id of the request that it comes from. */
export const REQUEST_ID = 'requestId'

/**
 * Sends messages, ten at a time. The owner's id makes the queue fair: one owner's thousand jobs don't hold up
 * another's single one. A delay is at most 900 seconds.
 */
export async function sendMessages(
  queue: QueueName,
  ownerId: string,
  messages: Message[],
  delaySeconds?: number,
): Promise<void> {
  const requestId = currentRequest()
  const MessageAttributes = requestId ? { [REQUEST_ID]: { DataType: 'String', StringValue: requestId } } : undefined
  for (let at = 0; at < messages.length; at += 10) {
    const Entries = messages.slice(at, at + 10).map((message, n) => ({
      Id: String(n),
      MessageBody: JSON.stringify(message),
      MessageAttributes,
      MessageGroupId: ownerId,
      DelaySeconds: delaySeconds,
    }))
    const QueueUrl = required(variable.queue(queue))
    const { Failed } = await sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }))
    if (Failed?.length) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}`)
  }
}
