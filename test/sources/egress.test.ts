import { type AddressInfo, BlockList, createServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { egressPolicy, mayConnect } from '../../shared/sources/addresses.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import { forbidden } from './forbidden-hosts.ts'

let server: ReturnType<typeof createServer>
let port: number
let connections = 0

beforeAll(async () => {
  server = createServer(socket => {
    connections++
    socket.end()
  })
  await new Promise<void>(listening => server.listen(0, '::', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

describe('every spelling of an address that is not public is refused', () => {
  expect(forbidden.length).toBeGreaterThanOrEqual(60)
  test.each(forbidden)('%s', async host => {
    const before = connections
    // A spelling that the system's resolver does not take is as good as refused; most it does take.
    await expect(guardedDial(egressPolicy(''))(host, port)).rejects.toMatchObject({
      type: expect.stringMatching(/^source_(egress_denied|dns_failed)$/),
    })
    expect(connections).toBe(before)
  })
})

test.each(forbidden.filter(host => /^[\d.]+$|^[\da-f:]+:[\da-f:.]*$/i.test(host) && host.split('.').length !== 2))(
  'the address %s is never judged public',
  host => expect(mayConnect(host, egressPolicy(''))).toBe(false),
)

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  'fe80::1',
  'fd00:ec2::254',
  '168.63.129.16',
  '0.0.0.0',
  '224.0.0.1',
])('%s stays refused when the operator allows everything', host =>
  expect(mayConnect(host, egressPolicy('0.0.0.0/0, ::/0'))).toBe(false),
)

test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '64:ff9b::101:101', '::ffff:1.1.1.1'])('%s is public', host =>
  expect(mayConnect(host, egressPolicy(''))).toBe(true),
)

test('the operator may allow private networks, in any spelling of their addresses', () => {
  const policy = egressPolicy('10.0.0.0/8,fd12:3456::/32')
  for (const host of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd12:3456::1'])
    expect(mayConnect(host, policy)).toBe(true)
  for (const host of ['11.0.0.1', '192.168.0.1', 'fd12:3457::1', '127.0.0.1'])
    expect(mayConnect(host, policy)).toBe(host === '11.0.0.1')
  expect(() => egressPolicy('10.0.0.0/8, everything')).toThrow(/CIDR/)
})

test('no address outside 2000::/3 and no private IPv4 address is public (any bytes)', () => {
  const possible = new BlockList()
  possible.addSubnet('2000::', 3, 'ipv6')
  possible.addSubnet('64:ff9b::', 96, 'ipv6')
  possible.addSubnet('::ffff:0:0', 96, 'ipv6')
  fc.assert(
    fc.property(fc.ipV6(), text => !mayConnect(text, egressPolicy('')) || possible.check(text, 'ipv6')),
    { numRuns: 5000 },
  )
  fc.assert(
    fc.property(fc.nat(0xffffff), rest => {
      const tail = `${rest >> 16}.${(rest >> 8) & 255}.${rest & 255}`
      expect(mayConnect(`10.${tail}`, egressPolicy(''))).toBe(false)
      expect(mayConnect(`127.${tail}`, egressPolicy(''))).toBe(false)
    }),
  )
})

describe('names', () => {
  const loopback = egressPolicy('127.0.0.0/8')

  test('the checked address is the one connected to: a name is resolved once', async () => {
    let asked = 0
    const dial = guardedDial(loopback, { lookup: async () => [asked++ ? '169.254.169.254' : '127.0.0.1'] })
    const socket = await dial('rebinding.example', port)
    expect(socket.remoteAddress).toMatch(/127\.0\.0\.1$/)
    expect(asked).toBe(1)
    socket.destroy()
    await expect(dial('rebinding.example', port)).rejects.toMatchObject({ type: 'source_egress_denied' })
  })

  test('a name with one forbidden address among others is refused', async () => {
    const dial = guardedDial(loopback, { lookup: async () => ['127.0.0.1', '10.0.0.1'] })
    await expect(dial('mixed.example', port)).rejects.toMatchObject({ type: 'source_egress_denied' })
  })

  test('a name without addresses, one that does not resolve, and a resolver that hangs', async () => {
    await expect(guardedDial(loopback, { lookup: async () => [] })('none.example', port)).rejects.toMatchObject({
      type: 'source_dns_failed',
    })
    await expect(guardedDial(loopback)('no-such-host.invalid', port)).rejects.toMatchObject({
      type: 'source_dns_failed',
    })
    const hangs = guardedDial(loopback, { lookup: () => new Promise(() => {}), timeoutMs: 50 })
    await expect(hangs('slow.example', port)).rejects.toMatchObject({ type: 'source_timeout' })
  })

  test('the next address is tried when one refuses; all refusing is unreachable', async () => {
    const closed = createServer()
    await new Promise<void>(listening => closed.listen(0, '127.0.0.2', listening))
    const { port: unused } = closed.address() as AddressInfo
    await new Promise(done => closed.close(done))
    const dial = guardedDial(loopback, { lookup: async () => ['127.0.0.2', '127.0.0.1'] })
    await expect(dial('down.example', unused)).rejects.toMatchObject({ type: 'source_unreachable' })
    const socket = await dial('up.example', port)
    socket.destroy()
  })

  test('an abort ends the attempt as an abort', async () => {
    const controller = new AbortController()
    const dial = guardedDial(loopback, { lookup: () => new Promise(() => {}) })
    const attempt = dial('slow.example', port, controller.signal)
    controller.abort()
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' })
  })
})
