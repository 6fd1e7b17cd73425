// npm run bench:scaling: counts every request that a job on one large table makes in the local cloud, by service, and
// from two sizes what it costs however large the table and however many the workers.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Access } from 'aws-emulators'
import { startLocalCloud } from '../local/cloud.ts'
import { logIn } from '../shared/api/client.ts'
import { price } from '../shared/jobs/estimate/prices.ts'

/** Chunks of which parts of an upload can be made even after a replacement has shortened them. */
const CHUNK_BYTES = 6 * 1024 ** 2
const SIZES = [3, 9]
const PIPELINE = ['pipeline-planner', 'pipeline-worker']

/** Memory of a worker, GB, and the throughput of one (CSV, 4 rules, verified), MB/s: `npm run bench:tables`. */
const WORKER_GB = 3538 / 1024
const MEGABYTES_PER_SECOND = Number(process.argv[2] ?? 40)
/** Seconds that a worker spends on a chunk besides: reading and writing S3 at 90 MB/s each, starting a thread. */
const overhead = (megabytes: number) => (2 * megabytes) / 90 + 0.3

type Counts = Map<string, number>

async function count(chunks: number): Promise<{ counts: Counts; chunks: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'scaling-'))
  const counts: Counts = new Map()
  const onAccess = (name: string, { service, action }: Access) => {
    if (PIPELINE.includes(name)) counts.set(`${service} ${action}`, (counts.get(`${service} ${action}`) ?? 0) + 1)
  }
  const environment = { FAN_OUT_BYTES: '1', CHUNK_BYTES: String(CHUNK_BYTES), RATE_LIMIT_PER_USER: '1000000' }
  const cloud = await startLocalCloud({ directory, environment, onAccess })
  try {
    const client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
    const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
    const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
    const rules = [{ ruleId: rule.id, replacement: { text: '[EMAIL]' } }]
    const body = { name: 'People', supportedAssetType: 'TABLE' as const, config: { rules } }
    const workflow = await client.workflows.create({ body })
    const line = '1234567,Some Person Or Other,person@example.org,a note that makes the line longer than it need be\n'
    const content = `id,name,mail,note\n${line.repeat(Math.floor(((chunks - 0.5) * CHUNK_BYTES) / line.length))}`
    const files = [{ filename: 'people.csv', size: content.length, contentType: 'text/csv' }]
    const { id, Assets } = await client.jobs.uploads({ body: { name: 'People', files } })
    const ticket = Assets[0]!.upload as { url: string; headers: Record<string, string> }
    await fetch(ticket.url, { method: 'PUT', body: content, headers: ticket.headers })
    await client.jobs.update({ job_id: id, body: { workflowId: workflow.id } })
    await client.jobs.execute({ job_id: id })
    for (;;) {
      const { status } = await client.jobs.status({ job_id: id })
      if (status === 'SUCCEEDED') break
      if (status !== 'IN_PROGRESS') throw new Error(`The job is ${status}`)
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    // A worker looks once a second whether its job still runs; how long it takes here is not what it takes there.
    const looks = (await readFile(cloud.logFile, 'utf8'))
      .split('\n')
      .filter(logged => logged.includes('"message done"') && /"type":"(?:CHUNK|ANONYMISE)"/.test(logged))
      .reduce((sum, logged) => sum + Math.floor(Number(/"milliseconds":(\d+)/.exec(logged)?.[1] ?? 0) / 1000), 0)
    counts.set('dynamodb GetItem', counts.get('dynamodb GetItem')! - looks)
  } finally {
    await cloud.close()
    await rm(directory, { recursive: true, force: true })
  }
  // Every message that was sent is received and deleted once; how often a queue is asked in vain is not of the job.
  const messages = chunks + 2
  for (const action of ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'])
    counts.delete(`sqs ${action}`)
  counts.set('sqs ReceiveMessage', messages)
  counts.set('sqs DeleteMessage', messages)
  counts.set('lambda Invoke', messages)
  return { counts, chunks }
}

const runs = []
for (const chunks of SIZES) runs.push(await count(chunks))
const [small, large] = runs as [(typeof runs)[0], (typeof runs)[0]]
const actions = [...new Set([...small.counts.keys(), ...large.counts.keys()])].sort()
const lines = actions.map(action => {
  const [few, many] = [small.counts.get(action) ?? 0, large.counts.get(action) ?? 0]
  const each = (many - few) / (large.chunks - small.chunks)
  return { action, few, many, each, once: few - each * small.chunks }
})
console.log(
  `| request | ${small.chunks} chunks | ${large.chunks} chunks | each chunk | each job |\n|---|---|---|---|---|`,
)
for (const { action, few, many, each, once } of lines)
  console.log(`| ${action} | ${few} | ${many} | ${each.toFixed(2)} | ${once.toFixed(1)} |`)

/** US dollars of a request: DynamoDB by units (a row of a transaction takes two), the others by the request. */
function priceOf(action: string): number {
  const [service, name = ''] = action.split(' ')
  const million = () => {
    if (service === 'lambda') return price.invocation
    if (service === 'sqs') return price.sqs
    if (service === 'kms') return name === 'Sign' ? price.signature : price.kms
    if (service === 's3')
      return /^(Put|Upload|Create|Complete|List|Delete|Abort)/.test(name) ? price.s3Put : price.s3Get
    return /^(Put|Update|Delete|BatchWrite|Transact|ConditionCheck)/.test(name) ? 2 * price.write : price.read
  }
  return million() / 1e6
}
const megabytes = 64
const seconds = (megabytes * 1.048576) / MEGABYTES_PER_SECOND + overhead(megabytes)
const perChunk = lines.reduce((sum, { action, each }) => sum + each * priceOf(action), 0) + (seconds * price.read) / 1e6
const perJob = lines.reduce((sum, { action, once }) => sum + once * priceOf(action), 0)

console.log(
  '\n| table | workers | chunks of 64 MiB | requests | requests, USD | Lambda, s | Lambda, USD | USD per GB | time |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
for (const [gigabytes, workers] of [
  [1, 1],
  [1, 2],
  [1, 16],
  [10, 20],
  [50, 100],
  [50, 800],
  [500, 1000],
] as const) {
  const chunks = Math.ceil((gigabytes * 1024) / megabytes)
  const requests = lines.reduce((sum, { each, once }) => sum + each * chunks + once, chunks * seconds)
  const paid = perJob + perChunk * chunks
  const lambda = chunks * seconds
  const compute = (lambda * WORKER_GB * price.gbSecond) / 1e6
  const time = Math.ceil(chunks / workers) * seconds
  const cells = [
    `${gigabytes} GiB`,
    workers,
    chunks,
    Math.round(requests),
    paid.toFixed(4),
    Math.round(lambda),
    compute.toFixed(4),
    ((paid + compute) / gigabytes).toFixed(5),
    time < 120 ? `${time.toFixed(0)} s` : `${(time / 60).toFixed(1)} min`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
