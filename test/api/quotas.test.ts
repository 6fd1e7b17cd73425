import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import type { Quota } from '../../shared/api/roles.ts'
import { idFrom } from '../../shared/store/ids.ts'
import { deployed, putFile } from './deployed.ts'
import { problemsOf } from './http.ts'
import { form, makeFinishedJob } from './requests.ts'
import { type Person, type Reply, useOwnService } from './setup.ts'

/** What uploads ask of the stores, while somebody listens. */
let asked: string[] | undefined
/** Whether the queue for transfers has to wait, so that something can happen in between. */
let held = false
/** Whether a job that is made by a run takes its time to be written. */
let slow = false
/** Whether a run has begun to write, since it takes its time. */
let begun = false
/** Whether nothing that is sent arrives. */
let cut = false
const service = await useOwnService({
  faults: (service, action, request, caller) => {
    if (cut && service === 'sqs' && action.startsWith('Send')) return { error: { name: 'AccessDenied', status: 403 } }
    if (caller === 'jobs-upload') asked?.push(`${action}${JSON.stringify(request).includes('QUOTA#') ? ' quota' : ''}`)
    if (slow && caller === 'pipeline-transfer' && action === 'TransactWriteItems') {
      begun = true
      return { delayMs: 2000 }
    }
    return held && caller === 'pipeline-transfer' ? { delayMs: 200 } : undefined
  },
})
const { admin } = service
const { roles } = admin.client

const jobs = ['jobs:read', 'jobs:write', 'jobs:execute', 'jobs:deliver', 'assets:read', 'assets:write']
const all = [...jobs, 'sources:read', 'sources:write', 'schedules:read', 'schedules:write', 'rules:read', 'rules:write']

/** Somebody with a role of their own, which has a quota. */
async function person(quota?: Quota, permissions = [...all, 'workflows:read', 'workflows:write']) {
  const body = { name: `role-${randomUUID().slice(0, 8)}`, permissions, quota }
  const role = await roles.create({ body })
  return { ...(await service.person(role.name)), role }
}

const upload = ({ token }: Pick<Person, 'token'>, bytes: number, headers = {}) =>
  service.send('POST', '/jobs/upload', {
    token,
    headers,
    body: form({ name: 'Letters' }, { 'a.txt': 'x'.repeat(bytes) }),
  })

const announce = ({ token }: Person, size: number) =>
  service.send('POST', '/jobs/uploads', { token, body: { name: 'Letters', files: [{ filename: 'a.txt', size }] } })

/** What `GET /` says of the quota of somebody. */
const shown = async ({ token }: { token?: string }) =>
  ((await service.send('GET', '/', { token })).body as { quota?: Quota & { used: object; resetsAt: string } }).quota
const used = async (somebody: Person) => (await shown(somebody))!.used

const idOf = ({ body }: Reply) => (body as { id: string }).id
const assetIdOf = ({ body }: Reply) => (body as { Assets: { id: string }[] }).Assets[0]!.id

function expectExceeded(reply: Reply, words: string): void {
  expect([reply.status, problemsOf(reply)]).toEqual([
    429,
    [{ loc: [], type: 'quota_exceeded', msg: `The quota of your role is ${words} until midnight UTC` }],
  ])
  const left = (86_400_000 - (Date.now() % 86_400_000)) / 1000
  expect(Math.abs(Number(reply.headers.get('retry-after')) - left)).toBeLessThan(30)
}

