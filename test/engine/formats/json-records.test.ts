import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { describe as describeFile, formatOf } from '../../../shared/engine/formats/index.ts'
import { jsonRecords } from '../../../shared/engine/formats/json/array.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { runs } from '../../runs.ts'
import { call, regexRule } from '../call.ts'
import { formatSuite } from './suite.ts'

const conformance = '../shared/data/open/robust/json'

formatSuite(jsonRecords, {
  name: 'records.json',
  make: texts =>
    Buffer.from(
      JSON.stringify(
        texts.map((text, n) => ({ n, text })),
        null,
        2,
      ),
    ),
  show: bytes => (JSON.parse(Buffer.from(bytes).toString()) as { text: string }[]).map(({ text }) => text),
  untouched: 'bytes',
  refused: [
    { name: 'an open array', bytes: () => Buffer.from('[{"a":1},'), type: 'corrupt_file' },
    { name: 'an empty item', bytes: () => Buffer.from('[{"a":1},,2]'), type: 'corrupt_file' },
    { name: 'a trailing comma', bytes: () => Buffer.from('[{"a":1},]'), type: 'corrupt_file' },
    { name: 'text behind the end', bytes: () => Buffer.from('[{"a":1}] x'), type: 'corrupt_file' },
    { name: 'a bad record', bytes: () => Buffer.from('[{"a":1},{"a":}]'), type: 'corrupt_file' },
    { name: 'brackets that do not match', bytes: () => Buffer.from('[{"a":[1}]}]'), type: 'corrupt_file' },
  ],
})

async function run(text: string, rules: PlannedRule[], name = 'x.json', size?: number) {
  const input = bufferInput(name, Buffer.from(text))
  if (size !== undefined) {
    const { stream } = input
    input.stream = async function* (start, end) {
      for await (const piece of stream(start, end))
        for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size)
    }
  }
  const { output } = await anonymise(call({ input, rules, assetType: 'TABLE' }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

const mail = regexRule('mail', '\\w+@\\w+\\.org')

describe('arrays of records', () => {
  test('are tables; other JSON is a document', () => {
    const type = (text: string) => describeFile(Buffer.from(text), 'x.json').type
    expect([type('[ {"a":1} ]'), type('[]'), type('[1,{"a":1}]'), type('{"a":[{"b":1}]}')]).toEqual([
      'TABLE',
      'DOCUMENT',
      'DOCUMENT',
      'DOCUMENT',
    ])
  })

  test('are edited in the columns that a rule names, by their paths', async () => {
    const text = '[ {"a":{"m":"x@y.org","t":["x@y.org", 1]}, "b":"x@y.org"} ,\n{"b":null}]'
    const replaced = (column: string) => run(text, [{ ...mail, columns: [column] }])
    expect(await replaced('a.m')).toBe(text.replace('x@y.org', '[mail]'))
    expect(await replaced('a.t[*]')).toBe(text.replace('["x@y.org"', '["[mail]"'))
    expect(await replaced('a.*')).toBe(text.replace('x@y.org', '[mail]').replace('["x@y.org"', '["[mail]"'))
    await expect(replaced('a.n')).rejects.toMatchObject({
      type: 'invalid_workflow',
      message: expect.stringContaining('it has a.m, a.t, b'),
    })
    await expect(run('{"a":1}\n{"b":2}\n', [{ ...mail, columns: ['c'] }], 'x.ndjson')).rejects.toMatchObject({
      message: expect.stringContaining('it has a, b'),
    })
  })

  test('fail where a replaced value names a field', async () => {
    const text = '[{"b":"x@y.org"},{"x@y.org":1}]'
    await expect(run(text, [{ ...mail, columns: ['b'] }])).rejects.toMatchObject({ type: 'leak_detected' })
    expect(await run(text, [mail])).toBe('[{"b":"[mail]"},{"[mail]":1}]')
  })

  test('come out the same however they are read', async () => {
    const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (rest, size, wide) => {
          const text = JSON.stringify([{ first: 'a@b.org', 'x"]}': '\\"}],[{' }, ...rest], null, wide ? 1 : 0)
          const expected = text.replaceAll(/\w+@\w+\.org/g, '[mail]')
          expect(await run(text, [mail], 'x.json', size)).toBe(expected)
        },
      ),
      { numRuns: runs(150) },
    )
  })

  test.skipIf(!existsSync(conformance))(
    'every file of JSONTestSuite comes out clean or is refused by name',
    async () => {
      for (const name of readdirSync(conformance)) {
        const bytes = readFileSync(`${conformance}/${name}`)
        const input = bufferInput(name, bytes)
        const failed = await anonymise(call({ input, rules: [mail] })).then(
          async ({ output }) => void expect(Buffer.compare(await output.read(0, output.size), bytes), name).toBe(0),
          (error: unknown) => error,
        )
        if (failed === undefined) continue
        expect(failed, name).toBeInstanceOf(EngineError)
        expect(['corrupt_file', 'limit_exceeded', 'unsupported_format'], name).toContain((failed as EngineError).type)
        const valid = name.startsWith('y_') && bytes.length > 0
        expect(valid ? name : '').toBe('')
      }
      expect(formatOf(Buffer.from('[{"a":1}]'), 'x.json').id).toBe('json-records')
    },
  )
})
