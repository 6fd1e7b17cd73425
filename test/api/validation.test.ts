import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../shared/api/index.ts'
import { NewRule, RuleChanges, RuleTest } from '../../shared/api/rules.ts'
import { NewSource } from '../../shared/api/sources.ts'
import { NewWorkflow } from '../../shared/api/workflows.ts'
import { parseJson, textOf } from '../../shared/http/body.ts'
import { fileName } from '../../shared/http/multipart.ts'
import { parseAll } from '../../shared/http/validate.ts'

type Problem = { loc: string[]; msg: string; type: string }

function refusals(run: () => unknown): Problem[] {
  try {
    run()
  } catch (error) {
    return (error as { detail: Problem[] }).detail
  }
  return []
}

const check = (schema: z.ZodType, value: unknown) => refusals(() => parseAll([{ at: 'body', schema, value }]))

/** Seconds of processor time that something takes. */
function seconds(run: () => unknown): number {
  const from = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1e6
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is plain JSON
type Schema = any

/** A value for each text in a schema, and for each key of a record, that has the hostile text there. */
function* hostile(schema: Schema, defs: Record<string, Schema>, text: string): Generator<unknown> {
  if (schema.$ref) return yield* hostile(defs[schema.$ref.split('/').at(-1)], defs, text)
  for (const form of schema.anyOf ?? schema.oneOf ?? []) yield* hostile(form, defs, text)
  if (schema.type === 'string' && schema.const === undefined) yield text
  if (schema.items) for (const entry of hostile(schema.items, defs, text)) yield [entry]
  const properties = Object.entries<Schema>(schema.properties ?? {})
  const telling = Object.fromEntries(properties.flatMap(([name, { const: value }]) => (value ? [[name, value]] : [])))
  for (const [name, inner] of properties)
    for (const value of hostile(inner, defs, text)) yield { ...telling, [name]: value }
  if (schema.additionalProperties) yield { [text]: text }
}

const texts: Record<string, string> = {
  'different characters': Array.from({ length: 60_000 }, (_, n) => String.fromCharCode(0x4e00 + (n % 20_000))).join(''),
  'one letter': 'a'.repeat(1_000_000),
  'letters and dots': 'a.'.repeat(500_000),
  'an address without an end': `${'a@'.repeat(500_000)}`,
  'dashes and letters': `a${'-aaaaaaaa'.repeat(100_000)}!`,
  'white space': ' '.repeat(1_000_000),
  colons: `${':'.repeat(1_000_000)}x`,
  slashes: '/'.repeat(1_000_000),
  PEM: `-----BEGIN ${'A '.repeat(500_000)}`,
  flags: 'imsims'.repeat(100_000),
}

const taking = endpoints.filter(({ endpoint }) => endpoint.body)
describe.each(Object.entries(texts))('%s in a text', (_, text) => {
  test.each(taking)('of $endpoint.route cost little', ({ endpoint }) => {
    const { $defs = {}, ...schema } = z.toJSONSchema(endpoint.body!, { io: 'input' }) as Schema
    const dear = hostile(schema, $defs, text).filter(value => seconds(() => check(endpoint.body!, value)) >= 0.5)
    expect([...dear.map(value => JSON.stringify(value).slice(0, 80))]).toEqual([])
  })
})

describe('a body', () => {
  test.each<[string, () => unknown, string[]]>([
    ['of unknown keys', () => Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n])), ['body']],
    ['of entries', () => ({ rules: Array(100_000).fill(1) }), ['body', 'rules']],
    ['of rows of cells', () => ({ rows: Array.from({ length: 5000 }, () => Array(500).fill('x')) }), ['body']],
  ])('with hundreds of thousands %s is refused at once', (_, make, loc) => {
    const text = JSON.stringify(make())
    let found: Problem[] = []
    expect(seconds(() => (found = refusals(() => parseJson(text))))).toBeLessThan(2)
    expect([found.length, found[0]!.type, found[0]!.loc.slice(0, loc.length)]).toEqual([1, 'too_big', loc])
  })

  test('names a hundred problems at most, in little time', () => {
    const rules = Array.from({ length: 200 }, () => ({ surprise: 1, more: 2 }))
    let found: Problem[] = []
    const body = { name: 'a', supportedAssetType: 'TABLE', config: { rules } }
    expect(seconds(() => (found = check(NewWorkflow, parseJson(JSON.stringify(body)))))).toBeLessThan(3)
    expect(found).toHaveLength(100)
  })

  test('as large as any endpoint takes is let through', () => {
    const rows = Array.from({ length: 2000 }, () => Array(101).fill('x'))
    expect(parseJson(JSON.stringify({ rows, ids: Array(10_000).fill('x') }))).toBeDefined()
  })

  test.each<[string, string[]]>([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}],"d":"\\",\\"a\\":"}', []],
    ['{"a":["a","a","b"],"b":["a"]}', []],
    ['{"a":1,"b":{"c":[1,{"x":"}"}],"c":2}}', ['c']],
    ['{ "role" : "user", "r\\u006fle" : "admin" }', ['role']],
    ['[{"a":{}, "a":{}}]', ['a']],
  ])('with a key twice in one object is refused: %s', (text, twice) => {
    const found = twice.map(key => ({ type: 'conflicting_values', loc: ['body', key] }))
    expect(refusals(() => parseJson(text))).toMatchObject(found)
  })

  test('of keys and of escapes by the million costs little to look through', () => {
    const keys = Array.from({ length: 800_000 }, () => '"k":1').join()
    for (const text of [`{"a":"${'\\"'.repeat(3_000_000)}"}`, `{"a":1,${keys}}`])
      expect(seconds(() => refusals(() => parseJson(text)))).toBeLessThan(2)
  })

  test('that is no UTF-8 is refused', () => {
    const latin = Buffer.from('{"name":"J\xf6rg"}', 'latin1')
    expect(refusals(() => textOf(latin.toString('base64'), true))[0]).toMatchObject({ type: 'json_invalid' })
    expect(refusals(() => textOf(latin.toString(), false))[0]).toMatchObject({ type: 'json_invalid' })
    expect(textOf('{"name":"J\\ufffd"}', false)).toBe('{"name":"J\\ufffd"}')
    expect(textOf(Buffer.from('{"name":"Jörg"}').toString('base64'), true)).toBe('{"name":"Jörg"}')
  })
})

