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
 * The ends of chains that the log held when a checkpoint was kept, as the service tells them now; throws where it tells
 * others than those that the checkpoint stands for.
 */
export async function readLoggedEnds(client: Client, { size, root }: Checkpoint): Promise<LoggedEnd[]> {
  const entries: string[] = []
  for (let index = 0; index * WIDTH < size; index++) {
    const bundle = tileIn(size, 'entries', index)!
    const { url } = await patiently(() => client.transparency.tile({ query: { path: tilePath(bundle) } }))
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${tilePath(bundle)} of the log cannot be read: ${answer.status}`)
    entries.push(...entriesOf(Buffer.from(await answer.arrayBuffer()), bundle))
  }
  if (!hashWithin(levelsOf(entries.map(leafHash)), [0, size]).equals(root))
    throw new Error('The log was changed since the checkpoint was kept')
  return entries.flatMap(entry => readAuditEntry(entry) ?? [])
}