describe('the quota of a role', () => {
  test('is met to the last byte, and a byte more is refused with nothing left behind', async () => {
    const ada = await person({ bytesPerDay: 100 })
    expect((await upload(ada, 60)).status).toBe(200)
    expectExceeded(await upload(ada, 41), '100 bytes a day; 40 are left')
    expect(await ada.client.jobs.list()).toHaveLength(1)
    expect((await upload(ada, 40)).status).toBe(200)
    expectExceeded(await upload(ada, 1), '100 bytes a day; 0 are left')
    expectExceeded(await announce(ada, 1), '100 bytes a day; 0 are left')
    expect(await used(ada)).toEqual({ bytes: 100, jobs: 2 })
  })

  test('gives the last job to one of two requests at the same moment', async () => {
    const ada = await person({ jobsPerDay: 3 })
    const replies = await Promise.all(Array.from({ length: 6 }, () => upload(ada, 5)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429])
    expect(await used(ada)).toEqual({ bytes: 15, jobs: 3 })
    expect(await ada.client.jobs.list()).toHaveLength(3)
  })

  test('is each user’s own, and not that of others with the role', async () => {
    const { role, ...ada } = await person({ jobsPerDay: 1 })
    const grace = await service.person(role.name)
    expect([(await upload(ada, 5)).status, (await upload(ada, 5)).status]).toEqual([200, 429])
    expect((await upload(grace, 5)).status).toBe(200)
  })

  test('changes with the role at once', async () => {
    const ada = await person({ jobsPerDay: 1 })
    const change = (quota: Quota) => roles.update({ role_id: ada.role.id, body: { quota } })
    expect([(await upload(ada, 5)).status, (await upload(ada, 5)).status]).toEqual([200, 429])
    expect((await change({ jobsPerDay: 2 })).quota).toEqual({ jobsPerDay: 2 })
    expect([(await upload(ada, 5)).status, (await upload(ada, 5)).status]).toEqual([200, 429])
    expect((await roles.update({ role_id: ada.role.id, body: { description: 'Few' } })).quota).toEqual({
      jobsPerDay: 2,
    })
    expect((await upload(ada, 5)).status).toBe(429)
    expect((await change({})).quota).toEqual({})
    expect((await upload(ada, 5)).status).toBe(200)
    expect(await shown(ada)).toBeUndefined()
    await change({ bytesPerDay: 4 })
    expectExceeded(await upload(ada, 5), '4 bytes a day; 0 are left')
  })

  test('binds a service account by the role of its key', async () => {
    const { role } = await person({ jobsPerDay: 1 })
    const body = { name: 'Nightly', role: role.name, permissions: ['jobs:read', 'jobs:write'] }
    const { id: account_id } = await admin.client.serviceAccounts.create({ body })
    const { key } = await admin.client.serviceAccounts.createKey({ account_id })
    expect([(await upload({ token: key }, 5)).status, (await upload({ token: key }, 5)).status]).toEqual([200, 429])
    expect(await shown({ token: key })).toMatchObject({ jobsPerDay: 1, used: { bytes: 5, jobs: 1 } })
  })

  test('is not used by a request that is refused or repeated', async () => {
    const ada = await person({ jobsPerDay: 2, bytesPerDay: 10 })
    expect((await upload(ada, 0)).status).toBe(422)
    expect((await upload(ada, 11)).status).toBe(429)
    const key = { 'idempotency-key': randomUUID() }
    const replies = [await upload(ada, 5, key), await upload(ada, 5, key)]
    expect(replies.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [200, null],
      [200, 'true'],
    ])
    expect(await used(ada)).toEqual({ bytes: 5, jobs: 1 })
  })

  test.each([
    { bytesPerDay: 0 },
    { jobsPerDay: -1 },
    { jobsPerDay: 1.5 },
    { bytesPerDay: 2 ** 53 },
    { filesPerDay: 1 },
  ])('is refused as %j', async quota => {
    const body = { name: 'role', permissions: [], quota }
    expect((await service.send('POST', '/roles/', { token: admin.token, body })).status).toBe(422)
  })

  test('cannot be widened by way of others by somebody who has one', async () => {
    const manages = ['roles:manage', 'users:manage', 'jobs:write']
    const ada = await person({ jobsPerDay: 5 }, manages)
    const send = (method: string, path: string, body: object) => service.send(method, path, { token: ada.token, body })
    const make = (quota?: Quota) => send('POST', '/roles/', { name: `r-${randomUUID()}`, permissions: [], quota })
    expect([(await make()).status, (await make({ jobsPerDay: 6 })).status]).toEqual([403, 403])
    expect((await make({ jobsPerDay: 5, bytesPerDay: 1 })).status).toBe(200)
    expect((await send('PUT', `/roles/${ada.role.id}`, { quota: {} })).status).toBe(403)
    const grace = await service.person((await person({ jobsPerDay: 1 }, [])).role.name)
    const wider = await person({ jobsPerDay: 6 }, [])
    expect((await send('PUT', `/users/${grace.user.id}`, { role: wider.role.name })).status).toBe(403)
    expect((await send('PUT', `/users/${grace.user.id}`, { role: ada.role.name })).status).toBe(200)
  })
})

