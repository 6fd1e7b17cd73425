import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { Readable } from 'node:stream'
import oracledb from 'oracledb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sourceKinds } from '../../shared/api/source-kinds.ts'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { defaultLimits } from '../../shared/sources/connector.ts'
import { oracleConnector } from '../../shared/sources/databases/oracle.ts'
import { columnsSql, projection } from '../../shared/sources/databases/oracle-catalog.ts'
import { underGuard } from '../../shared/sources/databases/oracle-guard.ts'
import { descriptor, type OracleDriver, oracleError } from '../../shared/sources/databases/oracle-session.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import { checkSource, type Source } from '../../shared/sources/sources.ts'
import { bytesOf, localContext } from './context.ts'

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

/** A driver with the methods that are used, which answers what a catalog of one table would. */
function stub() {
  const executed: { sql: string; binds: object }[] = []
  let settings: Record<string, unknown> = {}
  let closed = 0
  const rows = [
    ['1', 'Ada', '2026-11-20T00:00:00', Buffer.of(0, 255)],
    ['2', null, 'x"y', null],
  ]
  const driver: OracleDriver = {
    OUT_FORMAT_ARRAY: oracledb.OUT_FORMAT_ARRAY,
    DB_TYPE_CLOB: oracledb.DB_TYPE_CLOB,
    DB_TYPE_NCLOB: oracledb.DB_TYPE_NCLOB,
    DB_TYPE_BLOB: oracledb.DB_TYPE_BLOB,
    STRING: oracledb.STRING,
    BUFFER: oracledb.BUFFER,
    async getConnection(given) {
      settings = given
      return {
        oracleServerVersionString: '23.5.0.24.7',
        async execute(sql, binds, options) {
          executed.push({ sql, binds })
          expect(options).toMatchObject({ outFormat: oracledb.OUT_FORMAT_ARRAY })
          if (sql === columnsSql)
            return {
              rows: [
                ['ID', 'NUMBER', 22, 10, 0, 'N', 1],
                ['NAME', 'VARCHAR2', 50, null, null, 'Y', null],
                ['AT', 'DATE', 7, null, null, 'Y', null],
                ['RAW_', 'RAW', 16, null, null, 'Y', null],
              ],
            }
          if (sql.includes('all_tables')) {
            const { name, owner } = binds as { name?: string; owner?: string }
            const all = [
              ['CLINIC', 'PATIENTS', 'T', 2],
              ['CLINIC', 'odd.name', 'V', null],
            ]
            if (sql.includes('name > :name')) return { rows: all.filter(([, one]) => String(one) > name!) }
            return { rows: owner ? all.filter(([, one]) => one === name) : all }
          }
          return { rows: sql.includes('fetch first 20') ? rows : [] }
        },
        queryStream(sql) {
          executed.push({ sql, binds: {} })
          return Readable.from(rows)
        },
        async close() {
          closed++
        },
      }
    },
  }
  return { driver, executed, settings: () => settings, closed: () => closed }
}

