import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { settings } from '../../settings.ts'
import { deleteItem, type Item, queryItems } from '../../store/dynamo.ts'
import { changeJob, JOB } from '../../store/jobs.ts'
import type { Kind } from '../../store/kinds.ts'
import { idsOwnedBy } from '../../store/lists.ts'
import { NOTIFICATION } from '../../store/notifications.ts'
import { deleteObjects } from '../../store/objects.ts'
import { untrack } from '../../store/open-work.ts'
import { sendMessages } from '../../store/queue.ts'
import { counterKey, findRecord, keyOf, removeRecord, type Stored } from '../../store/records.ts'
import { REIDENTIFICATION } from '../../store/reidentifications.ts'
import { RULE } from '../../store/rules.ts'
import { removeSchedule, SCHEDULE, type ScheduleRecord } from '../../store/schedules.ts'
import { SERVICE_ACCOUNT } from '../../store/service-accounts.ts'
import { SOURCE } from '../../store/sources.ts'
import { forgetNumbers, TOKEN_KEY } from '../../store/token-keys.ts'
import { USER } from '../../store/users.ts'
import { eraseEntries, LIST } from '../../store/value-lists.ts'
import { forgetTurns, removeWebhook, WEBHOOK, type WebhookRecord } from '../../store/webhooks.ts'
import { WORKFLOW } from '../../store/workflows.ts'
import { eraseRemains } from './erase-job.ts'

const KINDS: readonly Kind[] = [
  SCHEDULE,
  JOB,
  WORKFLOW,
  RULE,
  LIST,
  SOURCE,
  TOKEN_KEY,
  REIDENTIFICATION,
  WEBHOOK,
  NOTIFICATION,
]

/** Records that one message removes; the rest is left to another one. */
const AT_ONCE = 200

/**
 * Removes what a user or service account owned: records and files. Nothing happens while the owner is there. May be called
 * again.
 */
export async function purge(ownerId: string): Promise<void> {
  for (const kind of [USER, SERVICE_ACCOUNT]) if (await findRecord(kind, ownerId)) return
  let left = AT_ONCE
  for (const kind of KINDS) {
    for await (const id of idsOwnedBy(kind, ownerId, left)) {
      await purgeRecord(kind, id, ownerId)
      left--
    }
    if (left === 0) return sendMessages('jobs', ownerId, [{ type: 'PURGE', ownerId }])
    await deleteItem(kind.table, counterKey(kind, ownerId))
  }
  await Promise.all([forgetNumbers(ownerId), forgetTurns(ownerId)])
  await purgeFiles(ownerId)
}

/** Removes what the operator has put where the user's sources of kind LOCAL_ASSET look. */
async function purgeFiles(ownerId: string): Promise<void> {
  const { LOCAL_ASSET_ROOT } = settings()
  if (LOCAL_ASSET_ROOT) await rm(join(LOCAL_ASSET_ROOT, ownerId), { recursive: true, force: true })
  else await deleteObjects('files', `${ownerId}/`)
}

/** Removes a schedule; its runs go by another message. */
async function purgeSchedule(id: string): Promise<void> {
  const schedule = await findRecord<ScheduleRecord>(SCHEDULE, id)
  // One that has just run is removed when the message comes again.
  if (schedule && !(await removeSchedule(schedule))) throw new Error('The schedule was changed at the same time')
  if (schedule) await sendMessages('jobs', schedule.ownerId, [{ type: 'FORGET', scheduleId: id }])
}

/** Removes a record, its notes and, of a job, everything in it. */
async function purgeRecord(kind: Kind, id: string, ownerId: string): Promise<void> {
  if (kind === SCHEDULE) return purgeSchedule(id)
  if (kind === JOB) {
    // Workers on it stop, and what they still bring doesn't count.
    await changeJob(id, { status: 'CANCELLED' }, { status: ['PENDING', 'IN_PROGRESS'] })
    await Promise.all((['RUN', 'LOAD'] as const).map(watched => untrack(watched, { id, ownerId })))
  }
  // Sent first and late: what the rest does not get to, because it fails or because a worker still brings it, is found no more
  // once the record is gone.
  if (kind === JOB) await sendMessages('jobs', ownerId, [{ type: 'CLEAN', jobId: id, erase: true }], 60)
  if (kind === LIST) await sendMessages('jobs', ownerId, [{ type: 'CLEAN_LIST', listId: id }], 60)
  const record: Stored | undefined = await findRecord<Stored>(kind, id)
  if (record && kind === WEBHOOK) await removeWebhook(record as Stored & WebhookRecord)
  else if (record) await removeRecord(kind, record)
  if (kind === JOB) return eraseRemains(id)
  if (kind === LIST) await eraseEntries(id)
  for await (const { pk, sk } of queryItems<Item>({ table: kind.table, key: keyOf(kind, id).pk })) {
    await deleteItem(kind.table, { pk, sk })
  }
}
