import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, type TestContext, test } from 'vitest'
import type { LocalCloudOptions } from '../../local/cloud.ts'
import { logIn } from '../../shared/api/client.ts'
import type { NewSchedule, ScheduleRun } from '../../shared/api/schedules.ts'
import { host } from '../sources/context.ts'
import { postgresPrograms, startPostgresServer } from '../sources/servers/postgresql.ts'
import { available } from '../sources/servers/process.ts'
import { insist } from './jobs.ts'
import { type Stage, stageOf } from './setup.ts'

/** Milliseconds between looks at runs. */
const LOOK = 1000

const begin = (context: TestContext, options: Partial<LocalCloudOptions> = {}) =>
  stageOf(context, { ...options, environment: { LEASE_SECONDS: '1', ...options.environment } })

/** Puts letters with an address each into the folder `inbox` of a stage. */
async function drop({ files }: Stage, names: string[], folder = 'inbox'): Promise<void> {
  await mkdir(join(files, folder), { recursive: true })
  for (const name of names) await writeFile(join(files, folder, name), letter('ada@example.org'))
}

const letter = (address: string) => `Write to ${address} today.\n`
const names = (count: number) => Array.from({ length: count }, (_, n) => `${n}.txt`)

/** A schedule that takes what is in `inbox` and delivers it to `out`; it runs when it is asked to, or in a year. */
async function schedule({ client, sourceId, workflowId }: Stage, more: Partial<NewSchedule> = {}): Promise<string> {
  const deliver = { sourceId, folder: 'out' }
  const body = { name: 'Inbox', rate: '365 days', sourceId, folder: 'inbox', settleSeconds: 0, workflowId, deliver }
  return (await client.schedules.create({ body: { ...body, ...more } as never })).id
}

/** Lets the pipeline do once what it does every few minutes. */
async function tick({ cloud }: Stage): Promise<void> {
  await cloud.invoke('pipeline-scheduler', {})
  await cloud.invoke('pipeline-sweeper', {})
}

/** The runs of a schedule once so many have ended, the first one first. */
async function runsOf(stage: Stage, schedule_id: string, count: number): Promise<ScheduleRun[]> {
  for (;;) {
    await tick(stage)
    const query = { sort: 'createdAt', limit: 1000 }
    const runs = await insist(() => stage.client.schedules.runs({ schedule_id, query }))
    if (runs.length >= count && runs.every(({ status }) => status !== 'IN_PROGRESS')) return runs
    await new Promise(resolve => setTimeout(resolve, LOOK))
  }
}

/** Runs a schedule once and answers what came of it. */
async function runOnce(stage: Stage, schedule_id: string): Promise<ScheduleRun> {
  const { id } = await insist(() => stage.client.schedules.run({ schedule_id }))
  const runs = await runsOf(stage, schedule_id, 1)
  return runs.find(run => run.id === id)!
}

