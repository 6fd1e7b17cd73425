import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, type TestContext, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import type { Delivery, NewDelivery } from '../../shared/api/deliveries.ts'
import { host } from '../sources/context.ts'
import { postgresPrograms, startPostgresServer } from '../sources/servers/postgresql.ts'
import { available } from '../sources/servers/process.ts'
import { createTrial, ended, insist, start, whileSweeping } from './jobs.ts'
import { killsOf } from './kills.ts'
import { type Stage, useStage } from './setup.ts'

const root = mkdtempSync(join(tmpdir(), 'deliver-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const environment = { LOCAL_ASSET_ROOT: root, LEASE_SECONDS: '1' }
const stageOf = useStage({ environment })
const stageToKill = useStage({ environment })

const pinned = { host_key_fingerprints: [`SHA256:${'A'.repeat(43)}`] }

const pause = () => new Promise(resolve => setTimeout(resolve, 700))

/** A finished job of some texts. */
async function finished({ client, workflowId }: Stage, texts: number): Promise<string> {
  const { id } = await createTrial(client, workflowId, 0, texts, false)
  await start(client, id)
  await ended(client, id)
  return id
}

/** A delivery that has ended; lost messages are looked for meanwhile. */
async function delivered({ client, cloud }: Stage, job_id: string, body: object): Promise<Delivery> {
  await client.jobs.deliver({ job_id, body: body as NewDelivery })
  return whileSweeping(cloud, 2000, async () => {
    for (;;) {
      const [delivery] = (await insist(() => client.jobs.get({ job_id }))).deliveries
      if (delivery!.status !== 'IN_PROGRESS') return delivery!
      await pause()
    }
  })
}

const localFiles = async (client: Client) =>
  (await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })).id

/** The files of a folder with their contents, drafts included. */
async function filesIn(client: Client, folder: string): Promise<string[]> {
  const path = join(root, (await client.auth.me()).id, folder)
  return readdirSync(path)
    .sort()
    .map(name => `${name}: ${readFileSync(join(path, name), 'utf8')}`)
}

const expected = (texts: number) =>
  Array.from({ length: texts }, (_, m) => `0-${m}.txt: Letter 0.${m}: write to [EMAIL] today.\n`)

const runs = available('PostgreSQL', ...Object.values(postgresPrograms))

