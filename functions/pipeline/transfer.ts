import { deliverAsset } from '../../shared/jobs/deliver/deliver-asset.ts'
import { loadAsset } from '../../shared/jobs/load/load-asset.ts'
import { eachMessage } from '../../shared/jobs/worker/sqs-handler.ts'
import { takeForRun } from '../../shared/schedules/take.ts'

/**
 * Copies from and to sources, and from job to job, one asset at a time, and sees what sources have that is new: the consumer
 * of the queue `transfers`. It reads no file's inside.
 */
export const handler = eachMessage(async (message, context) => {
  const remainingMs = context.getRemainingTimeInMillis()
  if (message.type === 'LOAD') return loadAsset(message, remainingMs)
  if (message.type === 'TAKE') return takeForRun(message, remainingMs)
  if (message.type === 'DELIVER') return deliverAsset(message, remainingMs)
  throw new Error(`The queue for transfers carries no ${message.type}`)
})
