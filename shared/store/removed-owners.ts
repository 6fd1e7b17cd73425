import { deleteItem, getItem, type Item, type Transact, type Write } from './dynamo.ts'
import type { Kind } from './kinds.ts'
import { sendMessages } from './queue.ts'
import { keyOf } from './records.ts'

/** Key of the row that stays of a user or service account that was removed, until all that it owned goes too. */
const leftKey = (kind: Kind, id: string) => ({ ...keyOf(kind, id), sk: 'REMOVED' })

/** The write that leaves the row. */
export const leaving = (kind: Kind, { id, role }: { id: string; role: string }): Write => ({
  table: kind.table,
  put: { ...leftKey(kind, id), role },
})

/** The role of an owner that was removed while what it owned stayed; undefined for anybody else. */
export const roleOfRemoved = async (kind: Kind, id: string): Promise<string | undefined> =>
  (await getItem<Item & { role: string }>(kind.table, leftKey(kind, id)))?.role

/** Has the queue remove what an owner left who is gone. */
const sendPurge = (ownerId: string, delaySeconds?: number): Promise<void> =>
  sendMessages('jobs', ownerId, [{ type: 'PURGE', ownerId }], delaySeconds)

/** Removes an owner by `remove`, and all that it owned where it `purges`. */
export async function removeOwner(
  kind: Kind,
  id: string,
  { purges, remove }: { purges: boolean; remove: () => Promise<void> },
): Promise<void> {
  // Sent first and late too: should the second sending fail, nobody has to ask for the purge again.
  if (purges) await sendPurge(id, 60)
  await remove()
  if (!purges) return
  await sendPurge(id)
  await deleteItem(kind.table, leftKey(kind, id))
}

/** Removes all that an owner left who was removed before; false where it was asked for meanwhile. `write` notes it first. */
export async function purgeRemoved(kind: Kind, id: string, write: Transact): Promise<boolean> {
  const key = leftKey(kind, id)
  const change = {
    update: 'SET purgedAt = :now',
    condition: 'attribute_exists(pk)',
    values: { ':now': new Date().toISOString() },
  }
  if (!(await write([{ table: kind.table, update: key, change }]))) return false
  await sendPurge(id)
  await deleteItem(kind.table, key)
  return true
}
