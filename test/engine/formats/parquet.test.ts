import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { readBloomFilter } from 'hyparquet/src/bloom.js'
import { ByteWriter, ParquetWriter, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { parquet } from '../../../shared/engine/formats/parquet/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { byteScan } from '../../../shared/engine/verify/byte-scan.ts'
import { call, regexRule } from '../call.ts'
import { formatSuite } from './suite.ts'

type Columns = Parameters<typeof parquetWriteBuffer>[0]['columnData']
type More = Partial<Parameters<typeof parquetWriteBuffer>[0]>

const make = (columnData: Columns, more: More = {}) => new Uint8Array(parquetWriteBuffer({ columnData, ...more }))
const compressors = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
}
const buffer = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer
const read = (bytes: Uint8Array) => parquetReadObjects({ file: buffer(bytes), compressors })
const described = (bytes: Uint8Array): FileMetaData => parquetMetadata(buffer(bytes))

async function run(bytes: Uint8Array, rules: PlannedRule[]) {
  const input = bufferInput('table.parquet', bytes)
  const result = await anonymise(call({ input, rules, assetType: 'TABLE' }))
  return { ...result, bytes: await result.output.read(0, result.output.size) }
}

formatSuite(parquet, {
  name: 'table.parquet',
  make: texts => make([{ name: 'text', data: texts, type: 'STRING' }]),
  show: async bytes => (await read(bytes)).map(({ text }) => text as string),
  untouched: 'text',
  refused: [
    { name: 'an encrypted footer', bytes: () => Buffer.from('PARE....................PARE'), type: 'encrypted_file' },
    {
      name: 'a footer beyond the file',
      bytes: () => Buffer.from('PAR1....\xff\xff\0\0PAR1', 'latin1'),
      type: 'corrupt_file',
    },
    {
      name: 'a column in another file',
      bytes: () => {
        const bytes = Buffer.from(make([{ name: 'text', data: ['Zyanne'], type: 'STRING' }]))
        return bytes.subarray(0, bytes.length - 9)
      },
      type: 'corrupt_file',
    },
  ],
})

