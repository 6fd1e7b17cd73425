import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exhaustive } from '../runs.ts'
import { deployed } from './deployed.ts'
import { type Person, type Reply, type Service, startService } from './setup.ts'

/** Rounds of guesses, two hundred in each. */
const ROUNDS = exhaustive ? 5 : 2

/** A wait that is not over before the next call, seconds. */
const LONG_WAIT = 6

const typeOf = ({ body }: Reply) => (body as { detail: { type: string }[] }).detail[0]!.type

describe.skipIf(deployed)('rate limits', () => {
  let service: Service
  /** What lists of users asked DynamoDB for. */
  const asked: string[] = []
  beforeAll(async () => {
    service = await startService({
      environment: { RATE_LIMIT_PER_USER: '40', RATE_LIMIT_PER_ADDRESS: '30' },
      faults: (_store, action, _request, caller) => {
        if (caller === 'users-list') asked.push(action)
        return undefined
      },
    })
  })
  afterAll(() => service.stop())

  /** Begins where a window has time enough left for a test. */
  async function inOneWindow() {
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 25_000) await new Promise(resolve => setTimeout(resolve, left + 50))
  }

  test('of a user: three headers on every answer, 429 with Retry-After beyond it, and nobody else is touched', async () => {
    await inOneWindow()
    const [ada, grace] = [await service.person(), await service.person()]
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => service.send('GET', '/auth/me', { token: ada.token })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(40)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    for (const reply of replies) {
      expect(reply.headers.get('x-ratelimit-limit')).toBe('40')
      const reset = Number(reply.headers.get('x-ratelimit-reset'))
      expect(reset).toBeGreaterThan(0)
      expect(reset).toBeLessThanOrEqual(60)
    }
    const remaining = replies.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(new Set(remaining)).toEqual(new Set(Array.from({ length: 40 }, (_, n) => n)))
    expect(typeOf(refused[0]!)).toBe('rate_limited')
    expect(refused[0]!.headers.get('retry-after')).toBe(refused[0]!.headers.get('x-ratelimit-reset'))
    expect((await service.send('GET', '/auth/me', { token: grace.token })).status).toBe(200)
  })

  test('of lists: what is beyond it reads no records', async () => {
    await inOneWindow()
    const { token } = await service.person()
    const list = () => service.send('GET', '/users/', { token })
    for (let n = 0; n < 40; n++) await list()
    asked.length = 0
    expect((await list()).status).toBe(429)
    expect(asked.toSorted()).toEqual(['Query', 'UpdateItem'])
  })

  test('of an address on /auth', async () => {
    await inOneWindow()
    const wrong = { email: 'nobody@example.org', password: 'wrong' }
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => service.send('POST', '/auth/login', { body: wrong })),
    )
    expect(replies.some(({ status }) => status === 429 && status)).toBe(true)
    const limited = replies.filter(reply => reply.status === 429 && typeOf(reply) === 'rate_limited')
    expect(limited.length).toBeGreaterThanOrEqual(10)
    expect(limited[0]!.headers.get('x-ratelimit-limit')).toBe('30')
    expect((await service.send('GET', '/')).status).toBe(200)
  })
})

describe.skipIf(deployed)('the share of a user, and of whoever guesses', () => {
  let service: Service
  let held = true
  beforeAll(async () => {
    service = await startService({
      environment: { RUNNING_JOBS_PER_USER: '2' },
      // Jobs wait to be planned for as long as they are held.
      faults: (_, action, __, caller) =>
        held && caller === 'pipeline-planner' && action === 'GetItem' ? { delayMs: 500, error } : undefined,
    })
  })
  afterAll(() => service.stop())
  const error = { name: 'ThrottlingException', status: 400 }

  async function execute({ client, token }: Person): Promise<Reply> {
    const config = { regexRuleConfig: { pattern: '[0-9]+' } }
    const { id: ruleId } = await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
    const rules = [{ ruleId, replacement: { text: 'N' } }]
    const { id: workflowId } = await client.workflows.create({
      body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules } },
    })
    const { id } = await client.jobs.upload({ body: { name: 'One' }, files: [{ name: 'a.txt', content: 'Call 112' }] })
    await client.jobs.update({ job_id: id, body: { workflowId } })
    return service.send('POST', `/jobs/${id}/execute`, { token })
  }

  test('is so many jobs at once: 429 beyond them, nobody else is touched, and it goes on when they have ended', async () => {
    const [ada, grace] = [await service.person(), await service.person()]
    expect([(await execute(ada)).status, (await execute(ada)).status]).toEqual([200, 200])
    const third = await execute(ada)
    expect([third.status, typeOf(third), third.headers.get('retry-after')]).toEqual([429, 'too_many_running', '60'])
    expect((await execute(grace)).status).toBe(200)
    held = false
    await expect.poll(async () => (await execute(ada)).status, { timeout: 50_000, interval: 1000 }).toBe(200)
  })

  // Two hundred functions at once are more than a new account's quota.
  test('guessing hundreds of times, two hundred at the same moment, gets no further than a few tries, and then has to wait', async () => {
    const { user, password } = await service.person()
    const guess = () => service.send('POST', '/auth/login', { body: { email: user.email, password: 'wrong password' } })
    const replies: Reply[] = []
    // Not all at once: what waits longer than the gateway does would be answered by it.
    for (let round = 0; round < ROUNDS; round++)
      replies.push(...(await Promise.all(Array.from({ length: 200 }, guess))))
    while (!(Number(replies.at(-1)!.headers.get('retry-after')) > LONG_WAIT)) {
      await new Promise(resolve => setTimeout(resolve, 500))
      replies.push(await guess())
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect(replies.filter(({ status }) => status === 401).length).toBeLessThan(30)
    const waits = replies.filter(({ status }) => status === 429)
    expect(new Set(waits.map(typeOf))).toEqual(new Set(['too_many_attempts']))
    expect(waits.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
    // The address waits too, so the right password does not help whoever guesses on.
    const right = await service.send('POST', '/auth/login', { body: { email: user.email, password } })
    expect(right.status).toBe(429)
  }, 180_000)
})
