import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import oracledb from 'oracledb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sourceKinds } from '../../shared/api/source-kinds.ts'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { underGuard } from '../../shared/sources/databases/oracle-guard.ts'
import { descriptor } from '../../shared/sources/databases/oracle-session.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import { checkSource, type Source } from '../../shared/sources/sources.ts'
import { localContext } from './context.ts'

const config = sourceKinds.DB_ENGINE_5.config.parse({
  host: '127.0.0.1',
  port: 1521,
  service_name: 'CLINIC',
  username: 'reader',
  password: 'reader-secret',
  tls: { mode: 'disable' },
})

const listen = async (server: Server, address = '127.0.0.1') => {
  await new Promise<void>(listening => server.listen(0, address, listening))
  return (server.address() as AddressInfo).port
}

describe('Oracle’s driver under the guard', () => {
  let target: Server
  let targetPort: number
  let hits = 0
  const servers: Server[] = []
  beforeAll(async () => {
    target = createServer(socket => {
      hits++
      socket.destroy()
    })
    targetPort = await listen(target, '127.0.0.2')
    servers.push(target)
  })
  afterAll(() => {
    for (const server of servers) server.close()
  })

  /** A listener that sends whoever connects to another address (a REDIRECT packet of the TNS protocol). */
  async function hostile(address: string) {
    const server = createServer(socket => {
      socket.once('data', () => {
        const data = Buffer.from(address)
        const packet = Buffer.alloc(10 + data.length)
        packet.writeUInt16BE(packet.length, 0)
        packet[4] = 5
        packet.writeUInt16BE(data.length, 8)
        data.copy(packet, 10)
        socket.write(packet)
      })
      socket.on('error', () => {})
    })
    servers.push(server)
    return listen(server)
  }
  const only127001 = () => localContext({ dial: guardedDial(egressPolicy('127.0.0.1/32')) })
  const source = (port: number): Source => {
    const { password, ...rest } = config
    return { kind: 'DB_ENGINE_5', config: { ...rest, port }, secrets: { password } }
  }
  const redirect = () => `(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.2)(PORT=${targetPort}))`
  const proxied = () =>
    `(ADDRESS=(PROTOCOL=TCPS)(HOST=127.0.0.1)(PORT=1)(HTTPS_PROXY=127.0.0.2)(HTTPS_PROXY_PORT=${targetPort}))`

  test('without the guard the driver follows a listener anywhere: the attack is real', async () => {
    const port = await hostile(redirect())
    hits = 0
    await expect(
      oracledb.getConnection({ user: 'u', password: 'p', connectString: descriptor({ ...config, port }) }),
    ).rejects.toThrow()
    expect(hits).toBeGreaterThan(0)
  })

  test.each([
    ['a redirect', redirect],
    ['a proxy named by a redirect', proxied],
  ])('with it %s ends at the guard', async (_, address) => {
    const port = await hostile(address())
    hits = 0
    const report = await checkSource(source(port), only127001())
    expect(['source_egress_denied', 'source_unreachable']).toContain(report.problem)
    expect(hits).toBe(0)
  })

  test('an address that is not allowed is refused', async () => {
    const context = localContext({ dial: guardedDial(egressPolicy('')) })
    expect(await checkSource(source(targetPort), context)).toMatchObject({ problem: 'source_egress_denied' })
  })

  test('the guard holds for every way to open a connection, and for nobody else', async () => {
    const dial = guardedDial(egressPolicy('127.0.0.1/32'))
    const signal = new AbortController().signal
    const failure = (start: () => NodeJS.EventEmitter) =>
      underGuard(dial, signal, () => new Promise<Error>(resolve => start().once('error', resolve)))
    hits = 0
    for (const start of [
      () => connect(targetPort, '127.0.0.2'),
      () => connect({ port: targetPort, host: '127.0.0.2' }),
      () => connect('/var/run/some.sock'),
      () => connect({ path: '/var/run/some.sock' }),
      () =>
        request({ host: '127.0.0.2', port: targetPort })
          .on('error', () => {})
          .end(),
      () => connect(targetPort, '169.254.169.254'),
    ])
      expect(await failure(start)).toMatchObject({ type: 'source_egress_denied' })
    expect(hits).toBe(0)
    await new Promise(closed => connect(targetPort, '127.0.0.2').on('close', closed))
    expect(hits).toBe(1)
  })
})
