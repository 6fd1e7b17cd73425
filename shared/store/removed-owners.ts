import { deleteItem, getItem, type Item, type Write } from './dynamo.ts'
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

/** Removes an owner by `remove`, where there still is one, and all that it owned where it `purges`. */
export async function removeOwner(
  kind: Kind,
  id: string,
  { purges, remove }: { purges: boolean; remove?: () => Promise<void> },
): Promise<void> {
  const purge = { type: 'PURGE', ownerId: id } as const
  // Sent first and late too: should the second sending fail, nobody could ask for the purge again.
  if (purges) await sendMessages('jobs', id, [purge], 60)
  await remove?.()
  if (!purges) return
  await sendMessages('jobs', id, [purge])
  await deleteItem(kind.table, leftKey(kind, id))
}
