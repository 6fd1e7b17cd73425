import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditHeads } from '../../shared/audit/records.ts'
import { findLogged, noteLogged, unlogged } from '../../shared/store/certificates.ts'
import { deleteItem, getItem } from '../../shared/store/dynamo.ts'
import { JOB } from '../../shared/store/jobs.ts'
import { keyOf } from '../../shared/store/records.ts'
import { findLogState } from '../../shared/store/transparency.ts'
import { auditEntry } from '../../shared/transparency/entries.ts'
import { extendLog } from '../../shared/transparency/extend.ts'
import { currentLog, newestCheckpoint } from '../../shared/transparency/log.ts'
import type { Checkpoint } from '../../shared/transparency/note.ts'
import { consistencyOf, receiptOf } from '../../shared/transparency/proofs.ts'
import { hashWithin, leafHash, levelsOf } from '../../shared/transparency/tree.ts'
import { isConsistent } from '../../verifier/tree.ts'
import { runs } from '../runs.ts'
import { certifiedJob, type RunningLog, readLog, recordCall, startLog } from './running-log.ts'

let log: RunningLog
beforeAll(async () => {
  log = await startLog()
})
afterAll(() => log?.stop())

/** Time for what asks for a log very often, milliseconds. */
const PATIENCE = 300_000

const bytes = (hash: Uint8Array) => Uint8Array.from(hash)
const known: { id: string; entry: string }[] = []
const older: Checkpoint[] = []

async function certify(count: number): Promise<void> {
  for (let n = 0; n < count; n++) known.push(await certifiedJob())
}

/** Holds all that a log must be: every certificate once, where its row says, one tree, and each older tree its beginning. */
async function expectWhole(): Promise<void> {
  const { checkpoint, entries } = await readLog(log)
  expect(entries).toHaveLength(checkpoint.size)
  expect(checkpoint.root).toEqual(hashWithin(levelsOf(entries.map(leafHash)), [0, entries.length]))
  const certificates = entries.filter(entry => entry.startsWith('certificate:'))
  expect(certificates.toSorted()).toEqual(known.map(({ entry }) => entry).sort())
  for (const { entry } of known) expect(entries[(await findLogged(entry))!.index]).toBe(entry)
  expect(await unlogged(10)).toEqual([])
  for (const { size, root } of older) {
    const path = (await consistencyOf(size, checkpoint.size)).map(hash => bytes(Buffer.from(hash, 'base64')))
    expect(await isConsistent([size, bytes(root)], [checkpoint.size, bytes(checkpoint.root)], path)).toBe(true)
  }
  older.push(checkpoint)
}

test('nothing new makes no checkpoint', async () => {
  await extendLog()
  expect(await newestCheckpoint(await currentLog())).toBeUndefined()
  expect(await log.paths()).toEqual([])
})

test('a log that was stopped at any request goes on as one', { timeout: PATIENCE }, async () => {
  let stops = 0
  for (let requests = 0; ; requests++) {
    await certify(2)
    await recordCall()
    log.stopAfter(requests)
    const failure = await extendLog().then(
      () => undefined,
      error => error,
    )
    const stopped = log.wasStopped()
    log.stopAfter()
    if (!stopped) expect(failure).toBeUndefined()
    else {
      expect(failure).toBeDefined()
      stops++
      // What comes meanwhile must not slip into the batch that was decided.
      if (requests % 2 === 1) await certify(1)
    }
    await extendLog()
    await expectWhole()
    if (!stopped) break
  }
  // Checkpoint, state, batch, tile, bundle, rows and their state, at the least.
  expect(stops).toBeGreaterThan(10)
})

test('many writers at once make one log', { timeout: PATIENCE }, async () => {
  for (let round = 0; round < runs(10); round++) {
    await certify(3)
    // A write that meets another one at the same moment may be refused; the next run goes on.
    await Promise.allSettled([1, 2, 3].map(() => extendLog()))
    await extendLog()
    await expectWhole()
  }
})

