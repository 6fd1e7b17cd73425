import { createHash } from 'node:crypto'
import type { JobError } from '../api/results.ts'
import type { ParkedEntry } from '../api/schedules.ts'
import { deleteItem, getItems, type Item, queryItems, type Transact, transact, ttlIn, type Write } from './dynamo.ts'
import { keyOf } from './records.ts'
import { keptSeconds, type RunRecord, SCHEDULE_RUN, whileTaking } from './schedule-runs.ts'
import { SCHEDULE } from './schedules.ts'

/** A file or table of a source, in the state that `version` tells apart from others. */
export type Offered = {
  name: string
  version: string
  type: 'file' | 'table' | 'view'
  assetType?: 'TABLE' | 'DOCUMENT'
  size?: number
}

/** What a schedule remembers of a name: which version was taken, and by which run. */
type SeenRow = Item & { name: string; version: string; runId: string }

/** What a run took, and what came of it where it has not become a result. */
export type Taken = Offered & { outcome?: 'parked' | 'returned' }

type TakenRow = Item & Taken
type ParkedRow = Item & ParkedEntry

/** Names are as long as sources allow, keys are not. */
const digest = (name: string) => createHash('sha256').update(name).digest('base64url')

const seenKey = (scheduleId: string, name: string) => ({
  pk: keyOf(SCHEDULE, scheduleId).pk,
  sk: `SEEN#${digest(name)}`,
})
const parkedKey = (scheduleId: string, name: string) => ({
  pk: keyOf(SCHEDULE, scheduleId).pk,
  sk: `PARKED#${digest(name)}`,
})
const takenKey = (runId: string, name: string) => ({
  pk: keyOf(SCHEDULE_RUN, runId).pk,
  sk: `TAKEN#${digest(name)}`,
})

/** What a run may still take: so many entries, and so many bytes of them as far as they are known. */
export type Room = { entries: number; bytes: number }

/** What a run took of what it was offered, and whether the bytes have left something new for another day. */
export type Took = { entries: number; bytes: number; left: boolean }

/** Entries per transaction: each takes three of the hundred writes, and one write holds the run. */
const AT_ONCE = 33

/**
 * Takes for a run what no run of its schedule has taken in this version, at most as much as there is room for, each in one
 * write that succeeds for one run only. Nothing is taken once the run has gone on to its next step.
 */
export async function takeNew(run: RunRecord, offered: readonly Offered[], room: Room): Promise<Took> {
  const took: Took = { entries: 0, bytes: 0, left: false }
  const note = (entry: Offered) => {
    took.entries++
    took.bytes += entry.size ?? 0
  }
  for (let at = 0; at < offered.length && took.entries < room.entries; at += AT_ONCE) {
    const fresh = (await unseen(run, offered.slice(at, at + AT_ONCE))).slice(0, room.entries - took.entries)
    const fitting = thatFit(fresh, room.bytes - took.bytes)
    if (fitting.length < fresh.length) took.left = true
    if (fitting.length === 0) continue
    if (await transact([...fitting.flatMap(entry => taking(run, entry)), whileTaking(run.id)])) fitting.forEach(note)
    else for (const entry of fitting) if (await transact([...taking(run, entry), whileTaking(run.id)])) note(entry)
  }
  return took
}

/** Those of the entries, in their order, that so many bytes have room for; one whose size is unknown needs some room. */
function thatFit(entries: readonly Offered[], bytes: number): Offered[] {
  let left = bytes
  return entries.filter(({ size }) => {
    if (left <= 0 || (size ?? 0) > left) return false
    left -= size ?? 0
    return true
  })
}

/** Those of the entries that are new in this version, or changed. */
async function unseen({ id, scheduleId }: RunRecord, offered: readonly Offered[]): Promise<Offered[]> {
  const rows = await getItems<SeenRow>(
    'schedules',
    offered.map(({ name }) => seenKey(scheduleId, name)),
  )
  const seen = new Map(rows.map(row => [row.name, row]))
  return offered.filter(({ name, version }) => {
    const row = seen.get(name)
    // What this run took before it was cut off is not taken again, whatever has become of the file.
    return row === undefined || (row.version !== version && row.runId !== id)
  })
}

