import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { describeFailure } from '../../failure.ts'
import { beginLines, log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import { type Message, REQUEST_ID } from '../../store/queue.ts'

/**
 * A Lambda handler for a queue: each message by itself, one after the other; those that fail come again, the others
 * don't.
 */
export const eachMessage =
  (act: (message: Message, context: Context) => Promise<void>) =>
  async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []
    for (const { messageId, body, attributes, messageAttributes } of event.Records) {
      const requestId = messageAttributes[REQUEST_ID]?.stringValue ?? context.awsRequestId
      beginLines(context, { requestId, attempt: Number(attributes.ApproximateReceiveCount) })
      const began = performance.now()
      const waited = Number(attributes.ApproximateFirstReceiveTimestamp) - Number(attributes.SentTimestamp)
      let [step, outcome] = ['unknown', 'failed']
      try {
        const message = JSON.parse(body) as Message
        // What EventBridge has put into a queue has no type, and names that don't belong in a log.
        step = message.type ?? step
        if (message.type) log.appendKeys({ ...message })
        await act(message, context)
        outcome = 'done'
        log.info('message done', { milliseconds: Math.round(performance.now() - began) })
      } catch (error) {
        log.error('message failed', { failure: describeFailure(error) })
        batchItemFailures.push({ itemIdentifier: messageId })
      }
      const took = { WaitMilliseconds: waited, WorkMilliseconds: Math.round(performance.now() - began) }
      measure({ Messages: 1, ...took }, { step, outcome })
    }
    return { batchItemFailures }
  }