describe('problems', () => {
  const places = (problems: Problem[]) => problems.map(({ loc, type }) => [loc.slice(1).join('.'), type])

  test('of a rule without anything come all at once', () => {
    expect(places(check(NewRule, {}))).toEqual([
      ['type', 'missing'],
      ['name', 'missing'],
      ['config', 'missing'],
    ])
    expect(places(check(NewSource, {}))).toEqual([
      ['kind', 'missing'],
      ['name', 'missing'],
      ['config', 'missing'],
    ])
  })

  test('of forms that a field tells apart are those of the forms that have it', () => {
    const ftp = { name: 'F', kind: 'FTP/SFTP', config: { protocol: 'gopher', surprise: 1 } }
    expect(places(check(NewSource, ftp))).toEqual([
      ['config.protocol', 'invalid_value'],
      ['config.host', 'missing'],
      ['config.username', 'missing'],
      ['config.surprise', 'unknown_field'],
    ])
  })

  test('say what is allowed', () => {
    const messages = (schema: z.ZodType, value: unknown) => check(schema, value).map(({ msg }) => msg)
    expect(messages(NewRule, { name: 'a', type: 'MAGIC', config: {} })).toEqual(['Must be REGEX or AIMODEL or LIST'])
    expect(messages(NewSource, { name: 'a', kind: 'TAPE', config: {} })[0]).toMatch(
      /^Must be LOCAL_ASSET or .*DB_ENGINE_5$/,
    )
    expect(messages(RuleChanges, { config: {} })).toEqual([
      'Must be {regexRuleConfig} or {aiModelRuleConfig} or {listRuleConfig}',
    ])
    const entry = { ruleId: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10', replacement: { text: 'a', remove: {} } }
    const workflow = { name: 'a', supportedAssetType: 'TABLE', config: { rules: [entry] } }
    expect(messages(NewWorkflow, workflow)).toEqual([
      'Must be {text} or {mask} or {hash} or {pseudonym} or {token} or {fpe} or {surrogate} or {dateShift} or {remove} or {suppress} or {generalise}',
    ])
    expect(messages(RuleTest, { text: 'a', rules: [{}] })).toEqual([
      'Must be {ruleId} or {type, config} or {type, config} or {type, config}',
    ])
  })

  test('and names are never cut within a character', () => {
    const key = `${'a'.repeat(99)}😀`
    expect(check(RuleChanges, { [key]: 1 })[0]!.loc.at(-1)).toBe('a'.repeat(99))
    expect(fileName(`😀${'a'.repeat(254)}`)).toBe('a'.repeat(254))
  })
})
