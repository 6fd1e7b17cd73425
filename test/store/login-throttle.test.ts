import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { requestLogin, requireOpenAddress } from '../../shared/auth/login-permit.ts'
import { networkOf } from '../../shared/auth/network.ts'
import { forgetNetworks, isKnownNetwork, rememberNetwork } from '../../shared/store/login-networks.ts'
import { startTables } from './tables.ts'

const DAY = 24 * 3600 * 1000

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
  // One clock for all tests, which never goes back: requests are signed with the time.
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterAll(() => {
  vi.useRealTimers()
  return stop()
})

const newUser = () => ({ id: randomUUID(), sessionEpoch: 0 })
const newEmail = () => `${randomUUID()}@example.org`
const seconds = (refusal: { headers: Record<string, string> }) => Number(refusal.headers['Retry-After'])

/** How many wrong passwords of an account are really checked within a day by somebody who waits no longer than told. */
async function guessesOfADay(email: string, user: ReturnType<typeof newUser> | undefined, network: () => string) {
  const end = Date.now() + DAY
  let checked = 0
  while (Date.now() < end) {
    const leave = await requestLogin({ email, user, network: network() }).catch(error => error)
    if ('counts' in leave) {
      checked += Number(leave.counts)
      const refusal = await leave.fail()
      if (leave.counts) continue
      vi.setSystemTime(Date.now() + 1000 * seconds(refusal))
    } else vi.setSystemTime(Date.now() + 1000 * seconds(leave))
  }
  return checked
}

let made = 0
const anotherAddress = () => `198.18.${made >> 8}.${made++ & 255}`

describe('guessing for a day', () => {
  test('gets an account 114 checks from everywhere together, and its log-ins give no more of them', async () => {
    expect(await guessesOfADay(newEmail(), newUser(), anotherAddress)).toBe(114)
    const [email, user] = [newEmail(), newUser()]
    const first = await requestLogin({ email, user, network: '192.0.2.1' })
    await first.succeed()
    expect(await guessesOfADay(email, user, anotherAddress)).toBe(114)
    const again = await requestLogin({ email, user, network: '192.0.2.1' })
    expect(again.counts).toBe(true)
    await again.succeed()
    // The day after begins where this one has ended: a try each quarter of an hour.
    expect(await guessesOfADay(email, user, anotherAddress)).toBeLessThanOrEqual(97)
  })

  test('from a network of the owner gets that network’s tries besides', async () => {
    const [email, user] = [newEmail(), newUser()]
    await (await requestLogin({ email, user, network: '192.0.2.1' })).succeed()
    await guessesOfADay(email, user, anotherAddress)
    const [own, foreign] = [await countLocked(email, user, '192.0.2.1'), await countLocked(email, user, '192.0.2.2')]
    expect(own).toBe(10)
    expect(foreign).toBe(0)
  })

  test('gets an address 124 checks of all accounts together', async () => {
    const network = '203.0.113.9'
    const end = Date.now() + DAY
    let checked = 0
    while (Date.now() < end) {
      const locked = await requireOpenAddress(network).catch(error => error)
      if (locked) vi.setSystemTime(Date.now() + 1000 * seconds(locked))
      else {
        await (await requestLogin({ email: newEmail(), network })).fail()
        checked++
      }
    }
    expect(checked).toBe(124)
  })

  /** How many tries at once count while an account is locked. */
  async function countLocked(email: string, user: ReturnType<typeof newUser>, network: string) {
    // Somebody else takes the next try of the account, so that it is locked for a quarter of an hour.
    await requestLogin({ email, user, network: anotherAddress() }).catch(() => {})
    let counted = 0
    for (let n = 0; n < 20; n++) {
      const leave = await requestLogin({ email, user, network }).catch(() => undefined)
      counted += Number(leave?.counts ?? 0)
    }
    return counted
  }
})

describe('an account that somebody else has locked', () => {
  const lock = async (email: string, user?: ReturnType<typeof newUser>) => {
    for (let n = 0; n < 30; n++) await requestLogin({ email, user, network: anotherAddress() }).catch(() => {})
  }

  test('lets those in who come from where they have come before, as often as they like', async () => {
    const [email, user] = [newEmail(), newUser()]
    await (await requestLogin({ email, user, network: '192.0.2.1' })).succeed()
    await lock(email, user)
    for (let n = 0; n < 40; n++) {
      const leave = await requestLogin({ email, user, network: '192.0.2.1' })
      expect(leave.counts).toBe(true)
      await leave.succeed()
    }
    expect((await requestLogin({ email, user, network: '192.0.2.77' })).counts).toBe(false)
  })

  test('answers alike whether it is there, and whether it knows the network', async () => {
    const user = newUser()
    const [known, unknown, absent] = [newEmail(), newEmail(), newEmail()]
    await (await requestLogin({ email: known, user, network: '192.0.2.1' })).succeed()
    for (const email of [known, unknown]) await lock(email, user)
    await lock(absent)
    const answers = async (email: string, user?: ReturnType<typeof newUser>) => {
      const seen: unknown[] = []
      for (let n = 0; n < 14; n++) {
        const leave = await requestLogin({ email, user, network: '192.0.2.1' }).catch(error => error)
        const refusal = 'fail' in leave ? await leave.fail() : leave
        seen.push(['fail' in leave, refusal.status, refusal.detail])
      }
      return seen
    }
    const wanted = await answers(absent)
    expect(await answers(known, user)).toEqual(wanted)
    expect(await answers(unknown, newUser())).toEqual(wanted)
  })

  test('is open again with a new password', async () => {
    const [email, user] = [newEmail(), newUser()]
    await lock(email, user)
    expect((await requestLogin({ email, user, network: '192.0.2.1' })).counts).toBe(false)
    const reset = { ...user, sessionEpoch: user.sessionEpoch + 1 }
    expect((await requestLogin({ email, user: reset, network: '192.0.2.1' })).counts).toBe(true)
  })
})

describe('places', () => {
  test('are the ten last ones, for ninety days, and none after the user is gone', async () => {
    const { id } = newUser()
    for (let n = 0; n < 12; n++) {
      await rememberNetwork(id, `192.0.2.${n}`)
      vi.setSystemTime(Date.now() + 1000)
    }
    const known = () => Promise.all(Array.from({ length: 12 }, (_, n) => isKnownNetwork(id, `192.0.2.${n}`)))
    expect(await known()).toEqual([false, false, ...Array(10).fill(true)])
    vi.setSystemTime(Date.now() + 80 * DAY)
    await rememberNetwork(id, '192.0.2.5')
    vi.setSystemTime(Date.now() + 11 * DAY)
    expect((await known()).flatMap((is, n) => (is ? [n] : []))).toEqual([5])
    await forgetNetworks(id)
    expect(await isKnownNetwork(id, '192.0.2.5')).toBe(false)
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001::6', '2001:db8:1:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
