import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecord } from '../../shared/store/records.ts'
import {
  giveBack,
  letGo,
  listParked,
  listTaken,
  type Offered,
  park,
  takeNew,
} from '../../shared/store/schedule-entries.ts'
import { changeRun, type RunRecord, SCHEDULE_RUN } from '../../shared/store/schedule-runs.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop())

async function newRun(scheduleId: string): Promise<RunRecord> {
  const now = new Date().toISOString()
  const run: RunRecord = {
    ...{ id: randomUUID(), scheduleId, ownerId: scheduleId, trigger: 'schedule', plannedAt: now },
    ...{ status: 'IN_PROGRESS', step: 'taking', jobId: null, errors: [], sweeps: 0 },
    counts: { taken: 0, returned: 0, parked: 0, succeeded: 0, delivered: 0 },
    ...{ createdAt: now, updatedAt: now, finishedAt: null },
  }
  await createRecord(SCHEDULE_RUN, run)
  return run
}

const file = (n: number, version = 'first'): Offered => ({ name: `inbox/${n}.txt`, version, type: 'file' })
const files = (count: number) => Array.from({ length: count }, (_, n) => file(n))
const namesOf = async (run: RunRecord) => (await listTaken(run.id)).map(({ name }) => name)
/** Takes as many as there is room for, whatever their bytes; answers how many. */
const take = async (run: RunRecord, offered: Offered[], entries: number) =>
  (await takeNew(run, offered, { entries, bytes: Number.POSITIVE_INFINITY })).entries
const error = { loc: [], msg: 'No', type: 'internal' }

test('of 1,000 files two runs at the same time, each by two workers, take each once', {
  timeout: 120_000,
}, async () => {
  const scheduleId = randomUUID()
  const [one, two] = [await newRun(scheduleId), await newRun(scheduleId)]
  const all = files(1000)
  const from = (n: number) => [...all.slice(n), ...all.slice(0, n)]
  // One goes forwards and the other backwards, from several places, so that they meet again and again.
  const counts = await Promise.all([
    take(one, all, 10_000),
    take(two, all.toReversed(), 10_000),
    take(one, from(510), 10_000),
    take(two, from(490).toReversed(), 10_000),
  ])
  const [ofOne, ofTwo] = [await namesOf(one), await namesOf(two)]
  expect(Math.min(ofOne.length, ofTwo.length)).toBeGreaterThan(0)
  expect([...ofOne, ...ofTwo].sort()).toEqual(all.map(({ name }) => name).sort())
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1000)
})

test('a run that was cut off goes on where it was, and takes nothing once it has closed', async () => {
  const run = await newRun(randomUUID())
  expect(await take(run, files(50), 40)).toBe(40)
  expect(await take(run, files(60), 1000)).toBe(20)
  // What it took may have changed meanwhile: that is the next run's.
  expect(await take(run, [file(0, 'second')], 1000)).toBe(0)
  await changeRun(run, { step: 'loading' })
  expect(await take(run, [file(61)], 1000)).toBe(0)
  expect(await namesOf(run)).toHaveLength(60)
})

test('the next run takes what has changed, was given back or was let go, and nothing else', async () => {
  const scheduleId = randomUUID()
  const [first, next, last] = [await newRun(scheduleId), await newRun(scheduleId), await newRun(scheduleId)]
  await take(first, files(5), 1000)
  await park(first, file(0).name, error)
  await park(first, file(1).name, error)
  await giveBack(first, file(2).name)
  expect(await take(next, [...files(4), file(4, 'second')], 1000)).toBe(2)
  expect((await namesOf(next)).sort()).toEqual([file(2).name, file(4).name])
  const parked = await listParked(scheduleId)
  expect(parked.map(({ name }) => name).sort()).toEqual([file(0).name, file(1).name])
  const [zero] = parked.filter(({ name }) => name === file(0).name)
  expect([await letGo(scheduleId, zero!), await letGo(scheduleId, zero!)]).toEqual([true, false])
  // A new version of what is parked takes its place.
  expect(await take(last, [file(0), file(1, 'second'), file(3)], 1000)).toBe(2)
  expect(await listParked(scheduleId)).toEqual([])
})

test('what a run parks late does not hide the version that a later run took', async () => {
  const scheduleId = randomUUID()
  const [first, next] = [await newRun(scheduleId), await newRun(scheduleId)]
  await take(first, [file(0)], 1)
  await take(next, [file(0, 'second')], 1)
  await park(first, file(0).name, error)
  await giveBack(first, file(0).name)
  expect(await listParked(scheduleId)).toEqual([])
  expect(await take(await newRun(scheduleId), [file(0, 'second')], 1)).toBe(0)
  expect(await listTaken(first.id)).toMatchObject([{ outcome: 'parked' }])
})

test('takes what so many bytes have room for, and says whether something new was left', async () => {
  const scheduleId = randomUUID()
  const sized = (n: number, size?: number): Offered => ({ ...file(n), size })
  const room = (bytes: number) => ({ entries: 1000, bytes })
  const first = await newRun(scheduleId)
  const offered = [sized(0, 60), sized(1, 50), sized(2, 40), sized(3)]
  expect(await takeNew(first, offered, room(100))).toEqual({ entries: 2, bytes: 100, left: true })
  expect((await namesOf(first)).sort()).toEqual([file(0).name, file(2).name])
  const next = await newRun(scheduleId)
  expect(await takeNew(next, offered, room(0))).toEqual({ entries: 0, bytes: 0, left: true })
  expect(await takeNew(next, offered, room(51))).toEqual({ entries: 2, bytes: 50, left: false })
  // What was taken before is not new, so nothing of it is left.
  expect(await takeNew(next, offered, room(0))).toEqual({ entries: 0, bytes: 0, left: false })
})
