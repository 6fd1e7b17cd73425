import { EngineError } from 'anonymisation-engine'
import { type Message, sendMessages } from '../../store/queue.ts'
import { recordFailure } from '../anonymise/record-result.ts'
import { failDelivery, settleDelivery, undelivered } from '../deliver/delivery.ts'
import { failLoad, failLoads } from '../load/load-asset.ts'
import { endIfDone, failJob } from './finish-job.ts'

/** When what could not be removed is tried again, seconds: the longest delay of a message. */
const AGAIN_SECONDS = 900

/** The id of what a message removes; undefined for all others. */
function removedBy(message: Message): string | undefined {
  if (message.type === 'PURGE') return message.ownerId
  if (message.type === 'CLEAN') return message.jobId
  if (message.type === 'CLEAN_LIST') return message.listId
  return message.type === 'FORGET' ? message.scheduleId : undefined
}

/**
 * A message that failed every time: what it was for fails with a reason, so that no job waits for it for ever. What removes data
 * comes again until it succeeds: whoever asked for it was told that the data are gone, and can't ask once more.
 */
export async function failDeadLetter(message: Message): Promise<void> {
  const removed = removedBy(message)
  if (removed) return sendMessages('jobs', removed, [message], AGAIN_SECONDS)
  const { type } = message
  if (type === 'PLAN' || type === 'CHECK' || type === 'CONFIRM' || type === 'UNITE') {
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
