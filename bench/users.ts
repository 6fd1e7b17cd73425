import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type Client, createClient } from '../shared/api/client.ts'
import { startService } from './service.ts'

/** Users at the same time, and for how long they work, seconds. */
const USERS = Number(process.env.USERS ?? 100)
const SECONDS = Number(process.env.SECONDS ?? 60)

const directory = mkdtempSync(join(tmpdir(), 'bench-users-'))
const service = await startService(directory)
const { baseUrl } = service

/** Something that took so many milliseconds, and when it ended. */
type Taken = { ended: number; took: number }

/** Every call by its route, every job from `execute` to its end, every flow, and what went wrong. */
const times = new Map<string, Taken[]>()
const [jobs, flows]: [Taken[], Taken[]] = [[], []]
const faults: string[] = []

const takenSince = (began: number): Taken => ({ ended: performance.now(), took: performance.now() - began })

const timed: typeof fetch = async (url, init) => {
  const began = performance.now()
  const response = await fetch(url, init)
  const path = new URL(String(url)).pathname
    .replace(/^\/api/, '')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}')
  const route = `${init?.method ?? 'GET'} ${path}`
  const known = times.get(route) ?? []
  known.push(takenSince(began))
  times.set(route, known)
  return response
}

/** What a user did that must be found again at the end. */
type Ledger = { client: Client; rules: Set<string>; jobs: Set<string> }

async function begin(): Promise<Ledger> {
  const anyone = createClient({ baseUrl, fetch: timed })
  const credentials = { email: `${randomUUID()}@example.org`, password: 'correct horse battery' }
  await anyone.auth.register({ body: { name: 'Ada', ...credentials } })
  const { access_token: token } = await anyone.auth.login({ body: credentials })
  return { client: createClient({ baseUrl, token, fetch: timed }), rules: new Set(), jobs: new Set() }
}

/** One round of the mixed flow: make a rule and a workflow, anonymise a file with them, look around, clear a little. */
async function round({ client, rules, jobs: made }: Ledger): Promise<void> {
  const secret = randomUUID()
  const config = { regexRuleConfig: { pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}' } }
  const rule = await client.rules.create({ body: { name: 'Ids', type: 'REGEX', config }, idempotencyKey: randomUUID() })
  rules.add(rule.id)
  const entries = [{ ruleId: rule.id, replacement: { text: '[ID]' } }]
  const workflow = await client.workflows.create({
    body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules: entries } },
  })
  const job = await client.jobs.upload({
    body: { name: 'Letter' },
    files: [{ name: 'a.txt', content: `Dear ${secret},` }],
  })
  made.add(job.id)
  await client.jobs.update({ job_id: job.id, body: { workflowId: workflow.id } })
  const executed = performance.now()
  await client.jobs.execute({ job_id: job.id })
  await Promise.all([client.rules.list(), client.jobs.list({ body: { limit: 10 } })])
  for (;;) {
    const { status } = await client.jobs.status({ job_id: job.id })
    if (status !== 'IN_PROGRESS') {
      jobs.push(takenSince(executed))
      break
    }
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  const { result } = await client.jobs.get({ job_id: job.id })
  const [asset] = result?.assets ?? []
  const text = asset?.url ? await (await fetch(asset.url)).text() : undefined
  if (text !== 'Dear [ID],') faults.push(`job ${job.id} gave ${text === undefined ? 'nothing' : 'another text'}`)
  await client.workflows.delete({ workflow_id: workflow.id })
  await client.rules.delete({ rule_id: rule.id })
  rules.delete(rule.id)
}

/** Whether the service holds exactly what the ledger says. */
async function audit({ client, rules, jobs: made }: Ledger): Promise<void> {
  const [foundRules, foundJobs] = await Promise.all([
    client.rules.list({ query: { limit: 1000 } }),
    client.jobs.list({ query: { limit: 1000 } }),
  ])
  const same = (found: { id: string }[], kept: Set<string>) =>
    found.length === kept.size && found.every(({ id }) => kept.has(id))
  if (!same(foundRules, rules)) faults.push(`${rules.size} rules were kept, ${foundRules.length} are there`)
  if (!same(foundJobs, made)) faults.push(`${made.size} jobs were made, ${foundJobs.length} are there`)
}

async function work(ledger: Ledger, until: number): Promise<void> {
  while (performance.now() < until) {
    const began = performance.now()
    try {
      await round(ledger)
      flows.push(takenSince(began))
    } catch (error) {
      faults.push(error instanceof ApiError ? error.message : String(error))
    }
  }
}

/** Processor time of the service and of its users, ms. */
function cpu() {
  const { user, system } = process.cpuUsage()
  return { service: service.cpu(), users: (user + system) / 1000 }
}

/** What was measured at some time: calls and processor time so far. */
const snapshot = () => ({
  time: performance.now(),
  calls: times.values().reduce((sum, all) => sum + all.length, 0),
  cpu: cpu(),
})

const ledgers = await Promise.all(Array.from({ length: USERS }, begin))
times.clear()
const first = snapshot()
const middle = new Promise<typeof first>(resolve => setTimeout(() => resolve(snapshot()), SECONDS * 500))
await Promise.all(ledgers.map(ledger => work(ledger, first.time + SECONDS * 1000)))
const last = snapshot()
// What was written last may reach the lists a moment later.
await new Promise(resolve => setTimeout(resolve, 1000))
for (const ledger of ledgers) await audit(ledger)

/** The milliseconds within which a share of all was done. */
function at(all: readonly Taken[], share: number): number {
  const sorted = all.map(({ took }) => took).toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** Calls a second, processor time by flow, and how long a status and a job took, between two times. */
function pace(name: string, from: typeof first, to: typeof first): string {
  const between = (all: readonly Taken[]) => all.filter(({ ended }) => ended > from.time && ended <= to.time)
  const seconds = (to.time - from.time) / 1000
  const done = between(flows).length
  const spent = (['service', 'users'] as const).map(who => ((to.cpu[who] - from.cpu[who]) / done).toFixed(0))
  const quantiles = [times.get('GET /jobs/{id}/status') ?? [], jobs].flatMap(all =>
    [0.5, 0.95].map(share => at(between(all), share)),
  )
  const cells = [name, seconds.toFixed(0), done, ((to.calls - from.calls) / seconds).toFixed(1), ...spent, ...quantiles]
  return `| ${cells.join(' | ')} |`
}

console.log(`${USERS} users, ${cpus().length} cores, Node.js ${process.version}, ${faults.length} faults\n`)
console.log('| | seconds | flows | calls a second | CPU a flow: service | users | status p50 | p95 | job p50 | p95 |')
console.log('|---|---|---|---|---|---|---|---|---|---|')
console.log(pace('first half', first, await middle))
console.log(`${pace('second half', await middle, last)}\n`)
console.log('| call | times | p50 ms | p95 ms | max ms |\n|---|---|---|---|---|')
const routes = [...times].sort(([a], [b]) => (a < b ? -1 : 1)).map(([route, all]) => [`\`${route}\``, all] as const)
for (const [what, all] of [...routes, ['a job, `execute` to its end', jobs] as const])
  console.log(`| ${what} | ${all.length} | ${at(all, 0.5)} | ${at(all, 0.95)} | ${at(all, 1)} |`)
for (const fault of [...new Set(faults)].slice(0, 20)) console.log(`FAULT ${fault}`)
await service.stop()
rmSync(directory, { recursive: true, force: true })
process.exitCode = faults.length > 0 ? 1 : 0
