import type { Job } from '../../api/job.ts'
import type { DeliveryRecord } from '../../store/deliveries.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { bytesUnderWay } from '../../store/progress.ts'

/** How many assets of a job, or of a delivery of its results, have ended. */
export const countsOf = ({ assetCount, done, failed }: JobRecord | DeliveryRecord) => ({
  assets: assetCount,
  done: done + failed,
  failed,
})

/** How far a job has come. */
export function progressOf(job: JobRecord, now = Date.now()): Job['progress'] {
  const { bytes = null, bytesIn } = job
  // An asset that failed may have left a chunk under way.
  const bytesDone = Math.min(bytesIn + bytesUnderWay(job), bytes ?? bytesIn)
  return { ...countsOf(job), bytes, bytesDone, secondsLeft: secondsLeft(job, bytes, bytesDone, now) }
}

/** Goes on at the rate of so far, which is known for the time of the last sign of life. */
function secondsLeft(
  { startedAt, finishedAt, heartbeatAt }: JobRecord,
  bytes: number | null,
  done: number,
  now: number,
): number | null {
  if (finishedAt) return 0
  if (!startedAt || !heartbeatAt || bytes === null || done === 0) return null
  const seen = Date.parse(heartbeatAt)
  const left = ((bytes - done) / done) * (seen - Date.parse(startedAt)) - (now - seen)
  return Math.max(0, Math.ceil(left / 1000))
}