describe('GET /', () => {
  test('shows the quota, what is used of it and when it begins again, with a token of such a role only', async () => {
    const ada = await person({ jobsPerDay: 3 })
    await upload(ada, 7)
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()
    expect(await shown(ada)).toEqual({ jobsPerDay: 3, used: { bytes: 7, jobs: 1 }, resetsAt: midnight })
    for (const token of [undefined, 'anon_nonsense', `${ada.token}x`, admin.token])
      expect(await shown({ token })).toBeUndefined()
  })
})

describe('a file that was announced', () => {
  test('counts at once, and no longer when it is removed before it has come', async () => {
    const ada = await person({ bytesPerDay: 100 })
    const { client } = ada
    const first = await announce(ada, 100)
    expectExceeded(await announce(ada, 1), '100 bytes a day; 0 are left')
    await client.assets.delete({ asset_id: assetIdOf(first) })
    expect(await used(ada)).toEqual({ bytes: 0, jobs: 1 })
    const removed = await announce(ada, 90)
    await client.jobs.removeAssets({ job_id: idOf(removed), body: { assetIds: [assetIdOf(removed)] } })
    const erased = await announce(ada, 90)
    await client.jobs.delete({ job_id: idOf(erased) })
    const cancelled = await announce(ada, 90)
    const cancel = () => client.jobs.cancel({ job_id: idOf(cancelled) })
    await Promise.all([cancel(), cancel()])
    await client.jobs.delete({ job_id: idOf(cancelled) })
    expect(await used(ada)).toEqual({ bytes: 0, jobs: 4 })
  })

  test('counts on when it has come, whatever becomes of it', async () => {
    const ada = await person({ bytesPerDay: 100 })
    const reply = await announce(ada, 5)
    const { url, headers } = (reply.body as { Assets: { upload: { url: string; headers: object } }[] }).Assets[0]!
      .upload as { url: string; headers: Record<string, string> }
    expect((await fetch(url, { method: 'PUT', headers, body: 'Hello' })).status).toBe(200)
    await ada.client.jobs.completeUploads({ job_id: idOf(reply) })
    await ada.client.assets.delete({ asset_id: assetIdOf(reply) })
    expect(await used(ada)).toEqual({ bytes: 5, jobs: 1 })
  })
})

