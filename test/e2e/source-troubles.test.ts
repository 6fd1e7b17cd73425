import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import type { Job } from '../../shared/api/job.ts'
import { mayPass } from '../../shared/jobs/load/with-source-lease.ts'
import { SourceError } from '../../shared/sources/errors.ts'
import { type Service, startService } from '../api/setup.ts'
import { host } from '../sources/context.ts'
import { postgresPrograms, startPostgresServer } from '../sources/servers/postgresql.ts'
import { available } from '../sources/servers/process.ts'

const pause = () => new Promise(resolve => setTimeout(resolve, 100))
const runs = available('PostgreSQL', ...Object.values(postgresPrograms))

describe.skipIf(!runs)('a database that breaks its connections', () => {
  let service: Service
  let client: Client
  let server: Awaited<ReturnType<typeof startPostgresServer>>
  let owner: pg.Client
  let sourceId: string
  beforeAll(async () => {
    // A message that fails is not seen for a quarter of an hour, as in the cloud.
    service = await startService()
    client = (await service.person()).client
    server = await startPostgresServer()
    const login = { user: 'owner', password: 'owner-secret', database: 'postgres' }
    owner = new pg.Client({ host: '127.0.0.1', port: server.port, ...login })
    await owner.connect()
    await owner.query(`create table people as select n as id, 'person' || n || '@example.org' as mail, repeat('x', 1000) as note,
      pg_sleep(0)::text from generate_series(1, 100) n; create view slow as select *, pg_sleep(0.02)::text as p from people`)
    const config = { host, port: server.port, database: 'postgres', username: 'owner', tls: { ca_pem: server.ca } }
    const source = { name: 'Clinic', kind: 'DB_ENGINE_1', config: { ...config, password: 'owner-secret' } }
    sourceId = (await client.sources.create({ body: source as never })).id
  })
  afterAll(async () => {
    await owner?.end()
    await server?.stop()
    await service?.stop()
    expect(service.troubles).toEqual([])
  })

  async function until(job_id: string, done: (job: Job) => boolean): Promise<Job> {
    for (;;) {
      const job = await client.jobs.get({ job_id })
      if (done(job)) return job
      await pause()
    }
  }
  /** Ends the sessions of the service that read or write a table; answers whether there were any. */
  const cut = async (what: string) => {
    const { rows } = await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'anonymisation-service' and query ilike $1`,
      [`%${what}%`],
    )
    return rows.length > 0
  }

  test('is asked again soon for what it did not give, and the asset is whole then', { timeout: 120_000 }, async () => {
    const filenames = ['public.slow']
    const { id } = await client.jobs.load({
      body: { sourceId, sourceType: 'DB_ENGINE_1', files_load_config: { filenames } },
    })
    while (!(await cut('copy%slow'))) await pause()
    const [asset] = (await until(id, ({ Assets }) => Assets[0]!.status !== 'LOADING')).Assets
    expect(asset).toMatchObject({ status: 'READY', loaded: asset!.size })
    const { url } = await client.assets.url({ asset_id: asset!.id })
    expect((await (await fetch(url)).text()).split('\n')).toHaveLength(102)
  })
})

test('what may pass is tried five times, what may not once', () => {
  const lost = new SourceError('source_connection_lost')
  expect([0, 1, 2, 3, 4, 5].map(tried => mayPass(lost, { tried }))).toEqual([true, true, true, true, false, false])
  expect(mayPass(new SourceError('source_auth_failed'), {})).toBe(false)
})
