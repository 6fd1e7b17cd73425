import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readKeptCheckpoint, readLoggedEnds } from '../../local/audit/logged.ts'
import { verifyService } from '../../local/verify-audit.ts'
import { createClient } from '../../shared/api/client.ts'
import { certificateEntry } from '../../shared/transparency/entries.ts'
import { openNote, readCheckpoint, readVerifierKey } from '../../shared/transparency/note.ts'
import { tileIn, tilePath } from '../../shared/transparency/tiles.ts'
import { reportOf } from '../../verifier/report.ts'
import { verify } from '../../verifier/verify.ts'
import { canariesIn, runCanaryJob, verdictOn } from './certified.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { makeFinishedJob } from './requests.ts'
import { useOwnService } from './setup.ts'

const service = await useOwnService()
const owner = await service.person()
/** Whoever has no token. */
const anybody = createClient({ baseUrl: service.baseUrl })
const extend = () => service.cloud.invoke('pipeline-sweeper', {})

const folder = mkdtempSync(join(tmpdir(), 'transparency-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bytes = (value: unknown) =>
  Uint8Array.from(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

/** Size and root of the newest checkpoint, once its signature holds. */
async function newest() {
  const { name, key } = readVerifierKey((await anybody.transparency.key()).verifierKey)
  return readCheckpoint(openNote(await anybody.transparency.checkpoint(), name, key)!)!
}

test.skipIf(deployed)('a certificate gets a receipt that the verifier follows into a log that has grown', async () => {
  const job_id = await makeFinishedJob(owner.client)
  await owner.client.jobs.certificate({ job_id })
  await extend()
  const { certificate, receipt } = await owner.client.jobs.certificate({ job_id })
  const kept = await anybody.transparency.checkpoint()
  const { size } = await newest()
  await makeFinishedJob(owner.client)
  await extend()
  const { path } = await anybody.transparency.consistency({ query: { first: size } })
  const shown = {
    certificate: bytes(certificate),
    keys: bytes(await anybody.certificates.keys()),
    files: [],
    all: false,
    log: {
      receipt: bytes((await owner.client.jobs.certificate({ job_id })).receipt),
      key: bytes(await anybody.transparency.key()),
      older: bytes(kept),
      consistency: bytes({ path }),
    },
  }
  const verdict = await verify(shown)
  expect(verdict.problems).toEqual([])
  expect(verdict.logged!.size).toBeGreaterThan(size)
  expect((await verify({ ...shown, log: { ...shown.log, consistency: bytes({ path: [] }) } })).problems).toHaveLength(1)
  // Whoever has the certificate gets the receipt without a token, also once the job is gone.
  const payload = Buffer.from(certificate.payload, 'base64')
  const entry = certificateEntry(job_id, payload)
  await owner.client.jobs.delete({ job_id })
  const later = await anybody.transparency.receipt({ query: { entry } })
  expect((await verify({ ...shown, log: { receipt: bytes(later), key: shown.log.key } })).problems).toEqual([])
  const ask = async (wanted: string) => (await service.send('GET', `/transparency/receipt?entry=${wanted}`)).status
  expect(await ask(certificateEntry(job_id, Buffer.from('another')))).toBe(404)
  for (const wrong of ['', 'x', entry.toUpperCase(), entry.slice(1), `${entry}0`, 'audit:1:2:3'])
    expect(await ask(wrong)).toBe(422)
  // The first receipt still holds: it carries the checkpoint of its time.
  expect((await verify({ ...shown, log: { receipt: bytes(receipt), key: shown.log.key } })).problems).toEqual([])
})

test.skipIf(deployed)('the trail holds all that the log says of it', async () => {
  await extend()
  const path = join(folder, 'checkpoint')
  writeFileSync(path, await anybody.transparency.checkpoint())
  const kept = await readKeptCheckpoint(path)
  const logged = await readLoggedEnds(anybody, kept)
  expect(logged.length).toBeGreaterThan(0)
  expect((await verifyService(service.admin.client, { logged })).findings).toEqual([])
  const { shard, seq } = logged[0]!
  const missing = [{ shard, seq: seq + 1_000_000, hash: logged[0]!.hash }]
  expect((await verifyService(service.admin.client, { logged: missing })).findings).toEqual([
    { shard, seq: seq + 1_000_000, msg: 'is in the log and was removed' },
  ])
  const other = { ...kept, root: Buffer.alloc(32) }
  await expect(readLoggedEnds(anybody, other)).rejects.toThrow('was changed')
})

test.skipIf(deployed)('tiles and bundles are for everybody, others are not found', async () => {
  await extend()
  const { size } = await newest()
  const tile = tilePath(tileIn(size, 0, 0)!)
  const { url } = await anybody.transparency.tile({ query: { path: tile } })
  const answer = await fetch(url)
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, (size % 256 || 256) * 32])
  const get = (path: string) => service.send('GET', `/transparency/tile?path=${encodeURIComponent(path)}`)
  const absent = [
    'tile/0/001',
    'tile/0/000.p/255',
    'tile/7/000',
    'batch/0',
    'checkpoint',
    'tile/../checkpoint',
    'tile/0/0',
    '/',
  ]
  for (const path of absent) expect([path, (await get(path)).status]).toEqual([path, 404])
  expect((await get('x'.repeat(65))).status).toBe(422)
  expect((await service.send('GET', '/transparency/tile')).status).toBe(422)
})

test.skipIf(deployed)('sizes that the log never had are refused', async () => {
  await extend()
  const { size } = await newest()
  const ask = (query: string) => service.send('GET', `/transparency/consistency?${query}`)
  const beyond = [`first=${size + 1}`, `first=1&second=${size + 1}`, 'first=2&second=1']
  for (const query of ['first=0', 'first=-1', 'first=x', 'first=1.5', '', ...beyond])
    expect([query, (await ask(query)).status]).toEqual([query, 422])
  expect(problemsOf(await ask(beyond[1]!))).toMatchObject([{ loc: ['query', 'second'], type: 'too_big' }])
  expect(await anybody.transparency.consistency({ query: { first: size } })).toEqual({
    first: size,
    second: size,
    path: [],
  })
})

test.skipIf(deployed)('no word of a job is in its certificate, its report or the log', async () => {
  const job_id = await runCanaryJob(owner.client)
  await owner.client.jobs.certificate({ job_id })
  await extend()
  const { certificate, list, receipt } = await owner.client.jobs.certificate({ job_id })
  const { statement, leaves, keyid } = await verdictOn(owner.client, job_id)
  const { size } = await newest()
  const bundle = await anybody.transparency.tile({ query: { path: tilePath(tileIn(size, 'entries', 0)!) } })
  const shown = {
    certificate: Buffer.from(certificate.payload, 'base64').toString(),
    list: list ? await (await fetch(list.url!)).text() : '',
    report: reportOf({ statement: statement!, leaves: leaves!, keyid: keyid! }),
    receipt: receipt!,
    checkpoint: await anybody.transparency.checkpoint(),
    entries: await (await fetch(bundle.url)).text(),
  }
  // What is searched speaks of the job: four files, one of them damaged, and an entry.
  expect(leaves!.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'])
  expect(shown.entries).toContain(createHash('sha256').update(job_id).digest('hex'))
  for (const [name, text] of Object.entries(shown)) expect([name, canariesIn(text)]).toEqual([name, []])
  // The search finds a word that is there, also where it is encoded.
  const { url } = (await owner.client.jobs.get({ job_id })).result!.assets.find(asset => asset.name.endsWith('.txt'))!
  expect(canariesIn(await (await fetch(url!)).text())).toEqual(['Plovdiv'])
  for (const before of ['', 'a', 'ab'])
    expect(canariesIn(Buffer.from(`${before}Plovdiv.`).toString('base64'))).toEqual(['Plovdiv'])
})
