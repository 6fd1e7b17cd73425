import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSource, openFromSource, previewEntry, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { openssl, otherAuthority } from './servers/certificates.ts'
import { mysqlProgram, startMysqlServer } from './servers/mysql.ts'
import { available } from './servers/process.ts'

const runs = available('MySQL (npm run build:mysql-server builds a server with Go)', mysqlProgram, openssl)

/**
 * What go-mysql-server does not do, and so is tried on MariaDB only: the error numbers of what is denied, columns of views
 * and keys in the catalog, read-only sessions, comments of tables (and with them deliveries that are asked for again),
 * updates by key, transactions that are rolled back.
 */
const setup = [
  'create database clinic',
  'create database other',
  'create table other.secret (a int)',
  `create user reader@'%' identified by 'reader-secret'`,
  `create user modern@'%' identified with caching_sha2_password by 'modern-secret'`,
  `create user writer@'%' identified by 'writer-secret'`,
  `create user keeper@'%' identified by 'keeper-secret'`,
  `grant all on *.* to keeper@'%'`,
  `grant select on clinic.* to reader@'%'`,
  `grant select on clinic.* to modern@'%'`,
  `grant all on clinic.* to writer@'%'`,
  'use clinic',
  'create table patients (id int primary key, name varchar(50), note text)',
  `insert into patients values (1, 'Ada', ''), (2, null, 'x,"y"')`,
  'create view names as select name from patients',
  'create table `odd.name "x` (a int)',
  'insert into `odd.name "x` values (7)',
  'create table large (id int primary key, a varchar(1000))',
  ...Array.from(
    { length: 10 },
    (
      _,
      at,
    ) => `insert into large with recursive s as (select ${at * 900} as i union all select i + 1 from s where i < ${at * 900 + 899})
      select i, repeat('x', 1000) from s`,
  ),
  `create table extremes (id int primary key, big bigint unsigned, num decimal(65,30), f float, d double, t text, c char(4),
    b blob, vb varbinary(10), dt datetime(6), ts timestamp(6) null, day date, tm time(6), y year, j json,
    e enum('a','b,c'), s set('x','y'), bt bit(12), g point, bo boolean)`,
  `insert into extremes values
  (1, 18446744073709551615, 12345678901234567890123456789012345.123456789012345678901234567890, 16777217.123, 5e-324, '',
   'a', x'00ff', x'5c', '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07.999999', '9999-12-31', '-838:59:58.999999', 2155,
   '{"a":1.5,"b":2}', 'b,c', 'x,y', b'101010101010', point(1.1, -0.1), true),
  (2, 0, -0.000000000000000000000000000001, 1.1754944e-38, 0.1, null, '', x'', null, '1000-01-01 00:00:00', null,
   '1000-01-01', '00:00:00.000001', 1901, 'null', 'a', '', 0, null, false)`,
]

let server: Awaited<ReturnType<typeof startMysqlServer>> | undefined
afterAll(() => server?.stop())

const source = (config = {}, secrets = {}): Source => ({
  kind: 'DB_ENGINE_2',
  config: { host, port: server!.port, database: 'clinic', username: 'reader', tls: { ca_pem: server!.ca }, ...config },
  secrets: { password: 'reader-secret', ...secrets },
})
const writer = () => source({ username: 'writer' }, { password: 'writer-secret' })
const csv = async (name: string, from = source()) =>
  (await bytesOf((await openFromSource(from, localContext(), name)).body)).toString()

