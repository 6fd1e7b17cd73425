import * as z from 'zod'
import { auditHeads } from '../audit/records.ts'
import { log as lines } from '../log.ts'
import { noteLogged, unlogged } from '../store/certificates.ts'
import { signCheckpoint } from '../store/keys.ts'
import {
  findLogState,
  keepLogState,
  type LogState,
  readLogFile,
  writeLogFile,
  writeOnce,
} from '../store/transparency.ts'
import { auditEntry, readAuditEntry } from './entries.ts'
import { assertWhole, checkpointForChange, currentLog, type Log, replaceCheckpoint, tilesOf } from './log.ts'
import { type Checkpoint, checkpointText, noteOf } from './note.ts'
import { type FilledTile, newBundles, newTiles, type ReadTile, rangeHash, tilePath } from './tiles.ts'
import { leafHash } from './tree.ts'

/** Certificates that one batch takes at most. */
const CERTIFICATES = 1000
/** Batches that follow each other before the next run goes on. */
const ROUNDS = 10

const BINARY = 'application/octet-stream'

/** What follows a size of the log, decided once: entries, those of certificates with the id of their job. */
const Batch = z.array(z.strictObject({ entry: z.string(), jobId: z.string().optional() })).min(1)
type Batch = z.infer<typeof Batch>

const batchPath = (size: number): string => `batch/${size}`

/**
 * Takes what is new into the log: certificates, and the ends of the chains of the audit trail. May run any number of times
 * at once, and stop anywhere: what follows a size is decided by whoever writes the batch for it first, all that is made
 * of a batch is the same whoever makes it, and the checkpoint comes last.
 */
export async function extendLog(): Promise<void> {
  const log = await currentLog()
  for (let round = 0; round < ROUNDS; round++) if (!(await extendOnce(log))) return
}

/** Takes one batch into the log; answers whether more may be waiting. */
async function extendOnce(log: Log): Promise<boolean> {
  // First the checkpoint, then what waits: rows of what is in the log are gone before the checkpoint tells so.
  const { checkpoint, etag } = await checkpointForChange(log)
  const { size } = checkpoint
  const read = tilesOf(log)
  await assertWhole(checkpoint, read)
  const state = await caughtUp(log, size)
  const decided = await readBatch(log, size)
  const batch = decided ?? (await decideBatch(log, size, state))
  if (!batch) return false
  const next = await writeTiles(log, size, batch, read)
  await noteBatch(log, size, batch, state)
  const text = checkpointText(next)
  const note = noteOf(text, log.origin, log.key, await signCheckpoint(text))
  // Where another one was faster, its checkpoint is the same or a newer one.
  if (await replaceCheckpoint(log, note, etag)) lines.info('log extended', { size: next.size })
  // What came since an earlier run decided the batch is not in it.
  return decided !== undefined || batch.length >= CERTIFICATES
}

/** The state of the log, after what it lacks of the first `size` entries: that of a table which was restored from a backup. */
async function caughtUp(log: Log, size: number): Promise<LogState> {
  let state = await findLogState(log.name)
  while (state.size < size) {
    const batch = await readBatch(log, state.size)
    if (!batch) throw new Error(`The log lacks its file ${batchPath(state.size)}`)
    state = await noteBatch(log, state.size, batch, state)
  }
  return state
}

async function readBatch({ name }: Log, size: number): Promise<Batch | undefined> {
  const bytes = await readLogFile(name, batchPath(size))
  return bytes && Batch.parse(JSON.parse(bytes.toString()))
}

/** Decides what follows a size of the log, unless another one is faster; undefined where nothing is new. */
async function decideBatch(log: Log, size: number, state: LogState): Promise<Batch | undefined> {
  // Rows tell of entries that nobody decided: somebody has put an older checkpoint in place, or removed the batch.
  if (state.size > size) throw new Error(`The log ends at ${size}, but it has held ${state.size} entries`)
  const certificates = await unlogged(CERTIFICATES)
  const moved = (await auditHeads()).filter(({ shard, seq }) => seq > (state.ends[shard] ?? 0))
  const batch: Batch = [...certificates, ...moved.map(head => ({ entry: auditEntry(head) }))]
  if (batch.length === 0) return undefined
  const bytes = Buffer.from(JSON.stringify(batch))
  if (await writeLogFile(log.name, batchPath(size), bytes, 'application/json')) return batch
  return readBatch(log, size)
}

/** Writes the tiles and bundles that a batch makes, and answers what the checkpoint after it says. */
async function writeTiles(log: Log, size: number, batch: Batch, read: ReadTile): Promise<Checkpoint> {
  const entries = batch.map(({ entry }) => entry)
  const made = [...(await newBundles(size, entries, read)), ...(await newTiles(size, entries.map(leafHash), read))]
  for (const tile of made) await writeOnce(log.name, tilePath(tile), tile.bytes, BINARY)
  const total = size + batch.length
  return { origin: log.origin, size: total, root: await rangeHash(total, [0, total], among(made, read)) }
}

/** Reads tiles that were just made from memory, others from where they are. */
function among(made: readonly FilledTile[], read: ReadTile): ReadTile {
  const fresh = new Map(made.map(tile => [tilePath(tile), tile.bytes]))
  return async tile => fresh.get(tilePath(tile)) ?? read(tile)
}

/** Notes in the rows of the service what a batch has taken into the log behind its first `size` entries. */
async function noteBatch(log: Log, size: number, batch: Batch, state: LogState): Promise<LogState> {
  for (const [n, { jobId, entry }] of batch.entries())
    if (jobId !== undefined) await noteLogged({ jobId, entry }, { log: log.name, index: size + n })
  const next = { size: size + batch.length, ends: { ...state.ends, ...endsIn(batch) } }
  await keepLogState(log.name, next)
  return next
}

const endsIn = (batch: Batch): LogState['ends'] =>
  Object.fromEntries(
    batch.flatMap(({ entry }) => {
      const end = readAuditEntry(entry)
      return end ? [[end.shard, end.seq]] : []
    }),
  )
