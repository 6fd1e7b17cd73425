import { EngineError } from 'anonymisation-engine'
import type { Message } from '../../store/queue.ts'
import { recordFailure } from '../anonymise/record-result.ts'
import { failDelivery, settleDelivery, undelivered } from '../deliver/delivery.ts'
import { failLoad, failLoads } from '../load/load-asset.ts'
import { endIfDone, failJob } from './finish-job.ts'

/** A message that failed every time: what it was for fails with a reason, so that no job waits for it for ever. */
export async function failDeadLetter(message: Message): Promise<void> {
  if (message.type === 'PLAN' || message.type === 'CHECK' || message.type === 'UNITE') {
    return failJob(message.jobId, {
      loc: [],
      msg: 'The job could not be planned in several attempts',
      type: 'internal',
    })
  }
  if (message.type === 'LOAD' || message.type === 'PLAN_LOAD') {
    const reason = { type: 'source_failed' as const, message: 'The file could not be loaded in several attempts' }
    if (message.type === 'PLAN_LOAD') return failLoads(message.jobId, reason)
    return failLoad(message.jobId, message.assetId, reason)
  }
  if (message.type === 'PLAN_DELIVERY' || message.type === 'DELIVER') {
    const { jobId, deliveryId } = message
    const reason = { type: 'source_failed', msg: 'The results could not be written in several attempts' }
    if (message.type === 'PLAN_DELIVERY') return failDelivery(jobId, deliveryId, { loc: [], ...reason })
    return settleDelivery(jobId, deliveryId, undelivered(message.assetId, reason))
  }
  if (message.type === 'ANONYMISE' || message.type === 'CHUNK' || message.type === 'READ') {
    const error = new EngineError('internal', 'The asset could not be processed in several attempts')
    await recordFailure(message, error)
    await endIfDone(message.jobId)
  }
}