conformance('MySQL', runs, async () => {
  server = await startMysqlServer(mysqlProgram!)
  await server.sql(...setup)
  return {
    port: server.port,
    source: source(),
    at: port => ({ source: source({ port }) }),
    cells: {
      'wrong password': { source: source({}, { password: 'wrong-secret' }), problem: 'source_auth_failed' },
      'nothing there': {
        source: source({ database: 'none', username: 'keeper' }, { password: 'keeper-secret' }),
        problem: 'source_not_found',
      },
      'untrusted TLS': { source: source({ tls: {} }), problem: 'source_tls_untrusted' },
      'another identity': { source: source({ tls: { ca_pem: otherAuthority() } }), problem: 'source_tls_untrusted' },
    },
    failures: {
      'a name that the certificate lacks': { source: source({ host: '127.0.0.1' }), problem: 'source_tls_untrusted' },
      'no such host': { source: source({ host: 'no-such-host.invalid' }), problem: 'source_dns_failed' },
    },
    small: { name: 'patients', text: 'id,name,note\n1,Ada,""\n2,,"x,""y"""\n' },
    large: 'large',
    entries: { names: ['extremes', 'large', 'names', '"odd.name ""x"', 'patients'] },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('MySQL: what is its own', () => {
  const write = (target: Parameters<typeof writeToSource>[2], text: string) =>
    writeToSource(writer(), localContext(), target, Readable.from([Buffer.from(text)]))

  test('a user of MySQL’s own authentication logs in (caching_sha2_password)', async () => {
    const modern = source({ username: 'modern' }, { password: 'modern-secret' })
    expect(await checkSource(modern, localContext())).toMatchObject({ ok: true })
    expect(await csv('patients', modern)).toMatch(/^id,name,note\n1,Ada,/)
    const wrong = source({ username: 'modern' }, { password: 'wrong-secret' })
    expect(await checkSource(wrong, localContext())).toMatchObject({ ok: false, problem: 'source_auth_failed' })
  })

  test('extreme values of its types come out exactly', async () => {
    const [header, first, second] = (await csv('extremes')).split('\n')
    expect(header).toBe('id,big,num,f,d,t,c,b,vb,dt,ts,day,tm,y,j,e,s,bt,g,bo')
    expect(first).toBe(
      '1,18446744073709551615,12345678901234567890123456789012345.123456789012345678901234567890,1.6777218e+07,5e-324,"",a,' +
        '\\x00ff,\\x5c,9999-12-31 23:59:59.999999,2038-01-19 03:14:07.999999,9999-12-31,-838:59:58.999999,2155,' +
        '"{""a"": 1.5, ""b"": 2}","b,c","x,y",2730,POINT(1.1 -0.1),1',
    )
    expect(second).toBe(
      '2,0,-0.000000000000000000000000000001,1.1754943508222875e-38,0.1,,"",\\x,,1000-01-01 00:00:00,,1000-01-01,' +
        '00:00:00.000001,1901,null,a,"",0,,0',
    )
  })

  test('the catalog of MySQL 8 is understood', async () => {
    const { entry, columns, rows } = await previewEntry(source(), localContext(), 'patients')
    expect(entry).toMatchObject({ name: 'patients', type: 'table', assetType: 'TABLE', rows: 2 })
    expect(columns!.map(({ nativeType, nullable }) => [nativeType, nullable])).toEqual([
      ['int', false],
      ['varchar(50)', true],
      ['text', true],
    ])
    expect(rows).toEqual([
      ['1', 'Ada', ''],
      ['2', null, 'x,"y"'],
    ])
  })

  test('create makes a new table and leaves an existing one alone; replace exchanges all rows at once', async () => {
    const { columns } = await previewEntry(source(), localContext(), 'extremes')
    const wanted = columns!.filter(({ name }) => ['id', 'num', 'dt', 'vb', 'c'].includes(name))
    const text = `id,num,dt,vb,c\n1,0.000000000000000000000000000001,9999-12-31 23:59:59.999999,\\x5c,é\n2,,,,""\n`
    const target = { name: 'copy', mode: 'create', columns: wanted } as const
    expect(await write(target, text)).toMatchObject({ name: 'copy', rows: 2 })
    expect(await csv('copy')).toBe(text)
    expect((await previewEntry(source(), localContext(), 'copy')).columns!.map(({ nativeType }) => nativeType)).toEqual(
      ['int', 'decimal(65,30)', 'datetime(6)', 'varbinary(10)', 'char(4)'],
    )
    await expect(write(target, text)).rejects.toMatchObject({ type: 'source_conflict' })
    await expect(write({ name: 'copy', mode: 'replace' }, 'id,c\nx,y\n')).rejects.toMatchObject({
      type: 'source_unsupported',
    })
    expect(await csv('copy')).toBe(text)
    expect(await write({ name: 'copy', mode: 'replace' }, 'id,c\n3,z\n')).toMatchObject({ rows: 1 })
    expect(await csv('copy')).toBe('id,num,dt,vb,c\n3,,,,z\n')
    expect(
      await server!.sql(`select table_name from information_schema.tables where table_name like 'stage%'`),
    ).toEqual([])
  })
})
