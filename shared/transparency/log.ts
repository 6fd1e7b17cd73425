import type { KeyObject } from 'node:crypto'
import { publicKeyOf } from '../store/keys.ts'
import { readForChange, readLogFile, writeLogFile } from '../store/transparency.ts'
import { type Checkpoint, logName, openNote, originOf, readCheckpoint } from './note.ts'
import { type ReadTile, rangeHash, tilePath } from './tiles.ts'
import { joined } from './tree.ts'

/** The log of this deployment: the digits that it is named by, the first line of its checkpoints, and its key. */
export type Log = { name: string; origin: string; key: KeyObject }

/** Where the newest checkpoint of a log is. */
const CHECKPOINT = 'checkpoint'

/** The log that the key of the deployment signs. */
export async function currentLog(): Promise<Log> {
  const key = await publicKeyOf('transparency')
  return { name: logName(key), origin: originOf(key), key }
}

/** What a note says of a log that has signed it; throws where it has not. */
function checkpointIn({ origin, key }: Log, note: string): Checkpoint {
  const text = openNote(note, origin, key)
  const checkpoint = text === undefined ? undefined : readCheckpoint(text)
  if (checkpoint?.origin !== origin) throw new Error('The checkpoint of the log was not signed by its key')
  return checkpoint
}

/** The newest checkpoint of a log and its note; undefined while the log is empty. */
export async function newestCheckpoint(log: Log): Promise<{ note: string; checkpoint: Checkpoint } | undefined> {
  const note = (await readLogFile(log.name, CHECKPOINT))?.toString()
  return note === undefined ? undefined : { note, checkpoint: checkpointIn(log, note) }
}

/** The newest checkpoint of a log, of nothing while it is empty, with its note and the ETag that it is replaced by. */
export async function checkpointForChange(log: Log): Promise<{ checkpoint: Checkpoint; note?: string; etag?: string }> {
  const found = await readForChange(log.name, CHECKPOINT)
  if (!found) return { checkpoint: { origin: log.origin, size: 0, root: joined([]) } }
  const note = found.bytes.toString()
  return { checkpoint: checkpointIn(log, note), note, etag: found.etag }
}

/** Puts a note in place of the checkpoint with the ETag; false when another one was faster. */
export const replaceCheckpoint = ({ name }: Log, note: string, etag?: string): Promise<boolean> =>
  writeLogFile(name, CHECKPOINT, Buffer.from(note), 'text/plain; charset=utf-8', etag)

/** Reads tiles of a log, each one once; throws where one is missing. */
export function tilesOf({ name }: Log): ReadTile {
  const known = new Map<string, Promise<Buffer>>()
  const fetched = async (path: string): Promise<Buffer> => {
    const bytes = await readLogFile(name, path)
    if (!bytes) throw new Error(`The log lacks its file ${path}`)
    return bytes
  }
  return tile => {
    const path = tilePath(tile)
    const reading = known.get(path) ?? fetched(path)
    known.set(path, reading)
    return reading
  }
}

/** Throws where the tiles of a log do not lead to the root in its checkpoint. */
export async function assertWhole({ size, root }: Checkpoint, read: ReadTile): Promise<void> {
  if (!(await rangeHash(size, [0, size], read)).equals(root))
    throw new Error('The tiles of the log do not lead to the root in its checkpoint')
}
