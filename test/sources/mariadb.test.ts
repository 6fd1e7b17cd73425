import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { openFromSource, previewEntry, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { otherAuthority } from './servers/certificates.ts'
import { mariadbPrograms, startMariadbServer } from './servers/mariadb.ts'
import { available } from './servers/process.ts'

const runs = available('MariaDB', ...Object.values(mariadbPrograms))

const setup = `
create database clinic character set utf8mb4; create database other; create table other.secret (a int);
create user reader@'%' identified by 'reader-secret'; create user writer@'%' identified by 'writer-secret';
grant select on clinic.* to reader@'%'; grant all on clinic.* to writer@'%';
use clinic;
create table patients (id int primary key, name varchar(50), note text);
insert into patients values (1, 'Ada', ''), (2, null, 'x,"y"');
create view names as select name from patients;
create table \`odd.name "x\` (a int); insert into \`odd.name "x\` values (7);
create table large as select seq as id, md5(seq) as a, repeat('x', 60) as b from seq_1_to_120000;
create table extremes (
  id int primary key, big bigint unsigned, num decimal(65,30), f float, d double, t text, c char(4), b blob,
  vb varbinary(10), dt datetime(6), ts timestamp(6) null, day date, tm time(6), y year, j json, e enum('a','b,c'),
  s set('x','y'), bt bit(12), g point, z int(8) zerofill, l varchar(20) character set latin1, bo boolean);
set sql_mode = '';
insert into extremes values
  (1, 18446744073709551615, 12345678901234567890123456789012345.123456789012345678901234567890, 16777217.123, 5e-324, '',
   'a', x'00ff', x'5c', '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07.999999', '9999-12-31', '-838:59:59.999999', 2155,
   '{"a":1.00000000000000000001, "a":2}', 'b,c', 'x,y', b'101010101010', point(1.1, -0.1), 7, 'café', true),
  (2, 0, -0.000000000000000000000000000001, 1.1754944e-38, 0.1, null, '', x'', null, '0000-00-00 00:00:00', null,
   '0000-00-00', '00:00:00.000001', 0, 'null', 'a', '', 0, null, 0, '', false),
  (3, 1, 0, 0.1, 1.7976931348623157e308, 'a "quote", a comma,\\r\\na line\\ttab \\\\N end', 'é', x'deadbeef', x'00',
   '1000-01-01 00:00:00', '1970-01-01 00:00:01', '1000-01-01', '838:59:59', 1901, '[]', 'a', 'y', 1, point(0, 0), 1, 'ÿ', 1),
  (4, 1, 1, -0.0, -0.0, ' 😀 e\u0301 NULL ', 'NULL', null, null, null, null, null, null, null, null, null, null, null, null,
   null, null, null);`

let server: Awaited<ReturnType<typeof startMariadbServer>> | undefined
afterAll(() => server?.stop())

const source = (config = {}, secrets = {}): Source => ({
  kind: 'DB_ENGINE_3',
  config: { host, port: server!.port, database: 'clinic', username: 'reader', tls: { ca_pem: server!.ca }, ...config },
  secrets: { password: 'reader-secret', ...secrets },
})
const writer = () => source({ username: 'writer' }, { password: 'writer-secret' })
const csv = async (name: string) =>
  (await bytesOf((await openFromSource(source(), localContext(), name)).body)).toString()
const columnsOf = async (name: string, from = source()) => (await previewEntry(from, localContext(), name, 1)).columns!
const sql = (text: string) => server!.sql(`use clinic; ${text}`)

conformance('MariaDB', runs, async () => {
  server = await startMariadbServer()
  server.sql(setup)
  return {
    port: server.port,
    source: source(),
    at: port => ({ source: source({ port }) }),
    cells: {
      'wrong password': { source: source({}, { password: 'wrong-secret' }), problem: 'source_auth_failed' },
      'nothing there': {
        source: source({ database: 'none' }),
        problem: ['source_not_found', 'source_permission_denied'],
      },
      'no permission': { source: source({ database: 'other' }), problem: 'source_permission_denied' },
      'untrusted TLS': { source: source({ tls: {} }), problem: 'source_tls_untrusted' },
      'another identity': { source: source({ tls: { ca_pem: otherAuthority() } }), problem: 'source_tls_untrusted' },
    },
    failures: {
      'no such user': { source: source({ username: 'nobody' }), problem: 'source_auth_failed' },
      'a name that the certificate lacks': { source: source({ host: '127.0.0.1' }), problem: 'source_tls_untrusted' },
      'no such host': { source: source({ host: 'no-such-host.invalid' }), problem: 'source_dns_failed' },
    },
    small: { name: 'patients', text: 'id,name,note\n1,Ada,""\n2,,"x,""y"""\n' },
    large: 'large',
    entries: { names: ['extremes', 'large', 'names', '"odd.name ""x"', 'patients'] },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('MariaDB: fidelity and writing', () => {
  const write = (target: Parameters<typeof writeToSource>[2], text: string, from = writer()) =>
    writeToSource(from, localContext(), target, Readable.from([Buffer.from(text)]))
  const checksum = (table: string, columns = '*') => sql(`select ${columns} from ${table} order by id`)

  test('extreme values come out exactly', async () => {
    const [header, ...rows] = (await csv('extremes')).split(/\n(?=\d,)/)
    expect(header).toBe('id,big,num,f,d,t,c,b,vb,dt,ts,day,tm,y,j,e,s,bt,g,z,l,bo')
    expect(rows[0]).toBe(
      '1,18446744073709551615,12345678901234567890123456789012345.123456789012345678901234567890,16777218' +
        ',5e-324,"",a,\\x00ff,\\x5c,9999-12-31 23:59:59.999999,2038-01-19 03:14:07.999999,9999-12-31,-838:59:59.999999,2155,' +
        '"{""a"":1.00000000000000000001, ""a"":2}","b,c","x,y",2730,POINT(1.1 -0.1),00000007,café,1',
    )
    expect(rows[1]).toBe(
      '2,0,-0.000000000000000000000000000001,1.1754943508222875e-38,0.1,,"",\\x,,0000-00-00 00:00:00.000000,,0000-00-00,' +
        '00:00:00.000001,0000,null,a,"",0,,00000000,"",0',
    )
    expect(rows[2]).toContain('"a ""quote"", a comma,\r\na line\ttab \\N end",é,\\xdeadbeef,\\x00,')
    expect(rows[3]).toBe(`4,1,1.${'0'.repeat(30)},0,0, 😀 e\u0301 NULL ,NULL${','.repeat(15)}\n`)
  })

  test('and go in again without a difference', async () => {
    const [header, ...rows] = (await csv('extremes')).split(/\n(?=\d,)/)
    expect(rows).toHaveLength(4)
    const columns = header!.replace(',g', '')
    const without = await csv('extremes').then(() => {
      sql(`create or replace view shown as select ${columns} from extremes`)
      return csv('shown')
    })
    await write({ name: 'again', mode: 'create', columns: await columnsOf('extremes') }, without)
    expect(checksum('again', columns)).toBe(checksum('extremes', columns))
    expect(
      sql(`select count(*) from extremes a join again b using (id) where a.f <=> b.f and a.d <=> b.d and a.bt <=> b.bt
      and hex(a.b) <=> hex(b.b)`).trim(),
    ).toBe('4')
  })

  test('the first rows keep NULL apart from the empty text, and say what the columns are', async () => {
    const { entry, columns, rows } = await previewEntry(source(), localContext(), 'patients')
    expect(entry).toMatchObject({ name: 'patients', type: 'table', assetType: 'TABLE' })
    expect(columns).toEqual([
      { name: 'id', nativeType: 'int(11)', nullable: false, key: 1, encoding: 'text' },
      { name: 'name', nativeType: 'varchar(50)', nullable: true, encoding: 'text' },
      { name: 'note', nativeType: 'text', nullable: true, encoding: 'text' },
    ])
    expect(rows).toEqual([
      ['1', 'Ada', ''],
      ['2', null, 'x,"y"'],
    ])
    expect((await previewEntry(source(), localContext(), 'extremes')).rows![0]![7]).toBe('\\x00ff')
  })

  test('a session that reads cannot write', async () => {
    const { openMysql } = await import('../../shared/sources/databases/mysql-session.ts')
    const { config, secrets } = writer()
    const full = { ...config, ...secrets, tls: { mode: 'verify-full', ca_pem: server!.ca } } as Parameters<
      typeof openMysql
    >[1]
    const session = await openMysql(localContext(), full)
    await expect(session.query('delete from patients')).rejects.toMatchObject({
      code: 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    })
    session.close()
  })

  test('create makes a new table and leaves an existing one alone', async () => {
    const text = 'id,name,note\n1,X,""\n2,,\n'
    const target = { name: 'copy', mode: 'create', columns: await columnsOf('patients') } as const
    expect(await write(target, text)).toEqual({ name: 'copy', bytes: text.length, rows: 2 })
    expect((await columnsOf('copy')).map(({ nativeType, key }) => [nativeType, key])).toEqual([
      ['int(11)', 1],
      ['varchar(50)', undefined],
      ['text', undefined],
    ])
    expect(sql(`select id, name is null, note = '' from copy`)).toBe('1\t0\t1\n2\t1\tNULL\n')
    await expect(write(target, text)).rejects.toMatchObject({ type: 'source_conflict' })
  })

  test('the same delivery asked for again finds its table', async () => {
    const target = { name: 'delivered', mode: 'create', delivery: 'job-1' } as const
    expect(await write(target, 'id\n1\n')).toMatchObject({ rows: 1 })
    expect(await write(target, 'id\n1\n')).toEqual({ name: 'delivered', bytes: 0 })
    await expect(write({ ...target, delivery: 'job-2' }, 'id\n1\n')).rejects.toMatchObject({ type: 'source_conflict' })
    await expect(write({ ...target, delivery: undefined }, 'id\n1\n')).rejects.toMatchObject({
      type: 'source_conflict',
    })
    const again = { name: 'delivered', mode: 'replace', delivery: 'job-2' } as const
    sql('create table stage_job2 (a int); create table stage_job2_old (a int)')
    expect(await write(again, 'id\n2\n')).toMatchObject({ rows: 1 })
    expect(await write(again, 'id\n2\n')).toEqual({ name: 'delivered', bytes: 0 })
    expect(sql('select id from delivered')).toBe('2\n')
    expect(sql(`show tables like 'stage%'`)).toBe('')
  })

  test('a new table has text where a type is not one, and no key where two are alike', async () => {
    const column = { nullable: true, encoding: 'text' } as const
    const columns = [
      { ...column, name: 'id', nativeType: 'int(11)', key: 1 },
      { ...column, name: 'a', nativeType: 'int); drop table patients; --' },
      { ...column, name: 'b', nativeType: `enum('x','y''s')` },
      { ...column, name: 'p', nativeType: 'point' },
    ]
    await write({ name: 'foreign_', mode: 'create', columns }, `id,a,b,p\n1,x,y's,POINT(1 2)\n1,y,x,\n`)
    expect((await columnsOf('foreign_', writer())).map(({ nativeType, key }) => [nativeType, key])).toEqual([
      ['int(11)', undefined],
      ['longtext', undefined],
      [`enum('x','y''s')`, undefined],
      ['longtext', undefined],
    ])
    const raw = [{ ...column, name: 'raw', nativeType: 'varbinary(10)', encoding: 'hex' as const }]
    await expect(write({ name: 'misfit', mode: 'create', columns: raw }, 'raw\n[RAW]\n')).rejects.toMatchObject({
      type: 'source_unsupported',
    })
  })

  test('replace exchanges all rows at once, or none, and leaves nothing behind', async () => {
    const target = { name: 'patients', mode: 'replace' } as const
    await expect(write(target, 'id,name,note\n1,Y,\nx,Z,\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write(target, 'id,nonsense\n1,Y\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write(target, 'id,name,note\n1,Y\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    expect(sql('select name from patients order by id')).toBe('Ada\nNULL\n')
    for (const _ of [1, 2]) expect(await write(target, 'id,name,note\n3,"a\nb",""\n')).toMatchObject({ rows: 1 })
    expect(sql('select * from patients')).toBe('3\ta\\nb\t\n')
    expect(sql(`show tables like 'stage%'`)).toBe('')
  })

  test('update sets the rows of the same key and no others', async () => {
    sql(`insert into patients values (4, 'four', 'kept'), (5, 'five', 'kept')`)
    const target = { name: 'patients', mode: 'update' } as const
    expect(await write(target, 'name,id\nANON,4\n,5\nnobody,99\n')).toMatchObject({ rows: 2 })
    expect(sql('select * from patients where id > 3')).toBe('4\tANON\tkept\n5\tNULL\tkept\n')
    await expect(write(target, 'id,name\n4,a\n4,b\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write(target, 'name\na\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write({ ...target, name: 'none' }, 'id,name\n4,a\n')).rejects.toMatchObject({
      type: 'source_not_found',
    })
  })

  test('without the right to write nothing is written', async () => {
    await expect(write({ name: 'by_reader', mode: 'create' }, 'id\n1\n', source())).rejects.toMatchObject({
      type: 'source_permission_denied',
    })
  })
})
