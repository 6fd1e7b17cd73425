import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import type { NewDelivery } from '../../shared/api/deliveries.ts'
import type { Job } from '../../shared/api/jobs.ts'
import { putFile } from '../api/deployed.ts'
import { type Person, type Service, startService } from '../api/setup.ts'
import { problemsOf, time } from '../api/talk.ts'
import { host } from '../sources/context.ts'
import { extremes } from '../sources/extremes.ts'
import { mayServeFiles, password, sshPrograms, startSshServer } from '../sources/servers/files.ts'
import { postgresPrograms, startPostgresServer } from '../sources/servers/postgresql.ts'
import { available } from '../sources/servers/process.ts'

const root = mkdtempSync(join(tmpdir(), 'files-'))

let service: Service
let ada: Person
let client: Client
beforeAll(async () => {
  service = await startService({ environment: { LOCAL_ASSET_ROOT: root } })
  ada = await service.person()
  client = ada.client
})
afterAll(async () => {
  await service?.stop()
  rmSync(root, { recursive: true, force: true })
  expect(service.troubles).toEqual([])
})

const pause = () => new Promise(resolve => setTimeout(resolve, 100))

/** A workflow that replaces e-mail addresses. */
async function workflowFor(type: 'DOCUMENT' | 'TABLE'): Promise<string> {
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const { id: ruleId } = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId, replacement: { text: '[EMAIL]' } }]
  return (await client.workflows.create({ body: { name: 'People', supportedAssetType: type, config: { rules } } })).id
}

/** Loads files or tables, anonymises them, and answers the job. */
async function anonymised(sourceId: string, filenames: string[], type: 'DOCUMENT' | 'TABLE'): Promise<Job> {
  const source = await client.sources.get({ source_id: sourceId })
  const { id: job_id } = await client.jobs.load({
    body: { sourceId, sourceType: source.kind, files_load_config: { filenames } },
  })
  await until(job_id, ({ Assets }) => Assets.every(({ status }) => status !== 'LOADING'))
  await client.jobs.update({ job_id, body: { workflowId: await workflowFor(type) } })
  await client.jobs.execute({ job_id })
  return until(job_id, ({ status }) => status !== 'IN_PROGRESS')
}

async function until(job_id: string, done: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await client.jobs.get({ job_id })
    if (done(job)) return job
    await pause()
  }
}

/** Delivers the results of a job and answers what became of it. */
async function deliver({ id: job_id }: Job, body: Partial<NewDelivery> & { sourceId: string }) {
  const { deliveries } = await client.jobs.deliver({ job_id, body: body as NewDelivery })
  expect(deliveries[0]).toMatchObject({ status: 'IN_PROGRESS', finishedAt: null })
  const job = await until(job_id, job => job.deliveries[0]!.status !== 'IN_PROGRESS')
  return job.deliveries[0]!
}

const refusal = async (job: Job, body: object, person = ada) => {
  const reply = await service.send('POST', `/jobs/${job.id}/deliver`, { token: person.token, body })
  return [reply.status, problemsOf(reply)[0]!.type]
}