describe.skipIf(deployed)('what comes from a source', () => {
  const source = async ({ client }: Person) =>
    (await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })).id
  const put = ({ user }: Person, name: string, bytes: number) =>
    putFile(user.id, service.files, name, 'x'.repeat(bytes))
  const load = (ada: Person, sourceId: string, filenames: string[]) =>
    service.send('POST', '/jobs/load', {
      token: ada.token,
      body: { sourceId, sourceType: 'LOCAL_ASSET', files_load_config: { filenames } },
    })
  const asset = async ({ client }: Person, reply: Reply) => (await client.jobs.get({ job_id: idOf(reply) })).Assets[0]!
  const settled = (ada: Person, reply: Reply) =>
    expect.poll(async () => (await asset(ada, reply)).status, { timeout: 30_000 }).not.toBe('LOADING')

  test('counts as large as the source says, all of it or nothing', async () => {
    const ada = await person({ bytesPerDay: 100 })
    const sourceId = await source(ada)
    for (const [name, bytes] of [
      ['a.txt', 60],
      ['b.txt', 41],
      ['c.txt', 40],
    ] as const)
      await put(ada, name, bytes)
    expectExceeded(await load(ada, sourceId, ['a.txt', 'b.txt']), '100 bytes a day; 100 are left')
    const reply = await load(ada, sourceId, ['a.txt', 'c.txt'])
    await settled(ada, reply)
    expect(await used(ada)).toEqual({ bytes: 100, jobs: 1 })
  })

  test('that is larger than the source said fails beyond the quota, and counts as it is within it', async () => {
    const ada = await person({ bytesPerDay: 200 })
    const sourceId = await source(ada)
    const loadAs = async (name: string, told: number, really: number) => {
      await put(ada, name, told)
      held = true
      const reply = await load(ada, sourceId, [name])
      expect(reply.status).toBe(200)
      await put(ada, name, really)
      held = false
      await settled(ada, reply)
      return asset(ada, reply)
    }
    expect(await loadAs('grown.txt', 50, 90)).toMatchObject({ status: 'READY', size: 90 })
    expect(await used(ada)).toEqual({ bytes: 90, jobs: 1 })
    const errors = [expect.objectContaining({ type: 'quota_exceeded' })]
    expect(await loadAs('too-large.txt', 50, 111)).toMatchObject({ status: 'FAILED', errors })
    expect(await used(ada)).toEqual({ bytes: 90, jobs: 2 })
    expect(await loadAs('shrunk.txt', 110, 10)).toMatchObject({ status: 'READY', size: 10 })
    expect(await used(ada)).toEqual({ bytes: 100, jobs: 3 })
  })

  test('of a schedule is taken as far as the quota goes; the rest waits for the next day, and the run says so', async () => {
    const ada = await person({ bytesPerDay: 100, jobsPerDay: 2 })
    const sourceId = await source(ada)
    for (const [name, bytes] of [
      ['a.txt', 60],
      ['b.txt', 50],
      ['c.txt', 40],
    ] as const)
      await put(ada, name, bytes)
    const body = { name: 'Inbox', rate: '1 day', sourceId, presetId: 'default', settleSeconds: 0 }
    const { id: schedule_id } = await ada.client.schedules.create({ body })
    const run = async () => {
      const { id } = await ada.client.schedules.run({ schedule_id })
      const find = async () => (await ada.client.schedules.runs({ schedule_id })).find(run => run.id === id)!
      await expect
        .poll(
          async () => {
            await service.cloud.invoke('pipeline-scheduler', {})
            return (await find()).step
          },
          { timeout: 60_000 },
        )
        .toBe(null)
      return find()
    }
    const errors = [expect.objectContaining({ type: 'quota_exceeded' })]
    const counts = { parked: 0, returned: 0 }
    expect(await run()).toMatchObject({ status: 'FAILED', errors, counts: { ...counts, taken: 2, succeeded: 2 } })
    expect(await used(ada)).toEqual({ bytes: 100, jobs: 1 })
    expect(await run()).toMatchObject({ status: 'FAILED', errors, jobId: null, counts: { ...counts, taken: 0 } })
    await nextDay(ada)
    expect(await run()).toMatchObject({ status: 'SUCCEEDED', errors: [], counts: { ...counts, taken: 1 } })
    expect(await run()).toMatchObject({ status: 'SUCCEEDED', jobId: null, counts: { ...counts, taken: 0 } })
    expect(await used(ada)).toEqual({ bytes: 50, jobs: 1 })
    expect(await ada.client.schedules.parked({ schedule_id })).toEqual([])
  }, 240_000)

  test('of a schedule leaves no rows behind when the quota is used up by something else before its job is made', async () => {
    const ada = await person({ jobsPerDay: 1 })
    const sourceId = await source(ada)
    for (let n = 0; n < 42; n++) await put(ada, `${n}.txt`, 1)
    const body = { name: 'Inbox', rate: '1 day', sourceId, presetId: 'default', settleSeconds: 0 }
    const { id: schedule_id } = await ada.client.schedules.create({ body })
    begun = false
    slow = true
    const { id: runId } = await ada.client.schedules.run({ schedule_id })
    await expect.poll(() => begun, { interval: 50, timeout: 20_000 }).toBe(true)
    expect((await upload(ada, 5)).status).toBe(200)
    const run = async () => (await ada.client.schedules.runs({ schedule_id }))[0]!
    await expect.poll(async () => (await run()).step, { interval: 100, timeout: 30_000 }).not.toBe('taking')
    slow = false
    await expect.poll(async () => (await run()).step, { interval: 100, timeout: 30_000 }).toBe(null)
    expect((await run()).errors).toEqual([expect.objectContaining({ type: 'quota_exceeded' })])
    const { Items } = await dynamodb.send(
      new QueryCommand({
        TableName: 'TableJobs',
        KeyConditionExpression: 'pk = :job',
        ExpressionAttributeValues: { ':job': `JOB#${idFrom('job', runId)}` },
      }),
    )
    expect(Items).toEqual([])
  }, 120_000)

  test.each([100, 1000])(
    'the job of a run counts once of %s bytes, however many make it at once',
    async bytesPerDay => {
      const ada = await person({ bytesPerDay, jobsPerDay: 5 })
      const sourceId = await source(ada)
      await put(ada, 'a.txt', 60)
      const body = { name: 'Inbox', rate: '1 day', sourceId, presetId: 'default', settleSeconds: 0 }
      const { id: scheduleId } = await ada.client.schedules.create({ body })
      const { id: runId } = await ada.client.schedules.run({ schedule_id: scheduleId })
      const message = { messageId: randomUUID(), body: JSON.stringify({ type: 'TAKE', scheduleId, runId }) }
      const run = async () => (await ada.client.schedules.runs({ schedule_id: scheduleId }))[0]!
      slow = true
      await expect.poll(async () => (await run()).step, { interval: 50, timeout: 20_000 }).toBe('loading')
      const make = { Records: [{ ...message, attributes: {}, messageAttributes: {} }] }
      await Promise.all([
        service.cloud.invoke('pipeline-transfer', make),
        service.cloud.invoke('pipeline-transfer', make),
      ])
      slow = false
      expect(await used(ada)).toEqual({ bytes: 60, jobs: 1 })
      expect(await run()).toMatchObject({ errors: [], finishedAt: null })
    },
  )
})

