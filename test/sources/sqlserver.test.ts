import { execFile } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { columnsSql, projection } from '../../shared/sources/databases/sqlserver-catalog.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import { checkSource, openFromSource, previewEntry } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, localContext } from './context.ts'
import { openssl, otherAuthority } from './servers/certificates.ts'
import { available, program } from './servers/process.ts'
import { startSqlServer } from './servers/sqlserver.ts'
import { startTds } from './servers/tds.ts'

const runs = available('openssl for the fake of SQL Server', openssl)
const tsql = program('tsql')

let server: Awaited<ReturnType<typeof startSqlServer>> | undefined
afterAll(() => server?.stop())
const source = (config = {}, secrets = {}) => server!.source(config, secrets)

conformance('SQL Server', runs, async () => {
  server = await startSqlServer()
  const { source, plain } = server
  return {
    port: server.port,
    source: source(),
    at: port => ({ source: source({ port }) }),
    cells: {
      'wrong password': { source: source({}, { password: 'wrong-secret' }), problem: 'source_auth_failed' },
      'nothing there': { source: source({ database: 'none' }), problem: ['source_not_found', 'source_auth_failed'] },
      'untrusted TLS': { source: source({ tls: {} }), problem: 'source_tls_untrusted' },
      'another identity': { source: source({ tls: { ca_pem: otherAuthority() } }), problem: 'source_tls_untrusted' },
    },
    failures: {
      'a name that the certificate lacks': { source: source({ host: '127.0.0.1' }), problem: 'source_tls_untrusted' },
      'a server without encryption': { source: source({ port: plain.port }), problem: 'source_tls_untrusted' },
      'no such host': { source: source({ host: 'no-such-host.invalid' }), problem: 'source_dns_failed' },
    },
    small: { name: 'dbo.patients', text: 'id,name,note,raw\n1,Ada,"",\\x00ff\n2,,"x""y,\r\n 😀",\n' },
    large: 'dbo.large',
    denied: { name: 'dbo.closed', problem: 'source_permission_denied' },
    entries: { names: ['dbo.large', 'dbo.names', 'dbo."odd.name ""x"', 'dbo.patients'] },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('SQL Server', () => {
  test('the first rows, with the columns and their types', async () => {
    const { entry, columns, rows } = await previewEntry(source(), localContext(), 'dbo.patients')
    expect(entry).toEqual({ name: 'dbo.patients', type: 'table', assetType: 'TABLE', supported: true, rows: 2 })
    expect(columns).toContainEqual({ name: 'id', nativeType: 'int', nullable: false, key: 1, encoding: 'text' })
    expect(columns).toContainEqual({ name: 'raw', nativeType: 'varbinary(100)', nullable: true, encoding: 'hex' })
    expect(rows).toEqual([
      ['1', 'Ada', '', '\\x00ff'],
      ['2', null, 'x"y,\r\n 😀', null],
    ])
  })

  test('without encryption only when the config says so', async () => {
    const open = source({ port: server!.plain.port, tls: { mode: 'disable' } })
    const report = await checkSource(open, localContext())
    expect(report).toMatchObject({ ok: true, warnings: { length: 2 } })
    expect((await bytesOf((await openFromSource(open, localContext(), 'dbo.large')).body)).length).toBeGreaterThan(
      9_000_000,
    )
  })

  test('a server that sends its clients on is followed only where the guard allows', async () => {
    let hits = 0
    const target = createServer(socket => {
      hits++
      socket.destroy()
    })
    await new Promise<void>(listening => target.listen(0, '127.0.0.2', listening))
    const { port } = target.address() as AddressInfo
    const login = { user: 'reader', password: 'reader-secret', databases: ['clinic'], answer: () => undefined }
    const hostile = await startTds({ ...login, routing: { host: '127.0.0.2', port } })
    const from = source({ port: hostile.port, tls: { mode: 'disable' } })
    const dial = guardedDial(egressPolicy('127.0.0.1/32'), { lookup: async () => ['127.0.0.1'] })
    expect(await checkSource(from, localContext({ dial }))).toMatchObject({ problem: 'source_egress_denied' })
    expect(hits).toBe(0)
    await checkSource(from, localContext())
    expect(hits).toBeGreaterThan(0)
    await hostile.stop()
    target.close()
  })

  test.skipIf(!available('FreeTDS', tsql))('an independent client accepts the fake', async () => {
    const run = promisify(execFile)(
      tsql!,
      ['-H', '127.0.0.1', '-p', String(server!.plain.port), '-U', 'reader', '-P', 'reader-secret', '-D', 'clinic'],
      {
        env: { ...process.env, TDSVER: '7.4', LC_ALL: 'C.UTF-8' },
        maxBuffer: 100_000_000,
      },
    )
    run.child.stdin!.end(
      `select cast([id] as varchar(20)), [a] from [dbo].[large]\ngo\n${columnsSql('dbo', 'patients')}\ngo\nselect nonsense\ngo\n`,
    )
    const { stdout, stderr } = await run.catch(error => error)
    const lines = `${stdout}${stderr}`.split('\n')
    expect(lines.filter(line => /^\d+\tx{150}$/.test(line))).toHaveLength(60_000)
    expect(lines).toContain('raw\tvarbinary\t1\tNULL\t100\t10\t0')
    expect(lines.some(line => line.includes('Incorrect syntax'))).toBe(true)
  })

  test.each([
    ['decimal', 'cast([c] as varchar(64))'],
    ['money', 'convert(varchar(64), [c], 2)'],
    ['real', 'convert(varchar(32), [c], 3)'],
    ['datetime2', 'convert(varchar(33), [c], 126)'],
    ['datetimeoffset', 'convert(varchar(40), [c], 121)'],
    ['varbinary', 'cast([c] as varbinary(max))'],
    ['nvarchar', '[c]'],
    ['geography', '[c].ToString()'],
    ['something new', 'cast([c] as nvarchar(max))'],
  ])('%s is selected exactly', (type, sql) => expect(projection('c', type).sql).toBe(sql))

  test('names and texts cannot leave their quotes', () => {
    expect(projection('a]; drop table x --', 'nvarchar').sql).toBe('[a]]; drop table x --]')
    expect(columnsSql(`o'; drop`, 't')).toContain(`s.name = N'o''; drop'`)
  })
})
