import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { columnsSql, projection, tablesSql } from '../../shared/sources/databases/sqlserver-catalog.ts'
import { DOUBLED } from '../../shared/sources/databases/sqlserver-session.ts'
import { conversion, existsSql, insertSql, updateSql } from '../../shared/sources/databases/sqlserver-write.ts'
import { checkSource, openFromSource, previewEntry, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { certificates, openssl, otherAuthority } from './servers/certificates.ts'
import { available, program, scratch } from './servers/process.ts'
import { type Answer, startTds } from './servers/tds.ts'

const runs = available('openssl for the fake of SQL Server', openssl)
const tsql = program('tsql')

const tables = [
  ['dbo', 'closed'],
  ['dbo', 'large'],
  ['dbo', 'names'],
  ['dbo', 'odd.name "x'],
  ['dbo', 'patients'],
] as const

const table = (name: string): [string[], [string, string][]] =>
  name === 'patients'
    ? [
        ['1,Ada,,\\x00ff', '2,,x"y,'],
        [
          ['id', 'int'],
          ['name', 'nvarchar'],
          ['note', 'nvarchar'],
          ['raw', 'varbinary'],
        ],
      ]
    : [
        [],
        [
          ['id', 'int'],
          ['a', 'nvarchar'],
        ],
      ]

let doubled = false
let misfit = false

function* largeRows(): Generator<string[]> {
  for (let id = 1; id <= 60_000; id++) yield [String(id), 'x'.repeat(150)]
}

/** Answers the statements of the connector by the text that they must have, and no others. */
function answer(said: string): Answer | undefined {
  // Clients may end a batch with a line end.
  const sql = said.replace(/\n$/, '')
  const text = (columns: string[], rows: (string | null)[][]): Answer => ({
    columns: columns.map(name => ({ name })),
    rows,
  })
  if (sql === `select cast(serverproperty('ProductVersion') as nvarchar(128))`) return text([''], [['16.0.1000.6']])
  const limit = Number(/^\s*select top \((\d+)\) s\.name/.exec(sql)?.[1] ?? 0)
  if (limit) {
    const wanted = [...sql.matchAll(/\(s\.name = N'dbo' and o\.name = N'((?:[^']|'')*)'\)/g)].map(match => match[1])
    const after = /o\.name > N'((?:[^']|'')*)' collate/.exec(sql)?.[1]
    const where = /1\s+(and [\s\S]*?)\norder by/.exec(sql)?.[1] ?? ''
    expect(sql).toBe(tablesSql(where, limit))
    return text(
      ['name', 'name', '', ''],
      tables
        .filter(([, name]) => name !== 'closed')
        .filter(([, name]) => (wanted.length ? wanted.includes(name) : after === undefined || name > after))
        .slice(0, limit)
        .map(([schema, name]) => [schema, name, name === 'names' ? 'V ' : 'U ', name === 'names' ? null : '2']),
    )
  }
  if (sql === 'select top (0) 1 from [dbo].[closed]')
    return { error: 229, message: `The SELECT permission was denied on the object 'closed'`, level: 14 }
  if (sql.startsWith('select top (0) 1 from')) return { error: 208, message: `Invalid object name 'x'.` }
  const described = /o\.name = N'([^']*)' order by/.exec(sql)?.[1]
  if (described !== undefined && sql === columnsSql('dbo', described))
    return text(
      ['name', 'name', 'is_nullable', 'key_ordinal', 'max_length', 'precision', 'scale'],
      table(described)[1].map(([name, type], at) => [name, type, at ? '1' : '0', at ? null : '1', '100', '10', '0']),
    )
  // What a writer says, up to what it must say exactly.
  if (sql === existsSql('[dbo].[patients]')) return text(['', ''], [['42', null]])
  if (sql.startsWith('\nselect cast(object_id(')) return text(['', ''], [[null, null]])
  if (sql.includes('two rows of the same key')) {
    if (doubled) return { error: DOUBLED, message: 'two rows of the same key' }
    return text([''], [['2']])
  }
  if (misfit && sql.startsWith('insert into')) return { error: 8114, message: 'Error converting data type secret' }
  if (/^(create table|truncate table|insert into|if objectproperty|exec sys\.sp_|commit|set xact_abort)/.test(sql))
    return { columns: [], rows: [] }
  const selected = /^select (?:top \(20\) )?(.*) from \[dbo\]\.\[(.*)\]$/.exec(sql)
  const columns = selected && table(selected[2]!)[1]
  if (!columns || selected[1] !== columns.map(([name, type]) => projection(name, type).sql).join(', ')) return
  if (selected[2] === 'large') return { columns: [{ name: 'id' }, { name: 'a' }], rows: largeRows() }
  return {
    columns: columns.map(([name, type]) => ({ name, binary: type === 'varbinary' })),
    rows: [
      ['1', 'Ada', '', Buffer.of(0, 255)],
      ['2', null, 'x"y,\r\n 😀', null],
    ],
  }
}

let server: Awaited<ReturnType<typeof startTds>> | undefined
let ca = ''
let plain: Awaited<ReturnType<typeof startTds>> | undefined
afterAll(async () => {
  await server?.stop()
  await plain?.stop()
})

const source = (config = {}, secrets = {}): Source => ({
  kind: 'DB_ENGINE_4',
  config: { host, port: server!.port, database: 'clinic', username: 'reader', tls: { ca_pem: ca }, ...config },
  secrets: { password: 'reader-secret', ...secrets },
})

conformance('SQL Server', runs, async () => {
  const folder = scratch()
  const tls = certificates(folder.path)
  folder.remove()
  ca = tls.ca
  const settings = { user: 'reader', password: 'reader-secret', databases: ['clinic'], answer }
  server = await startTds({ ...settings, tls })
  plain = await startTds(settings)
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
    const open = source({ port: plain!.port, tls: { mode: 'disable' } })
    const report = await checkSource(open, localContext())
    expect(report).toMatchObject({ ok: true, warnings: { length: 2 } })
    expect((await bytesOf((await openFromSource(open, localContext(), 'dbo.large')).body)).length).toBeGreaterThan(
      9_000_000,
    )
  })

  test.skipIf(!available('FreeTDS', tsql))('an independent client accepts the fake', async () => {
    const run = promisify(execFile)(
      tsql!,
      ['-H', '127.0.0.1', '-p', String(plain!.port), '-U', 'reader', '-P', 'reader-secret', '-D', 'clinic'],
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

  describe('writing', () => {
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
      misfit = true
      const attempt = write({ columns }, 'id\n[ID]\n').finally(() => {
        misfit = false
      })
      await expect(attempt).rejects.toMatchObject({
        type: 'source_unsupported',
        remoteCode: '8114',
        message: 'A value does not fit its column in the target',
      })
      expect(server!.statements).not.toContain('commit transaction')
      doubled = true
      const twice = write({ name: 'dbo.patients', mode: 'update' }, 'id,name\n1,a\n1,b\n').finally(() => {
        doubled = false
      })
      await expect(twice).rejects.toMatchObject({ message: 'The result has two rows of the same key' })
      await expect(write({ columns }, 'raw\n[RAW]\n')).rejects.toMatchObject({ type: 'source_unsupported' })
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
})
