import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { type Queue, redriveOf } from './attributes.ts'
import type { Store } from './store.ts'

interface Move {
  TaskHandle: string
  Status: 'COMPLETED'
  SourceArn: string
  DestinationArn?: string
  ApproximateNumberOfMessagesMoved: number
  StartedTimestamp: number
}

/** Moving messages from a dead-letter queue back to where they came from; done at once, so there is nothing to cancel. */
export function moveOperations(store: Store): Record<string, Operation> {
  const moves: Move[] = []

  function deadLetterQueue(arn: string, action: string, { authorize }: Context): Queue {
    authorize(action, arn)
    const queue = store.byArn(arn)
    if (!queue)
      throw new AwsError(
        'ResourceNotFoundException',
        'The resource that you specified for the SourceArn parameter does not exist.',
      )
    return queue
  }

  return {
    StartMessageMoveTask: operation(
      z.strictObject({
        SourceArn: z.string(),
        DestinationArn: z.string().optional(),
        MaxNumberOfMessagesPerSecond: z.int().min(1).max(500).optional(),
      }),
      ({ SourceArn, DestinationArn }, context) => {
        const from = deadLetterQueue(SourceArn, 'StartMessageMoveTask', context)
        if (!store.queues().some(queue => redriveOf(queue)?.deadLetterTargetArn === SourceArn))
          throw new AwsError('UnsupportedOperation', 'Source queue must be configured as a Dead Letter Queue.')
        const target = DestinationArn === undefined ? undefined : store.byArn(DestinationArn)
        if (DestinationArn !== undefined && !target)
          throw new AwsError(
            'ResourceNotFoundException',
            'The resource that you specified for the DestinationArn parameter does not exist.',
          )
        const moved = store.move(from, row => target ?? (row.origin === null ? undefined : store.byArn(row.origin)))
        const TaskHandle = Buffer.from(randomUUID()).toString('base64')
        moves.unshift({
          ...{ TaskHandle, Status: 'COMPLETED', SourceArn, DestinationArn },
          ...{ ApproximateNumberOfMessagesMoved: moved, StartedTimestamp: store.now() },
        })
        moves.splice(100)
        return { TaskHandle }
      },
    ),
    ListMessageMoveTasks: operation(
      z.strictObject({ SourceArn: z.string(), MaxResults: z.int().min(1).max(10).optional() }),
      ({ SourceArn, MaxResults = 1 }, context) => {
        deadLetterQueue(SourceArn, 'ListMessageMoveTasks', context)
        return { Results: moves.filter(move => move.SourceArn === SourceArn).slice(0, MaxResults) }
      },
    ),
  }
}
