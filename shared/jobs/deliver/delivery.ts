import { randomUUID } from 'node:crypto'
import type { DeliveredAsset, NewDelivery } from '../../api/deliveries.ts'
import { ProblemError } from '../../api/problems.ts'
import type { JobError } from '../../api/results.ts'
import { sourceKinds } from '../../api/source-kinds.ts'
import {
  assetsDelivered,
  createDelivery,
  type DeliveryRecord,
  endingDelivery,
  findDelivery,
  heartbeatOfDelivery,
  recordDelivered,
} from '../../store/deliveries.ts'
import { type Transact, transact } from '../../store/dynamo.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { JOB, listResults } from '../../store/jobs.ts'
import { announce, telling } from '../../store/notifications.ts'
import { trackOpen, untrack } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import type { SourceRecord } from '../../store/sources.ts'
import { hasSchemas } from './target.ts'

/** Refuses what a kind of source does not take (400); `place` is where the delivery stands in what is refused. */
export function checkDelivery(
  { kind }: Pick<SourceRecord, 'kind'>,
  { mode, folder }: Pick<NewDelivery, 'mode' | 'folder'>,
  place: readonly string[],
): void {
  const { holds } = sourceKinds[kind]
  if (mode === 'update' && holds === 'files')
    throw new ProblemError({
      type: 'source_kind_unavailable',
      msg: 'Files are created or replaced',
      loc: [...place, 'mode'],
    })
  if (folder !== undefined && holds === 'tables' && !hasSchemas(kind))
    throw new ProblemError({
      type: 'source_kind_unavailable',
      msg: 'Tables of this kind of source are in no schemas',
      loc: [...place, 'folder'],
    })
}

/** Begins to write the results of a finished job to a source; the queue does it. Refuses what cannot be done (400). */
export async function startDelivery(
  job: JobRecord,
  source: SourceRecord,
  wanted: NewDelivery,
  { id = randomUUID(), write = transact }: { id?: string; write?: Transact } = {},
): Promise<void> {
  if (job.status !== 'SUCCEEDED' && job.status !== 'FAILED')
    throw new ProblemError({ type: 'job_not_finished', msg: `The job is ${job.status}` })
  if (job.done === 0) throw new ProblemError({ type: 'job_without_results' })
  checkDelivery(source, wanted, ['body'])
  if (wanted.place === 'original' && job.sourceId !== source.id)
    throw new ProblemError({ type: 'job_not_from_source', loc: ['body', 'place'] })
  const now = new Date().toISOString()
  const delivery: DeliveryRecord = {
    ...wanted,
    id,
    jobId: job.id,
    status: 'IN_PROGRESS',
    assetCount: job.done,
    done: 0,
    failed: 0,
    errors: [],
    createdAt: now,
    finishedAt: null,
  }
  await trackOpen('DELIVERY', job, delivery.id)
  if (!(await createDelivery(delivery, write))) {
    // Another worker may have begun this very delivery, which then is still to be looked after.
    if ((await findDelivery(job.id, id))?.status !== 'IN_PROGRESS') await untrack('DELIVERY', job, id)
    throw new ProblemError({ type: 'delivery_in_progress' })
  }
  await sendMessages('jobs', job.ownerId, [{ type: 'PLAN_DELIVERY', jobId: job.id, deliveryId: delivery.id }])
}

/** The job and its delivery, while that is under way. */
export async function runningDelivery(jobId: string, deliveryId: string) {
  const [job, delivery] = await Promise.all([findRecord<JobRecord>(JOB, jobId), findDelivery(jobId, deliveryId)])
  return job && delivery?.status === 'IN_PROGRESS' ? { job, delivery } : undefined
}

/** Sends one message for each result of a job that is not delivered yet. Again is fine. */
export async function planDelivery(jobId: string, deliveryId: string): Promise<void> {
  const found = await runningDelivery(jobId, deliveryId)
  // The sweeper lets go of what has ended.
  if (!found) return
  const { job } = found
  const results = (await listResults(jobId, Number.POSITIVE_INFINITY)).filter(({ status }) => status === 'SUCCEEDED')
  const ids = results.map(({ assetId }) => assetId)
  const settled = await assetsDelivered(jobId, deliveryId, ids)
  await heartbeatOfDelivery(jobId, deliveryId)
  const open = ids.filter(id => !settled.has(id))
  await sendMessages(
    'transfers',
    job.ownerId,
    open.map(assetId => ({ type: 'DELIVER', jobId, deliveryId, assetId })),
  )
  if (open.length === 0) await endIfDelivered(jobId, deliveryId)
}

/** Says what came of one asset, and ends the delivery when it was the last. */
export async function settleDelivery(jobId: string, deliveryId: string, outcome: DeliveredAsset): Promise<void> {
  await recordDelivered(jobId, deliveryId, outcome)
  await endIfDelivered(jobId, deliveryId)
}

/** What is said of an asset that could not be delivered. */
export const undelivered = (
  assetId: string,
  { type, msg }: Pick<JobError, 'type' | 'msg'>,
  name: string | null = null,
): DeliveredAsset => ({
  assetId,
  outputAssetId: null,
  status: 'FAILED',
  name,
  bytes: null,
  errors: [{ loc: [], msg, type, assetId }],
})

async function endIfDelivered(jobId: string, deliveryId: string): Promise<void> {
  const found = await runningDelivery(jobId, deliveryId)
  // The sweeper lets go of what has ended.
  if (!found) return
  const { job, delivery } = found
  if (delivery.done + delivery.failed < delivery.assetCount) return
  await endDelivery(job, delivery, delivery.failed > 0 ? 'FAILED' : 'SUCCEEDED')
}

/** Ends a delivery that can't go on, with the reason. */
export async function failDelivery(jobId: string, deliveryId: string, error: JobError): Promise<void> {
  const found = await runningDelivery(jobId, deliveryId)
  if (found) await endDelivery(found.job, found.delivery, 'FAILED', [error])
}

/** Cancels the delivery of a job that is under way; workers notice within two seconds. False when there is none. */
export async function cancelDelivery(job: JobRecord): Promise<boolean> {
  const delivery = job.delivering === undefined ? undefined : await findDelivery(job.id, job.delivering)
  return delivery !== undefined && endDelivery(job, delivery, 'CANCELLED')
}

/** Ends a delivery and tells the owner of the job, both or neither; of several callers one ends it. */
async function endDelivery(
  job: JobRecord,
  { jobId, id }: DeliveryRecord,
  status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED',
  errors?: JobError[],
): Promise<boolean> {
  const { ownerId, name } = job
  const kind = status === 'SUCCEEDED' ? 'delivery.succeeded' : 'delivery.failed'
  const event = { kind, resource: { type: 'job', id: jobId }, name, occasion: id } as const
  // Whoever cancels knows.
  const told = status === 'CANCELLED' ? [] : telling(ownerId, event)
  const ended = await transact([...endingDelivery({ jobId, id }, { status, errors }), ...told])
  if (ended && told.length > 0) await announce(ownerId, event)
  await untrack('DELIVERY', job, id)
  return ended
}