describe.skipIf(deployed)('inside', () => {
  test('the next day begins with nothing counted', async () => {
    const ada = await person({ jobsPerDay: 1 })
    expect([(await upload(ada, 5)).status, (await upload(ada, 5)).status]).toEqual([200, 429])
    await nextDay(ada)
    expect([(await upload(ada, 6)).status, (await upload(ada, 5)).status]).toEqual([200, 429])
    expect(await used(ada)).toEqual({ bytes: 6, jobs: 1 })
  })

  test('a copy of a job counts with its files', async () => {
    const ada = await person({ bytesPerDay: 100 })
    const job_id = await makeFinishedJob(ada.client)
    const before = (await used(ada)) as { bytes: number; jobs: number }
    const copied = await ada.client.jobs.copy({ job_id })
    await expect
      .poll(async () => (await ada.client.jobs.get({ job_id: copied.id })).Assets[0]!.status, { timeout: 30_000 })
      .toBe('READY')
    expect(await used(ada)).toEqual({ bytes: 2 * before.bytes, jobs: 2 })
    await roles.update({ role_id: ada.role.id, body: { quota: { jobsPerDay: 2 } } })
    expectExceeded(await service.send('POST', `/jobs/${job_id}/copy`, { token: ada.token }), '2 jobs a day; 0 are left')
  })

  test('a job that is there counts, although its creation was answered with an error', async () => {
    const ada = await person({ jobsPerDay: 2 })
    const job_id = await makeFinishedJob(ada.client)
    cut = true
    const failed = await service.send('POST', `/jobs/${job_id}/copy`, { token: ada.token })
    cut = false
    expect(failed.status).toBe(500)
    expect(await ada.client.jobs.list()).toHaveLength(2)
    expect(await used(ada)).toMatchObject({ jobs: 2 })
  })

  test('a role without quota costs no request more, and one with a quota one', async () => {
    const asks = async (somebody: Person) => {
      await upload(somebody, 5)
      asked = []
      await upload(somebody, 5)
      const requests = asked
      asked = undefined
      return requests.sort()
    }
    const without = await asks(await person())
    const within = await asks(await person({ jobsPerDay: 5 }))
    expect(without.filter(request => request.endsWith('quota'))).toEqual([])
    expect(within).toEqual([...without, 'TransactWriteItems quota'].sort())
  })
})

/** Makes of the counters of today those of yesterday. */
async function nextDay({ user }: Person): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const keyOf = (day: string) => ({ pk: `QUOTA#${user.id}#${day}`, sk: 'QUOTA' })
  const TableName = 'TableRates'
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: keyOf(day(0)) }))
  await dynamodb.send(new PutCommand({ TableName, Item: { ...Item, ...keyOf(day(1)) } }))
  await dynamodb.send(new DeleteCommand({ TableName, Key: keyOf(day(0)) }))
}

const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    region: 'us-east-1',
    credentials: operator,
    endpoint: deployed ? undefined : service.cloud.endpoints.dynamodb,
  }),
)
afterAll(() => dynamodb.destroy())
