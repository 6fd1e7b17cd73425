import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { settings } from '../../shared/settings.ts'
import { type Lease, takeLease } from '../../shared/store/leases.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
let down = false
beforeAll(async () => {
  stop = await startTables((_service, action) =>
    down && action === 'UpdateItem' ? { error: { name: 'InternalServerError', status: 500 } } : undefined,
  )
})
afterAll(() => stop())

/**
 * What tells workers the time, and when to renew: both go on only when a test says so. They begin with this
 * second: clients learn the time of the server from its answers, which is the true one.
 */
const thisSecond = () => 1000 * Math.floor(Date.now() / 1000)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: thisSecond() }))
afterEach(() => {
  down = false
  vi.useRealTimers()
})

const length = () => settings().LEASE_SECONDS * 1000
/** Time goes on and the worker of this lease does nothing, as one that has crashed. */
const crashed = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds)
const place = async (name: string) => {
  const lease = await takeLease(name, 1)
  if (!lease) throw new Error('There was no place')
  return lease
}

test('as many hold a name as there are places; one that is given back is taken by the next', async () => {
  const name = randomUUID()
  const held = await Promise.all(Array.from({ length: 5 }, () => takeLease(name, 3)))
  expect(held.filter(Boolean).length).toBeLessThanOrEqual(3)
  while (held.filter(Boolean).length < 3) held.push(await takeLease(name, 3))
  expect(await takeLease(name, 3)).toBeUndefined()
  expect(await takeLease(randomUUID(), 1)).toBeDefined()
  await (held.find(Boolean) as Lease).release()
  expect(await takeLease(name, 3)).toBeDefined()
  expect(await takeLease(name, 3)).toBeUndefined()
})

test('the place of a worker that crashed is free after its time and no earlier', async () => {
  const name = randomUUID()
  await place(name)
  crashed(length() - 1)
  expect(await takeLease(name, 1)).toBeUndefined()
  crashed(1)
  expect(await takeLease(name, 1)).toBeDefined()
})

test('of many that come for it at that moment one takes it', async () => {
  const name = randomUUID()
  await place(name)
  crashed(length())
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeLease(name, 1)))
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('a worker that renews keeps its place for as long as it likes', async () => {
  const name = randomUUID()
  const lease = await place(name)
  for (let quarter = 0; quarter < 12; quarter++) {
    vi.advanceTimersByTime(length() / 4)
    await settled()
    expect(await takeLease(name, 1)).toBeUndefined()
  }
  expect(lease.signal.aborted).toBe(false)
  await lease.release()
  expect(await takeLease(name, 1)).toBeDefined()
})

test('one that comes back too late ends its work, and does not take the place from who has it now', async () => {
  const name = randomUUID()
  const late = await place(name)
  crashed(length())
  const next = await place(name)
  vi.advanceTimersByTime(length() / 4)
  await eventually(() => late.signal.aborted)
  expect(late.signal.reason).toMatchObject({ name: 'LeaseLost' })
  await settled()
  expect(next.signal.aborted).toBe(false)
  await late.release()
  expect(await takeLease(name, 1)).toBeUndefined()
})

test('one that cannot renew ends its work no later than another may take its place', async () => {
  const name = randomUUID()
  vi.setSystemTime(1_800_000_000_900)
  const lease = await place(name)
  down = true
  for (let quarter = 0; quarter < 3; quarter++) {
    vi.advanceTimersByTime(length() / 4)
    await settled()
  }
  expect(lease.signal.aborted).toBe(false)
  vi.advanceTimersByTime(length() / 4)
  await eventually(() => lease.signal.aborted)
  expect(await takeLease(name, 1)).toBeDefined()
})

/** Real time for the requests that are under way. */
const settled = () => new Promise(resolve => setTimeout(resolve, 300))
async function eventually(holds: () => boolean) {
  for (let tried = 0; !holds(); tried++) {
    if (tried === 100) throw new Error('It never came to that')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
