import { eachMessage } from '../../shared/jobs/batch.ts'
import { cleanJob } from '../../shared/jobs/erase.ts'
import { planJob } from '../../shared/jobs/plan.ts'

/** Fans jobs out and cleans up after them: the consumer of the queue `jobs`. */
export const handler = eachMessage(async message => {
  if (message.type === 'PLAN') return planJob(message.jobId)
  if (message.type === 'CLEAN') return cleanJob(message.jobId, message.erase)
  throw new Error(`The queue for jobs carries no ${message.type}`)
})
