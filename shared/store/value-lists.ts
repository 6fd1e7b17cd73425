import { randomUUID } from 'node:crypto'
import type { Entry, List } from '../api/lists.ts'
import { notFound, ProblemError } from '../api/problems.ts'
import { type Transact, transact } from './dynamo.ts'
import { type Kind, kinds } from './kinds.ts'
import { decodeEntries, encodeEntries } from './list-file.ts'
import { deleteObjects, putObject, readIfThere } from './objects.ts'
import { changing, findRecord } from './records.ts'

export const LIST: Kind = kinds.list_id

/** A list as stored: `content` names the object with its values, which is never changed but by another taking its place. */
export type ListRecord = List & { ownerId: string; content: string | null }

const objectOf = (id: string, content: string) => ({ bucket: 'lists' as const, key: `${id}/${content}` })

/** How often a change is tried that others come before. */
const ATTEMPTS = 5

/** The file with the values of a list; undefined while it has none. */
export async function readListFile(id: string): Promise<Buffer | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const list = await findRecord<ListRecord>(LIST, id)
    if (!list) throw notFound('list')
    if (!list.content) return undefined
    // Another may have taken its place meanwhile.
    const file = await readIfThere(objectOf(id, list.content))
    if (file) return file
  }
  throw new ProblemError({ type: 'unavailable', msg: 'Others are changing the list; try again' })
}

/** The values of a list. */
export async function readEntries(id: string): Promise<Entry[]> {
  const file = await readListFile(id)
  return file ? decodeEntries(file) : []
}

/** Puts what `change` makes of the values of a list in their place; of changes at the same time none is lost. */
export async function changeEntries(
  id: string,
  change: (entries: Entry[]) => Entry[],
  write: Transact = transact,
): Promise<ListRecord> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const list = await findRecord<ListRecord>(LIST, id)
    if (!list) throw notFound('list')
    const entries = change(await readEntries(id))
    const content = randomUUID()
    await putObject(objectOf(id, content), encodeEntries(entries), 'application/gzip')
    const changed = changing<ListRecord>(LIST, list, { content, entries: entries.length })
    const isChanged = await write([changed.write])
    const { key } = objectOf(id, (isChanged ? list.content : content) ?? 'none')
    await deleteObjects('lists', key)
    if (isChanged) return changed.after
  }
  throw new ProblemError({ type: 'unavailable', msg: 'Others are changing the list; try again' })
}

/** Removes the values of a list whose record is gone. */
export const eraseEntries = (id: string): Promise<void> => deleteObjects('lists', `${id}/`)

/** Removes the values of a list as soon as its record is gone, should whoever removes it not get to it. Again is fine. */
export async function cleanList(id: string): Promise<void> {
  if (!(await findRecord<ListRecord>(LIST, id))) await eraseEntries(id)
}