const taking = ({ id: runId, scheduleId }: RunRecord, entry: Offered): Write[] => {
  const { name, version } = entry
  return [
    {
      table: 'schedules',
      put: { ...seenKey(scheduleId, name), name, version, runId },
      condition: {
        condition: 'attribute_not_exists(pk) OR (#version <> :version AND runId <> :run)',
        names: { '#version': 'version' },
        values: { ':version': version, ':run': runId },
      },
    },
    { table: 'schedules', put: { ...takenKey(runId, name), ...entry, ttl: ttlIn(keptSeconds()) } },
    { table: 'schedules', delete: parkedKey(scheduleId, name) },
  ]
}

/** All that a run took, in an order that is always the same. */
export async function listTaken(runId: string): Promise<Taken[]> {
  const rows: Taken[] = []
  const partition = { table: 'schedules' as const, key: keyOf(SCHEDULE_RUN, runId).pk, prefix: 'TAKEN#' }
  for await (const { pk: _pk, sk: _sk, ...row } of queryItems<TakenRow>(partition)) rows.push(row)
  return rows
}

/** The writes that say what came of something that a run took. */
const settling = (run: RunRecord, name: string, outcome: Taken['outcome'] & string): Write => ({
  table: 'schedules',
  update: takenKey(run.id, name),
  change: {
    update: 'SET #outcome = :outcome',
    condition: 'attribute_exists(pk) AND attribute_not_exists(#outcome)',
    names: { '#outcome': 'outcome' },
    values: { ':outcome': outcome },
  },
})

/** Holds while what a schedule remembers of a name is what this run took of it. */
const stillOurs = ({ id }: RunRecord) => ({ condition: 'runId = :run', values: { ':run': id } })

/** Parks what a run took, with the reason, once; nothing is parked that a later run has taken in another version. */
export async function park(run: RunRecord, name: string, error: JobError): Promise<void> {
  const { id: runId, scheduleId, jobId } = run
  const entry: ParkedEntry = { name, runId, jobId, error, createdAt: new Date().toISOString() }
  const ours = { table: 'schedules' as const, check: seenKey(scheduleId, name), condition: stillOurs(run) }
  const parked: Write = { table: 'schedules', put: { ...parkedKey(scheduleId, name), ...entry } }
  if (!(await transact([settling(run, name, 'parked'), ours, parked]))) await transact([settling(run, name, 'parked')])
}

/** Gives back what a run took, so that the next one takes it. */
export async function giveBack(run: RunRecord, name: string): Promise<void> {
  const forgetting: Write = { table: 'schedules', delete: seenKey(run.scheduleId, name), condition: stillOurs(run) }
  if (!(await transact([settling(run, name, 'returned'), forgetting])))
    await transact([settling(run, name, 'returned')])
}

/** All that a schedule has parked. */
export async function listParked(scheduleId: string): Promise<ParkedEntry[]> {
  const rows: ParkedEntry[] = []
  const partition = { table: 'schedules' as const, key: keyOf(SCHEDULE, scheduleId).pk, prefix: 'PARKED#' }
  for await (const { pk: _pk, sk: _sk, ...row } of queryItems<ParkedRow>(partition)) rows.push(row)
  return rows
}

/** Forgets something parked, so that the next run takes it; false when it was taken or let go meanwhile. */
export function letGo(scheduleId: string, { name, runId }: ParkedEntry, write: Transact = transact): Promise<boolean> {
  const ours = { condition: 'runId = :run', values: { ':run': runId } }
  return write([
    { table: 'schedules', delete: parkedKey(scheduleId, name), condition: ours },
    { table: 'schedules', delete: seenKey(scheduleId, name), condition: ours },
  ])
}

/** Removes the rows of a partition of the table, such as what a schedule that is gone remembers. */
export async function removeRows(pk: string): Promise<void> {
  for await (const row of queryItems<Item>({ table: 'schedules', key: pk })) await deleteItem('schedules', row)
}
