import {
  countItems,
  deleteItem,
  type Item,
  putItem,
  queryAhead,
  queryItems,
  transact,
  updateItem,
  type Write,
} from './dynamo.ts'

/**
 * What the sweeper looks after: a job that runs, one that is loaded from a source, one whose uploads are awaited, one
 * whose results are delivered.
 */
export type OpenWorkKind = 'RUN' | 'LOAD' | 'UPLOAD' | 'DELIVERY'

/** A job under the sweeper's eyes. */
export type OpenWork = Item & { kind: OpenWorkKind; jobId: string; deliveryId?: string; since: string; sweeps: number }

/** A job, as far as it is needed here. */
type Job = { id: string; ownerId: string }

const PARTITION = 'WATCH'
const prefixOf = (kind: OpenWorkKind, ownerId: string) => `${kind}#${ownerId}#`
const keyOf = (kind: OpenWorkKind, { id, ownerId }: Job, deliveryId?: string) => ({
  pk: PARTITION,
  sk: `${prefixOf(kind, ownerId)}${[id, deliveryId].filter(Boolean).join('#')}`,
})

/**
 * Puts a job under the sweeper's eyes, from now on where it was there before; written before the work begins, so that a lost
 * message is noticed.
 */
export const trackOpen = (kind: OpenWorkKind, job: Job, deliveryId?: string): Promise<void> =>
  putItem('jobs', rowOf(kind, job, deliveryId))

/** The write that puts a job under the sweeper's eyes that runs: part of the change that starts it. */
export const trackingRun = (job: Job): Write => ({ table: 'jobs', put: rowOf('RUN', job) })

const rowOf = (kind: OpenWorkKind, job: Job, deliveryId?: string): OpenWork => ({
  ...keyOf(kind, job, deliveryId),
  kind,
  jobId: job.id,
  deliveryId,
  since: new Date().toISOString(),
  sweeps: 0,
})

/** Lets a job go. */
export const untrack = (kind: OpenWorkKind, job: Job, deliveryId?: string): Promise<void> =>
  deleteItem('jobs', keyOf(kind, job, deliveryId))

/** The write that lets a job go that runs: part of the change that ends it. */
export const untrackingRun = (job: Job): Write => ({ table: 'jobs', delete: keyOf('RUN', job) })

/** That a row is still the one which the sweeper has read: the job was neither let go nor put there again. */
const unchanged = ({ since }: OpenWork) => ({ condition: 'since = :since', values: { ':since': since } })

/** Lets go of what the sweeper has found, if it is still that. */
export async function untrackFound(row: OpenWork): Promise<void> {
  await transact([{ table: 'jobs', delete: { pk: row.pk, sk: row.sk }, condition: unchanged(row) }])
}

/** Remembers that the sweeper acted once more on what it has found, if it is still that. */
export async function countSweep(row: OpenWork): Promise<void> {
  const { condition, values } = unchanged(row)
  await updateItem('jobs', row, { update: 'SET sweeps = :n', condition, values: { ...values, ':n': row.sweeps + 1 } })
}

/** Every job under the sweeper's eyes. */
export const openWork = (): AsyncGenerator<OpenWork> => queryItems<OpenWork>({ table: 'jobs', key: PARTITION })

const running = { table: 'jobs' as const, key: PARTITION, prefix: 'RUN#' }

/** The ids of all jobs that run or wait to run. */
export async function* runningJobs(): AsyncGenerator<string> {
  for await (const { jobId } of queryItems<OpenWork>(running)) yield jobId
}

/** Reads which jobs run before it is asked for, at most so many; answers them. */
export const runningAhead = async (most: number): Promise<Job[]> =>
  (await queryAhead<OpenWork>(running, most)).map(({ jobId, sk }) => ({ id: jobId, ownerId: sk.split('#')[1]! }))

/** How many jobs of a user run or wait to run. */
export const countRunning = (ownerId: string): Promise<number> =>
  countItems({ table: 'jobs', key: PARTITION, prefix: prefixOf('RUN', ownerId) })
