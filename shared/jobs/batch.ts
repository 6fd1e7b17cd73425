import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { describeFailure, log } from '../log.ts'
import type { Message } from '../store/queue.ts'

/**
 * A Lambda handler for a queue: each message by itself, one after the other; those that fail come again, the others
 * don't.
 */
export const eachMessage =
  (act: (message: Message, context: Context) => Promise<void>) =>
  async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []
    log.addContext(context)
    for (const { messageId, body, attributes } of event.Records) {
      log.resetKeys()
      const began = performance.now()
      try {
        const message = JSON.parse(body) as Message
        log.appendKeys({ ...message, attempt: Number(attributes.ApproximateReceiveCount) })
        await act(message, context)
        log.info('message done', { milliseconds: Math.round(performance.now() - began) })
      } catch (error) {
        log.error('message failed', { failure: describeFailure(error) })
        batchItemFailures.push({ itemIdentifier: messageId })
      }
    }
    return { batchItemFailures }
  }