/** The delivered results with what they hold. */
async function delivered({ files }: Stage): Promise<Map<string, string>> {
  const found = (await readdir(join(files, 'out/inbox')).catch(() => [])).filter(name => !name.startsWith('.'))
  const texts = found.map(async name => [name, await readFile(join(files, 'out/inbox', name), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** The names of all assets of all jobs, each as often as a job holds it. */
async function assetsOfAllJobs({ client }: Stage): Promise<string[]> {
  const found: string[] = []
  for (const { id, status } of await client.jobs.list({ body: { limit: 1000 } })) {
    if (status === 'CANCELLED') continue
    for (const { name } of await client.jobs.assets({ job_id: id, body: { limit: 1000 } })) found.push(name)
  }
  return found
}

/** A login to a server of PostgreSQL, and the source of it. */
async function database({ client }: Stage, { onTestFinished }: TestContext) {
  const server = await startPostgresServer()
  const login = { user: 'owner', password: 'owner-secret', database: 'postgres' }
  const connection = new pg.Client({ host: '127.0.0.1', port: server.port, ...login })
  await connection.connect()
  onTestFinished(async () => {
    await connection.end()
    await server.stop()
  })
  const { user: username, ...rest } = login
  const config = { host, port: server.port, username, ...rest, tls: { ca_pem: server.ca } }
  const source = await client.sources.create({ body: { name: 'Clinic', kind: 'DB_ENGINE_1', config } as never })
  return { connection, sourceId: source.id }
}

const anonymised = (all: string[]) => new Map(all.map(name => [name, letter('[EMAIL]')]))
const runs = available('PostgreSQL', ...Object.values(postgresPrograms))

// They wait for most of their time.
describe.concurrent('a drop folder', () => {
  test('has each file taken once, executed and delivered', { timeout: 300_000 }, async context => {
    const stage = await begin(context)
    await drop(stage, names(3))
    const schedule_id = await schedule(stage)
    expect(await runOnce(stage, schedule_id)).toMatchObject({
      status: 'SUCCEEDED',
      step: null,
      trigger: 'manual',
      counts: { taken: 3, succeeded: 3, delivered: 3, parked: 0, returned: 0 },
    })
    expect(await delivered(stage)).toEqual(anonymised(names(3)))
    await drop(stage, ['late.txt'])
    expect(await runOnce(stage, schedule_id)).toMatchObject({ counts: { taken: 1, delivered: 1 } })
    expect(await runOnce(stage, schedule_id)).toMatchObject({ status: 'SUCCEEDED', jobId: null, counts: { taken: 0 } })
  })

  test('runs by itself at its times, once each, however often the times are looked through', {
    timeout: 300_000,
  }, async context => {
    const stage = await begin(context)
    await drop(stage, names(2))
    const schedule_id = await schedule(stage, { rate: '1 minute' } as never)
    const { nextRunAt } = await stage.client.schedules.get({ schedule_id })
    while (Date.now() < Date.parse(nextRunAt!)) await new Promise(resolve => setTimeout(resolve, 500))
    await Promise.all(Array.from({ length: 3 }, () => stage.cloud.invoke('pipeline-scheduler', {})))
    const runs = (await runsOf(stage, schedule_id, 1)).filter(({ plannedAt }) => plannedAt === nextRunAt)
    expect(runs).toMatchObject([{ trigger: 'schedule', counts: { taken: 2, delivered: 2 } }])
    const after = await stage.client.schedules.get({ schedule_id })
    expect(Date.parse(after.nextRunAt!)).toBeGreaterThan(Date.parse(nextRunAt!))
    await stage.client.schedules.update({ schedule_id, body: { enabled: false } })
    expect((await stage.client.schedules.get({ schedule_id })).nextRunAt).toBeNull()
  })

  test.for(['pipeline-transfer', 'pipeline-scheduler'])(
    'comes out right when %s is killed at any of its writes',
    { timeout: 1_800_000 },
    async (victim, context) => {
      let step = 0
      let at = Number.POSITIVE_INFINITY
      const stage = await begin(context, {
        faults: (service, action, request, caller) => {
          if (caller === victim && writesSchedules(service, action, request) && step++ === at) stage.cloud.crash(victim)
          return undefined
        },
      })
      const schedule_id = await schedule(stage)
      const dropped: string[] = []
      for (let n = 0, reached = true; reached; n++) {
        dropped.push(`${n}.txt`)
        await drop(stage, [`${n}.txt`])
        step = 0
        at = n
        expect(await runOnce(stage, schedule_id)).toMatchObject({
          status: 'SUCCEEDED',
          counts: { taken: 1, delivered: 1 },
        })
        reached = step > at
        at = Number.POSITIVE_INFINITY
      }
      // Three writes of one run at least: one more was tried than there are.
      expect(dropped.length).toBeGreaterThan(3)
      expect(await delivered(stage)).toEqual(anonymised(dropped))
      expect((await assetsOfAllJobs(stage)).sort()).toEqual(dropped.sort())
    },
  )

  test('parks what cannot be processed and goes on with the rest, until it is tried again or another comes', {
    timeout: 300_000,
  }, async context => {
    const stage = await begin(context)
    const { client, files } = stage
    await drop(stage, names(2))
    await writeFile(join(files, 'inbox/broken.pdf'), new Uint8Array([0, 1, 2, 3, 255, 254, 0, 0, 9, 8]))
    await writeFile(join(files, 'inbox/table.csv'), 'id,mail\n1,ada@example.org\n')
    const schedule_id = await schedule(stage)
    expect(await runOnce(stage, schedule_id)).toMatchObject({
      status: 'FAILED',
      errors: [],
      counts: { taken: 4, succeeded: 2, delivered: 2, parked: 2 },
    })
    expect(await delivered(stage)).toEqual(anonymised(names(2)))
    const query = { sort: 'name' }
    expect(await client.schedules.parked({ schedule_id, query })).toMatchObject([
      { name: 'inbox/broken.pdf', error: { type: 'unsupported_format' } },
      { name: 'inbox/table.csv', error: { type: 'asset_type_mismatch' } },
    ])
    const told = await client.notifications.list({ body: { filters: { kind: 'schedule.failed' } } })
    expect(told).toMatchObject([{ resource: { type: 'schedule', id: schedule_id } }])
    // Parked is not new.
    expect(await runOnce(stage, schedule_id)).toMatchObject({ counts: { taken: 0 } })
    const retried = await client.schedules.retry({ schedule_id, body: { names: ['inbox/table.csv', 'inbox/none'] } })
    expect(retried).toEqual({ id: schedule_id, released: 1 })
    await writeFile(join(files, 'inbox/broken.pdf'), letter('ada@example.org'))
    expect(await runOnce(stage, schedule_id)).toMatchObject({ counts: { taken: 2, delivered: 1, parked: 1 } })
    expect(await client.schedules.parked({ schedule_id })).toMatchObject([{ name: 'inbox/table.csv' }])
  })

  test.skipIf(!runs)('may be tables, all of which each run takes', { timeout: 300_000 }, async context => {
    const stage = await begin(context)
    const { connection, sourceId } = await database(stage, context)
    await connection.query('create schema safe')
    await connection.query('create table people (id int primary key, mail text)')
    await connection.query("insert into people values (1, 'ada@example.org')")
    const tables = { tables: ['public.people'], folder: undefined, settleSeconds: undefined }
    const deliver = { sourceId, folder: 'safe', mode: 'replace' } as never
    const schedule_id = await schedule(stage, { ...tables, sourceId, workflowId: stage.tableWorkflowId, deliver })
    const counts = { taken: 1, succeeded: 1, delivered: 1, parked: 0 }
    expect(await runOnce(stage, schedule_id)).toMatchObject({ status: 'SUCCEEDED', counts })
    await connection.query("insert into people values (2, 'grace@example.org')")
    expect(await runOnce(stage, schedule_id)).toMatchObject({ status: 'SUCCEEDED', counts })
    const { rows } = await connection.query('select * from safe.people order by id')
    expect(rows).toEqual([
      { id: 1, mail: '[EMAIL]' },
      { id: 2, mail: '[EMAIL]' },
    ])
  })

  test('is taken from as its owner or not at all', { timeout: 300_000 }, async context => {
    const stage = await begin(context)
    const { client: admin, cloud } = stage
    const login = { email: 'grace@example.org', password: 'correct horse battery' }
    const { id: user_id } = await admin.auth.register({ body: { name: 'Grace', ...login } })
    const client = await logIn({ baseUrl: cloud.baseUrl, ...login })
    const source = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    const own = { ...stage, client, sourceId: source.id, files: join(stage.files, '..', user_id) }
    await drop(own, names(1))
    const schedule_id = await schedule(own, { workflowId: undefined, presetId: 'default', deliver: null })
    const asAdministrator = { ...own, client: admin }

    await admin.users.block({ user_id })
    expect(await runOnce(asAdministrator, schedule_id)).toMatchObject({
      status: 'FAILED',
      jobId: null,
      counts: { taken: 0 },
      errors: [{ type: 'permission_denied', msg: 'The owner of the schedule is blocked' }],
    })
    await admin.users.block({ user_id, body: { blocked: false } })
    const permissions = ['schedules:write', 'sources:read', 'jobs:write']
    const role = await admin.roles.create({ body: { name: 'clerk', permissions } })
    await admin.users.update({ user_id, body: { role: role.name } })
    expect(await runOnce(asAdministrator, schedule_id)).toMatchObject({
      errors: [{ type: 'permission_denied', msg: 'This needs the permissions jobs:execute' }],
    })
    await admin.roles.update({ role_id: role.id, body: { permissions: [...permissions, 'jobs:execute'] } })
    const run = await runOnce(asAdministrator, schedule_id)
    expect(run).toMatchObject({ status: 'SUCCEEDED', counts: { taken: 1, succeeded: 1 } })
    const back = await logIn({ baseUrl: cloud.baseUrl, ...login })
    await admin.users.update({ user_id, body: { role: 'user' } })
    expect(await back.jobs.get({ job_id: run.jobId! })).toMatchObject({ status: 'SUCCEEDED' })

    await admin.users.delete({ user_id })
    await drop(own, names(2))
    expect(await runOnce(asAdministrator, schedule_id)).toMatchObject({
      ...{ status: 'FAILED', jobId: null, counts: { taken: 0 } },
      errors: [{ type: 'permission_denied', msg: 'The owner of the schedule is gone' }],
    })
  })
})

/** Whether a request changes something of schedules, runs or what they took. */
const writesSchedules = (service: string, action: string, request: object): boolean =>
  service === 'dynamodb' && /Write|Put|Update|Delete/.test(action) && /schedules/i.test(JSON.stringify(request))
