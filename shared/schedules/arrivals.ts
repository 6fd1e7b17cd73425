import type { EventBridgeEvent } from 'aws-lambda'
import { promised } from '../sources/media-types.ts'
import { below, lastPart, pathOf } from '../sources/paths.ts'
import { fitsName } from '../store/job-plan.ts'
import { findRecord } from '../store/records.ts'
import {
  putArrival,
  SCHEDULE,
  type ScheduleRecord,
  schedulesOfBucket,
  unwatchBucket,
  watchBucket,
} from '../store/schedules.ts'
import { SOURCE, type SourceRecord } from '../store/sources.ts'

/** What S3 tells EventBridge of an object that has come into a bucket. */
export type Arrival = EventBridgeEvent<'Object Created', { bucket: { name: string }; object: { key: string } }>

/** Seconds for which a file must have been left alone before it is taken, unless the schedule says otherwise. */
export const SETTLE_SECONDS = 10

/** Times of runs are rounded up to so many milliseconds: what comes at the same time is taken by the same run. */
const ROUNDED = 10_000

/** Has the schedules that take what has arrived run as soon as it has been left alone for long enough. Again is fine. */
export async function noteArrivals(arrivals: readonly Arrival[]): Promise<void> {
  for (const [bucket, all] of Map.groupBy(arrivals, ({ detail }) => detail.bucket.name))
    for await (const scheduleId of schedulesOfBucket(bucket)) await noteFor(scheduleId, bucket, all)
}

async function noteFor(scheduleId: string, bucket: string, arrivals: readonly Arrival[]): Promise<void> {
  const schedule = await findRecord<ScheduleRecord>(SCHEDULE, scheduleId)
  const source = schedule && (await findRecord<SourceRecord>(SOURCE, schedule.sourceId))
  if (!source || bucketOf(source) !== bucket) return unwatchBucket(bucket, scheduleId)
  if (!schedule.enabled) return
  const taken = arrivals.filter(({ detail }) => isTaken(detail.object.key, schedule, source))
  for (const at of new Set(taken.map(({ time }) => settled(time, schedule)))) await putArrival(scheduleId, at)
}

/** The bucket that a source is, if it is one. */
const bucketOf = ({ kind, config }: SourceRecord): string | undefined =>
  kind === 'CLOUD_DRIVE' && config.provider === 's3' ? String(config.bucket) : undefined

/** Whether an object lies in the folder that a schedule takes, and has a name that it takes. */
function isTaken(key: string, { folder = '', files }: ScheduleRecord, { config }: SourceRecord): boolean {
  const [root, path] = [pathOf(String(config.prefix ?? '')), pathOf(folder)]
  if (root === undefined || path === undefined) return false
  const name = lastPart(key)
  const isThere = name !== '' && key === below(below(root, path), name)
  return isThere && (files ? fitsName(files, name) : promised(name).supported)
}

/** When what arrived at a time, which S3 tells in whole seconds, has been left alone for long enough. */
function settled(time: string, { settleSeconds = SETTLE_SECONDS }: ScheduleRecord): string {
  const at = Date.parse(time) + (settleSeconds + 1) * 1000
  return new Date(Math.ceil(at / ROUNDED) * ROUNDED).toISOString()
}

/**
 * Remembers the bucket that a schedule has read from, so that it is found when something arrives there, and forgets one that it
 * could not read. Nobody learns of arrivals in a bucket without the keys to it.
 */
export async function heed(schedule: ScheduleRecord, source: SourceRecord, couldRead: boolean): Promise<void> {
  const bucket = bucketOf(source)
  if (bucket !== undefined) await (couldRead ? watchBucket : unwatchBucket)(bucket, schedule.id)
}
