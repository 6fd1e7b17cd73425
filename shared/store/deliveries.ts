import type { DeliveredAsset, Delivery } from '../api/deliveries.ts'
import { getItem, getItems, type Item, queryItems, setting, type Transact, transact, updateItem } from './dynamo.ts'
import { JOB } from './jobs.ts'
import { keyOf } from './records.ts'

/** A delivery as stored: a row of its job; what came of each asset is a row of its own. */
export type DeliveryRecord = Omit<Delivery, 'assets' | 'progress'> & {
  jobId: string
  /** Number of results to deliver, and how many have ended well or badly. */
  assetCount: number
  done: number
  failed: number
  /** Last sign of life of the work on it. */
  heartbeatAt?: string
}

type DeliveryRow = Item & DeliveryRecord
type DeliveredRow = Item & DeliveredAsset

const deliveryKey = (jobId: string, id: string) => ({ pk: keyOf(JOB, jobId).pk, sk: `DELIVERY#${id}` })
const assetKey = (jobId: string, id: string, assetId: string) => ({
  pk: keyOf(JOB, jobId).pk,
  sk: `DELIVERED#${id}#${assetId}`,
})

/**
 * Begins a delivery: false while another of the same job is under way, or when the job has not ended SUCCEEDED or FAILED.
 */
export function createDelivery(delivery: DeliveryRecord, write: Transact = transact): Promise<boolean> {
  const { jobId, id } = delivery
  return write([
    { table: 'jobs', put: { ...delivery, ...deliveryKey(jobId, id) } },
    {
      table: 'jobs',
      update: keyOf(JOB, jobId),
      change: {
        update: 'SET delivering = :id',
        condition: '#status IN (:succeeded, :failed) AND attribute_not_exists(delivering)',
        names: { '#status': 'status' },
        values: { ':id': id, ':succeeded': 'SUCCEEDED', ':failed': 'FAILED' },
      },
    },
  ])
}

/** A delivery of a job. */
export const findDelivery = (jobId: string, id: string): Promise<DeliveryRow | undefined> =>
  getItem<DeliveryRow>('jobs', deliveryKey(jobId, id))

/** The deliveries of a job, the newest first. */
export async function listDeliveries(jobId: string): Promise<DeliveryRow[]> {
  const rows: DeliveryRow[] = []
  const partition = { table: 'jobs' as const, key: keyOf(JOB, jobId).pk, prefix: 'DELIVERY#' }
  for await (const row of queryItems<DeliveryRow>(partition)) rows.push(row)
  return rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

/** What came of the first assets of a delivery, in the order of their ids. */
export async function listDelivered(jobId: string, id: string, limit: number): Promise<DeliveredAsset[]> {
  const rows: DeliveredAsset[] = []
  const partition = { table: 'jobs' as const, key: keyOf(JOB, jobId).pk, prefix: `DELIVERED#${id}#` }
  for await (const row of queryItems<DeliveredRow>(partition, limit)) rows.push(row)
  return rows
}

/** Which of the assets a delivery has settled already. */
export async function assetsDelivered(jobId: string, id: string, assetIds: string[]): Promise<Set<string>> {
  const rows = await getItems<DeliveredRow>(
    'jobs',
    assetIds.map(assetId => assetKey(jobId, id, assetId)),
  )
  return new Set(rows.map(({ assetId }) => assetId))
}

/** Writes what came of an asset and counts it, both or neither, at most once and only while the delivery is under way. */
export const recordDelivered = (jobId: string, id: string, outcome: DeliveredAsset): Promise<boolean> =>
  transact([
    {
      table: 'jobs',
      put: { ...outcome, ...assetKey(jobId, id, outcome.assetId) },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    {
      table: 'jobs',
      update: deliveryKey(jobId, id),
      change: {
        update: 'ADD #counted :one SET heartbeatAt = :now',
        condition: '#status = :running',
        names: { '#counted': outcome.status === 'SUCCEEDED' ? 'done' : 'failed', '#status': 'status' },
        values: { ':one': 1, ':now': new Date().toISOString(), ':running': 'IN_PROGRESS' },
      },
    },
  ])

/** Says that a delivery is being worked on. */
export const heartbeatOfDelivery = (jobId: string, id: string): Promise<unknown> =>
  updateItem('jobs', deliveryKey(jobId, id), {
    update: 'SET heartbeatAt = :now',
    condition: '#status = :running',
    names: { '#status': 'status' },
    values: { ':now': new Date().toISOString(), ':running': 'IN_PROGRESS' },
  })

/** The writes that end a delivery that is under way, and let its job be delivered again. */
export function endingDelivery(
  { jobId, id }: Pick<DeliveryRecord, 'jobId' | 'id'>,
  changes: Pick<DeliveryRecord, 'status'> & Partial<DeliveryRecord>,
) {
  const set = setting({ ...changes, finishedAt: new Date().toISOString() })
  const names = { ...set.names, '#status': 'status' }
  const values = { ...set.values, ':running': 'IN_PROGRESS' }
  return [
    {
      table: 'jobs' as const,
      update: deliveryKey(jobId, id),
      change: { update: set.update, condition: '#status = :running', names, values },
    },
    {
      table: 'jobs' as const,
      update: keyOf(JOB, jobId),
      change: { update: 'REMOVE delivering', condition: 'delivering = :id', values: { ':id': id } },
    },
  ]
}
