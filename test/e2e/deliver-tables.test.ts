import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job } from '../../shared/api/job.ts'
import { putFile } from '../api/deployed.ts'
import { useService } from '../api/setup.ts'
import { host } from '../sources/context.ts'
import { extremes } from '../sources/extremes.ts'
import { postgresPrograms, startPostgresServer } from '../sources/servers/postgresql.ts'
import { available } from '../sources/servers/process.ts'
import { deliveriesBy } from './deliveries.ts'

const service = await useService()
const ada = await service.person()
const { client } = ada
const by = deliveriesBy(client)

const postgres = available('PostgreSQL', ...Object.values(postgresPrograms))
describe.skipIf(!postgres)('tables of PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgresServer>>
  let sourceId: string
  let job: Job
  beforeAll(async () => {
    server = await startPostgresServer()
    await sql(`create schema clinic; ${extremes}
      create table clinic.people as select *, 'person' || id || '@example.org' as email from clinic.extremes;
      alter table clinic.people add primary key (id); create schema copies;
      create table clinic."odd; name" (note text); insert into clinic."odd; name" values ('x;y@example.org;z'), (''), (null)`)
    const config = { host, port: server.port, database: 'postgres', username: 'owner', tls: { ca_pem: server.ca } }
    const source = { name: 'Clinic', kind: 'DB_ENGINE_1', config: { ...config, password: 'owner-secret' } } as const
    sourceId = (await client.sources.create({ body: source as never })).id
    job = await by.anonymised(sourceId, ['clinic.people', 'clinic."odd; name"'], 'TABLE')
    expect(job.errors).toEqual([])
  })
  afterAll(() => server?.stop())

  async function sql(text: string): Promise<unknown[][]> {
    const login = { user: 'owner', password: 'owner-secret', database: 'postgres' }
    const connection = new pg.Client({ host: '127.0.0.1', port: server.port, ...login })
    await connection.connect()
    try {
      return (await connection.query({ text, rowMode: 'array' })).rows
    } finally {
      await connection.end()
    }
  }
  const columns = `id, big, num, n, r, d, t, c, b, ts, tz, day, tm, iv, j, jb, u, a, ta, bo, ip, x, m, p`
  const differing = (copy: string) =>
    sql(`with a as (select row(${columns})::text as r from clinic.extremes), b as (select row(${columns})::text as r from ${copy})
      (select r from a except all select r from b) union all (select r from b except all select r from a)`)
  const typesOf = (table: string) =>
    sql(`select attname, format_type(atttypid, atttypmod) from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 order by attnum`)

  test('become new tables of the same types, extreme values as they were', async () => {
    const delivery = await by.deliver(job, { sourceId })
    expect(delivery).toMatchObject({ status: 'SUCCEEDED', progress: { assets: 2, done: 2, failed: 0 } })
    expect(delivery.assets.map(({ name, rows }) => [name, rows]).sort()).toEqual([
      ['clinic."odd; name_anonymised"', 3],
      ['clinic.people_anonymised', 5],
    ])
    expect(await differing('clinic.people_anonymised')).toEqual([])
    expect(await sql('select distinct email from clinic.people_anonymised')).toEqual([['[EMAIL]']])
    expect(await typesOf('clinic.people_anonymised')).toEqual(await typesOf('clinic.people'))
    expect(await sql(`select note from clinic."odd; name_anonymised"`)).toEqual([['x;[EMAIL];z'], [''], [null]])
    expect(await sql('select count(*)::int from clinic.people where email = $$[EMAIL]$$')).toEqual([[0]])
  })

  test('go into another schema as text, and again only over what is theirs', async () => {
    const asText = { sourceId, folder: 'copies', types: 'text' } as const
    expect(await by.deliver(job, asText)).toMatchObject({ status: 'SUCCEEDED' })
    expect(new Set((await typesOf('copies.people')).map(([, type]) => type))).toEqual(new Set(['text']))
    const again = await by.deliver(job, asText)
    expect(again).toMatchObject({ status: 'FAILED', progress: { failed: 2 } })
    expect(again.assets.map(({ errors }) => errors[0]!.type)).toEqual(['source_conflict', 'source_conflict'])
    expect(await by.deliver(job, { ...asText, mode: 'replace' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(await sql('select count(*)::int from copies.people')).toEqual([[5]])
  })

  test('are updated by key in place when that is said; what has no key fails and stays as it is', async () => {
    await sql(`insert into clinic.people (id, email) values (99, 'later@example.org')`)
    const delivery = await by.deliver(job, { sourceId, mode: 'update', place: 'original' })
    expect(delivery).toMatchObject({ status: 'FAILED', progress: { done: 2, failed: 1 } })
    expect(delivery.assets.find(({ status }) => status === 'SUCCEEDED')).toMatchObject({
      name: 'clinic.people',
      rows: 5,
    })
    expect(await sql('select email from clinic.people order by id desc limit 2')).toEqual([
      ['later@example.org'],
      ['[EMAIL]'],
    ])
    expect(await differing('clinic.people where id < 99')).toEqual([])
    expect(await sql(`select note from clinic."odd; name" order by 1`)).toEqual([[''], ['x;y@example.org;z'], [null]])
  })

  test('go beside the originals by another login too, and never over them', async () => {
    await sql(`create role writer login password 'writer-secret'; create schema shared_; create table shared_.people (id int primary key, email text);
      insert into shared_.people values (1, 'ada@example.org'); grant usage, create on schema shared_ to writer;
      grant all on shared_.people to writer; create schema elsewhere; grant usage, create on schema elsewhere to writer`)
    const config = { host, port: server.port, database: 'postgres', username: 'writer', tls: { ca_pem: server.ca } }
    const source = { name: 'Writer', kind: 'DB_ENGINE_1', config: { ...config, password: 'writer-secret' } } as const
    const { id: writer } = await client.sources.create({ body: source as never })
    const people = await by.anonymised(sourceId, ['shared_.people'], 'TABLE')
    for (const body of [{}, { folder: 'shared_', mode: 'replace' as const }]) {
      const [asset] = (await by.deliver(people, { sourceId: writer, ...body })).assets
      expect(asset).toMatchObject({ status: 'SUCCEEDED', name: 'shared_.people_anonymised' })
    }
    const [asset] = (await by.deliver(people, { sourceId: writer, folder: 'elsewhere' })).assets
    expect(asset).toMatchObject({ status: 'SUCCEEDED', name: 'elsewhere.people' })
    expect(await sql('select * from shared_.people')).toEqual([[1, 'ada@example.org']])
    const refused = (await by.deliver(people, { sourceId: writer, folder: 'clinic' })).assets[0]!
    expect(refused).toMatchObject({
      status: 'FAILED',
      name: 'clinic.people',
      errors: [{ type: 'source_permission_denied' }],
    })
  })

  test('a value that no longer fits its column says which, and nothing is written', async () => {
    const config = { regexRuleConfig: { pattern: '\\d{4}-\\d{2}-\\d{2}' } }
    const { id: ruleId } = await client.rules.create({ body: { name: 'Days', type: 'REGEX', config } })
    await sql(
      `create table clinic.days (id int primary key, day date); insert into clinic.days values (1, '1990-01-02')`,
    )
    const { id: job_id } = await client.jobs.load({
      body: { sourceId, sourceType: 'DB_ENGINE_1', files_load_config: { filenames: ['clinic.days'] } },
    })
    await by.until(job_id, ({ Assets }) => Assets[0]!.status === 'READY')
    const rules = [{ ruleId, replacement: { text: '[DAY]' } }]
    const workflow = { name: 'Days', supportedAssetType: 'TABLE', config: { rules } } as const
    const { id: workflowId } = await client.workflows.create({ body: workflow as never })
    await client.jobs.update({ job_id, body: { workflowId } })
    await client.jobs.execute({ job_id })
    const days = await by.until(job_id, ({ status }) => status !== 'IN_PROGRESS')
    const misfit = await by.deliver(days, { sourceId })
    expect(misfit.assets[0]!.errors).toMatchObject([
      { type: 'source_unsupported', msg: 'A value does not fit its column in the target: column day' },
    ])
    expect(await sql(`select to_regclass('clinic.days_anonymised')`)).toEqual([[null]])
    expect(await by.deliver(days, { sourceId, types: 'text' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(await sql('select * from clinic.days_anonymised')).toEqual([['1', '[DAY]']])
  })

  test('become files of another source, and documents no tables', async () => {
    const files = await client.sources.create({ body: { name: 'Mine', kind: 'LOCAL_ASSET', config: {} } })
    const delivery = await by.deliver(job, { sourceId: files.id, folder: 'tables' })
    expect(delivery.assets.map(({ name }) => name).sort()).toEqual([
      'tables/clinic._odd; name_.csv',
      'tables/clinic.people.csv',
    ])
    await putFile(ada.user.id, service.files, 'letter.txt', 'Write to ada@example.org')
    const letters = await by.anonymised(files.id, ['letter.txt'], 'DOCUMENT')
    const refused = await by.deliver(letters, { sourceId })
    expect(refused.assets[0]!.errors[0]!.type).toBe('source_unsupported')
  })
})
