import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type Client, createClient, logIn } from '../shared/api/client.ts'
import type { Job } from '../shared/api/job.ts'

// node bench/load.ts [JOBS] [SOAK_SECONDS]: a thousand jobs of one user and a single one of another, then a long steady load.
const JOBS = Number(process.argv[2] ?? 1000)
const SOAK_SECONDS = Number(process.argv[3] ?? 600)
/** Jobs of the first user that may run or wait at once: some of the thousand must be refused, and come again. */
const SHARE = Math.max(Math.ceil(JOBS * 0.9), 10)
const HANDS = 10
const SAMPLE_MS = 10_000

const directory = mkdtempSync(join(tmpdir(), 'bench-load-'))
const password = randomUUID()
const server = spawn(process.execPath, [join(import.meta.dirname, '../local/start.ts')], {
  env: {
    ...process.env,
    PORT: '0',
    LOCAL_DATA_DIR: directory,
    LOCAL_ADMIN_PASSWORD: password,
    RATE_LIMIT_PER_USER: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    RUNNING_JOBS_PER_USER: String(SHARE),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const baseUrl = await new Promise<string>((resolve, reject) => {
  let printed = ''
  server.stdout.on('data', piece => {
    printed += piece
    const [, found] = /Base URL\s+(\S+)/.exec(printed) ?? []
    if (found) resolve(found)
  })
  server.on('exit', () => reject(new Error('The service has ended')))
})
const administrator = await logIn({ baseUrl, email: 'admin@example.org', password })

/** A user with a workflow that replaces numbers. */
type User = { client: Client; workflowId: string }

async function user(): Promise<User> {
  const credentials = { email: `${randomUUID()}@example.org`, password: randomUUID() }
  await createClient({ baseUrl }).auth.register({ body: { name: 'Ada', ...credentials } })
  const client = await logIn({ baseUrl, ...credentials })
  const config = { regexRuleConfig: { pattern: '[0-9]{4,}' } }
  const { id: ruleId } = await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
  const rules = [{ ruleId, replacement: { text: '[N]' } }]
  const body = { name: 'Letters', supportedAssetType: 'DOCUMENT' as const, config: { rules } }
  return { client, workflowId: (await client.workflows.create({ body })).id }
}

async function prepare({ client, workflowId }: User): Promise<string> {
  const files = [{ name: 'letter.txt', content: 'Dear Grace, call 1234567.\n' }]
  const { id } = await client.jobs.upload({ body: { name: 'Letter' }, files })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  return id
}

let refused = 0

/** Executes a job; as long as the user has too many, waits as a client should, only shorter. */
async function execute({ client }: User, id: string): Promise<void> {
  for (;;) {
    try {
      return void (await client.jobs.execute({ job_id: id }))
    } catch (error) {
      if (!(error instanceof ApiError && error.has('too_many_running'))) throw error
      refused++
      await pause(1000)
    }
  }
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

async function ended({ client }: User, id: string, every: number): Promise<Job> {
  while ((await client.jobs.status({ job_id: id })).status === 'IN_PROGRESS') await pause(every)
  return client.jobs.get({ job_id: id })
}

/** Throws unless a job came out as it must. */
async function check({ id, status, result }: Job): Promise<void> {
  const text = await (await fetch(result?.assets[0]?.url ?? 'data:,')).text()
  if (status !== 'SUCCEEDED' || text !== 'Dear Grace, call [N].\n') throw new Error(`Job ${id} is ${status}, and wrong`)
}

const byHands = async <T>(items: Iterable<T>, act: (item: T) => Promise<void>) => {
  const left = items[Symbol.iterator]() as IteratorObject<T>
  const hand = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: HANDS }, hand))
}

/** Seconds from execution to a checked result. */
async function single(one: User): Promise<number> {
  const id = await prepare(one)
  const began = performance.now()
  await execute(one, id)
  await check(await ended(one, id, 50))
  return (performance.now() - began) / 1000
}

async function fairness(): Promise<void> {
  const [many, one] = [await user(), await user()]
  await single(one)
  const alone = await single(one)
  const ids: string[] = []
  await byHands(Array(JOBS).keys(), async () => void ids.push(await prepare(many)))
  const began = performance.now()
  let started = false
  const queued = byHands(ids, id => execute(many, id)).finally(() => {
    started = true
  })
  // The queue is about as long as it gets.
  while (!started && (await running(many)) < SHARE * 0.8) await pause(200)
  const beside = await single(one)
  const ahead = JOBS - (await running(many))
  await queued
  await byHands(ids, async id => check(await ended(many, id, 2000)))
  const all = (performance.now() - began) / 1000
  console.log(`\n| | |\n|---|---|
| the single job, nothing else going on | ${alone.toFixed(1)} s |
| the single job, behind ${JOBS} jobs of another user | ${beside.toFixed(1)} s |
| jobs of the other user that were done or not yet let in by then | ${ahead} of ${JOBS} |
| the ${JOBS} jobs, every output right | ${all.toFixed(0)} s |
| executions refused with 429 because ${SHARE} jobs of the user ran or waited, and repeated | ${refused} |`)
}

/** How many jobs of a user are IN_PROGRESS. */
async function running({ client }: User): Promise<number> {
  const { headers } = await client.jobs.list.full({ body: { filters: { status: 'IN_PROGRESS' }, limit: 1 } })
  return Number(headers.get('x-total-count'))
}

/** Memory, MiB, and open files of the service: of its process and all that it has started. */
function sample(): { rss: number; files: number } {
  const children = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`)
      .flatMap(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
      .flatMap(child => [Number(child), ...children(Number(child))])
  const processes = [server.pid!, ...children(server.pid!)]
  const rss = processes.map(
    pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
  )
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  return { rss: sum(rss), files: sum(processes.map(pid => readdirSync(`/proc/${pid}/fd`).length)) }
}

/** A steady load of the mixed flow, everything of it deleted again, while memory and open files are watched. */
async function soak(): Promise<void> {
  const users = await Promise.all(Array.from({ length: 4 }, user))
  const until = performance.now() + SOAK_SECONDS * 1000
  let rounds = 0
  const work = async (one: User) => {
    while (performance.now() < until) {
      const id = await prepare(one)
      await execute(one, id)
      await check(await ended(one, id, 100))
      await one.client.jobs.list({ body: { limit: 10 } })
      await one.client.jobs.delete({ job_id: id })
      rounds++
    }
  }
  const samples: ReturnType<typeof sample>[] = []
  const sampling = setInterval(() => samples.push(sample()), SAMPLE_MS)
  await Promise.all(users.map(work))
  clearInterval(sampling)
  const third = Math.floor(samples.length / 3)
  const median = (of: (one: (typeof samples)[number]) => number, part: typeof samples) =>
    part.map(of).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN
  const row = (name: string, of: (one: (typeof samples)[number]) => number) => {
    const [first, middle, last] = [samples.slice(0, third), samples.slice(third, -third), samples.slice(-third)].map(
      part => Math.round(median(of, part)),
    )
    return `| ${name} | ${first} | ${middle} | ${last} | ${Math.round(Math.max(...samples.map(of)))} |`
  }
  console.log(`\n${rounds} jobs in ${SOAK_SECONDS} s, ${samples.length} samples, medians of each third\n
| | first | middle | last | most |\n|---|---|---|---|---|
${row('memory, MiB', ({ rss }) => rss)}\n${row('open files', ({ files }) => files)}`)
}

console.log(`${cpus().length} cores, Node.js ${process.version}`)
try {
  await administrator.auth.me()
  if (JOBS > 0) await fairness()
  if (SOAK_SECONDS > 0) await soak()
} finally {
  server.removeAllListeners('exit')
  const gone = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
  rmSync(directory, { recursive: true, force: true })
}
