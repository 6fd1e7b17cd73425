import { getItem, type Item, type Key, setting, transact, type Write } from './dynamo.ts'
import type { Kind } from './kinds.ts'

/** What every record that users see carries. */
export type Stored = { id: string; ownerId: string; createdAt: string; updatedAt: string }

/** Primary key of a record. */
export const keyOf = (kind: Kind, id: string): Key => ({ pk: `${kind.name}#${id}`, sk: kind.name })

/** Key of the row that counts the records of one owner. */
export const counterKey = (kind: Kind, ownerId: string): Key => ({ pk: `COUNT#${ownerId}`, sk: kind.name })

/** Rows that the total of all is spread over, so that many may create records at the same moment. */
const SHARDS = 8

/** Keys of the rows whose sum is the number of all records of a kind. */
export const totalKeys = (kind: Kind): Key[] =>
  Array.from({ length: SHARDS }, (_, n) => ({ pk: `TOTAL#${n}`, sk: kind.name }))

const counting = (kind: Kind, { id, ownerId }: Stored, by: 1 | -1): Write[] => {
  if (kind.expires) return []
  const change = { update: 'ADD #n :by', names: { '#n': 'n' }, values: { ':by': by } }
  const total = totalKeys(kind)[Number.parseInt(id.slice(0, 2), 16) % SHARDS]!
  const keys = kind.ownerless ? [total] : [total, counterKey(kind, ownerId)]
  return keys.map(update => ({ table: kind.table, update, change }))
}

/** A record as an item, with the keys of the list indexes. */
const itemOf = (kind: Kind, record: Stored): Item => ({
  ...record,
  ...keyOf(kind, record.id),
  listOwner: record.ownerId,
  listKind: kind.name,
  listOrder: `${record.createdAt}#${record.id}`,
})

/** The writes that create a record: for a transaction together with others. */
export const creating = (kind: Kind, record: Stored): Write[] => [
  { table: kind.table, put: itemOf(kind, record), condition: { condition: 'attribute_not_exists(pk)' } },
  ...counting(kind, record, 1),
]

/** The writes that remove a record: for a transaction together with others. */
export const removing = (kind: Kind, record: Stored): Write[] => [
  { table: kind.table, delete: keyOf(kind, record.id), condition: { condition: 'attribute_exists(pk)' } },
  ...counting(kind, record, -1),
]

/** Creates a record; false when the id is taken. */
export const createRecord = (kind: Kind, record: Stored): Promise<boolean> => transact(creating(kind, record))

/** A record by its id. */
export const findRecord = <T extends Stored>(kind: Kind, id: string): Promise<(T & Item) | undefined> =>
  getItem<T & Item>(kind.table, keyOf(kind, id))

/** Holds while these fields of a record are as they were. */
export const whileSame = <T extends Stored>(record: T, fields: readonly (keyof T & string)[]) => ({
  condition: fields.map(field => `#${field} = :${field}`).join(' AND '),
  names: Object.fromEntries(fields.map(field => [`#${field}`, field])),
  values: Object.fromEntries(fields.map(field => [`:${field}`, record[field]])),
})

/** The time of a change, which is later than that of the one before, so that none of two at the same moment is missed. */
function timeAfter(before: string): string {
  return new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString()
}

/**
 * A record with changes, undefined ones left out, and the write for a transaction that makes them on a condition: where that is told,
 * these fields have to be as they were read; otherwise nobody may have changed the record since.
 */
export function changing<T extends Stored>(
  kind: Kind,
  before: T,
  changes: Partial<T>,
  same: ReturnType<typeof whileSame> = whileSame(before, ['updatedAt']),
): { after: T; write: Write } {
  const defined = Object.entries(changes).filter(([, value]) => value !== undefined)
  const given = { ...Object.fromEntries(defined), updatedAt: timeAfter(before.updatedAt) }
  const set = setting(given)
  const change = { ...set, ...same, names: { ...set.names, ...same.names }, values: { ...set.values, ...same.values } }
  return { after: { ...before, ...given }, write: { table: kind.table, update: keyOf(kind, before.id), change } }
}

/** How often a change is tried that others come before. */
const ATTEMPTS = 20

/** What `change` makes of a record as it is now; where it answers nothing, as others have changed the record meanwhile, it is read anew. */
export async function untilChanged<T extends Stored, After>(
  read: () => Promise<T>,
  change: (before: T) => Promise<After | undefined>,
): Promise<After> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const after = await change(await read())
    if (after) return after
  }
  throw new Error('The record is being changed too often')
}

/** Removes a record; false when there is none any more. */
export const removeRecord = (kind: Kind, record: Stored): Promise<boolean> => transact(removing(kind, record))
