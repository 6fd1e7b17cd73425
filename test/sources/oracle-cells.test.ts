import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createSecure } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { sourceKinds } from '../../shared/api/source-kinds.ts'
import { defaultLimits, type SourceContext } from '../../shared/sources/connector.ts'
import { oracleConnector } from '../../shared/sources/databases/oracle.ts'
import { checkSource, type Source } from '../../shared/sources/sources.ts'
import { rows } from './cells.ts'
import { bytesOf, host, localContext } from './context.ts'
import { oracleFailure, standIn } from './oracle-driver.ts'
import { row } from './row.ts'
import { certificates, openssl, otherAuthority } from './servers/certificates.ts'
import { available, freePort, scratch } from './servers/process.ts'

const settings = { host, service_name: 'CLINIC', username: 'reader', password: 'reader-secret' }
const config = sourceKinds.DB_ENGINE_5.config.parse({ ...settings, tls: { mode: 'disable' } })
const source = (changes: Record<string, unknown>, secrets = {}): Source => {
  const { password, ...rest } = settings
  return { kind: 'DB_ENGINE_5', config: { ...rest, ...changes }, secrets: { password, ...secrets } }
}

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})
async function listen(server: Server) {
  servers.push(server)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}

const { cell, complete } = row('Oracle')
describe.skipIf(!available('openssl for a listener of Oracle', openssl))(`Oracle: ${rows.Oracle.on}`, () => {
  const connector = (changes: Parameters<typeof standIn>[0]) => oracleConnector(async () => standIn(changes).driver)
  const fails = (code: string) => () => {
    throw oracleFailure(code)
  }
  const reading = async (context: SourceContext, changes: Parameters<typeof standIn>[0]) =>
    (await connector(changes).read(context, config, 'CLINIC.PATIENTS', {})).body

  cell('good', async () => {
    expect(await connector({}).check(localContext(), config)).toMatchObject({
      readable: '2 tables and views can be read',
    })
    expect((await bytesOf(await reading(localContext(), {}))).toString()).toMatch(/^ID,NAME,AT,RAW_\n1,Ada,/)
  })

  cell('wrong password', () =>
    expect(connector({ login: fails('ORA-01017') }).check(localContext(), config)).rejects.toMatchObject({
      type: 'source_auth_failed',
    }),
  )

  cell('nothing there', async () => {
    for (const code of ['NJS-518', 'ORA-12514'])
      await expect(connector({ login: fails(code) }).check(localContext(), config)).rejects.toMatchObject({
        type: 'source_not_found',
      })
  })

  cell('no permission', async () => {
    const denied = (sql: string) => (/all_tables/.test(sql) ? fails('ORA-01031')() : undefined)
    const { driver, closed } = standIn({ execute: denied })
    await expect(oracleConnector(async () => driver).check(localContext(), config)).rejects.toMatchObject({
      type: 'source_permission_denied',
    })
    expect(closed()).toBe(1)
  })

  cell('refused', async () => {
    const port = await freePort()
    for (const tls of [{ mode: 'disable' }, { mode: 'verify-full' }])
      expect(await checkSource(source({ port, tls }), localContext())).toMatchObject({ problem: 'source_unreachable' })
  })

  cell('time-out', async () => {
    const port = await listen(createServer(() => {}))
    const context = localContext({ limits: { ...defaultLimits, idleMs: 400 } })
    for (const tls of [{ mode: 'disable' }, { mode: 'verify-full' }])
      expect(await checkSource(source({ port, tls }), context)).toMatchObject({ problem: 'source_timeout' })
  })

  /** A listener with TLS, which says nothing once it is trusted. */
  async function secured() {
    const folder = scratch()
    const { ca, cert, key } = certificates(folder.path)
    folder.remove()
    const clients: unknown[] = []
    const asks = { requestCert: true, rejectUnauthorized: false }
    const server = createSecure({ cert, key, ...asks }, socket => clients.push(socket.getPeerCertificate().subject?.CN))
    server.on('tlsClientError', () => {})
    return { ca, cert, key, port: await listen(server), clients }
  }

  cell('untrusted TLS', async () => {
    const { port } = await secured()
    expect(await checkSource(source({ port, tls: {} }), localContext())).toMatchObject({
      problem: 'source_tls_untrusted',
    })
  })

  cell('another identity', async () => {
    const { port, ca } = await secured()
    for (const changes of [{ tls: { ca_pem: otherAuthority() } }, { tls: { ca_pem: ca }, host: '127.0.0.1' }])
      expect(await checkSource(source({ port, ...changes }), localContext())).toMatchObject({
        problem: 'source_tls_untrusted',
      })
  })

  test('a listener with the authority and the name of the config is trusted, and shown the certificate if there is one', async () => {
    const { port, ca, cert, key, clients } = await secured()
    const context = localContext({ limits: { ...defaultLimits, idleMs: 400 } })
    for (const given of [
      source({ port, tls: { ca_pem: ca } }),
      source({ port, tls: { ca_pem: ca, client_cert: cert } }, { client_key: key }),
    ])
      expect(await checkSource(given, context)).toMatchObject({ problem: 'source_timeout' })
    expect(clients).toEqual([undefined, 'test server'])
  })

  const endless = function* () {
    for (let id = 0; ; id++) yield [String(id), 'x'.repeat(1000), null, null]
  }

  cell('lost while reading', async () => {
    const breaks = function* () {
      for (const one of endless()) {
        if (Number(one[0]) > 5000) throw oracleFailure('NJS-500')
        yield one
      }
    }
    await expect(bytesOf(await reading(localContext(), { rows: breaks }))).rejects.toMatchObject({
      type: 'source_connection_lost',
      retryable: true,
    })
  })

  cell('cancelled', async () => {
    const controller = new AbortController()
    const body = await reading(localContext({ signal: controller.signal }), { rows: endless })
    const taken = (async () => {
      for await (const _ of body) controller.abort()
    })()
    await expect(taken).rejects.toMatchObject({ name: 'AbortError' })
    expect(body.destroyed).toBe(true)
  })
  complete()
})
