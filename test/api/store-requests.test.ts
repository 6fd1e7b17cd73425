import { expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { type DeclaredEndpoint, endpoints } from '../../shared/api/index.ts'
import { deployed } from './deployed.ts'
import {
  bodies,
  make,
  makeFinishedJob,
  makeJob,
  makeRule,
  makeWebhook,
  makeWorkflow,
  type Parameter,
} from './requests.ts'
import { useOwnService } from './setup.ts'
import { changes, otherReads, usualReads } from './store-requests.ts'

type Request = { name: string; begun: number }

/** Requests to the stores, by the function that made them. */
const asked = new Map<string, Request[]>()

/** What every request of the measured call takes at least, so that those that wait for others show. */
const delayMs = 150
let measured: string | undefined

const service = deployed
  ? undefined
  : await useOwnService({
      faults: (store, action, _, caller) => {
        asked.set(caller, [...(asked.get(caller) ?? []), { name: `${store} ${action}`, begun: performance.now() }])
        return caller === measured ? { delayMs } : undefined
      },
    })

/** How many of the requests waited for those before: at least so long after the first of these. */
function roundTrips(requests: readonly Request[]): number {
  let [trips, last] = [0, Number.NEGATIVE_INFINITY]
  for (const begun of requests.map(request => request.begun).toSorted((a, b) => a - b)) {
    if (begun - last < delayMs) continue
    trips++
    last = begun
  }
  return trips
}

/** Whether a request is one that Lambda makes for a function. */
const isPolling = (name: string): boolean => name.startsWith('sqs ') && !name.startsWith('sqs Send')

const reads = endpoints.filter(({ method }) => method === 'GET')

if (service) {
  const running = service
  const { admin, send, files } = running
  const prepared = bodies(files)

  async function pathOf({ resource, operation, path, parameters }: DeclaredEndpoint): Promise<string> {
    const ready = (await prepared[`${resource}.${operation}`]?.(running, admin)) ?? {}
    let filled = path
    for (const name of parameters)
      filled = filled.replace(`{${name}}`, ready.path?.[name] ?? (await make(running, admin, name as Parameter)))
    return filled
  }

  test.each(reads)('$endpoint.route asks the stores no more than it needs', async declared => {
    const name = `${declared.resource}-${declared.operation}`
    const path = await pathOf(declared)
    const { token } = admin
    // What a sandbox asks for once, such as the keys of tokens, is not counted.
    await send('GET', path, { token })
    const [most, mostTrips] = otherReads[name] ?? usualReads
    let trips = Number.POSITIVE_INFINITY
    // On a busy machine requests that are made at once may begin one after the other: the least is what counts.
    for (let attempt = 0; attempt < 3 && trips > mostTrips; attempt++) {
      asked.delete(name)
      measured = name
      await send('GET', path, { token })
      const requests = asked.get(name) ?? []
      expect(requests.length).toBeGreaterThan(0)
      expect(requests.slice(most), requests.map(request => request.name).join(', ')).toEqual([])
      trips = Math.min(trips, roundTrips(requests))
    }
    expect(trips).toBeLessThanOrEqual(mostTrips)
  })

  /** The least that a call asks for, of three. */
  async function costOf(name: string, path: string, token = admin.token): Promise<[number, number]> {
    let least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number]
    await send('GET', path, { token })
    for (let attempt = 0; attempt < 3; attempt++) {
      asked.delete(name)
      measured = name
      expect((await send('GET', path, { token })).status).toBe(200)
      const requests = asked.get(name)!
      least = [Math.min(least[0], requests.length), Math.min(least[1], roundTrips(requests))]
    }
    return least
  }

  test('a finished job shows its files with two requests for them and one for its deliveries', async () => {
    const { client, token } = await running.person()
    const job_id = await makeFinishedJob(client)
    const [asset] = (await client.jobs.get({ job_id })).Assets
    expect(await costOf('jobs-get', `/jobs/${job_id}`, token)).toEqual([5, 2])
    expect(await costOf('assets-report', `/assets/${asset!.id}/report`, token)).toEqual([3, 2])
    expect(await costOf('jobs-findings', `/jobs/${job_id}/findings?assetId=${asset!.id}`, token)).toEqual([3, 2])
  })

  test('a job of one file asks the stores no more than it needs, and the planner not before its end', async () => {
    const { client } = await running.person()
    const namesOf = (caller: string) =>
      (asked.get(caller) ?? []).map(({ name }) => name).filter(name => !isPolling(name))
    measured = undefined
    const certified = async () => {
      asked.clear()
      await makeFinishedJob(client)
      await expect.poll(() => namesOf('pipeline-planner')).toContain('dynamodb TransactWriteItems')
    }
    // What a sandbox asks for once is not counted.
    await certified()
    await certified()
    expect(namesOf('pipeline-worker')).toEqual([
      'dynamodb BatchGetItem',
      's3 GetObject',
      's3 GetObject',
      'kms GenerateMac',
      's3 PutObject',
      's3 PutObject',
      'dynamodb TransactWriteItems',
      'sqs SendMessageBatch',
      'sqs SendMessageBatch',
    ])
    expect(namesOf('pipeline-planner')).toEqual([
      'dynamodb BatchGetItem',
      's3 GetObject',
      'dynamodb Query',
      'kms Sign',
      'dynamodb TransactWriteItems',
    ])
  })

  /** Calls that change something, made ready anew each time. */
  const calls: Record<string, (client: Client) => Promise<() => Promise<unknown>>> = {
    'rules-create': async client => () => makeRule(client),
    'rules-update': async client => {
      const rule_id = await makeRule(client)
      return () => client.rules.update({ rule_id, body: { name: 'Renamed' } })
    },
    'rules-delete': async client => {
      const rule_id = await makeRule(client)
      return () => client.rules.delete({ rule_id })
    },
    'workflows-create': async client => () => makeWorkflow(client),
    'workflows-delete': async client => {
      const workflow_id = await makeWorkflow(client)
      return () => client.workflows.delete({ workflow_id })
    },
    'jobs-upload': async client => () => makeJob(client),
    'jobs-update': async client => {
      const [{ id: job_id }, workflowId] = [await makeJob(client), await makeWorkflow(client)]
      return () => client.jobs.update({ job_id, body: { workflowId } })
    },
    'jobs-execute': async client => {
      const { id: job_id } = await makeJob(client)
      await client.jobs.update({ job_id, body: { workflowId: await makeWorkflow(client) } })
      return () => client.jobs.execute({ job_id })
    },
  }

  test.each(Object.entries(changes))('%s asks the stores no more than it needs', async (name, expected) => {
    const { client } = await running.person()
    let least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // The first time a sandbox asks for more.
    for (let attempt = 0; attempt < 4; attempt++) {
      measured = undefined
      const call = await calls[name]!(client)
      asked.delete(name)
      measured = name
      await call()
      const requests = asked.get(name)!
      least = [Math.min(least[0]!, requests.length), Math.min(least[1]!, roundTrips(requests))]
    }
    expect(least).toEqual(expected)
  })

  test('lists cost the same whoever asks, and whatever they show', async () => {
    const { client, token } = await running.person()
    const webhook_id = await makeWebhook(client)
    await client.webhooks.test({ webhook_id })
    expect(await costOf('webhooks-list', '/webhooks/', token)).toEqual([3, 2])
    expect(await costOf('webhooks-deliveries', `/webhooks/${webhook_id}/deliveries`, token)).toEqual([3, 2])
    expect(await costOf('users-list', '/users/?skip=1&limit=2')).toEqual([3, 2])
  })

  test('one read says whose key it is, and refuses a wrong one', async () => {
    const { serviceAccounts, rules } = admin.client
    const config = { regexRuleConfig: { pattern: 'x' } }
    const { id: rule_id } = await rules.create({ body: { name: 'Any', type: 'REGEX', config } })
    const body = { name: 'Reader', role: 'admin', permissions: ['rules:read', 'rules:any'] }
    const { id: account_id } = await serviceAccounts.create({ body })
    const { key } = await serviceAccounts.createKey({ account_id })
    const asks = async (token: string) => {
      await send('GET', `/rules/${rule_id}`, { token })
      asked.delete('rules-get')
      const { status } = await send('GET', `/rules/${rule_id}`, { token })
      return { status, requests: asked.get('rules-get')!.map(request => request.name) }
    }
    // The account beside the count of its wrong keys; the count of requests; the rule.
    const requests = ['dynamodb BatchGetItem', 'dynamodb UpdateItem', 'dynamodb GetItem']
    expect(await asks(key)).toEqual({ status: 200, requests })
    await serviceAccounts.revokeKeys({ account_id })
    const refused = await asks(key)
    expect(refused.status).toBe(401)
    expect(refused.requests.filter(name => /Get|Query|Scan/.test(name))).toEqual(['dynamodb BatchGetItem'])
  })
} else test.skip('a reading call asks the stores no more than it needs', () => {})
