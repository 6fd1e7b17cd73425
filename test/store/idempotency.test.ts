import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { idempotently } from '../../shared/http/idempotency.ts'
import { getItem, type Transact, transact } from '../../shared/store/dynamo.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => stop())
afterEach(() => {
  vi.useRealTimers()
})

const user = { id: randomUUID() } as never
/** Makes a call with a key, which counts how often it is carried out. */
function caller() {
  const headers = { 'Idempotency-Key': randomUUID() }
  const event = {
    httpMethod: 'POST',
    path: '/jobs/',
    headers,
    queryStringParameters: null,
  } as unknown as APIGatewayProxyEvent
  const counter = { pk: randomUUID(), sk: 'COUNT' }
  const count = {
    table: 'rules',
    update: counter,
    change: { update: 'ADD #n :one', names: { '#n': 'n' }, values: { ':one': 1 } },
  }
  const call = (then: (write: Transact) => Promise<string>) =>
    idempotently(event, user, { content: '{}', headers: {} }, transact, async write => {
      await write([count] as never)
      return then(write)
    })
  const times = async () => (await getItem('rules', counter))?.n
  return { call, times, event }
}
const fail = () => Promise.reject(new Error('lost'))
const later = (seconds: number) => vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })

test('a call that fails after its change is not carried out again', async () => {
  const { call, times } = caller()
  await expect(call(fail)).rejects.toThrow('lost')
  await expect(call(async () => 'again')).rejects.toThrow('idempotency_in_progress')
  later(61)
  await expect(call(async () => 'again')).rejects.toThrow('idempotency_mismatch')
  expect(await times()).toBe(1)
})

test('a call that fails before it is carried out when it comes again', async () => {
  const { event } = caller()
  const run = (answer: () => Promise<string>) =>
    idempotently(event, user, { content: '{}', headers: {} }, transact, answer)
  await expect(run(fail)).rejects.toThrow('lost')
  expect(await run(async () => 'done')).toBe('done')
  expect(await run(fail)).toBe('done')
})
