import { certifyJob } from '../../shared/jobs/certificate/certify.ts'
import { planDelivery } from '../../shared/jobs/deliver/delivery.ts'
import { cleanJob } from '../../shared/jobs/lifecycle/erase-job.ts'
import { planJob } from '../../shared/jobs/lifecycle/plan-job.ts'
import { purge } from '../../shared/jobs/lifecycle/purge-user.ts'
import { planLoad } from '../../shared/jobs/load/load-asset.ts'
import { eachMessage } from '../../shared/jobs/worker/sqs-handler.ts'
import { forgetSchedule } from '../../shared/schedules/forget.ts'
import { cleanList } from '../../shared/store/value-lists.ts'

/** Fans jobs out and cleans up after them: the consumer of the queue `jobs`. */
export const handler = eachMessage(async message => {
  if (message.type === 'PLAN') return planJob(message.jobId)
  if (message.type === 'PLAN_LOAD') return planLoad(message.jobId)
  if (message.type === 'PLAN_DELIVERY') return planDelivery(message.jobId, message.deliveryId)
  if (message.type === 'CERTIFY') return certifyJob(message.jobId)
  if (message.type === 'CLEAN') return cleanJob(message.jobId, message.erase)
  if (message.type === 'CLEAN_LIST') return cleanList(message.listId)
  if (message.type === 'FORGET') return forgetSchedule(message.scheduleId)
  if (message.type === 'PURGE') return purge(message.ownerId)
  throw new Error(`The queue for jobs carries no ${message.type}`)
})