// They wait for most of their time: for what was lost, or for the message of whoever was killed.
describe.concurrent('a delivery whose functions are killed', () => {
  test.for(['pipeline-planner', 'pipeline-transfer'])(
    'of a file comes out right when %s is killed at its steps',
    { timeout: 600_000, concurrent: false },
    async (victim, context) => {
      await killedAtItsSteps(victim, context, async stage => {
        const sourceId = await localFiles(stage.client)
        const id = await finished(stage, 1)
        return async n => {
          const folder = `${victim}-${n}`
          const delivery = await delivered(stage, id, { sourceId, folder })
          expect(delivery).toMatchObject({ status: 'SUCCEEDED', progress: { assets: 1, done: 1, failed: 0 } })
          expect(await filesIn(stage.client, folder)).toEqual(expected(1))
        }
      })
    },
  )

  test.skipIf(!runs)(
    'of a table comes out right when the worker is killed at its steps',
    { timeout: 600_000, concurrent: false },
    async context => {
      const server = await startPostgresServer()
      const login = {
        host: '127.0.0.1',
        port: server.port,
        user: 'owner',
        password: 'owner-secret',
        database: 'postgres',
      }
      const connection = new pg.Client(login)
      await connection.connect()
      try {
        await killedAtItsSteps('pipeline-transfer', context, async stage => {
          const { client } = stage
          const { database, user: username, password } = login
          const config = { host, port: server.port, database, username, password, tls: { ca_pem: server.ca } }
          const source = { name: 'Clinic', kind: 'DB_ENGINE_1', config }
          const { id: sourceId } = await client.sources.create({ body: source as never })
          const rule = {
            name: 'E-mail',
            type: 'REGEX',
            config: { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+' } },
          } as const
          const { id: ruleId } = await client.rules.create({ body: rule })
          const rules = [{ ruleId, replacement: { text: '[EMAIL]' } }]
          const workflow = { name: 'Tables', supportedAssetType: 'TABLE', config: { rules } } as const
          const { id: workflowId } = await client.workflows.create({ body: workflow as never })
          const content = 'id,mail\n1,ada@example.org\n2,\n'
          const { id } = await client.jobs.upload({ body: { name: 'T' }, files: [{ name: 'people.csv', content }] })
          await client.jobs.update({ job_id: id, body: { workflowId } })
          await start(client, id)
          await ended(client, id)
          return async n => {
            await connection.query(`create schema s${n}`)
            expect(await delivered(stage, id, { sourceId, folder: `s${n}` })).toMatchObject({
              status: 'SUCCEEDED',
              progress: { assets: 1, done: 1, failed: 0 },
            })
            const { rows } = await connection.query(`select * from s${n}.people order by id`)
            expect(rows).toEqual([
              { id: '1', mail: '[EMAIL]' },
              { id: '2', mail: null },
            ])
          }
        })
      } finally {
        await connection.end()
        await server.stop()
      }
    },
  )
})

describe.concurrent('a delivery', () => {
  test('comes out right when every message comes twice', { timeout: 240_000, concurrent: false }, async context => {
    const stage = stageOf(context, {
      faults: (service, action) => (service === 'sqs' && action.startsWith('Send') ? { duplicate: true } : undefined),
    })
    const id = await finished(stage, 3)
    const sourceId = await localFiles(stage.client)
    const delivery = await delivered(stage, id, { sourceId, folder: 'twice' })
    expect(delivery).toMatchObject({ status: 'SUCCEEDED', progress: { assets: 3, done: 3, failed: 0 } })
    expect(delivery.assets).toHaveLength(3)
    expect(await filesIn(stage.client, 'twice')).toEqual(expected(3))
    const notes = await stage.client.notifications.list({ body: { filters: { kind: 'delivery.succeeded' } } })
    expect(notes).toHaveLength(1)
  })

  test('goes on after its messages were lost', { timeout: 240_000, concurrent: false }, async context => {
    let losing = false
    let lost = 0
    const stage = stageOf(context, {
      faults: (service, action) =>
        losing && service === 'sqs' && action.startsWith('Send') && lost++ < 2 ? { lose: true } : undefined,
    })
    const id = await finished(stage, 2)
    const sourceId = await localFiles(stage.client)
    losing = true
    expect(await delivered(stage, id, { sourceId, folder: 'lost' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(lost).toBeGreaterThan(2)
    expect(await filesIn(stage.client, 'lost')).toEqual(expected(2))
  })

  test('fails with its reason when a message can never be handled', {
    timeout: 240_000,
    concurrent: false,
  }, async context => {
    let poisoned = false
    const stage = stageOf(context, {
      faults: (service, action) =>
        poisoned && service === 's3' && action === 'GetObject'
          ? { error: { name: 'InternalError', status: 500 } }
          : undefined,
    })
    const id = await finished(stage, 1)
    const sourceId = await localFiles(stage.client)
    poisoned = true
    const delivery = await delivered(stage, id, { sourceId, folder: 'poisoned' })
    expect(delivery).toMatchObject({ status: 'FAILED', progress: { assets: 1, failed: 1 } })
    expect(delivery.assets[0]!.errors).toMatchObject([
      { type: 'source_failed', msg: expect.stringContaining('several attempts') },
    ])
  })
})

// What it shows is how soon: it runs by itself.
test('a delivery stops soon after it is cancelled, and another may follow', {
  timeout: 240_000,
}, async context => {
  // Takes connections and says nothing.
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const { promise: begun, resolve: connected } = Promise.withResolvers<void>()
  const mute = createServer(socket => {
    connected()
    socket
      .resume()
      .on('error', () => {})
      .on('close', () => end(performance.now()))
  })
  await new Promise<void>(listening => mute.listen(0, '127.0.0.1', listening))
  const stage = stageOf(context)
  const { client } = stage
  const job_id = await finished(stage, 1)
  const { port } = mute.address() as AddressInfo
  const login = { protocol: 'sftp', host: '127.0.0.1', port, username: 'drop', password: 'secret', ...pinned }
  const drop = await client.sources.create({ body: { name: 'Drop', kind: 'FTP/SFTP', config: login } as never })
  await client.jobs.deliver({ job_id, body: { sourceId: drop.id } as NewDelivery })
  await begun
  const cancelled = performance.now()
  const job = await client.jobs.cancel({ job_id })
  expect(job).toMatchObject({ status: 'SUCCEEDED', deliveries: [{ status: 'CANCELLED', progress: { done: 0 } }] })
  await expect(client.jobs.cancel({ job_id })).rejects.toMatchObject({ status: 400 })
  // Two seconds by design; a loaded machine may take longer to get to it. By itself it would wait for twenty.
  expect((await ended) - cancelled).toBeLessThan(12_000)
  mute.close()
  const sourceId = await localFiles(client)
  expect(await delivered(stage, job_id, { sourceId, folder: 'after' })).toMatchObject({ status: 'SUCCEEDED' })
  expect((await client.jobs.get({ job_id })).deliveries.map(({ status }) => status)).toEqual(['SUCCEEDED', 'CANCELLED'])
})

/** Runs a delivery again and again, its victim killed one due step later each time, until it comes to none. */
async function killedAtItsSteps(
  victim: string,
  context: TestContext,
  prepare: (stage: Stage) => Promise<(n: number) => Promise<void>>,
): Promise<void> {
  const kills = killsOf(victim)
  const stage: Stage = stageToKill(context, {
    faults: (...request) => {
      if (kills.isDue(...request)) stage.cloud.crash(victim)
      return undefined
    },
  })
  await kills.through(await prepare(stage))
}
