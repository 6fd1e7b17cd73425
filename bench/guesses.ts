import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { startLocalCloud } from '../local/cloud.ts'
import { createClient, logIn } from '../shared/api/client.ts'
import { newKey } from '../shared/auth/account-keys.ts'
import { log } from '../shared/log.ts'
import { changeServiceAccount, createServiceAccount, withNewKey } from '../shared/store/service-accounts.ts'
import { startTables } from '../test/store/tables.ts'

/** Guesses of keys and of passwords, rounds of times that are compared, and how long each kind of guesses may last, seconds. */
const GUESSES = Number(process.env.GUESSES ?? 100_000)
const PASSWORDS = Number(process.env.PASSWORDS ?? 2000)
const ROUNDS = Number(process.env.ROUNDS ?? 2000)
const SECONDS = Number(process.env.SECONDS ?? 480)
/** Guesses on their way at the same time, and those that an account takes from one network. */
const AT_ONCE = 16
const ALLOWED = 10

const directory = mkdtempSync(join(tmpdir(), 'bench-guesses-'))
const administrator = { email: 'admin@example.org', password: 'correct horse battery' }
const limits = { RATE_LIMIT_PER_USER: '100000000', RATE_LIMIT_PER_ADDRESS: '100000000' }
const cloud = await startLocalCloud({ directory, administrator, environment: limits, report: console.error })
const { hostname, port } = new URL(cloud.baseUrl)

/** An agent that calls from one of the machine's own addresses, all of which Linux has below 127.0.0.0/8: a network. */
const networkOf = (n: number) =>
  new Agent({
    keepAlive: true,
    maxSockets: AT_ONCE,
    localAddress: `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`,
  } as object)

type Answer = { status: number; type?: string; milliseconds: number }

/** Sends a request and says how long the whole answer took. */
function send(agent: Agent, path: string, { key, body }: { key?: string; body?: object }): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request({ hostname, port, path: `/api${path}`, method: 'POST', headers, agent }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => {
        const milliseconds = performance.now() - began
        resolve({ status: response.statusCode!, type: JSON.parse(text).detail?.[0]?.type, milliseconds })
      })
    })
    sent.on('error', reject).end(JSON.stringify(body ?? {}))
  })
}

const ask = (agent: Agent, key: string) => send(agent, '/rules/list', { key })

const admin = await logIn({ baseUrl: cloud.baseUrl, ...administrator })

async function newAccount() {
  const body = { name: 'Guessed', role: 'user', permissions: ['rules:read'] }
  const { id: account_id } = await admin.serviceAccounts.create({ body })
  const { key } = await admin.serviceAccounts.createKey({ account_id })
  return { id: account_id, key }
}