/** A file of one column of texts whose values are said to have a logical type that the format doesn't define yet. */
function ofUnknownType(texts: string[]): Uint8Array {
  const schema: More['schema'] = [
    { name: 'root', num_children: 1 },
    { name: 'text', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', logical_type: { type: 'VARIANT' } },
  ]
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({ writer, schema })
  const element = parquet.schema[1]!
  // Written as texts; the type is said only in the footer.
  parquet.schema[1] = { ...element, logical_type: undefined }
  parquet.write({ columnData: [{ name: 'text', data: texts }] })
  parquet.schema[1] = element
  parquet.finish()
  const bytes = Buffer.from(writer.getBytes())
  // Field 16 of the union, VARIANT, becomes field 20.
  const at = bytes.lastIndexOf(Buffer.from('0c200000', 'hex'))
  expect(at).toBeGreaterThan(0)
  bytes[at + 1] = 0x28
  return bytes
}

describe('columns that are not read', () => {
  test('are encrypted ones, refused by name', async () => {
    const writer = new ByteWriter()
    const schema: More['schema'] = [
      { name: 'root', num_children: 1 },
      { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    ]
    const parquet = new ParquetWriter({ writer, schema })
    parquet.write({ columnData: [{ name: 'text', data: ['Zyanne'] }] })
    Object.assign(parquet.row_groups[0]!.columns[0]!, { encrypted_column_metadata: 'sealed' })
    parquet.finish()
    await expect(run(new Uint8Array(writer.getBytes()), [])).rejects.toMatchObject({ type: 'encrypted_file' })
  })

  test('are those of type VARIANT, refused by name', async () => {
    const bytes = make([{ name: 'v', data: [{ a: 'Zyanne' }, 7], type: 'VARIANT' }])
    await expect(run(bytes, [])).rejects.toMatchObject({
      type: 'unsupported_format',
      message: expect.stringContaining('VARIANT'),
    })
  })

  test('are none of a type that nobody knows: what it holds is read as what it is stored as', async () => {
    const bytes = ofUnknownType(['a Zyanne', 'none'])
    const { findings, bytes: output } = await run(bytes, [regexRule('X', 'Zyanne')])
    expect(findings[0]!.count).toBe(1)
    expect(Buffer.from(output).toString('latin1')).not.toContain('Zyanne')
  })
})

const mail = regexRule('mail', '[\\w.]+@[\\w.]+\\.org')

describe('parquet', () => {
  test('leaves no old value in statistics, dictionaries, Bloom filters or page indexes', async () => {
    const data = Array.from({ length: 3000 }, (_, n) => `person${n % 40}@example.org`)
    const rows: Columns = [
      { name: 'mail', data, type: 'STRING', bloomFilter: true, columnIndex: true, offsetIndex: true },
      { name: 'n', data: data.map((_, n) => n), type: 'INT32' },
    ]
    const before = make(rows, { rowGroupSize: 1000, pageSize: 500, codec: 'UNCOMPRESSED' })
    const scan = byteScan(['person0@example.org', 'person9@example.org'])
    scan.push(before)
    expect(scan.found().plain.size).toBe(2)
    const { bytes, findings } = await run(before, [
      regexRule('mail', '[\\w.]+@[\\w.]+\\.org', { replacement: { pseudonym: {} } }),
    ])
    expect(findings[0]!.count).toBe(3000)
    const { row_groups: groups } = described(bytes)
    expect(groups.map(({ num_rows }) => Number(num_rows))).toEqual([1000, 1000, 1000])
    for (const { columns } of groups) {
      const { statistics, bloom_filter_offset: bloom } = columns[0]!.meta_data!
      expect([statistics!.min_value, statistics!.max_value].every(value => /^VALUE_/.test(String(value)))).toBe(true)
      const view = { view: new DataView(buffer(bytes)), offset: Number(bloom) }
      expect(readBloomFilter(view)!.blocks.some(word => word !== 0)).toBe(true)
      expect(columns[1]!.meta_data!.statistics!.max_value).toBe(
        Number(columns[1]!.meta_data!.statistics!.min_value) + 999,
      )
    }
    const after = byteScan(Array.from({ length: 40 }, (_, n) => `person${n}@example.org`))
    after.push(bytes)
    expect([...after.found().plain, ...after.found().hidden]).toEqual([])
  })

  test('keeps null apart from empty, and what a removal empties', async () => {
    const data = ['', null, 'a@b.org', 'x', null, undefined]
    const { bytes } = await run(make([{ name: 't', data, type: 'STRING' }]), [{ ...mail, replacement: { remove: {} } }])
    expect((await read(bytes)).map(({ t }) => t)).toEqual(
      ['', undefined, '', 'x', undefined, undefined].map(v => v ?? null),
    )
  })

  test('makes texts of a column of numbers throughout the file when one of them is replaced', async () => {
    const n = Array.from({ length: 5000 }, (_, index) => index)
    const columns: Columns = [
      { name: 'id', data: n, type: 'INT32' },
      { name: 'other', data: n.map(value => BigInt(value)), type: 'INT64' },
      { name: 'when', data: n.map(value => new Date(Date.UTC(2020, 0, 1) + value * 86_400_000)), type: 'TIMESTAMP' },
    ]
    const kvMetadata = [
      { key: 'pandas', value: '{"columns":[]}' },
      { key: 'note', value: 'kept' },
    ]
    const before = make(columns, { rowGroupSize: 2000, kvMetadata })
    const result = await run(before, [regexRule('id', '^4711$', { columns: ['id'] })])
    const rows = await read(result.bytes)
    expect(rows[4711]!.id).toBe('[id]')
    expect(rows.map(({ id }) => id).filter(id => id !== '[id]')).toEqual(n.filter(value => value !== 4711).map(String))
    expect(rows.map(({ other }) => other)).toEqual(n.map(value => BigInt(value)))
    expect(rows.map(({ when }) => when)).toEqual(columns[2]!.data)
    expect(result.report.choices.becameText).toEqual(['id'])
    expect(result.report.dropped).toEqual([{ what: 'key-value metadata', count: 1 }])
    expect(described(result.bytes).key_value_metadata).toEqual([{ key: 'note', value: 'kept' }])
  })

  test('suppresses records in a column of numbers', async () => {
    const data = [30, 30, 30, 30, 30, 30, 30, 71]
    const bytes = make([{ name: 'age', data, type: 'INT32' }])
    const requirement = { k: 2, suppressAtMost: 0.5 }
    const risk = { quasiIdentifiers: ['age'], sensitive: [], threshold: 0.5, require: requirement }
    const plan = { rules: [mail], assetType: 'TABLE' as const, risk }
    const result = await anonymise({ ...call({ input: bufferInput('t.parquet', bytes), rules: [] }), plan })
    const rows = await read(await result.output.read(0, result.output.size))
    expect(rows.map(({ age }) => age)).toEqual([...new Array(7).fill('30'), '*'])
    expect(result.risk?.after).toMatchObject({ records: 8, suppressed: 1, k: 7 })
  })

  test('shows rules what people would write', async () => {
    const element = (name: string, type: string, more: object) => ({ name, type, repetition_type: 'REQUIRED', ...more })
    const schema = [
      { name: 'root', num_children: 4 },
      element('money', 'INT64', { converted_type: 'DECIMAL', scale: 2, precision: 18 }),
      element('day', 'INT32', { converted_type: 'DATE' }),
      element('moment', 'INT64', { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } }),
      element('clock', 'INT32', { converted_type: 'TIME_MILLIS' }),
    ] as FileMetaData['schema']
    const columnData = [
      { name: 'money', data: [-12_305n] },
      { name: 'day', data: [-1] },
      { name: 'moment', data: [1_600_000_000_000_001n] },
      { name: 'clock', data: [3_723_004] },
    ]
    const rules = [regexRule('x', '.+', { replacement: { mask: { char: 'x', keepFirst: 99 } } })]
    const { report } = await run(new Uint8Array(parquetWriteBuffer({ columnData, schema })), rules)
    expect(report.choices.becameText).toEqual(['money', 'day', 'moment', 'clock'])
    expect(report.examined).toBe(
      ['-123.05', '1969-12-31', '2020-09-13T12:26:40.000001Z', '01:02:03.004', 'money', 'day', 'moment', 'clock'].join(
        '',
      ).length + 'hyparquet'.length,
    )
  })

  test('names nested columns by their path', async () => {
    const data = [
      { name: 'a@b.org', tags: ['c@d.org', null, 'x'] },
      { name: 'e@f.org', tags: [] },
    ]
    const schema = [
      { name: 'root', num_children: 1 },
      { name: 'person', repetition_type: 'OPTIONAL', num_children: 2 },
      { name: 'name', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      { name: 'tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ] as FileMetaData['schema']
    const file = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'person', data }], schema }))
    const tags = await run(file, [{ ...mail, columns: ['person.tags'] }])
    expect(await read(tags.bytes)).toEqual([
      { person: { name: 'a@b.org', tags: ['[mail]', null, 'x'] } },
      { person: { name: 'e@f.org', tags: [] } },
    ])
    const all = await run(file, [{ ...mail, columns: ['person.*'] }])
    expect(all.findings[0]!.count).toBe(3)
    await expect(run(file, [{ ...mail, columns: ['person.mail'] }])).rejects.toMatchObject({
      type: 'invalid_workflow',
      message: expect.stringContaining('person.name, person.tags'),
    })
  })

  const lz4 = (bytes: Uint8Array) => {
    const rest = bytes.length - 15
    const more = rest < 0 ? [] : [...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]
    return Buffer.concat([Buffer.from([Math.min(15, bytes.length) << 4, ...more]), bytes])
  }
  const codecs = {
    UNCOMPRESSED: undefined,
    SNAPPY: undefined,
    GZIP: gzipSync,
    ZSTD: zstdCompressSync,
    BROTLI: brotliCompressSync,
    LZ4_RAW: lz4,
  }
  test.each(Object.entries(codecs))('reads and writes %s', async (codec, pack) => {
    const data = Array.from({ length: 500 }, (_, n) => (n % 3 === 0 ? null : `x${n}@example.org and more`))
    const more = { codec, ...(pack && { compressors: { [codec]: (bytes: Uint8Array) => pack(bytes) } }) } as More
    const { bytes, report } = await run(make([{ name: 't', data, type: 'STRING' }], more), [mail])
    expect((await read(bytes)).map(({ t }) => t)).toEqual(data.map(text => (text === null ? null : '[mail] and more')))
    expect(described(bytes).row_groups[0]!.columns[0]!.meta_data!.codec).toBe(codec === 'LZ4_RAW' ? 'SNAPPY' : codec)
    expect(report.warnings).toHaveLength(codec === 'LZ4_RAW' ? 1 : 0)
  })

  test('takes values out of what the footer keeps, and out of names of columns', async () => {
    const schemaEntry = Buffer.from('\0\0flat\0a@b.org\0buffer\0\0\0').toString('base64')
    const kvMetadata = [
      { key: 'ARROW:schema', value: schemaEntry },
      { key: 'owner', value: '{"by":"a@b.org"}' },
      { key: 'harmless', value: 'yes' },
    ]
    const file = make([{ name: 'a@b.org', data: ['x'], type: 'STRING' }], { kvMetadata, createdBy: 'a@b.org' })
    const { bytes } = await run(file, [mail])
    expect(await read(bytes)).toEqual([{ '[mail]': 'x' }])
    expect(described(bytes).key_value_metadata).toEqual([{ key: 'harmless', value: 'yes' }])
    expect(described(bytes).created_by).toBeUndefined()
  })

  test('leaves out what the footer keeps when it holds a value that a rule for columns replaced', async () => {
    const kvMetadata = [{ key: 'owner', value: 'long.name@example.org' }]
    const file = make([{ name: 't', data: ['long.name@example.org'], type: 'STRING' }], { kvMetadata })
    const { bytes, report } = await run(file, [{ ...mail, columns: ['t'] }])
    expect(described(bytes).key_value_metadata).toBeUndefined()
    expect(report.escalated).toHaveLength(1)
  })

  test('replaces nothing in bytes that are no text but what is text among them', async () => {
    const data = [Buffer.from([0xff, 0xfe, 1]), Buffer.concat([Buffer.from([0xff]), Buffer.from('a@b.org')])]
    const { bytes } = await run(make([{ name: 't', data, type: 'BYTE_ARRAY' }]), [mail])
    const rows = await parquetReadObjects({ file: buffer(bytes), utf8: false })
    expect(rows.map(({ t }) => Buffer.from(t as Uint8Array).toString('latin1'))).toEqual(['\xff\xfe\x01', '\xff[mail]'])
  })

  test('replaces values in text in UTF-16', async () => {
    const text = 'to ann@b.org, ü'
    const data = [
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
    ]
    const { bytes } = await run(make([{ name: 't', data, type: 'BYTE_ARRAY' }]), [mail])
    const rows = await parquetReadObjects({ file: buffer(bytes), utf8: false })
    const [little, big, marked] = rows.map(({ t }) => Buffer.from(t as Uint8Array))
    const read = [little!, big!.swap16(), marked!].map(one => one.toString('utf16le'))
    expect(read).toEqual(['to [mail], ü', 'to [mail], ü', '\ufeffto [mail], ü'])
  })
})
