import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { discover } from '../../shared/discovery/discover.ts'
import { openFromSource, openParts, previewEntry, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { extremes } from './extremes.ts'
import { otherAuthority } from './servers/certificates.ts'
import { postgresPrograms, startPostgresServer } from './servers/postgresql.ts'
import { available } from './servers/process.ts'

const runs = available('PostgreSQL', ...Object.values(postgresPrograms))

const setup = `
create role reader login password 'reader-secret';
create role writer login password 'writer-secret';
create schema clinic; create schema hidden; create table hidden.secret (a int);
create table clinic."odd.name ""x""" (a int); insert into clinic."odd.name ""x""" values (7);
create table clinic.patients (id int primary key, name text, note text);
insert into clinic.patients values (1, 'Ada', ''), (2, null, 'x,"y"');
create table clinic.closed (a int);
create view clinic.names as select name from clinic.patients;
create table clinic.large as select i as id, md5(i::text) as a, repeat('x', 60) as b from generate_series(1, 120000) i;
${extremes}
grant usage on schema clinic to reader; grant create, usage on schema clinic to writer;
grant select on clinic."odd.name ""x""", clinic.patients, clinic.names, clinic.large, clinic.extremes to reader;
grant all on all tables in schema clinic to writer; analyze`

let port = 0
let ca = ''
const source = (config = {}, secrets = {}): Source => ({
  kind: 'DB_ENGINE_1',
  config: { host, port, database: 'clinic', username: 'reader', tls: { ca_pem: ca }, ...config },
  secrets: { password: 'reader-secret', ...secrets },
})
const writer = () => source({ username: 'writer' }, { password: 'writer-secret' })

async function sql(text: string, database = 'clinic') {
  const client = new pg.Client({ host: '127.0.0.1', port, database, user: 'owner', password: 'owner-secret' })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

const csv = async (name: string, from = source()) =>
  (await bytesOf((await openFromSource(from, localContext(), name)).body)).toString()

const columnsOf = async (name: string, from = source()) => (await previewEntry(from, localContext(), name, 1)).columns!

let server: Awaited<ReturnType<typeof startPostgresServer>> | undefined
afterAll(() => server?.stop())

conformance('PostgreSQL', runs, async () => {
  server = await startPostgresServer()
  port = server.port
  ca = server.ca
  await sql('create database clinic', 'postgres')
  await sql(setup)
  return {
    port,
    source: source(),
    at: port => ({ source: source({ port }) }),
    cells: {
      'wrong password': { source: source({}, { password: 'wrong-secret' }), problem: 'source_auth_failed' },
      'nothing there': { source: source({ database: 'none' }), problem: 'source_not_found' },
      'untrusted TLS': { source: source({ tls: {} }), problem: 'source_tls_untrusted' },
      'another identity': { source: source({ tls: { ca_pem: otherAuthority() } }), problem: 'source_tls_untrusted' },
    },
    failures: {
      'no such user': { source: source({ username: 'nobody' }), problem: 'source_auth_failed' },
      'a name that the certificate lacks': { source: source({ host: '127.0.0.1' }), problem: 'source_tls_untrusted' },
      'no such host': { source: source({ host: 'no-such-host.invalid' }), problem: 'source_dns_failed' },
      'a port of something else': { source: source({ port: 1 }), problem: 'source_unreachable' },
    },
    small: { name: 'clinic.patients', text: 'id,name,note\n1,Ada,""\n2,,"x,""y"""\n' },
    large: 'clinic.large',
    denied: { name: 'clinic.closed', problem: 'source_permission_denied' },
    entries: {
      names: ['clinic.extremes', 'clinic.large', 'clinic.names', 'clinic."odd.name ""x"""', 'clinic.patients'],
    },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('PostgreSQL: fidelity, parts and writing', () => {
  const differing = (a: string, b: string) =>
    sql(`
    (select left_::text from ${a} left_ except all select right_::text from ${b} right_) union all
    (select right_::text from ${b} right_ except all select left_::text from ${a} left_)`)
  const write = (target: Parameters<typeof writeToSource>[2], text: string | Buffer, from = writer()) =>
    writeToSource(from, localContext(), target, Readable.from([text]))

  test('extreme values come back with the same text and go in again without a difference', async () => {
    const text = await csv('clinic.extremes')
    expect(text.split('\n')[1]).toContain('12345678901234567890.123456789012345678,NaN,1.1754944e-38,5e-324,""')
    const target = {
      name: 'clinic.extremes_copy',
      mode: 'create',
      columns: await columnsOf('clinic.extremes'),
    } as const
    await write(target, text)
    expect(await differing('clinic.extremes', 'clinic.extremes_copy')).toEqual([])
    expect(await columnsOf('clinic.extremes_copy', writer())).toEqual(target.columns)
  })

  test('the first rows keep NULL apart from the empty text, and say what the columns are', async () => {
    const { entry, columns, rows } = await previewEntry(source(), localContext(), 'clinic.patients', 1)
    expect(entry).toMatchObject({ name: 'clinic.patients', type: 'table', assetType: 'TABLE', rows: 2 })
    expect(columns).toEqual([
      { name: 'id', nativeType: 'integer', nullable: false, key: 1, encoding: 'text' },
      { name: 'name', nativeType: 'text', nullable: true, encoding: 'text' },
      { name: 'note', nativeType: 'text', nullable: true, encoding: 'text' },
    ])
    expect(rows).toEqual([['1', 'Ada', '']])
    const { rows: long } = await previewEntry(source(), localContext(), 'clinic.patients', 20)
    expect(long![1]).toEqual(['2', null, 'x,"y"'])
  })

  test('parts of one snapshot hold every row once, even while others write', async () => {
    const parts = await openParts(source(), localContext(), 'clinic.large', 4)
    expect(parts).toHaveLength(4)
    await sql('delete from clinic.large where id > 100; insert into clinic.large values (-1)')
    const texts = await Promise.all(parts.map(async part => (await bytesOf(part.body)).toString()))
    const lines = texts.join('').trimEnd().split('\n')
    expect(lines.shift()).toBe('id,a,b')
    const ids = lines.map(line => Number(line.split(',')[0])).sort((a, b) => a - b)
    expect(ids).toEqual(Array.from({ length: 120_000 }, (_, at) => at + 1))
    const view = await openParts(source(), localContext(), 'clinic.names', 4)
    expect(view).toHaveLength(1)
    expect((await bytesOf(view[0]!.body)).toString()).toBe('name\nAda\n\n')
  })

  test('a session that reads cannot write', async () => {
    const session = await (await import('../../shared/sources/databases/postgresql-session.ts')).openPostgres(
      localContext(),
      {
        host,
        port,
        database: 'clinic',
        username: 'writer',
        password: 'writer-secret',
        tls: { mode: 'verify-full', ca_pem: ca },
      },
    )
    await expect(session.client.query('delete from clinic.patients')).rejects.toMatchObject({ code: '25006' })
    session.close()
  })

  test('create makes a new table and leaves an existing one alone', async () => {
    const done = await write(
      { name: 'clinic.copy', mode: 'create', columns: await columnsOf('clinic.patients') },
      'id,name,note\n1,X,""\n2,,\n',
    )
    expect(done).toEqual({ name: 'clinic.copy', bytes: 24, rows: 2 })
    expect(await sql('select id, name, note from clinic.copy order by 1')).toEqual([
      [1, 'X', ''],
      [2, null, null],
    ])
    await expect(write({ name: 'clinic.copy', mode: 'create' }, 'id\n1\n')).rejects.toMatchObject({
      type: 'source_conflict',
    })
  })

  test('a new table has text where a type is not one of this server, and no key where two are alike', async () => {
    const column = { nullable: true, encoding: 'text' } as const
    const columns = [
      { ...column, name: 'id', nativeType: 'integer', key: 1 },
      { ...column, name: 'a', nativeType: 'hierarchyid' },
      { ...column, name: 'b', nativeType: `int); drop table clinic.patients; --` },
      { ...column, name: 'c', nativeType: 'numeric(10,2)' },
    ]
    await write({ name: 'clinic.foreign', mode: 'create', columns }, 'id,a,b,c,d\n1,x,y,1.5,z\n1,x,y,2,z\n')
    expect((await columnsOf('clinic.foreign', writer())).map(({ nativeType, key }) => [nativeType, key])).toEqual([
      ['integer', undefined],
      ['text', undefined],
      ['text', undefined],
      ['numeric(10,2)', undefined],
      ['text', undefined],
    ])
    expect(await sql('select count(*)::int from clinic.patients')).toEqual([[2]])
    await expect(write({ name: 'clinic.misfit', mode: 'create', columns }, 'id\n[ID]\n')).rejects.toMatchObject({
      type: 'source_unsupported',
      message: 'A value does not fit its column in the target: column id',
    })
    const name = `clinic.${'x'.repeat(64)}`
    await expect(write({ name, mode: 'create' }, 'id\n1\n')).rejects.toMatchObject({ type: 'source_unsupported' })
  })

  test('the same delivery asked for again finds its table', async () => {
    const target = { name: 'clinic.delivered', mode: 'create', delivery: 'job-1' } as const
    expect(await write(target, 'id\n1\n')).toMatchObject({ rows: 1 })
    expect(await write(target, 'id\n1\n')).toEqual({ name: 'clinic.delivered', bytes: 0 })
    await expect(write({ ...target, delivery: 'job-2' }, 'id\n1\n')).rejects.toMatchObject({ type: 'source_conflict' })
    await expect(write({ ...target, delivery: undefined }, 'id\n1\n')).rejects.toMatchObject({
      type: 'source_conflict',
    })
    const again = { name: 'clinic.delivered', mode: 'replace', delivery: 'job-2' } as const
    expect(await write(again, 'id\n2\n')).toMatchObject({ rows: 1 })
    expect(await write(again, 'id\n2\n')).toEqual({ name: 'clinic.delivered', bytes: 0 })
    expect(await sql('select id from clinic.delivered')).toEqual([['2']])
  })

  test('replace exchanges all rows at once, or none', async () => {
    const target = { name: 'clinic.patients', mode: 'replace' } as const
    await expect(write(target, 'id,name,note\n1,Y,\nx,Z,\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write(target, 'id,nonsense\n1,Y\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    expect(await sql('select name from clinic.patients order by id')).toEqual([['Ada'], [null]])
    expect(await write(target, 'id,name,note\n3,"a\nb",""\n')).toMatchObject({ rows: 1 })
    expect(await write(target, 'id,name,note\n3,"a\nb",""\n')).toMatchObject({ rows: 1 })
    expect(await sql('select * from clinic.patients')).toEqual([[3, 'a\nb', '']])
  })

  test('update sets the rows of the same key and no others', async () => {
    await sql(`insert into clinic.patients values (4, 'four', 'kept'), (5, 'five', 'kept')`)
    const target = { name: 'clinic.patients', mode: 'update' } as const
    expect(await write(target, 'name,id\nANON,4\n,5\nnobody,99\n')).toMatchObject({ rows: 2 })
    expect(await sql('select * from clinic.patients where id > 3 order by id')).toEqual([
      [4, 'ANON', 'kept'],
      [5, null, 'kept'],
    ])
    await expect(write(target, 'id,name\n4,a\n4,b\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write(target, 'name\na\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write({ ...target, name: 'clinic.none' }, 'id,name\n4,a\n')).rejects.toMatchObject({
      type: 'source_not_found',
    })
  })

  test('without the right to write nothing is written', async () => {
    await expect(write({ name: 'clinic.by_reader', mode: 'create' }, 'id\n1\n', source())).rejects.toMatchObject({
      type: 'source_permission_denied',
    })
  })
})

describe.skipIf(!runs)('what the columns of its tables are', () => {
  test('is told by their first rows', async () => {
    await sql(`create table clinic.visits as select i as visit, 'person' || i || '@example.org' as contact, now()::date - i as seen
      from generate_series(1, 1000) i; grant select on clinic.visits to reader`)
    const { entry, columns, workflow } = await discover(source(), localContext(), 'clinic.visits')
    expect(entry.name).toBe('clinic.visits')
    expect(columns.map(({ name, nativeType, values, labels }) => [name, nativeType, values, labels])).toEqual([
      ['visit', 'integer', 200, []],
      ['contact', 'text', 200, ['EMAIL']],
      ['seen', 'date', 200, ['DATE']],
    ])
    expect(workflow!.rules[0]!.entries.map(one => one.columns)).toEqual([['contact'], ['seen']])
  })

  test('one that may not be read is not there', async () => {
    await expect(discover(source(), localContext(), 'clinic.closed')).rejects.toMatchObject({
      type: 'source_not_found',
    })
  })
})