describe('files', () => {
  let sourceId: string
  let job: Job
  beforeAll(async () => {
    await putFile(ada.user.id, root, 'a.txt', 'Write to ada@example.org')
    await putFile(ada.user.id, root, 'b', 'Write to bob@example.org')
    sourceId = (await client.sources.create({ body: { name: 'Mine', kind: 'LOCAL_ASSET', config: {} } })).id
    job = await anonymised(sourceId, ['a.txt', 'b'], 'DOCUMENT')
  })
  const read = (name: string) => readFileSync(join(root, ada.user.id, name), 'utf8')

  test('go beside their originals, which stay as they are', async () => {
    const delivery = await deliver(job, { sourceId })
    expect(delivery).toMatchObject({
      sourceId,
      mode: 'create',
      place: 'copy',
      status: 'SUCCEEDED',
      progress: { assets: 2, done: 2, failed: 0 },
      createdAt: time,
      finishedAt: time,
      errors: [],
    })
    const ids = new Map(job.Assets.map(({ id, name }) => [name, id]))
    expect(delivery.assets.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))).toMatchObject([
      { assetId: ids.get('a.txt'), name: 'a.anonymised.txt', status: 'SUCCEEDED', bytes: 16, errors: [] },
      { assetId: ids.get('b'), name: 'b.anonymised', status: 'SUCCEEDED', bytes: 16, errors: [] },
    ])
    expect([read('a.txt'), read('a.anonymised.txt')]).toEqual(['Write to ada@example.org', 'Write to [EMAIL]'])
    const [note] = await client.notifications.list({ body: { limit: 1 } })
    expect(note).toMatchObject({ kind: 'delivery.succeeded', resource: { type: 'job', id: job.id } })
  })

  test('the same again finds them there; something else in the way fails its asset and no other', async () => {
    expect(await deliver(job, { sourceId })).toMatchObject({ status: 'SUCCEEDED', progress: { done: 2 } })
    await putFile(ada.user.id, root, 'a.anonymised.txt', 'Somebody’s own')
    const failed = await deliver(job, { sourceId })
    expect(failed).toMatchObject({ status: 'FAILED', progress: { assets: 2, done: 2, failed: 1 } })
    expect(failed.assets.find(({ status }) => status === 'FAILED')).toMatchObject({
      outputAssetId: null,
      name: null,
      bytes: null,
      errors: [{ type: 'source_conflict' }],
    })
    expect(read('a.anonymised.txt')).toBe('Somebody’s own')
    expect(await deliver(job, { sourceId, mode: 'replace' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(read('a.anonymised.txt')).toBe('Write to [EMAIL]')
    const [note] = await client.notifications.list({ body: { filters: { kind: 'delivery.failed' } } })
    expect(note).toMatchObject({ resource: { type: 'job', id: job.id } })
    expect((await client.jobs.get({ job_id: job.id })).deliveries).toHaveLength(4)
  })

  test('go into a folder under their own names, and in place only when that is said', async () => {
    const delivery = await deliver(job, { sourceId, folder: 'out/today' })
    expect(delivery.assets.map(({ name }) => name).sort()).toEqual(['out/today/a.txt', 'out/today/b'])
    expect([read('out/today/a.txt'), read('a.txt')]).toEqual(['Write to [EMAIL]', 'Write to ada@example.org'])
    expect(await refusal(job, { sourceId, place: 'original' })).toEqual([422, 'invalid_value'])
    expect(await refusal(job, { sourceId, place: 'original', mode: 'replace', folder: 'x' })).toEqual([
      422,
      'invalid_value',
    ])
    for (const folder of ['/', '..', 'a/../..', '']) expect((await refusal(job, { sourceId, folder }))[0]).toBe(422)
    expect(await deliver(job, { sourceId, mode: 'replace', place: 'original' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(read('a.txt')).toBe('Write to [EMAIL]')
    expect(readdirSync(join(root, ada.user.id)).filter(name => name.startsWith('.'))).toEqual([])
  })

  test('what cannot be is refused', async () => {
    const other = await service.person()
    const theirs = await other.client.sources.create({ body: { name: 'Theirs', kind: 'LOCAL_ASSET', config: {} } })
    const second = await client.sources.create({ body: { name: 'Second', kind: 'LOCAL_ASSET', config: {} } })
    expect(await refusal(job, { sourceId }, other)).toEqual([404, 'not_found'])
    expect(await refusal(job, { sourceId: theirs.id })).toEqual([400, 'source_unknown'])
    expect(await refusal(job, { sourceId: randomUUID() })).toEqual([400, 'source_unknown'])
    expect(await refusal(job, { sourceId, mode: 'update' })).toEqual([400, 'source_kind_unavailable'])
    expect(await refusal(job, { sourceId: second.id, mode: 'replace', place: 'original' })).toEqual([
      400,
      'job_not_from_source',
    ])
    const pending = await client.jobs.upload({ body: { name: 'P' }, files: [{ name: 'a.txt', content: 'a' }] })
    expect(await refusal(pending, { sourceId })).toEqual([400, 'job_not_finished'])
    const broken = { name: 'x.bin', content: new Uint8Array([0, 1, 2, 255, 254, 0]) }
    const { id: job_id } = await client.jobs.upload({ body: { name: 'Broken' }, files: [broken] })
    await client.jobs.update({ job_id, body: { workflowId: await workflowFor('DOCUMENT') } })
    await client.jobs.execute({ job_id })
    const failed = await until(job_id, ({ status }) => status !== 'IN_PROGRESS')
    expect(await refusal(failed, { sourceId })).toEqual([400, 'job_without_results'])
    const role = await service.admin.client.roles.create({
      body: { name: `reader-${randomUUID().slice(0, 8)}`, permissions: ['jobs:read', 'jobs:execute', 'sources:read'] },
    })
    const reader = await service.person(role.name)
    expect(await refusal(job, { sourceId }, reader)).toEqual([403, 'permission_denied'])
  })

  test('of a job that FAILED the good results go; a second delivery waits for the first', async () => {
    const broken = { name: 'x.bin', content: new Uint8Array([0, 1, 2, 255, 254, 0]) }
    const good = { name: 'good.txt', content: 'Write to eve@example.org' }
    const { id: job_id } = await client.jobs.upload({ body: { name: 'Half' }, files: [broken, good] })
    await client.jobs.update({ job_id, body: { workflowId: await workflowFor('DOCUMENT') } })
    await client.jobs.execute({ job_id })
    const half = await until(job_id, ({ status }) => status !== 'IN_PROGRESS')
    expect(half.status).toBe('FAILED')
    const [first, second] = await Promise.allSettled([
      client.jobs.deliver({ job_id, body: { sourceId } as NewDelivery }),
      client.jobs.deliver({ job_id, body: { sourceId } as NewDelivery }),
    ])
    // Either both came one after the other, or one was refused for the other.
    const refused = [first, second].filter(({ status }) => status === 'rejected')
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason.has('delivery_in_progress')).toBe(true)
    const ended = await until(job_id, ({ deliveries }) => deliveries.every(({ status }) => status !== 'IN_PROGRESS'))
    expect(ended.deliveries).toHaveLength(2 - refused.length)
    expect(ended.deliveries[0]).toMatchObject({ status: 'SUCCEEDED', progress: { assets: 1, done: 1, failed: 0 } })
    expect(read('good.anonymised.txt')).toBe('Write to [EMAIL]')
  })
})

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
    job = await anonymised(sourceId, ['clinic.people', 'clinic."odd; name"'], 'TABLE')
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
    const delivery = await deliver(job, { sourceId })
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
    expect(await deliver(job, asText)).toMatchObject({ status: 'SUCCEEDED' })
    expect(new Set((await typesOf('copies.people')).map(([, type]) => type))).toEqual(new Set(['text']))
    const again = await deliver(job, asText)
    expect(again).toMatchObject({ status: 'FAILED', progress: { failed: 2 } })
    expect(again.assets.map(({ errors }) => errors[0]!.type)).toEqual(['source_conflict', 'source_conflict'])
    expect(await deliver(job, { ...asText, mode: 'replace' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(await sql('select count(*)::int from copies.people')).toEqual([[5]])
  })

  test('are updated by key in place when that is said; what has no key fails and stays as it is', async () => {
    await sql(`insert into clinic.people (id, email) values (99, 'later@example.org')`)
    const delivery = await deliver(job, { sourceId, mode: 'update', place: 'original' })
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

  test('a value that no longer fits its column says which, and nothing is written', async () => {
    const config = { regexRuleConfig: { pattern: '\\d{4}-\\d{2}-\\d{2}' } }
    const { id: ruleId } = await client.rules.create({ body: { name: 'Days', type: 'REGEX', config } })
    await sql(
      `create table clinic.days (id int primary key, day date); insert into clinic.days values (1, '1990-01-02')`,
    )
    const { id: job_id } = await client.jobs.load({
      body: { sourceId, sourceType: 'DB_ENGINE_1', files_load_config: { filenames: ['clinic.days'] } },
    })
    await until(job_id, ({ Assets }) => Assets[0]!.status === 'READY')
    const rules = [{ ruleId, replacement: { text: '[DAY]' } }]
    const workflow = { name: 'Days', supportedAssetType: 'TABLE', config: { rules } } as const
    const { id: workflowId } = await client.workflows.create({ body: workflow as never })
    await client.jobs.update({ job_id, body: { workflowId } })
    await client.jobs.execute({ job_id })
    const days = await until(job_id, ({ status }) => status !== 'IN_PROGRESS')
    const misfit = await deliver(days, { sourceId })
    expect(misfit.assets[0]!.errors).toMatchObject([
      { type: 'source_unsupported', msg: 'A value does not fit its column in the target: column day' },
    ])
    expect(await sql(`select to_regclass('clinic.days_anonymised')`)).toEqual([[null]])
    expect(await deliver(days, { sourceId, types: 'text' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(await sql('select * from clinic.days_anonymised')).toEqual([['1', '[DAY]']])
  })

  test('become files of another source, and documents no tables', async () => {
    const files = await client.sources.create({ body: { name: 'Mine', kind: 'LOCAL_ASSET', config: {} } })
    const delivery = await deliver(job, { sourceId: files.id, folder: 'tables' })
    expect(delivery.assets.map(({ name }) => name).sort()).toEqual([
      'tables/clinic._odd; name_.csv',
      'tables/clinic.people.csv',
    ])
    await putFile(ada.user.id, root, 'letter.txt', 'Write to ada@example.org')
    const letters = await anonymised(files.id, ['letter.txt'], 'DOCUMENT')
    const refused = await deliver(letters, { sourceId })
    expect(refused.assets[0]!.errors[0]!.type).toBe('source_unsupported')
  })
})

const ssh = available('OpenSSH', ...Object.values(sshPrograms), ...mayServeFiles)
describe.skipIf(!ssh)('files over SFTP', () => {
  test('go beside their originals', async () => {
    const server = await startSshServer()
    try {
      const config = {
        protocol: 'sftp',
        host,
        port: server.port,
        username: server.user,
        base_path: 'drop',
        host_key_fingerprints: [server.hostKey],
        password,
      }
      const body = { name: 'Drop', kind: 'FTP/SFTP', config } as never
      const { id: sourceId } = await client.sources.create({ body })
      writeFileSync(join(server.drop, 'people.csv'), 'id,mail\n1,ada@example.org\n')
      const job = await anonymised(sourceId, ['people.csv'], 'TABLE')
      const delivery = await deliver(job, { sourceId })
      expect(delivery).toMatchObject({ status: 'SUCCEEDED', assets: [{ name: 'people.anonymised.csv', bytes: 18 }] })
      expect(readFileSync(join(server.drop, 'people.anonymised.csv'), 'utf8')).toBe('id,mail\n1,[EMAIL]\n')
      expect(readFileSync(join(server.drop, 'people.csv'), 'utf8')).toContain('ada@example.org')
      expect(readdirSync(server.drop).filter(name => name.endsWith('.partial'))).toEqual([])
    } finally {
      await server.stop()
    }
  })
})
