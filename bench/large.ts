// npm run bench:large [MB,MB,...]: one pass over tables of growing size, each in a process of its own that works as the
// service's workers do, in a thread, and whose peak memory is told; then the job of the largest one up to 1 GB over HTTP, through the pre-signed upload, in chunks: the same bytes.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startLocalCloud } from '../local/cloud.ts'
import { type Client, logIn } from '../shared/api/client.ts'
import { fileInput } from '../shared/engine/input.ts'
import { anonymiseIsolated } from '../shared/jobs/worker/worker-host.ts'
import { peakMegabytes } from './peak.ts'
import { patterns, requireGenerator, scratch, workload } from './workload.ts'

const NAMES = ['EMAIL', 'PHONE_US', 'CREDIT_CARD', 'DATE_ISO']

/** What one pass came to. */
type Pass = { sha256: string; findings: number; peakMegabytes: number; seconds: number; cpuSeconds: number }

async function digest(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of stream) hash.update(piece)
  return hash.digest('hex')
}

/** Heap that the service gives the thread of an asset, MiB. */
const HEAP_MIB = 1536

/** Anonymises a table in a thread of this process, as a worker of the service does. */
async function onePass(path: string): Promise<Pass> {
  const secret = Buffer.alloc(32, 1)
  const all = patterns()
  const rules = NAMES.map(name => ({
    ruleId: name,
    name,
    detection: { type: 'REGEX' as const, pattern: all.get(name)! },
    replacement: { text: `[${name}]` },
  }))
  const directory = await mkdtemp(join(tmpdir(), 'large-'))
  const begun = performance.now()
  const { findings, path: made } = await anonymiseIsolated(
    {
      path,
      name: 'table.csv',
      plan: { rules, assetType: 'TABLE' },
      secrets: { hash: secret, pseudonym: secret },
      models: '',
      directory,
    },
    {
      milliseconds: 3_600_000,
      heapMiB: HEAP_MIB,
      signal: new AbortController().signal,
      number: async keys => keys.map((_, index) => index + 1),
    },
  )
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage()
  const peak = peakMegabytes()
  const sha256 = await digest(createReadStream(made!))
  await rm(directory, { recursive: true })
  const count = findings.reduce((sum, finding) => sum + finding.count, 0)
  return { sha256, findings: count, peakMegabytes: peak, seconds, cpuSeconds: (user + system) / 1e6 }
}

/** What the generator makes quickly, megabytes. */
const ONCE = 100

/** A table of about so many megabytes; a larger one is that of the generator again and again, under one header. */
async function tableOf(megabytes: number): Promise<string> {
  if (megabytes <= ONCE) return workload(`table${megabytes}.csv`, 'csv', '--mb', String(megabytes))
  const path = scratch(`repeated${megabytes}.csv`)
  if (existsSync(path)) return path
  const one = await tableOf(ONCE)
  const [header] = Buffer.from(await (await fileInput(one)).read(0, 65_536))
    .toString()
    .split('\n')
  const begin = Buffer.byteLength(`${header}\n`)
  await pipeline(createReadStream(one), createWriteStream(path))
  for (let n = 1; n < megabytes / ONCE; n++) {
    await pipeline(createReadStream(one, { start: begin }), createWriteStream(path, { flags: 'a' }))
  }
  return path
}

async function workflowOf(client: Client): Promise<string> {
  const all = patterns()
  const rules = []
  for (const name of NAMES) {
    const config = { regexRuleConfig: { pattern: all.get(name)! } }
    const { id: ruleId } = await client.rules.create({ body: { name, type: 'REGEX', config } })
    rules.push({ ruleId, replacement: { text: `[${name}]` } })
  }
  const body = { name: 'Table', supportedAssetType: 'TABLE' as const, config: { rules } }
  return (await client.workflows.create({ body })).id
}

/** Sends a table through the service as a client does; answers the digest of what comes back. */
async function overHttp(path: string): Promise<{ sha256: string; findings: number; seconds: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'large-'))
  const cloud = await startLocalCloud({ directory, environment: { RATE_LIMIT_PER_USER: '1000000' } })
  try {
    const client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
    const workflowId = await workflowOf(client)
    const { size } = await stat(path)
    const begun = performance.now()
    const files = [{ filename: 'table.csv', size, contentType: 'text/csv' }]
    const { id, Assets } = await client.jobs.uploads({ body: { name: 'Large', files } })
    const ticket = Assets[0]!.upload as { url: string; headers: Record<string, string> }
    const headers = { ...ticket.headers, 'content-length': String(size) }
    const body = Readable.toWeb(createReadStream(path)) as ReadableStream
    const sent = await fetch(ticket.url, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
    if (!sent.ok) throw new Error(`The upload answered ${sent.status}`)
    await client.jobs.update({ job_id: id, body: { workflowId } })
    await client.jobs.execute({ job_id: id })
    for (;;) {
      const { status } = await client.jobs.status({ job_id: id })
      if (status !== 'IN_PROGRESS') break
      await new Promise(resolve => setTimeout(resolve, 500))
    }
    const { status, errors, result } = await client.jobs.get({ job_id: id })
    if (status !== 'SUCCEEDED') throw new Error(`The job is ${status}: ${JSON.stringify(errors)}`)
    const seconds = (performance.now() - begun) / 1000
    const { body: made } = await fetch(result!.assets[0]!.url!)
    return { sha256: await digest(made!), findings: result!.counts.findings, seconds }
  } finally {
    await cloud.close()
    await rm(directory, { recursive: true, force: true })
  }
}

if (process.send) {
  process.send(await onePass(process.argv[2]!))
  process.disconnect()
} else {
  requireGenerator()
  const sizes = (process.argv[2] ?? '100,500,1024,2048').split(',').map(Number)
  const passes = new Map<number, Pass>()
  console.log(
    '| one pass, MB | MB/s of CPU time | by the clock | peak memory, MB | values replaced |\n|---|---|---|---|---|',
  )
  for (const megabytes of sizes) {
    const path = await tableOf(megabytes)
    const child = fork(import.meta.filename, [path])
    const pass = await new Promise<Pass>((resolve, reject) => {
      child.once('message', message => resolve(message as Pass))
      child.once('exit', code => reject(new Error(`The pass ended with ${code}`)))
    })
    passes.set(megabytes, pass)
    const rate = (seconds: number) => (size / 1e6 / seconds).toFixed(1)
    const { size } = await stat(path)
    console.log(
      `| ${megabytes} | ${rate(pass.cpuSeconds)} | ${rate(pass.seconds)} | ${pass.peakMegabytes.toFixed(0)} | ${pass.findings} |`,
    )
  }
  const largest = Math.max(...sizes.filter(megabytes => megabytes <= 1024))
  if (largest > 0) {
    const { sha256, findings, seconds } = await overHttp(await tableOf(largest))
    const same = sha256 === passes.get(largest)!.sha256 && findings === passes.get(largest)!.findings
    console.log(
      `over HTTP, ${largest} MB in chunks: ${seconds.toFixed(0)} s from upload to result, ${findings} replaced`,
    )
    console.log(same ? `the same bytes as one pass: SHA-256 ${sha256}` : 'NOT the bytes of one pass')
    process.exitCode = same ? 0 : 1
  }
}
