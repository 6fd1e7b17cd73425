import { deleteItem, getItem, type Item, queryItems, transact, type Write } from './dynamo.ts'
import type { Kind } from './kinds.ts'
import { keyOf, removing, type Stored } from './records.ts'

/** Rules per transaction: each takes two of the hundred writes. */
const AT_ONCE = 50

type Use = Item & { by: string; at: number }

const useKey = (kind: Kind, id: string, by: string) => ({ pk: keyOf(kind, id).pk, sk: `USE#${by}` })

/**
 * Notes that a record uses others, so that those can't be deleted under it. False when one of them is gone. The
 * count on the used record changes with every note, which is what {@link removeUnreferenced} relies on.
 */
export async function addReferences(kind: Kind, ids: string[], by: string): Promise<boolean> {
  const distinct = [...new Set(ids)]
  for (let at = 0; at < distinct.length; at += AT_ONCE) {
    const writes = distinct.slice(at, at + AT_ONCE).flatMap((id): Write[] => [
      {
        table: kind.table,
        update: keyOf(kind, id),
        change: {
          update: 'ADD #uses :one',
          condition: 'attribute_exists(pk)',
          names: { '#uses': 'uses' },
          values: { ':one': 1 },
        },
      },
      { table: kind.table, put: { ...useKey(kind, id, by), by, at: Date.now() } },
    ])
    if (!(await transact(writes))) return false
  }
  return true
}

/** Forgets that a record used others. */
export async function removeReferences(kind: Kind, ids: string[], by: string): Promise<void> {
  for (const id of new Set(ids)) await deleteItem(kind.table, useKey(kind, id, by))
}

/** How long what a note announces may take to be written, milliseconds: no request lasts longer. */
const ANNOUNCED_MS = 30_000

/**
 * Removes a record unless it is in use, and answers who uses it (at most 20). `uses` says whether somebody does now, or
 * `never` when they cannot any more. A note is written before the use itself, so a fresh one counts; others that do not
 * hold are cleared on the way. A use noted meanwhile makes the removal start over.
 */
export async function removeUnreferenced(
  kind: Kind,
  record: Stored,
  uses: (by: string) => Promise<boolean | 'never'>,
): Promise<string[]> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const count = (await getItem<Item & { uses?: number }>(kind.table, keyOf(kind, record.id)))?.uses
    const users: string[] = []
    for await (const { by, at } of queryItems<Use>({
      table: kind.table,
      key: keyOf(kind, record.id).pk,
      prefix: 'USE#',
    })) {
      const used = await uses(by)
      if (used === true || (used === false && Date.now() - at < ANNOUNCED_MS)) users.push(by)
      else await deleteItem(kind.table, useKey(kind, record.id, by))
      if (users.length === 20) break
    }
    if (users.length > 0) return users
    const [removal, ...others] = removing(kind, record)
    const unchanged = count === undefined ? 'attribute_not_exists(#uses)' : '#uses = :count'
    const condition = {
      condition: `attribute_exists(pk) AND ${unchanged}`,
      names: { '#uses': 'uses' },
      values: count === undefined ? {} : { ':count': count },
    }
    if (await transact([{ ...removal, condition } as Write, ...others])) return []
    if (!(await getItem(kind.table, keyOf(kind, record.id)))) return []
  }
  throw new Error('The record is being used and removed at the same time')
}