describe('Oracle by the methods of its driver', () => {
  test('a session reads one consistent state, in UTC, and is closed', async () => {
    const { driver, executed, settings, closed } = stub()
    const facts = await oracleConnector(async () => driver).check(localContext(), config)
    expect(facts).toMatchObject({ server: 'Oracle Database 23.5.0.24.7', readable: '2 tables and views can be read' })
    expect(executed.slice(0, 2).map(({ sql }) => sql)).toEqual([
      `alter session set time_zone = 'UTC' nls_sort = binary nls_comp = binary`,
      'set transaction read only',
    ])
    expect(settings()).toMatchObject({ user: 'reader', password: 'reader-secret' })
    expect(closed()).toBe(1)
  })

  test('tables are listed, located, sampled and read as CSV in their exact text', async () => {
    const { driver, executed } = stub()
    const connector = oracleConnector(async () => driver)
    const page = await connector.discover(localContext(), config, { limit: 1 })
    expect(page).toMatchObject({
      entries: [{ name: 'CLINIC.PATIENTS', type: 'table', rows: 2 }],
      cursor: 'CLINIC.PATIENTS',
    })
    const next = await connector.discover(localContext(), config, { limit: 1, cursor: page.cursor! })
    expect(next.entries.map(({ name }) => name)).toEqual(['CLINIC."odd.name"'])
    const located = await connector.locate(localContext(), config, ['CLINIC.PATIENTS', 'none', 'CLINIC.NONE'])
    expect(located.map(entry => entry?.name)).toEqual(['CLINIC.PATIENTS', undefined, undefined])
    const sample = await connector.sample!(localContext(), config, 'CLINIC.PATIENTS', 20)
    expect(sample.rows).toEqual([
      ['1', 'Ada', '2026-11-20T00:00:00', '\\x00ff'],
      ['2', null, 'x"y', null],
    ])
    expect(sample.columns[0]).toEqual({
      name: 'ID',
      nativeType: 'NUMBER(10,0)',
      nullable: false,
      key: 1,
      encoding: 'text',
    })
    const opened = await connector.read(localContext(), config, 'CLINIC.PATIENTS', {})
    expect((await bytesOf(opened.body)).toString()).toBe(
      'ID,NAME,AT,RAW_\n1,Ada,2026-11-20T00:00:00,\\x00ff\n2,,"x""y",\n',
    )
    expect(executed.at(-1)!.sql).toBe(
      `select to_char("ID", 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,'''), "NAME", ` +
        `ltrim(to_char("AT", 'SYYYY-MM-DD"T"HH24:MI:SS')), "RAW_" from "CLINIC"."PATIENTS"`,
    )
    await expect(connector.read(localContext(), config, 'CLINIC.NONE', {})).rejects.toMatchObject({
      type: 'source_not_found',
    })
  })

  test.each([
    ['FLOAT', `to_char("C", 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,''')`],
    ['BINARY_DOUBLE', `to_char("C", 'TME', 'NLS_NUMERIC_CHARACTERS=''.,''')`],
    ['TIMESTAMP(6)', `ltrim(to_char("C", 'SYYYY-MM-DD"T"HH24:MI:SS.FF9'))`],
    ['TIMESTAMP(9) WITH TIME ZONE', `ltrim(to_char("C", 'SYYYY-MM-DD"T"HH24:MI:SS.FF9 TZH:TZM'))`],
    ['INTERVAL DAY(2) TO SECOND(6)', 'to_char("C")'],
    ['CLOB', '"C"'],
    ['BLOB', '"C"'],
    ['XMLTYPE', 'xmlserialize(content "C" as clob)'],
  ])('%s is selected exactly', (type, sql) => expect(projection('C', type).sql).toBe(sql))

  test('types without a text form are refused, and names cannot leave their quotes', () => {
    expect(() => projection('C', 'SDO_GEOMETRY')).toThrow(/exact text form/)
    expect(projection('A" from dual --', 'CLOB').sql).toBe('"A"" from dual --"')
  })

  test('the descriptor verifies the server unless the config says otherwise, and takes no further clauses', () => {
    expect(descriptor({ ...config, port: undefined, tls: { mode: 'verify-full' } })).toBe(
      '(DESCRIPTION=(RETRY_COUNT=0)(TRANSPORT_CONNECT_TIMEOUT=15)(ADDRESS=(PROTOCOL=TCPS)(HOST=127.0.0.1)(PORT=2484))' +
        '(CONNECT_DATA=(SERVICE_NAME=CLINIC))(SECURITY=(SSL_SERVER_DN_MATCH=ON)))',
    )
    for (const service_name of ['x)(SECURITY=(WALLET_LOCATION=/etc)', 'a b', 'x(', "x'"])
      expect(() => descriptor({ ...config, service_name })).toThrow(/service/)
    expect(() => descriptor({ ...config, tls: { mode: 'require' } })).toThrow(/verified or not encrypted/)
  })

  test.each([
    ['ORA-01017', 'source_auth_failed'],
    ['NJS-518', 'source_not_found'],
    ['ORA-01031', 'source_permission_denied'],
    ['NJS-500', 'source_connection_lost'],
    ['NJS-506', 'source_tls_untrusted'],
    ['NJS-999', 'source_failed'],
  ])('%s is told as %s, without the words of the server', (code, type) => {
    const error = oracleError(Object.assign(new Error(`${code}: secret value`), { code }))
    expect(error).toMatchObject({ type, remoteCode: code })
    expect(error.message).not.toContain('secret')
  })
})

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

  test('an address that is not allowed, a closed port, and a server that never answers', async () => {
    const context = localContext({ dial: guardedDial(egressPolicy('')) })
    expect(await checkSource(source(targetPort), context)).toMatchObject({ problem: 'source_egress_denied' })
    expect(await checkSource(source(1), only127001())).toMatchObject({ problem: 'source_unreachable' })
    const mute = createServer(() => {})
    servers.push(mute)
    const limits = { ...defaultLimits, idleMs: 400 }
    expect(await checkSource(source(await listen(mute)), { ...only127001(), limits })).toMatchObject({
      problem: 'source_timeout',
    })
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
