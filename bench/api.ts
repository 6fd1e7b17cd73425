import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, logIn } from '../shared/api/client.ts'
import { startService } from './service.ts'

/**
 * Times the interface on the local cloud: single operations one after the other and several at once, the whole flow of
 * a job, and the way from `npm start` to the first finished job; on Linux also the processor time that the service takes for a
 * call, without the client's. `npm run bench:api [CALLS]`
 */

const CALLS = Number(process.argv[2] ?? 200)
const AT_ONCE = 10

const login = { email: 'bench@example.org', password: 'a password for the bench' }

const quantile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

/** Calls an operation a number of times, so many at once, and prints how long the calls took. */
async function time(name: string, calls: number, atOnce: number, call: (n: number) => Promise<unknown>) {
  const before = service.cpu()
  const times: number[] = []
  const left = Array.from({ length: calls }, (_, n) => n).values()
  const began = performance.now()
  const worker = async () => {
    for (const n of left) {
      const start = performance.now()
      await call(n)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - began) / 1000
  const cpu = (service.cpu() - before) / calls
  times.sort((a, b) => a - b)
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)].map(ms => ms.toFixed(1).padStart(7))
  console.log(
    `| ${name.padEnd(28)} | ${String(atOnce).padStart(2)} | ${p50} | ${p95} | ${(calls / seconds).toFixed(0).padStart(6)} | ${cpu.toFixed(1).padStart(6)} |`,
  )
}

async function runJob(client: Client, workflowId: string, n: number): Promise<void> {
  const files = [{ name: `letter-${n}.txt`, content: `Write to person${n}@example.org.\n` }]
  const { id } = await client.jobs.upload({ body: { name: `Letter ${n}` }, files })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  for (;;) {
    const { status } = await client.jobs.status({ job_id: id })
    if (status === 'SUCCEEDED') break
    if (status !== 'IN_PROGRESS') throw new Error(`The job is ${status}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  const job = await client.jobs.get({ job_id: id })
  const text = await (await fetch(job.result!.assets[0]!.url!)).text()
  if (text !== 'Write to [EMAIL].\n') throw new Error('The output is wrong')
}

async function createWorkflow(client: Client): Promise<string> {
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: '[EMAIL]' } }]
  return (
    await client.workflows.create({ body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules } } })
  ).id
}

const directory = await mkdtemp(join(tmpdir(), 'bench-api-'))
const began = performance.now()
const service = await startService(directory, {
  LOCAL_ADMIN_EMAIL: login.email,
  LOCAL_ADMIN_PASSWORD: login.password,
})
try {
  const ready = performance.now()
  const client = await logIn({ baseUrl: service.baseUrl, ...login })
  const workflowId = await createWorkflow(client)
  await runJob(client, workflowId, 0)
  console.log(`npm start until ready          ${((ready - began) / 1000).toFixed(2)} s`)
  console.log(`npm start until a finished job ${((performance.now() - began) / 1000).toFixed(2)} s\n`)
  console.log(
    '| operation                    | at once | p50 ms | p95 ms | calls/s | CPU ms |\n|---|---|---|---|---|---|',
  )
  const config = { regexRuleConfig: { pattern: '\\d+' } }
  const rules: string[] = []
  for (const atOnce of [1, AT_ONCE]) {
    rules.length = 0
    await time('GET /', CALLS, atOnce, () => client.service.root())
    await time('GET /auth/me', CALLS, atOnce, () => client.auth.me())
    await time('POST /rules/', CALLS, atOnce, async n => {
      rules.push((await client.rules.create({ body: { name: `Rule ${n}`, type: 'REGEX', config } })).id)
    })
    await time('GET /rules/{rule_id}', CALLS, atOnce, n => client.rules.get({ rule_id: rules[n % rules.length]! }))
    await time('PUT /rules/{rule_id}', CALLS, atOnce, n =>
      client.rules.update({ rule_id: rules[n % rules.length]!, body: { name: `New ${n}` } }),
    )
    await time('POST /rules/list', CALLS, atOnce, () => client.rules.list({ body: { limit: 100 } }))
    await time('DELETE /rules/{rule_id}', CALLS, atOnce, n => client.rules.delete({ rule_id: rules[n]! }))
    await time('POST /auth/login', 30, atOnce, () => client.auth.login({ body: login }))
    await time('a job, upload to download', Math.ceil(CALLS / 5), atOnce, n => runJob(client, workflowId, n))
  }
} finally {
  await service.stop()
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
}