/** Sends guesses, several at a time, until there are enough or time is up; counts the answers by status and type. */
async function guess(most: number, one: (n: number) => Promise<Answer>): Promise<Map<string, number>> {
  const answers = new Map<string, number>()
  const until = performance.now() + SECONDS * 1000
  let next = 0
  const work = async () => {
    while (next < most && performance.now() < until) {
      const { status, type } = await one(next++)
      const answer = `${status} ${type ?? ''}`.trim()
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${next} guesses in ${seconds.toFixed(0)} s: ${[...answers].map(([name, n]) => `${n} × ${name}`).join(', ')}`,
  )
  return answers
}

const faults: string[] = []
const must = (holds: boolean, what: string) => {
  if (!holds) faults.push(what)
}
const accepted = (answers: Map<string, number>) => answers.get('200') ?? 0

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Kinds of wrong keys of good form: what their answers take must tell nothing of the accounts that there are. */
async function compareTimes(): Promise<void> {
  const account = await newAccount()
  // No record has an id like this.
  const impossible = () => `${randomUUID().slice(0, 14)}0${randomUUID().slice(15, 19)}0${randomUUID().slice(20)}`
  const kinds = {
    'no such account': () => newKey(randomUUID()).key,
    'an account, another secret': () => newKey(account.id).key,
    'an id that no account can have, right check sum': () => newKey(impossible()).key,
  }
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  const times = new Map(names.map(name => [name, [] as number[]]))
  const warm = 200
  for (let round = 0; round < warm + ROUNDS; round++) {
    // Every kind comes first, second and last equally often, and no network guesses often enough to be locked out.
    const agent = networks(Math.floor(round / (ALLOWED - 1)))
    for (let n = 0; n < names.length; n++) {
      const name = names[(round + n) % names.length]!
      const { status, milliseconds } = await ask(agent, kinds[name]())
      must(status === 401, `${name}: ${status}`)
      if (round >= warm) times.get(name)!.push(milliseconds)
    }
  }
  const [base, ...others] = names.map(name => ({ name, value: median(times.get(name)!) }))
  console.log(`${ROUNDS} times each, in turns; milliseconds, median: ${base!.name} ${base!.value.toFixed(3)}`)
  for (const { name, value } of others) {
    const pairs = times.get(name)!.map((time, n) => time - times.get(base!.name)![n]!)
    const difference = (value / base!.value - 1) * 100
    const paired = (median(pairs) / base!.value) * 100
    console.log(`${name} ${value.toFixed(3)}: ${difference.toFixed(1)} %, by pairs ${paired.toFixed(1)} %`)
    must(Math.abs(paired) < 5, `${name} takes ${paired.toFixed(1)} % longer`)
  }
}

const made = new Map<number, Agent>()
function networks(n: number): Agent {
  const known = made.get(n)
  if (known) return known
  for (const agent of made.values()) agent.destroy()
  made.clear()
  const agent = networkOf(n)
  made.set(n, agent)
  return agent
}

/** What API Gateway hands to a function for a request from an address. */
const eventOf = (key: string, sourceIp: string) => ({
  ...{ httpMethod: 'POST', path: '/rules/list', resource: '/rules/list', body: '{}', isBase64Encoded: false },
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', host: 'localhost' },
  requestContext: { identity: { sourceIp }, requestId: randomUUID(), path: '/api/rules/list', stage: 'api' },
})

/**
 * Keys of one account, from one network: ten are looked at in a window, whatever they are. The function is called in this
 * process, on tables over their wire protocol: the gateway of the local cloud would be most of the work.
 */
async function guessKeys(): Promise<void> {
  const end = await startTables()
  Object.assign(process.env, limits, { POWERTOOLS_METRICS_DISABLED: 'true' })
  log.setLogLevel('SILENT')
  const { handler } = await import('../functions/rules/list.ts')
  const body = { description: '', networks: [], workloads: [] }
  const permissions = ['rules:read' as const]
  const { id } = await createServiceAccount({ ...body, id: randomUUID(), name: 'Guessed', role: 'user', permissions })
  const right = newKey(id)
  await changeServiceAccount(id, account => ({ keys: withNewKey(account, { hash: right.hash, days: 1 }) }))
  const context = { getRemainingTimeInMillis: () => 20_000 } as Context
  const asked = async (key: string, sourceIp = '198.51.100.7'): Promise<Answer> => {
    const began = performance.now()
    const { statusCode, body } = await handler(eventOf(key, sourceIp) as unknown as APIGatewayProxyEvent, context)
    return { status: statusCode, type: JSON.parse(body).detail?.[0]?.type, milliseconds: performance.now() - began }
  }
  must((await asked(right.key)).status === 200, 'the right key does not work')
  const began = Math.floor(Date.now() / 900_000)
  const cpu = process.cpuUsage()
  const answers = await guess(GUESSES, () => asked(newKey(id).key))
  const { user, system } = process.cpuUsage(cpu)
  console.log(`${((user + system) / 1e6).toFixed(0)} s of CPU, the tables included`)
  const windows = Math.floor(Date.now() / 900_000) - began + 1
  const looked = answers.get('401 invalid_token') ?? 0
  must(accepted(answers) === 0, 'a guess was accepted')
  // Those on their way together are all looked at.
  must(looked <= windows * (ALLOWED + AT_ONCE), `${looked} guesses were looked at`)
  must((await asked(right.key)).status === 429, 'the right key works where was guessed')
  must((await asked(right.key, '203.0.113.9')).status === 200, 'the right key does not work elsewhere')
  await end()
}

/** Passwords of one user, from one network. */
async function guessPasswords(): Promise<void> {
  const credentials = { email: `${randomUUID()}@example.org`, password: 'correct horse battery' }
  await createClient({ baseUrl: cloud.baseUrl }).auth.register({ body: { name: 'Ada', ...credentials } })
  const here = networkOf(60_003)
  const answers = await guess(PASSWORDS, () =>
    send(here, '/auth/login', { body: { email: credentials.email, password: randomUUID() } }),
  )
  must(accepted(answers) === 0, 'a password was accepted')
  must((await send(here, '/auth/login', { body: credentials })).status === 429, 'the right one works where was guessed')
  here.destroy()
}

try {
  if (ROUNDS > 0) await compareTimes()
  if (GUESSES > 0) await guessKeys()
  if (PASSWORDS > 0) await guessPasswords()
} finally {
  for (const agent of made.values()) agent.destroy()
  await cloud.close()
  rmSync(directory, { recursive: true, force: true })
}
console.log(faults.length === 0 ? 'as designed' : [...new Set(faults)].join('\n'))
if (faults.length > 0) process.exitCode = 1
