// npm run bench:review-tables [-- MB,MB,...]: jobs of tables of growing size under review, over HTTP on the local service, in which
// nearly every row has values of its own. Tells the most memory that the service ever held, and what its answers came to.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startLocalCloud } from '../local/cloud.ts'
import { type Client, logIn } from '../shared/api/client.ts'
import { peakMegabytes } from './peak.ts'

type Login = { baseUrl: string; email: string; password: string }

/** A row: an address and a number that no other row has, and a note of few values. */
const rowOf = (n: number) =>
  `${n},Person ${n % 5000},user${n}@mail${n % 97}.example.org,+49 30 ${String(1e8 + n)},note of the usual kind ${n % 11}\n`

async function makeTable(path: string, megabytes: number): Promise<number> {
  let rows = 0
  async function* pieces() {
    yield 'id,name,mail,phone,note\n'
    for (let size = 0; size < megabytes * 1e6; ) {
      let piece = ''
      while (piece.length < 1 << 20) piece += rowOf(rows++)
      size += piece.length
      yield piece
    }
  }
  await pipeline(pieces, createWriteStream(path))
  return rows
}

async function workflowOf(client: Client): Promise<string> {
  const rules = []
  for (const [name, pattern] of Object.entries({
    MAIL: '[\\w.]+@[\\w.]+\\w',
    PHONE: '\\+49 30 \\d{9}',
    PERSON: 'Person \\d+',
  })) {
    const config = { regexRuleConfig: { pattern } }
    const { id: ruleId } = await client.rules.create({ body: { name, type: 'REGEX', config } })
    rules.push({ ruleId, replacement: { text: `[${name}]` } })
  }
  const body = { name: 'Table', supportedAssetType: 'TABLE' as const, config: { rules } }
  return (await client.workflows.create({ body })).id
}

type Job = Awaited<ReturnType<Client['jobs']['get']>>

async function until(client: Client, job_id: string, isSo: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await client.jobs.get({ job_id })
    if (isSo(job)) return job
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

/** Uploads a table and executes it under review; answers the job once it waits. */
async function propose(client: Client, path: string, workflowId: string): Promise<Job> {
  const { size } = await stat(path)
  const files = [{ filename: 'table.csv', size, contentType: 'text/csv' }]
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'Large', files } })
  const ticket = Assets[0]!.upload as { url: string; headers: Record<string, string> }
  const headers = { ...ticket.headers, 'content-length': String(size) }
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  const sent = await fetch(ticket.url, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
  if (!sent.ok) throw new Error(`The upload answered ${sent.status}`)
  await client.jobs.update({ job_id: id, body: { workflowId, review: {} } })
  await client.jobs.execute({ job_id: id })
  const job = await until(client, id, ({ status, review }) => status !== 'IN_PROGRESS' || review?.state === 'waiting')
  if (job.status !== 'IN_PROGRESS') throw new Error(`The job is ${job.status}: ${JSON.stringify(job.errors)}`)
  return job
}

/** Reads all proposals: how many values there are, how many answers, all of them and the largest in kilobytes, the slowest in milliseconds. */
async function readAll(client: Client, job_id: string) {
  const told = { values: 0, answers: 0, kilobytes: 0, largest: 0, milliseconds: 0 }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const began = performance.now()
    const page = await client.jobs.proposals({ job_id, query: cursor ? { cursor } : {} })
    told.milliseconds = Math.max(told.milliseconds, performance.now() - began)
    const kilobytes = JSON.stringify(page).length / 1000
    told.kilobytes += kilobytes
    told.largest = Math.max(told.largest, kilobytes)
    told.values += page.values.length
    told.answers++
    cursor = page.cursor
  }
  return told
}

/** Keeps all people, a decision for a column, and one address; answers how many of each the output still has. */
async function release(client: Client, job_id: string) {
  const decisions = [
    { action: 'reject' as const, filter: { label: 'PERSON' } },
    { action: 'reject' as const, value: 'user7@mail7.example.org' },
  ]
  const { review } = await client.jobs.decide({ job_id, body: { decisions } })
  await client.jobs.release({ job_id, body: { version: review.version } })
  const job = await until(client, job_id, ({ status }) => status !== 'IN_PROGRESS')
  if (job.status !== 'SUCCEEDED') throw new Error(`The job is ${job.status}: ${JSON.stringify(job.errors)}`)
  const { body } = await fetch(job.result!.assets[0]!.url!)
  const kept = { people: 0, addresses: 0, phones: 0 }
  for await (const line of createInterface({ input: Readable.fromWeb(body as never) })) {
    if (line.includes(',Person ')) kept.people++
    if (line.includes('@')) kept.addresses++
    if (line.includes(',+49')) kept.phones++
  }
  return kept
}

async function measure(megabytes: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'review-tables-'))
  const child = fork(import.meta.filename, [directory])
  try {
    const [login] = (await once(child, 'message')) as [Login]
    const path = join(directory, 'table.csv')
    const rows = await makeTable(path, megabytes)
    const client = await logIn(login)
    const began = performance.now()
    const job = await propose(client, path, await workflowOf(client))
    const seconds = (performance.now() - began) / 1000
    await rm(path)
    const told = await readAll(client, job.id)
    const kept = await release(client, job.id)
    const all = (performance.now() - began) / 1000
    child.send('peak')
    const [peak] = (await once(child, 'message')) as [number]
    const answers = [told.values, told.answers, told.kilobytes, told.largest, told.milliseconds]
    const figures = [megabytes, rows, seconds, all, peak, ...answers]
    console.log(`| ${figures.map(figure => figure.toFixed(0)).join(' | ')} |`)
    if (kept.people !== rows || kept.addresses !== 1 || kept.phones !== 0)
      throw new Error(`The output is not what was decided: ${JSON.stringify(kept)} of ${rows} rows`)
  } finally {
    child.disconnect()
    await once(child, 'exit')
    await rm(directory, { recursive: true, force: true })
  }
}

if (process.send) {
  const cloud = await startLocalCloud({
    directory: join(process.argv[2]!, 'cloud'),
    environment: { RATE_LIMIT_PER_USER: '1000000' },
  })
  process.once('disconnect', async () => {
    await cloud.close()
    process.exit(0)
  })
  process.on('message', () => process.send!(peakMegabytes()))
  process.send({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
} else {
  console.log(
    '| MB | rows | s until it waits | s until the result | peak memory, MB | values told | answers | all, KB | largest, KB | slowest, ms |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const megabytes of (process.argv[2] ?? '250,1000,4000').split(',').map(Number)) await measure(megabytes)
}
