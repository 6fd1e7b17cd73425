import { type AddressInfo, connect, createServer } from 'node:net'
import { ListBucketsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/job.ts'
import { problemsOf } from '../api/http.ts'
import { type Person, type Service, startService } from '../api/setup.ts'
import { whileSweeping } from '../reliability/jobs.ts'
import { host } from '../sources/context.ts'
import { mayServeFiles, password, sshPrograms, startSshServer } from '../sources/servers/files.ts'
import { postgresPrograms, startPostgresServer } from '../sources/servers/postgresql.ts'
import { available } from '../sources/servers/process.ts'

let service: Service
let ada: Person
let client: Client
beforeAll(async () => {
  const environment = { SOURCE_CONNECTIONS: '1', LEASE_SECONDS: '2', STALLED_SECONDS: '3' }
  service = await startService({ environment, redeliverySeconds: 1 })
  ada = await service.person()
  client = ada.client
})
afterAll(async () => {
  await service?.stop()
  expect(service.troubles).toEqual([])
})

const pause = (milliseconds = 100) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Keys of the objects that a job was made of. */
async function uploadsOf(job: string): Promise<string[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const endpoint = service.cloud.endpoints.s3
  const s3 = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true })
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  const bucket = Buckets.find(({ Name }) => Name!.includes('uploads'))!.Name
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${job}/` }))
  s3.destroy()
  return Contents.map(({ Key }) => Key!)
}

const postgres = available('PostgreSQL', ...Object.values(postgresPrograms))
describe.skipIf(!postgres)('loads from PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgresServer>>
  let owner: pg.Client
  let sourceId: string
  beforeAll(async () => {
    server = await startPostgresServer()
    const login = {
      host: '127.0.0.1',
      port: server.port,
      user: 'owner',
      password: 'owner-secret',
      database: 'postgres',
    }
    owner = new pg.Client(login)
    await owner.connect()
    // Rows that come one by one, a hundred of a kilobyte each second.
    const slow = (rows: number) =>
      `select n, repeat('x', 1000) as t, pg_sleep(0.01)::text as p from generate_series(1, ${rows}) n`
    await owner.query(`create schema clinic; create table clinic.people (id int primary key, name text);
      insert into clinic.people values (1, 'Ada'), (2, null);
      create view clinic.slow as ${slow(600)}; create view clinic.slow2 as ${slow(150)}; create view clinic.slow3 as ${slow(150)};
      create table clinic.names (name text); create view clinic.broken as select 1 / (id - 1) as q from clinic.people`)
    const config = { host, port: server.port, database: 'postgres', username: 'owner', tls: { ca_pem: server.ca } }
    const source = { name: 'Clinic', kind: 'DB_ENGINE_1', config: { ...config, password: 'owner-secret' } }
    sourceId = (await client.sources.create({ body: source as never })).id
  })
  afterAll(async () => {
    await owner?.end()
    await server?.stop()
  })

  const load = async (...filenames: string[]) =>
    client.jobs.load({ body: { sourceId, sourceType: 'DB_ENGINE_1', files_load_config: { filenames } } })
  const reading = async () => {
    const { rows } = await owner.query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'anonymisation-service' and query ilike 'copy%' and state = 'active'`,
    )
    return rows[0].n as number
  }
  async function until(job_id: string, done: (job: Job) => boolean): Promise<Job> {
    for (;;) {
      const job = await client.jobs.get({ job_id })
      if (done(job)) return job
      await pause()
    }
  }

  test('tell how far each file is, and are whole in the end', async () => {
    const { id } = await load('clinic.slow')
    const loading = await until(id, ({ Assets }) => (Assets[0]!.loaded ?? 0) > 0)
    expect(loading.Assets[0]).toMatchObject({ status: 'LOADING', name: 'clinic.slow.csv' })
    const [asset] = (await until(id, ({ Assets }) => Assets[0]!.status !== 'LOADING')).Assets
    expect(asset).toMatchObject({
      status: 'READY',
      type: 'TABLE',
      loaded: asset!.size,
      table: { delimiter: ',', header: true },
    })
    const { url } = await client.assets.url({ asset_id: asset!.id })
    expect((await (await fetch(url)).text()).split('\n')).toHaveLength(602)
  })

  test('say which file could not be had and why; the others come', async () => {
    const { id } = await load('clinic.people', 'clinic.broken')
    const { Assets } = await until(id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))
    const named = (name: string) => Assets.find(asset => asset.name === name)
    expect(named('clinic.people.csv')).toMatchObject({ status: 'READY' })
    expect(named('clinic.broken.csv')).toMatchObject({ status: 'FAILED', errors: [{ type: 'source_unsupported' }] })
    const [note] = await client.notifications.list({ body: { filters: { kind: 'load.failed' } } })
    expect(note!.resource).toEqual({ type: 'job', id })
    const removed = await client.jobs.removeAssets({ job_id: id, body: { assetIds: [named('clinic.broken.csv')!.id] } })
    expect(removed.Assets).toHaveLength(1)
  })

  test('keep the schema of a table as long as the table, and no longer', async () => {
    const loaded = async () => {
      const { id } = await load('clinic.people', 'clinic.names')
      const { Assets } = await until(id, ({ Assets }) => Assets.every(({ status }) => status === 'READY'))
      const keys = Assets.flatMap(({ id: asset }) => [`${id}/${asset}`, `${id}/${asset}.schema.json`])
      expect(await uploadsOf(id)).toEqual(keys.sort())
      return { id, first: Assets[0]!.id, second: Assets[1]!.id }
    }
    const job = await loaded()
    await client.assets.delete({ asset_id: job.first })
    expect(await uploadsOf(job.id)).toEqual([`${job.id}/${job.second}`, `${job.id}/${job.second}.schema.json`])
    await client.jobs.removeAssets({ job_id: job.id, body: { assetIds: [job.second] } })
    expect(await uploadsOf(job.id)).toEqual([])
    const whole = await loaded()
    await client.jobs.delete({ job_id: whole.id })
    expect(await uploadsOf(whole.id)).toEqual([])
  })

  test('go on after their worker has died', { timeout: 120_000 }, async () => {
    const { id } = await load('clinic.slow2')
    while (!(await reading())) await pause()
    service.cloud.crash('pipeline-transfer')
    const { Assets } = await whileSweeping(service.cloud, 1000, () =>
      until(id, ({ Assets }) => Assets[0]!.status !== 'LOADING'),
    )
    expect(Assets[0]).toMatchObject({ status: 'READY', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('stop at the source when their job is cancelled', async () => {
    const { id } = await load('clinic.slow')
    while (!(await reading())) await pause()
    expect(await client.jobs.cancel({ job_id: id })).toMatchObject({ status: 'CANCELLED' })
    const began = performance.now()
    while (await reading()) await pause()
    // Two seconds by design, and it would go on for six by itself; a loaded machine takes longer for both.
    expect(performance.now() - began).toBeLessThan(5000)
    expect((await client.jobs.get({ job_id: id })).Assets[0]!.status).toBe('LOADING')
  })

  test('hold no more connections than the operator allows, and all come', { timeout: 120_000 }, async () => {
    const { id } = await load('clinic.slow2', 'clinic.slow3', 'clinic.people')
    let most = 0
    let watching = true
    const watch = (async () => {
      for (; watching; await pause(50)) most = Math.max(most, await reading())
    })()
    const { Assets } = await until(id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))
    watching = false
    await watch
    expect(Assets.map(({ status }) => status)).toEqual(['READY', 'READY', 'READY'])
    expect(most).toBe(1)
  })
})

const ssh = available('OpenSSH', ...Object.values(sshPrograms), ...mayServeFiles)
describe.skipIf(!ssh)('the host key of an SFTP server', () => {
  test('is learnt at the first test of the stored source, and held to from then on', async () => {
    const server = await startSshServer()
    const other = await startSshServer()
    let target = server.port
    const door = createServer(socket => {
      const onward = connect(target, '127.0.0.1')
      socket.on('error', () => onward.destroy()).pipe(onward)
      onward.on('error', () => socket.destroy()).pipe(socket)
    })
    await new Promise<void>(listening => door.listen(0, '127.0.0.1', listening))
    try {
      const { port } = door.address() as AddressInfo
      const config = { protocol: 'sftp', host, port, username: server.user, base_path: 'drop', password }
      const { id } = await client.sources.create({ body: { name: 'Drop', kind: 'FTP/SFTP', config } as never })
      const preview = async () => {
        const reply = await service.send('POST', `/sources/${id}/preview`, { token: ada.token, body: {} })
        return reply.status === 200 ? 'shown' : problemsOf(reply)[0]!.type
      }
      const keys = async () =>
        ((await client.sources.get({ source_id: id })).config as { host_key_fingerprints?: string[] })
          .host_key_fingerprints
      expect(await preview()).toBe('source_host_key_unknown')
      const { password: _, ...stored } = config
      const unsaved = await client.sources.test({ body: { sourceId: id, config: stored } })
      expect(unsaved).toMatchObject({ ok: true, pin: { host_key_fingerprints: [server.hostKey] } })
      expect(await keys()).toBeUndefined()
      expect(await client.sources.test({ body: { sourceId: id } })).toMatchObject({ ok: true })
      expect(await keys()).toEqual([server.hostKey])
      expect(await preview()).toBe('shown')
      target = other.port
      expect(await client.sources.test({ body: { sourceId: id } })).toMatchObject({
        ok: false,
        problem: 'source_host_key_mismatch',
      })
      expect(await preview()).toBe('source_host_key_mismatch')
      expect(await keys()).toEqual([server.hostKey])
    } finally {
      door.close()
      await other.stop()
      await server.stop()
    }
  })
})
