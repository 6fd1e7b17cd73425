import { expect } from 'vitest'
import { columnsSql, projection, tablesSql } from '../../../shared/sources/databases/sqlserver-catalog.ts'
import { DOUBLED_QUOTE } from '../../../shared/sources/databases/sqlserver-session.ts'
import { existsSql } from '../../../shared/sources/databases/sqlserver-write.ts'
import type { Source } from '../../../shared/sources/sources.ts'
import { host } from '../context.ts'
import { certificates } from './certificates.ts'
import { scratch } from './process.ts'
import { type Answer, startTds } from './tds.ts'

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

function* largeRows(): Generator<string[]> {
  for (let id = 1; id <= 60_000; id++) yield [String(id), 'x'.repeat(150)]
}

/** What the next statements are to fail with. */
const state = { doubled: false, misfit: false }

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
  // What a client asks that loads rows in bulk and does not know the table.
  if (/^set fmtonly on select \* from clinic\.\.anonymised set fmtonly off$/i.test(sql)) return text(['c0', 'c1'], [])
  // What a writer says, up to what it must say exactly.
  if (sql === existsSql('[dbo].[patients]')) return text(['', ''], [['42', null]])
  if (sql.startsWith('\nselect cast(object_id(')) return text(['', ''], [[null, null]])
  if (sql.includes('two rows of the same key')) {
    if (state.doubled) return { error: DOUBLED_QUOTE, message: 'two rows of the same key' }
    return text([''], [['2']])
  }
  if (state.misfit && sql.startsWith('insert into'))
    return { error: 8114, message: 'Error converting data type secret' }
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

/** A fake of a server with a database of some tables, with encryption and without. */
export async function startSqlServer() {
  const folder = scratch()
  const tls = certificates(folder.path)
  folder.remove()
  const settings = { user: 'reader', password: 'reader-secret', databases: ['clinic'], answer }
  const server = await startTds({ ...settings, tls })
  const plain = await startTds(settings)
  const login = { host, port: server.port, database: 'clinic', username: 'reader', tls: { ca_pem: tls.ca } }
  return {
    ...server,
    plain,
    state,
    source: (config = {}, secrets = {}): Source => ({
      kind: 'DB_ENGINE_4',
      config: { ...login, ...config },
      secrets: { password: 'reader-secret', ...secrets },
    }),
    stop: async () => {
      await server.stop()
      await plain.stop()
    },
  }
}
