import { anonymiseAsset } from '../../shared/jobs/anonymise/anonymise-asset.ts'
import { anonymiseChunk } from '../../shared/jobs/anonymise/anonymise-chunk.ts'
import { checkColumnsOfJob } from '../../shared/jobs/anonymise/check-columns.ts'
import { uniteFound } from '../../shared/jobs/anonymise/found-values.ts'
import { ocrPagesOfDocument } from '../../shared/jobs/ocr/fan-out.ts'
import { confirmRelease } from '../../shared/jobs/review/confirm.ts'
import { eachMessage } from '../../shared/jobs/worker/sqs-handler.ts'
import { keepThreadReady } from '../../shared/jobs/worker/threads.ts'

/** Does the heavy work, one asset at a time: the consumer of the queue `work`. It reads files, and no source. */
export const handler = eachMessage(async (message, context) => {
  // While an asset is fetched, its thread starts.
  keepThreadReady()
  const remainingMs = context.getRemainingTimeInMillis()
  if (message.type === 'ANONYMISE') return anonymiseAsset(message.jobId, message.assetId, remainingMs)
  if (message.type === 'CHECK') return checkColumnsOfJob(message.jobId, remainingMs)
  if (message.type === 'CONFIRM') return confirmRelease(message.jobId)
  if (message.type === 'UNITE') return uniteFound(message.jobId)
  if (message.type === 'CHUNK') return anonymiseChunk(message.jobId, message.assetId, message.n, remainingMs)
  if (message.type === 'READ') return ocrPagesOfDocument(message, remainingMs)
  // From before transfers had a queue of their own: the sweeper has them sent again.
  if (message.type === 'LOAD' || message.type === 'DELIVER') return
  throw new Error(`The queue for work carries no ${message.type}`)
})
