import { createItem, deleteItem, type Item, putItem, queryItems } from './dynamo.ts'

/** What the sweeper looks after: a job that runs, one that is loaded from a source, one whose uploads are awaited. */
export type WatchKind = 'RUN' | 'LOAD' | 'UPLOAD'

/** A job under the sweeper's eyes. */
export type Watched = Item & { kind: WatchKind; jobId: string; since: string; sweeps: number }

const PARTITION = 'WATCH'
const keyOf = (kind: WatchKind, jobId: string) => ({ pk: PARTITION, sk: `${kind}#${jobId}` })

/** Puts a job under the sweeper's eyes; written before the work begins, so that a lost message is noticed. */
export async function watch(kind: WatchKind, jobId: string): Promise<void> {
  await createItem('jobs', { ...keyOf(kind, jobId), kind, jobId, since: new Date().toISOString(), sweeps: 0 })
}

/** Lets a job go. */
export const unwatch = (kind: WatchKind, jobId: string): Promise<void> => deleteItem('jobs', keyOf(kind, jobId))

/** Remembers that the sweeper acted on a job once more. */
export const countSweep = (watched: Watched): Promise<void> =>
  putItem('jobs', { ...watched, sweeps: watched.sweeps + 1 })

/** Every job under the sweeper's eyes. */
export const watched = (): AsyncGenerator<Watched> => queryItems<Watched>({ table: 'jobs', key: PARTITION })
