import { readFile } from 'node:fs/promises'
import type { Client } from '../../shared/api/client.ts'
import type { LoggedEnd } from '../../shared/audit/chain.ts'
import { readAuditEntry } from '../../shared/transparency/entries.ts'
import { type Checkpoint, readCheckpoint } from '../../shared/transparency/note.ts'
import { entriesOf, tileIn, tilePath, WIDTH } from '../../shared/transparency/tiles.ts'
import { hashWithin, leafHash, levelsOf } from '../../shared/transparency/tree.ts'
import { patiently } from './trail.ts'

/** Reads a checkpoint that was kept. Its signature proves nothing to whoever kept it, so it is not asked for. */
export async function readKeptCheckpoint(path: string): Promise<Checkpoint> {
  const note = await readFile(path, 'utf8')
  const checkpoint = readCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))
  if (!checkpoint) throw new Error(`${path} is not a checkpoint of a log`)
  return checkpoint
}

/**
 * The ends of chains that the log holds, as the service tells its entries now; throws where they do not begin with those that a
 * checkpoint which was kept stands for, or hold two certificates of one job.
 */
export async function readLoggedEnds(client: Client, kept: Checkpoint): Promise<LoggedEnd[]> {
  const note = await patiently(() => client.transparency.checkpoint())
  const newest = readCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))
  if (!newest) throw new Error('The service tells a checkpoint that is none')
  const entries: string[] = []
  for (let index = 0; index * WIDTH < newest.size; index++) {
    const bundle = tileIn(newest.size, 'entries', index)!
    const { url } = await patiently(() => client.transparency.tile({ query: { path: tilePath(bundle) } }))
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${tilePath(bundle)} of the log cannot be read: ${answer.status}`)
    entries.push(...entriesOf(Buffer.from(await answer.arrayBuffer()), bundle))
  }
  return endsIn(entries, kept, newest)
}

/** What entries of a log say of the audit trail, once they fit a checkpoint that was kept and the newest one; throws otherwise. */
export function endsIn(entries: readonly string[], kept: Checkpoint, newest: Checkpoint): LoggedEnd[] {
  const levels = levelsOf(entries.map(leafHash))
  const isOf = ({ size, root }: Checkpoint) => size <= entries.length && hashWithin(levels, [0, size]).equals(root)
  if (!isOf(kept)) throw new Error('The log was changed since the checkpoint was kept')
  if (newest.size !== entries.length || !isOf(newest))
    throw new Error('The entries of the log are not those of its checkpoint')
  const certified = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const [, job] = /^certificate:([0-9a-f]{64}):/.exec(entry) ?? []
    if (job === undefined) continue
    const first = certified.get(job)
    if (first !== undefined)
      throw new Error(`Entries ${first} and ${index} of the log are certificates of the same job`)
    certified.set(job, index)
  }
  return entries.flatMap(entry => readAuditEntry(entry) ?? [])
}
