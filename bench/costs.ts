// Counts what operations ask of AWS, on the local cloud, and what a million of each would cost: npm run bench:costs
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from 'aws-emulators'
import { startLocalCloud } from '../local/cloud.ts'
import { createClient } from '../shared/api/client.ts'
import { price } from '../shared/jobs/estimate/prices.ts'
import { listIndexes, tables } from '../shared/settings.ts'

/** Milliseconds that a warm call is charged for, and the memory of functions in GB: assumed, as no account was at hand. */
const assumed = { milliseconds: 25, gigabytes: 0.5 }

type Use = {
  calls: number
  reads: number
  writes: number
  sqs: number
  s3Put: number
  s3Get: number
  kms: number
  signatures: number
}
const nothing = (): Use => ({ calls: 0, reads: 0, writes: 0, sqs: 0, s3Put: 0, s3Get: 0, kms: 0, signatures: 0 })
let use = nothing()

type Request = Readonly<Record<string, unknown>>
type Keyed = Record<string, { TableName?: string; Keys?: unknown[]; ConsistentRead?: boolean }>

/** Writes reach the indexes of a table too. */
function copiesOf(table: unknown): number {
  const entry = Object.entries(tables).find(([name]) => String(table).toLowerCase() === `table${name}`)
  return entry?.[1].list ? 1 + Object.keys(listIndexes).length : 1
}
const readUnits = (request: { ConsistentRead?: unknown }) => (request.ConsistentRead ? 1 : 0.5)

function count(service: Service, action: string, request: Request): undefined {
  if (service === 'sqs' && action !== 'ReceiveMessage') use.sqs++
  if (service === 'kms') use[action === 'Sign' ? 'signatures' : 'kms']++
  if (service === 's3') use[/^(Get|Head)/.test(action) ? 's3Get' : 's3Put']++
  if (service !== 'dynamodb') return
  // Records here are below 1 KB to write and 4 KB to read: one unit each, two where they are written together.
  if (action === 'GetItem' || action === 'Query') use.reads += readUnits(request)
  if (action === 'BatchGetItem') {
    for (const batch of Object.values(request.RequestItems as Keyed)) use.reads += batch.Keys!.length * readUnits(batch)
  }
  if (/^(Put|Update|Delete)Item$/.test(action)) use.writes += copiesOf(request.TableName)
  if (action === 'TransactWriteItems') {
    for (const item of request.TransactItems as Keyed[]) {
      for (const write of Object.values(item)) use.writes += 2 * copiesOf(write.TableName)
    }
  }
}

const directory = mkdtempSync(join(tmpdir(), 'costs-'))
const login = { email: 'bench@example.org', password: 'a password for the bench' }
const environment = { RATE_LIMIT_PER_USER: '1000000', RATE_LIMIT_PER_ADDRESS: '1000000' }
const cloud = await startLocalCloud({ directory, administrator: login, environment, faults: count })
const counting: typeof fetch = (...request) => {
  use.calls++
  return fetch(...request)
}
const anyone = createClient({ baseUrl: cloud.baseUrl, fetch: counting })

async function row(name: string, operation: () => Promise<unknown>, times = 5) {
  await operation()
  use = nothing()
  for (let n = 0; n < times; n++) await operation()
  const each = Object.fromEntries(Object.entries(use).map(([key, value]) => [key, value / times])) as Use
  const functions = price.invocation + assumed.milliseconds * assumed.gigabytes * (price.gbSecond / 1000)
  const dollars =
    each.calls * (price.gateway + functions) +
    each.reads * price.read +
    each.writes * price.write +
    each.sqs * price.sqs +
    each.s3Put * price.s3Put +
    each.s3Get * price.s3Get +
    each.kms * price.kms +
    each.signatures * price.signature
  const figures = [each.calls, each.reads, each.writes, each.sqs, each.s3Put, each.s3Get, each.kms, each.signatures]
  console.log(
    `| ${name} | ${figures.map(figure => figure.toFixed(1).replace('.0', '')).join(' | ')} | ${dollars.toFixed(2)} |`,
  )
}

try {
  const { access_token: token } = await anyone.auth.login({ body: login })
  const client = createClient({ baseUrl: cloud.baseUrl, token, fetch: counting })
  const config = { regexRuleConfig: { pattern: '[0-9]+' } }
  const rule = await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: '#' } }]
  const workflow = await client.workflows.create({
    body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules } },
  })
  console.log(
    '| a million times | calls | reads | writes | SQS | S3 writes | S3 reads | KMS | signatures | US$ |\n|---|---|---|---|---|---|---|---|---|---|',
  )
  await row('`GET /auth/me`', () => client.auth.me())
  await row('`GET /rules/{rule_id}`', () => client.rules.get({ rule_id: rule.id }))
  await row('`POST /rules/`', () => client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } }))
  await row('`POST /rules/list`', () => client.rules.list({ body: { limit: 10 } }))
  await row('`POST /auth/login`', () => anyone.auth.login({ body: login }))
  await row('a job of one text file, upload to result', async () => {
    const job = await client.jobs.upload({ body: { name: 'Letters' }, files: [{ name: 'a.txt', content: 'Call 112' }] })
    await client.jobs.update({ job_id: job.id, body: { workflowId: workflow.id } })
    await client.jobs.execute({ job_id: job.id })
    // Long enough for the job, so that asking how it is weighs what it should: once.
    await new Promise(resolve => setTimeout(resolve, 8000))
    const { status } = await client.jobs.status({ job_id: job.id })
    if (status !== 'SUCCEEDED') throw new Error(`The job is ${status}`)
    await client.jobs.get({ job_id: job.id })
  })
} finally {
  await cloud.close()
  rmSync(directory, { recursive: true, force: true })
}
