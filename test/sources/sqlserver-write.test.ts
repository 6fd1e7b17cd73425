import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversion, insertSql, updateSql } from '../../shared/sources/databases/sqlserver-write.ts'
import { writeToSource } from '../../shared/sources/sources.ts'
import { localContext } from './context.ts'
import { openssl } from './servers/certificates.ts'
import { available, program, scratch } from './servers/process.ts'
import { startSqlServer } from './servers/sqlserver.ts'

const runs = available('openssl for the fake of SQL Server', openssl)

let server: Awaited<ReturnType<typeof startSqlServer>> | undefined
afterAll(() => server?.stop())
const source = (config = {}, secrets = {}) => server!.source(config, secrets)

describe.skipIf(!runs)('writing to SQL Server', () => {
  beforeAll(async () => {
    server = await startSqlServer()
  })

  const column = { nullable: true, encoding: 'text' } as const
  const columns = [
    { ...column, name: 'id', nativeType: 'int', key: 1 },
    { ...column, name: 'a]b', nativeType: 'decimal(38,18)' },
    { ...column, name: 'at', nativeType: 'datetimeoffset(7)' },
    { ...column, name: 'raw', nativeType: 'varbinary(max)', encoding: 'hex' as const },
    { ...column, name: 'bad', nativeType: `int); drop table x; --` },
  ]
  const write = async (target: Partial<Parameters<typeof writeToSource>[2]>, text: string) => {
    server!.statements.length = 0
    server!.loads.length = 0
    const body = Readable.from([Buffer.from(text)])
    return writeToSource(source(), localContext(), { name: 'dbo.copy', mode: 'create', ...target }, body)
  }

  test('create fills a table of text in bulk and makes the new one of it in a transaction', async () => {
    const csv =
      'id,a]b,at,raw,bad\n1,0.000000000000000001,2026-01-01 00:00:00.0000001 +14:00,\\x00ff,"x, 😀"\n2,,,,""\n'
    expect(await write({ columns, delivery: 'one' }, csv)).toMatchObject({ name: 'dbo.copy', rows: 2 })
    expect(server!.loads).toEqual([
      {
        columns: ['c0', 'c1', 'c2', 'c3', 'c4'],
        rows: [
          ['1', '0.000000000000000001', '2026-01-01 00:00:00.0000001 +14:00', '0x00ff', 'x, 😀'],
          ['2', null, null, null, ''],
        ],
      },
    ])
    const kept = columns.map((one, at) => ({ ...one, at }))
    kept[4]!.nativeType = 'nvarchar(max)'
    expect(server!.statements.slice(server!.statements.findIndex(one => one.startsWith('create table #')))).toEqual([
      'create table #anonymised (c0 nvarchar(max) null, c1 nvarchar(max) null, c2 nvarchar(max) null, c3 nvarchar(max) null, c4 nvarchar(max) null)',
      'insert bulk #anonymised([c0] nvarchar(max), [c1] nvarchar(max), [c2] nvarchar(max), [c3] nvarchar(max), [c4] nvarchar(max))',
      'set xact_abort on; begin transaction',
      'create table [dbo].[copy] ([id] int null, [a]]b] decimal(38,18) null, [at] datetimeoffset(7) null, [raw] varbinary(max) null, [bad] nvarchar(max) null)',
      insertSql('[dbo].[copy]', kept, false),
      `exec sys.sp_addextendedproperty @name = N'anonymisation_delivery', @value = N'anonymisation delivery one', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'copy'`,
      'commit transaction',
      'set xact_abort on; begin transaction; alter table [dbo].[copy] alter column [id] int not null; alter table [dbo].[copy] add primary key ([id]); commit transaction',
    ])
    expect(insertSql('[dbo].[copy]', kept, false)).toBe(
      'insert into [dbo].[copy] ([id], [a]]b], [at], [raw], [bad]) select cast(c0 as int), cast(c1 as decimal(38,18)), ' +
        'convert(datetimeoffset(7), c2, 121), convert(varbinary(max), c3, 1), c4 from #anonymised',
    )
  })

  test('a table that is there is left alone, replaced, or updated by key', async () => {
    const name = 'dbo.patients'
    await expect(write({ name }, 'id,name\n1,X\n')).rejects.toMatchObject({ type: 'source_conflict' })
    expect(await write({ name, mode: 'replace' }, 'id,name\n1,X\n')).toMatchObject({ rows: 1 })
    expect(server!.statements).toContain('truncate table [dbo].[patients]')
    expect(server!.statements.some(one => one.includes('set identity_insert [dbo].[patients] on'))).toBe(true)
    expect(await write({ name, mode: 'update' }, 'name,id\nX,1\nY,2\n')).toMatchObject({ rows: 2 })
    expect(server!.statements.find(one => one.includes('update t'))).toBe(
      updateSql('[dbo].[patients]', [
        { ...column, name: 'name', nativeType: 'nvarchar(50)', at: 0 },
        { ...column, name: 'id', nativeType: 'int', key: 1, at: 1 },
      ]),
    )
    await expect(write({ name, mode: 'update' }, 'name\nX\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write({ name: 'dbo.none', mode: 'update' }, 'id\n1\n')).rejects.toMatchObject({
      type: 'source_not_found',
    })
  })

  test('what the server refuses ends the transaction with the session, in our words', async () => {
    server!.state.misfit = true
    const attempt = write({ columns }, 'id\n[ID]\n').finally(() => {
      server!.state.misfit = false
    })
    await expect(attempt).rejects.toMatchObject({
      type: 'source_unsupported',
      remoteCode: '8114',
      message: 'A value does not fit its column in the target',
    })
    expect(server!.statements).not.toContain('commit transaction')
    server!.state.doubled = true
    const twice = write({ name: 'dbo.patients', mode: 'update' }, 'id,name\n1,a\n1,b\n').finally(() => {
      server!.state.doubled = false
    })
    await expect(twice).rejects.toMatchObject({ message: 'The result has two rows of the same key' })
    await expect(write({ columns }, 'raw\n[RAW]\n')).rejects.toMatchObject({ type: 'source_unsupported' })
  })

  const free = { tsql: program('tsql'), freebcp: program('freebcp') }
  describe.skipIf(!available('FreeTDS', ...Object.values(free)))('an independent client', () => {
    const login = () => ['-U', 'reader', '-P', 'reader-secret']
    const options = { env: { ...process.env, TDSVER: '7.4', LC_ALL: 'C.UTF-8' }, timeout: 30_000 }

    test('loads rows in bulk', async () => {
      const folder = scratch()
      const file = join(folder.path, 'rows')
      const rows: [string, string | null][] = [
        ['1', 'Ada'],
        ['2', null],
        ['3', 'ü 😀'],
        ...Array.from({ length: 500 }, (_, at): [string, string] => [String(at + 4), 'x'.repeat(1000)]),
      ]
      writeFileSync(file, rows.map(row => `${row.join('\t')}\n`).join(''))
      const { plain } = server!
      const place = ['-S', `127.0.0.1:${plain.port}`, ...login(), '-c', '-t', '\t']
      const { stdout } = await promisify(execFile)(free.freebcp!, ['clinic..anonymised', 'in', file, ...place], options)
      folder.remove()
      expect(stdout).toMatch(/^503 rows copied/m)
      expect(plain.statements.at(-1)).toBe('insert bulk clinic..anonymised ([c0] NVARCHAR(MAX), [c1] NVARCHAR(MAX))')
      expect(plain.loads).toEqual([{ columns: ['c0', 'c1'], rows }])
    })

    test('says what the connector says, and is answered without an error', async () => {
      await write({ columns, delivery: 'one' }, 'id,a]b,at,raw,bad\n1,,,,\n')
      const created = server!.statements.filter(one => !/^(set lock_timeout|insert bulk)/.test(one))
      await write({ name: 'dbo.patients', mode: 'replace' }, 'id,name\n1,X\n')
      const said = [...created, ...server!.statements.filter(one => /^(truncate|insert into|commit)/.test(one))]
      expect(said.length).toBeGreaterThan(8)
      const { plain } = server!
      const run = promisify(execFile)(
        free.tsql!,
        ['-H', '127.0.0.1', '-p', String(plain.port), ...login(), '-D', 'clinic'],
        options,
      )
      run.child.stdin!.end(`${said.map(one => `${one}\ngo\n`).join('')}select nonsense\ngo\n`)
      const { stdout, stderr } = await run.catch(error => error)
      expect(`${stdout}${stderr}`.match(/Msg \d+/g)).toEqual(['Msg 102'])
      expect(plain.statements.map(one => one.trim())).toEqual(expect.arrayContaining(said.map(one => one.trim())))
    })
  })

  test.each([
    ['nvarchar(50)', 'c0'],
    ['real', 'cast(c0 as real)'],
    ['datetime2(7)', 'convert(datetime2(7), c0, 126)'],
    ['date', 'convert(date, c0, 23)'],
    ['time(3)', 'convert(time(3), c0, 121)'],
    ['uniqueidentifier', 'cast(c0 as uniqueidentifier)'],
    ['image', 'convert(varbinary(max), c0, 1)'],
  ])('%s comes from its text', (type, sql) => expect(conversion(type, 'c0')).toBe(sql))
})
