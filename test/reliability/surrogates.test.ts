import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { Faults } from 'aws-emulators'
import { expect, test } from 'vitest'
import { random, stepOf } from './chaos.ts'
import { cancel, ended, start, whileSweeping } from './jobs.ts'
import { keysOf, local, resultsBucket } from './left.ts'
import { type Stage, useStage } from './setup.ts'

const stageOf = useStage()

/** Numbers of four digits: the first table, which is cut, has a third of all, the other files some of them and others. */
const files = {
  'a.csv': [3300, 3, 0],
  'b.csv': [100, 30, 0],
  'c.csv': [100, 30, 1],
  'd.txt': [50, 60, 1],
  'e.md': [100, 30, 2],
} as const
const numbersOf = (name: keyof typeof files) => {
  const [count, step, from] = files[name]
  return Array.from({ length: count }, (_, n) => String(n * step + from).padStart(4, '0'))
}
const names = Object.keys(files) as (keyof typeof files)[]

async function create({ client }: Stage): Promise<string> {
  const config = { regexRuleConfig: { pattern: '\\b\\d{4}\\b' } }
  const rule = await client.rules.create({ body: { name: 'Number', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { surrogate: { as: 'ID' } } }]
  const workflowFor = async (supportedAssetType: 'TABLE' | 'DOCUMENT') =>
    (await client.workflows.create({ body: { name: 'Numbers', supportedAssetType, config: { rules } } })).id
  const [workflowId, tables] = [await workflowFor('DOCUMENT'), await workflowFor('TABLE')]
  const contents = names.map(name => ({ name, content: `number\r\n${numbersOf(name).join('\r\n')}\r\n` }))
  const { id } = await client.jobs.upload({ body: { name: 'Numbers' }, files: contents })
  await client.jobs.update({
    job_id: id,
    body: { workflowId, plan: [{ match: { type: 'TABLE' }, workflowId: tables }] },
  })
  return id
}

async function play({ client, cloud }: Stage, id: string) {
  await start(client, id)
  await whileSweeping(cloud, 2000, () => ended(client, id))
  return client.jobs.get({ job_id: id })
}

/** Every number has one surrogate in all files, of its own, which is no number of the job; and nothing else is kept. */
async function expectRight(stage: Stage, job: Awaited<ReturnType<typeof play>>) {
  expect(job.errors).toEqual([])
  const pairs = new Set<string>()
  for (const name of names) {
    const { url } = job.result!.assets.find(asset => asset.name === name)!
    const made = (await (await fetch(url!)).text()).trimEnd().split('\r\n').slice(1)
    for (const [n, value] of numbersOf(name).entries()) pairs.add(`${value} ${made[n]}`)
  }
  const values = new Set(names.flatMap(numbersOf))
  const made = new Set([...pairs].map(pair => pair.split(' ')[1]!))
  expect([pairs.size, made.size]).toEqual([values.size, values.size])
  expect([...made].filter(value => values.has(value))).toEqual([])
  await nothingKept(stage, job.id)
}

/** No values of a job are kept; whoever ended it, or came late, may still be removing them. */
const nothingKept = (stage: Stage, id: string) =>
  expect
    .poll(async () => (await keysOf(stage, id)).filter(key => /marks-|value-filter/.test(key)), { timeout: 60_000 })
    .toEqual([])

test('surrogates stay apart on a failing store, with messages lost, late and sent twice', {
  timeout: 600_000,
}, async context => {
  const next = random(21)
  let isOn = false
  const stage = stageOf(context, {
    faults: (service, action) => {
      if (!isOn) return undefined
      if (service === 'sqs' && action === 'ReceiveMessage') return { reorder: true }
      if (service === 'sqs' && action.startsWith('Send'))
        return next() < 0.1 ? { lose: true } : { duplicate: next() < 0.2 }
      if (next() > 0.05) return undefined
      if (service === 's3') return { error: { name: 'InternalError', status: 500 } }
      return service === 'dynamodb' ? { error: { name: 'ThrottlingException', status: 400 } } : undefined
    },
  })
  const id = await create(stage)
  isOn = true
  const job = await play(stage, id)
  isOn = false
  await expectRight(stage, job)
})

test('surrogates stay apart when workers are killed while values are looked for', {
  timeout: 600_000,
}, async context => {
  const kinds = new Set<string>()
  let kill: (() => void) | undefined
  const faults: Faults = (service, action, request, caller) => {
    const step = stepOf(service, action, request)
    if (caller === 'pipeline-worker' && /VALUES|marks|value-filter/.test(step) && !kinds.has(step)) {
      kinds.add(step)
      kill?.()
    }
    return undefined
  }
  const stage = stageOf(context, { faults })
  kill = () => stage.cloud.crash('pipeline-worker')
  await expectRight(stage, await play(stage, await create(stage)))
  expect(kinds.size).toBeGreaterThan(3)
})

test('a table that can be read by nobody fails, and the others are made', { timeout: 600_000 }, async context => {
  let unreadable = ' '
  const stage = stageOf(context, {
    faults: (service, _, request, caller) =>
      service === 's3' && caller === 'pipeline-worker' && JSON.stringify(request).includes(unreadable)
        ? { error: { name: 'AccessDenied', status: 403 } }
        : undefined,
  })
  const id = await create(stage)
  const { Assets } = await stage.client.jobs.get({ job_id: id })
  unreadable = Assets.find(({ name }) => name === 'c.csv')!.id
  const { status, result } = await play(stage, id)
  expect(status).toBe('FAILED')
  const ends = Object.fromEntries(result!.assets.map(asset => [asset.name, asset.status]))
  expect(ends).toEqual({ ...Object.fromEntries(names.map(name => [name, 'SUCCEEDED'])), 'c.csv': 'FAILED' })
})

test('files fail whose filter of values is gone', { timeout: 600_000 }, async context => {
  const stage = stageOf(context, {
    faults: (service, action, request) =>
      service === 's3' && action === 'GetObject' && /value-filter/.test(JSON.stringify(request))
        ? { error: { name: 'NoSuchKey', status: 404 } }
        : undefined,
  })
  const { status, result } = await play(stage, await create(stage))
  expect(status).toBe('FAILED')
  for (const { url, errors } of result!.assets) {
    expect(url).toBeNull()
    expect(errors).toMatchObject([{ type: 'internal', msg: 'What was kept of the values of the job is missing' }])
  }
})

test('nothing is kept of the values of a job that fails before they were brought together', {
  timeout: 600_000,
}, async context => {
  const stage = stageOf(context, {
    faults: (service, action, request) =>
      service === 's3' && action === 'GetObject' && /marks-/.test(JSON.stringify(request))
        ? { error: { name: 'AccessDenied', status: 403 } }
        : undefined,
  })
  const { id, status, errors } = await play(stage, await create(stage))
  expect([status, errors[0]!.type]).toEqual(['FAILED', 'internal'])
  await nothingKept(stage, id)
})

test('what a late worker writes of the values of a job goes when the job has ended', {
  timeout: 600_000,
}, async context => {
  const stage = stageOf(context)
  const { id, Assets } = await play(stage, await create(stage))
  const cancelled = await create(stage)
  await start(stage.client, cancelled)
  await cancel(stage.client, cancelled)
  for (const ended of [id, cancelled]) await nothingKept(stage, ended)
  const { cloud } = stage
  const s3 = new S3Client({ ...local, endpoint: cloud.endpoints.s3, forcePathStyle: true })
  const sqs = new SQSClient({ ...local, endpoint: cloud.endpoints.sqs })
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}))
  const QueueUrl = QueueUrls.find(url => /Work(?!.*Dead)/.test(url))!
  const assetId = Assets[0]!.id
  for (const [name, message] of [
    ['value-filter', { type: 'UNITE', jobId: id }],
    ['value-filter', { type: 'UNITE', jobId: cancelled }],
    [`marks-${assetId}-0`, { type: 'ANONYMISE', jobId: id, assetId }],
  ] as const) {
    const Key = `${message.jobId}/${name}`
    await s3.send(new PutObjectCommand({ Bucket: await resultsBucket(s3), Key, Body: 'values' }))
    const MessageBody = JSON.stringify(message)
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'owner' }))
    await nothingKept(stage, message.jobId)
  }
  s3.destroy()
  sqs.destroy()
})