test('the log holds where each chain of the audit trail ends, and once', async () => {
  for (let n = 0; n < 20; n++) await recordCall()
  await extendLog()
  const { entries, checkpoint } = await readLog(log)
  expect(new Set(entries).size).toBe(entries.length)
  for (const head of await auditHeads()) expect(entries).toContain(auditEntry(head))
  await extendLog()
  expect((await readLog(log)).checkpoint).toEqual(checkpoint)
})

test('a job that is erased before its entry is noted does not come back, and its entry has a receipt', async () => {
  const erased = await certifiedJob()
  const row = { pk: keyOf(JOB, erased.id).pk, sk: 'CERTIFICATE' }
  await deleteItem('jobs', row)
  await extendLog()
  expect((await readLog(log)).entries).toContain(erased.entry)
  expect(await getItem('jobs', row)).toBeUndefined()
  expect(await receiptOf(erased.entry)).toContain('c2sp.org/tlog-proof@v1')
  expect(await unlogged(10)).toEqual([])
})

test('a certificate has a receipt as soon as a checkpoint holds it', async () => {
  const { id: jobId, entry } = await certifiedJob()
  expect(await receiptOf(entry)).toBeUndefined()
  await extendLog()
  const place = (await findLogged(entry))!
  const receipt = (await receiptOf(entry))!
  expect(receipt.split('\n').slice(0, 2)).toEqual(['c2sp.org/tlog-proof@v1', `index ${place.index}`])
  expect(receipt.endsWith(`\n\n${(await newestCheckpoint(await currentLog()))!.note}`)).toBe(true)
  // One that no checkpoint holds yet, and one of the log of a former key.
  await noteLogged({ jobId, entry: 'early' }, { log: place.log, index: place.index + 1000 })
  await noteLogged({ jobId, entry: 'former' }, { log: '0000000000000000', index: place.index })
  for (const other of ['early', 'former', 'none']) expect(await receiptOf(other)).toBeUndefined()
})

test('an older checkpoint in place of the newest is mended from the batches, and refused where these are gone', async () => {
  await certifiedJob()
  await extendLog()
  const [before, { checkpoint }] = [await log.read('checkpoint'), await readLog(log)]
  await certifiedJob()
  await extendLog()
  const after = await log.read('checkpoint')
  await log.write('checkpoint', before)
  await extendLog()
  expect(await log.read('checkpoint')).toEqual(after)
  await log.write('checkpoint', before)
  const batch = await log.read(`batch/${checkpoint.size}`)
  await log.remove(`batch/${checkpoint.size}`)
  await certifiedJob()
  await expect(extendLog()).rejects.toThrow('but it has held')
  await log.write(`batch/${checkpoint.size}`, batch)
  await extendLog()
  expect(await unlogged(10)).toEqual([])
})

test('rows from a backup are brought up to the log, and nothing enters it twice', async () => {
  const { entries, checkpoint } = await readLog(log)
  const { name } = await currentLog()
  await deleteItem('jobs', { pk: 'TRANSPARENCY', sk: name })
  await extendLog()
  expect((await findLogState(name)).size).toBe(checkpoint.size)
  expect((await readLog(log)).entries).toEqual(entries)
})

test('a log whose tiles or checkpoint were changed does not grow', async () => {
  const { checkpoint } = await readLog(log)
  const note = await log.read('checkpoint')
  await certifiedJob()
  await log.write(
    'checkpoint',
    Buffer.from(note.toString().replace(`\n${checkpoint.size}\n`, `\n${checkpoint.size + 1}\n`)),
  )
  await expect(extendLog()).rejects.toThrow('not signed')
  await log.write('checkpoint', note)
  const width = checkpoint.size % 256
  const path = `tile/0/${String(Math.floor(checkpoint.size / 256)).padStart(3, '0')}.p/${width}`
  const tile = await log.read(path)
  await log.write(
    path,
    tile.map((byte, n) => (n === 0 ? byte ^ 1 : byte)),
  )
  await expect(extendLog()).rejects.toThrow('root')
  await log.write(path, tile)
  await extendLog()
  expect(await unlogged(10)).toEqual([])
})
