import { Readable } from 'node:stream'
import oracledb from 'oracledb'
import { describe, expect, test } from 'vitest'
import { sourceKinds } from '../../shared/api/source-kinds.ts'
import type { WriteTarget } from '../../shared/sources/connector.ts'
import { oracleConnector } from '../../shared/sources/databases/oracle.ts'
import { projection } from '../../shared/sources/databases/oracle-catalog.ts'
import { descriptor, oracleError } from '../../shared/sources/databases/oracle-session.ts'
import { bytesOf, localContext } from './context.ts'
import { oracleFailure, standIn } from './oracle-driver.ts'

const config = sourceKinds.DB_ENGINE_5.config.parse({
  host: '127.0.0.1',
  port: 1521,
  service_name: 'CLINIC',
  username: 'reader',
  password: 'reader-secret',
  tls: { mode: 'disable' },
})

describe('Oracle by the methods of its driver', () => {
  test('a session reads one consistent state, in UTC, and is closed', async () => {
    const { driver, executed, settings, closed } = standIn()
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
    const { driver, executed } = standIn()
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
    const error = oracleError(oracleFailure(code))
    expect(error).toMatchObject({ type, remoteCode: code })
    expect(error.message).not.toContain('secret')
  })
})

describe('writing to Oracle by the methods of its driver', () => {
  const delivery = '00000000-0000-4000-8000-000000000001'
  const column = { nullable: true, encoding: 'text' } as const
  const columns = [
    { ...column, name: 'ID', nativeType: 'NUMBER(10,0)', key: 1 },
    { ...column, name: 'A"T', nativeType: 'TIMESTAMP(6) WITH TIME ZONE' },
    { ...column, name: 'RAW_', nativeType: 'RAW(16)', encoding: 'hex' as const },
    { ...column, name: 'BAD', nativeType: 'NUMBER); drop table x; --' },
  ]
  async function write(target: Partial<WriteTarget>, text: string) {
    const { driver, executed } = standIn()
    const body = Readable.from([Buffer.from(text)])
    const full = { name: 'CLINIC.COPY', mode: 'create' as const, ...target }
    const written = await oracleConnector(async () => driver).write!(localContext(), config, full, body)
    const said = executed.map(({ sql }) => sql.replace(/ANON_[0-9a-f]{24}/g, 'STAGE'))
    return { written, said: said.filter(sql => !/^\s*select|^alter session/.test(sql)), executed }
  }

  test('create fills a table beside and renames it', async () => {
    const text = 'ID,A"T,RAW_,BAD\n1,2026-01-01T00:00:00.000000001 +14:00,\\x00ff,x\n2,,,\n'.replace('A"T', '"A""T"')
    const { written, said, executed } = await write({ columns, delivery }, text)
    expect(written).toMatchObject({ name: 'CLINIC.COPY', rows: 2 })
    expect(said).toEqual([
      'drop table "CLINIC"."STAGE" purge',
      'create table "CLINIC"."STAGE" ("ID" NUMBER(10,0) null, "A""T" TIMESTAMP(6) WITH TIME ZONE null, "RAW_" RAW(16) null, "BAD" CLOB null)',
      `insert into "CLINIC"."STAGE" ("ID", "A""T", "RAW_", "BAD") values (to_number(:1), to_timestamp_tz(:2, 'SYYYY-MM-DD"T"HH24:MI:SS.FF9 TZH:TZM'), :3, :4)`,
      'commit',
      'alter table "CLINIC"."STAGE" add primary key ("ID")',
      `comment on table "CLINIC"."STAGE" is 'anonymisation delivery ${delivery}'`,
      'alter table "CLINIC"."STAGE" rename to "COPY"',
      'drop table "CLINIC"."STAGE" purge',
    ])
    expect(executed.find(({ sql }) => sql.startsWith('insert'))!.binds).toEqual({
      rows: [
        ['1', '2026-01-01T00:00:00.000000001 +14:00', Buffer.of(0, 255), 'x'],
        ['2', null, null, null],
      ],
      options: {
        bindDefs: [
          { type: oracledb.STRING, maxSize: 1 },
          { type: oracledb.STRING, maxSize: 36 },
          { type: oracledb.BUFFER, maxSize: 2 },
          { type: oracledb.STRING, maxSize: 1 },
        ],
      },
    })
  })

  test('replace and update take the rows over in one transaction', async () => {
    const name = 'CLINIC.PATIENTS'
    const replaced = await write({ name, mode: 'replace' }, 'ID,NAME\n1,X\n2,Y\n')
    expect(replaced.said.slice(-5)).toEqual([
      'commit',
      'delete from "CLINIC"."PATIENTS"',
      'insert into "CLINIC"."PATIENTS" ("ID", "NAME") select "ID", "NAME" from "CLINIC"."STAGE"',
      'commit',
      'drop table "CLINIC"."STAGE" purge',
    ])
    const updated = await write({ name, mode: 'update' }, 'ID,NAME\n1,X\n2,Y\n')
    expect(updated.written).toMatchObject({ rows: 2 })
    expect(updated.said).toContain(
      'merge into "CLINIC"."PATIENTS" t using "CLINIC"."STAGE" s on (t."ID" = s."ID") when matched then update set t."NAME" = s."NAME"',
    )
    await expect(write({ name }, 'ID\n1\n')).rejects.toMatchObject({ type: 'source_conflict' })
    await expect(write({ name, mode: 'update' }, 'NAME\nX\n')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(write({ mode: 'update' }, 'ID,NAME\n1,X\n')).rejects.toMatchObject({ type: 'source_not_found' })
  })

  test.each([
    ['ORA-01722', 'A value does not fit its column in the target'],
    ['ORA-00001', 'A value does not fit its column in the target'],
    ['ORA-30926', 'The result has two rows of the same key'],
  ])('%s is told as a result that does not fit', (code, message) =>
    expect(oracleError(oracleFailure(code))).toMatchObject({
      type: 'source_unsupported',
      message,
    }),
  )
})
