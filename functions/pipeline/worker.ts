import { eachMessage } from '../../shared/jobs/batch.ts'
import { loadAsset } from '../../shared/jobs/load.ts'
import { anonymiseAsset } from '../../shared/jobs/work.ts'

/** Does the heavy work, one asset at a time: the consumer of the queue `work`. */
export const handler = eachMessage(async (message, context) => {
  if (message.type === 'ANONYMISE') {
    return anonymiseAsset(message.jobId, message.assetId, context.getRemainingTimeInMillis())
  }
  if (message.type === 'LOAD') return loadAsset(message.jobId, message.assetId, context.getRemainingTimeInMillis())
  throw new Error(`The queue for work carries no ${message.type}`)
})
