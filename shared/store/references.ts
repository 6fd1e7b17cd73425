import { deleteItem, getItem, type Item, type Key, queryItems, type Transact, transact, type Write } from './dynamo.ts'
import type { Kind } from './kinds.ts'
import { keyOf, removing, type Stored } from './records.ts'

/**
 * Writes of a transaction: as DynamoDB allows them, but for those that go with a change, and of the call's key. Even, for a use is two
 * writes that must come together.
 */
const AT_ONCE = 96

type Use = Item & { by: string; at: number }

/** Records of one kind, by their ids. */
export type Used = { kind: Kind; ids: Iterable<string> }

const useKey = (kind: Kind, id: string, by: string) => ({ pk: keyOf(kind, id).pk, sk: `USE#${by}` })

/** The writes that note a use. The count on the used record changes with every note, which {@link removeUnreferenced} relies on. */
const noting = (kind: Kind, id: string, by: string, otherwise?: Error): Write[] => [
  {
    table: kind.table,
    update: keyOf(kind, id),
    change: {
      update: 'ADD #uses :one',
      condition: 'attribute_exists(pk)',
      names: { '#uses': 'uses' },
      values: { ':one': 1 },
    },
    otherwise,
  },
  { table: kind.table, put: { ...useKey(kind, id, by), by, at: Date.now() } },
]

/** Notes that a record uses others, so that those can't be deleted under it. False when one of them is gone. */
export async function addReferences(kind: Kind, ids: string[], by: string): Promise<boolean> {
  const writes = [...new Set(ids)].flatMap(id => noting(kind, id, by))
  for (let at = 0; at < writes.length; at += AT_ONCE)
    if (!(await transact(writes.slice(at, at + AT_ONCE)))) return false
  return true
}

/**
 * Writes a record together with the notes that it uses others; notes that are too many for one transaction come before it.
 * Throws `otherwise` where one of those others is gone; false when a condition of the record's own writes does not hold.
 */
export async function writeUsing(
  by: string,
  used: (Used & { otherwise: Error })[],
  writes: Write[],
  write: Transact = transact,
): Promise<boolean> {
  const notes: Write[] = []
  const noted = new Set<string>()
  for (const { kind, ids, otherwise } of used) {
    for (const id of ids) {
      const { pk } = keyOf(kind, id)
      if (!noted.has(pk)) notes.push(...noting(kind, id, by, otherwise))
      noted.add(pk)
    }
  }
  while (notes.length + writes.length > AT_ONCE) await transact(notes.splice(0, AT_ONCE))
  return write([...notes, ...writes])
}

/** Forgets that a record used others. */
export async function removeReferences(kind: Kind, ids: string[], by: string): Promise<void> {
  for (const id of new Set(ids)) await deleteItem(kind.table, useKey(kind, id, by))
}

/** How many users of a record are told, and how many that no longer use it are forgotten together with it. */
const TOLD = 20

/** How long what a note announces may take to be written, milliseconds: no request lasts longer. */
const ANNOUNCED_MS = 30_000

/**
 * Removes a record unless it is in use, and answers who uses it (at most 20). `uses` says whether somebody does now, or
 * `never` when they cannot any more. A note may be written before the use itself, so a fresh one counts; others that do not
 * hold are cleared on the way. A use noted meanwhile makes the removal start over. The notes that it used others go with it.
 * @param record as it was read, or the first attempt fails if it ever was in use.
 * @param used what it uses itself, and how the removal is written.
 */
export async function removeUnreferenced(
  kind: Kind,
  record: Stored & { uses?: unknown },
  uses: (by: string) => Promise<boolean | 'never'>,
  { used = [], write = transact }: { used?: Used[]; write?: Transact } = {},
): Promise<string[]> {
  const key = keyOf(kind, record.id)
  const notes = used.flatMap(({ kind, ids }) =>
    [...new Set(ids)].map(id => ({ kind, key: useKey(kind, id, record.id) })),
  )
  let found: { uses?: unknown } | undefined = record
  for (let attempt = 0; attempt < 5 && found; attempt++) {
    const { users, past } = await usersOf(kind, record.id, uses)
    if (users.length > 0) return users
    const removal = removingUnused(kind, record, found.uses)
    const forgotten = [...past.map(key => ({ kind, key })), ...notes]
    const together = forgotten.splice(0, AT_ONCE - removal.length)
    if (await write([...removal, ...together.map(({ kind, key }) => ({ table: kind.table, delete: key }))])) {
      for (const { kind, key } of forgotten) await deleteItem(kind.table, key)
      return []
    }
    found = await getItem<Item & { uses?: unknown }>(kind.table, key)
  }
  if (!found) return []
  throw new Error('The record is being used and removed at the same time')
}

/** Who uses a record, at most 20, and the notes of some that no longer do; those of more are cleared, so that another call comes further. */
async function usersOf(kind: Kind, id: string, uses: (by: string) => Promise<boolean | 'never'>) {
  const users: string[] = []
  const past: Key[] = []
  for await (const { by, at } of queryItems<Use>({ table: kind.table, key: keyOf(kind, id).pk, prefix: 'USE#' })) {
    const is = await uses(by)
    if (is === true || (is === false && Date.now() - at < ANNOUNCED_MS)) users.push(by)
    else if (past.length < TOLD) past.push(useKey(kind, id, by))
    else await deleteItem(kind.table, useKey(kind, id, by))
    if (users.length === TOLD) break
  }
  return { users, past }
}

/** The writes that remove a record which has been used so often, and not since. */
function removingUnused(kind: Kind, record: Stored, count: unknown): Write[] {
  const [removal, ...others] = removing(kind, record)
  const condition = {
    condition: `attribute_exists(pk) AND ${count === undefined ? 'attribute_not_exists(#uses)' : '#uses = :count'}`,
    names: { '#uses': 'uses' },
    values: count === undefined ? {} : { ':count': count },
  }
  return [{ ...removal, condition } as Write, ...others]
}
