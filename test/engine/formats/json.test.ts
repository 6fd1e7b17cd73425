import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { emptyBare } from '../../../shared/engine/formats/container/file-address.ts'
import { decodePng, encodePng } from '../../../shared/engine/formats/image/codecs.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { json } from '../../../shared/engine/formats/json/index.ts'
import { ndjson } from '../../../shared/engine/formats/json/ndjson.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { textDigest } from '../../../shared/engine/verify/digest.ts'
import { call, regexRule } from '../call.ts'
import { mutant } from '../mutant.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus/synthetic'
const conformance = '../shared/data/open/robust/json'
const canaries = (name: string, values: string[]) =>
  existsSync(`${corpus}/${name}`) ? [{ name, bytes: () => readFileSync(`${corpus}/${name}`), values }] : []

formatSuite(json, {
  name: 'record.json',
  make: texts => Buffer.from(JSON.stringify({ list: texts, n: 1.5e300, ok: true, none: null }, null, 2)),
  show: bytes => (JSON.parse(Buffer.from(bytes).toString()) as { list: string[] }).list,
  untouched: 'bytes',
  files: canaries('canary.json', ['Zyname', 'Zyescaped', 'Zyitem', 'Zykey', 'Zydup1', 'Zydup2', 'Zyinner']),
  refused: [
    { name: 'an open object', bytes: () => Buffer.from('{"a":1'), type: 'corrupt_file' },
    { name: 'two trailing commas', bytes: () => Buffer.from('{"a":[1,,]}'), type: 'corrupt_file' },
    {
      name: 'deep nesting',
      bytes: () => Buffer.from(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`),
      type: 'limit_exceeded',
    },
  ],
})

formatSuite(ndjson, {
  name: 'records.ndjson',
  make: texts => Buffer.from(`${texts.map((text, n) => JSON.stringify({ n, text })).join('\n')}\n\n`),
  show: bytes =>
    Buffer.from(bytes)
      .toString()
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { text: string }).text),
  untouched: 'bytes',
  files: canaries('canary.ndjson', ['Zyline1', 'Zyline2', 'Zyline3']),
  refused: [{ name: 'a bad second line', bytes: () => Buffer.from('{"a":1}\n{"a":}\n'), type: 'corrupt_file' }],
})

async function clean(source: string, pattern: string, name = 'x.json') {
  const rules = [regexRule('hit', pattern)]
  const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules }))
  return Buffer.from(await output.read(0, output.size)).toString()
}

describe('JSON', () => {
  const cases: [string, string, string, string][] = [
    ['escapes are read through', '{"a":"\\u005ay\\u006f"}', 'Zyo', '{"a":"[hit]"}'],
    ['keys are replaced', '{"Zyo":1}', 'Zyo', '{"[hit]":1}'],
    ['both of a key that stands twice', '{"k":"Zya","k":"Zyb"}', 'Zy\\w', '{"k":"[hit]","k":"[hit]"}'],
    ['a number that matches becomes a string', '[34600123456, 1e400]', '34600123456', '["[hit]", 1e400]'],
    [
      'long numbers stay as written',
      '[12345678901234567890.10, -0, "Zyo"]',
      'Zyo',
      '[12345678901234567890.10, -0, "[hit]"]',
    ],
    ['escapes that no edit touches stay', '["\\u0041\\/", "Zyo"]', 'Zyo', '["\\u0041\\/", "[hit]"]'],
    ['a hit inside of JSON inside of JSON', '{"n":"{\\"i\\":\\"Zyo\\"}"}', 'Zyo', '{"n":"{\\"i\\":\\"[hit]\\"}"}'],
  ]
  test.each(cases)('%s', async (_, source, pattern, expected) => {
    expect(await clean(source, pattern)).toBe(expected)
  })

  test('knows the record and the path of a value', async () => {
    const places: unknown[] = []
    const input = bufferInput('x.json', Buffer.from('[{"p":{"name":"A"}},{"p":{"name":"B"}}]'))
    const { limits, signal } = call({ input, rules: [] })
    const file = await json.open(input, { registry, limits, signal, options: {} })
    for await (const batch of file.segments()) for (const { visible, place } of batch) if (visible) places.push(place)
    expect(places).toEqual([
      { kind: 'cell', row: 1, column: 'p.name' },
      { kind: 'cell', row: 2, column: 'p.name' },
    ])
  })

  /** What editors take, and so do we. */
  const loose = new Set(
    [
      'array_extra_comma',
      'array_number_and_comma',
      'object_lone_continuation_byte_in_key_and_trailing_comma',
      'object_trailing_comma',
      'object_trailing_comment',
      'object_trailing_comment_slash_open',
      'structure_object_with_comment',
    ].map(name => `n_${name}.json`),
  )

  test.skipIf(!existsSync(conformance))('takes what it must and refuses what it must (JSONTestSuite)', async () => {
    const wrong: string[] = []
    for (const name of readdirSync(conformance)) {
      const bytes = readFileSync(`${conformance}/${name}`)
      const input = bufferInput(name, bytes)
      const { limits, signal } = call({ input, rules: [] })
      const outcome = await json.open(input, { registry, limits, signal, options: {} }).then(
        () => 'y',
        ({ type }: { type?: string }) => (type === 'corrupt_file' || type === 'limit_exceeded' ? 'n' : 'crash'),
      )
      if (name[0] !== 'i' && outcome !== (loose.has(name) ? 'y' : name[0])) wrong.push(name)
      if (outcome === 'crash') wrong.push(name)
    }
    expect(wrong).toEqual([])
  })
})

describe('JSON as editors write it, with comments and commas behind the last item', () => {
  const source =
    '// Zya wrote this\n{\n  // "Zya": "x", /* and\n  "a": "Zya // no comment", /* of Zya,\n  ] too */ "b": [1, 22, /* ** */],\n  "c": ["/* Zya */",]\n  , "d": {"x": "\\"//,}",},\n} // the end, Zya'

  test.each(['tsconfig.json', 'settings.jsonc'])('keeps its form in %s', async name => {
    expect(await clean(source, 'Zya', name)).toBe(source.replaceAll('Zya', '[hit]'))
    expect(await clean(source, 'nothing', name)).toBe(source)
    expect(await clean('{"a":1}//', 'x', name)).toBe('{"a":1}//')
  })

  test.each(['*/', '\n', '\r'])('a replacement that would end a comment is refused: %j', async text => {
    const rules = [regexRule('hit', 'Zya', { replacement: { text: `x${text}y` } })]
    const input = bufferInput('a.jsonc', Buffer.from('{"a": 1, /* Zya */ // Zya\n}'))
    await expect(anonymise(call({ input, rules }))).rejects.toThrow()
  })

  test.each(['{"a": 1 /* why }', '{"a": 1 / 2}', '{"a": 1,,}', '[,]', '{,}', '{"a",}', '{} / x', '{"a":1}/**//'])(
    'nothing looser is taken: %j',
    async text => {
      await expect(clean(text, 'x', 'a.json')).rejects.toMatchObject({ type: 'corrupt_file' })
    },
  )

  test('in records they are refused by name', async () => {
    await expect(clean('[{"a": 1 /* why */}]', 'x', 'a.json')).rejects.toThrow('JSON with comments is not supported')
    await expect(clean('[{"a": 1,}]', 'x', 'a.json')).rejects.toThrow('a comma behind the last item')
  })

  test('a value that is left in a comment is refused', async () => {
    const blind = await mutant({ file: 'formats/json/read.ts', from: 'this.comments.push({', to: 'void ({' })
    const rules = [regexRule('hit', 'Zya')]
    const input = bufferInput('a.json', Buffer.from('{"a": "Zya", // Zya\n}'))
    await expect(blind.anonymise(call({ input, rules }))).rejects.toMatchObject({ type: 'leak_detected' })
  })
})

test('lines of records are read as such whatever the file is called', async () => {
  const line = (n: number) => `{"n":${n},"long":"${'x'.repeat(6000)}","who":"Zya"}\n`
  expect(await clean(line(1) + line(2), 'Zya', 'part-0001.json')).toBe((line(1) + line(2)).replaceAll('Zya', '[hit]'))
  expect(await clean('{"a":"Zya"}\n{"a":1}', 'Zya', 'x.json')).toBe('{"a":"[hit]"}\n{"a":1}')
})

describe('a value that was found elsewhere, in names of fields', () => {
  const whole = '\\bMargaret\\b'
  const named = (name: string) => `{"${name}":1,"who":"Margaret"}`
  const tables: [string, (record: string) => string][] = [
    ['x.json', record => record],
    ['x.ndjson', record => `${record}\n${record}\n`],
    ['y.json', record => `[${record}]`],
  ]

  test.each(tables)('is no part of a word, in %s', async (file, of) => {
    for (const name of ['Margareting', 'subMargareting_1', 'MARGARETABLE'])
      expect(await clean(of(named(name)), whole, file)).toBe(of(named(name)).replaceAll('"Margaret"', '"[hit]"'))
    // A rule that matches there by itself replaces it.
    expect(await clean(of(named('xMargaretx')), 'Margaret', file)).toBe(
      of(named('xMargaretx')).replaceAll('Margaret', '[hit]'),
    )
  })

  test.each(tables)('is one as a whole word, in %s', async (file, of) => {
    for (const name of ['Margaret', 'mail of Margaret', 'Margaret-Smith'])
      expect(await clean(of(named(name)), whole, file)).toBe(of(named(name)).replaceAll('Margaret', '[hit]'))
  })

  test('is one beside a sign or a digit, and as more than letters', async () => {
    for (const name of [
      'SubMargaret',
      'xMargaretx',
      'Margarets',
      'of_Margaret',
      'Margaret_1',
      'Margaret1',
      '9Margaret',
      '\u592aMargaret',
    ])
      expect(await clean(named(name), whole)).toBe(named(name).replaceAll('Margaret', '[hit]'))
    expect(await clean('{"x12345678x":1,"n":12345678}', '\\b12345678\\b')).toBe('{"x[hit]x":1,"n":"[hit]"}')
    expect(await clean('{"xAnn Berg":1,"n":"Ann Berg"}', '\\bAnn Berg\\b')).toBe('{"x[hit]":1,"n":"[hit]"}')
  })

  test('two names stay different', async () => {
    expect(await clean('{"Ann":1,"Bob":2,"w":"Ann Bob"}', '\\b(?:Ann|Bob)\\b')).toBe(
      '{"[hit]":1,"[hit]_2":2,"w":"[hit] [hit]"}',
    )
  })

  test('is excused in the proof there only', async () => {
    const gone = ['Margaret']
    const check = async (text: string, format = json) =>
      (
        await format.verify(
          bufferInput('x.json', Buffer.from(text)),
          { digest: textDigest().hex(), visible: [], gone },
          { registry, ...call({ input: bufferInput('x.json', Buffer.from(text)), rules: [] }), options: {} },
        )
      ).length
    expect(await check('{"Margareting":{}}')).toBe(0)
    const coded = Buffer.from('Margareting').toString('base64')
    for (const name of [
      'Margaret',
      'of_Margaret',
      'x\u592aMargaret',
      '\\u004dargaret',
      `${coded}`,
      `Margareting${coded}`,
      'contactMargaret',
      'Margarets',
    ])
      expect(await check(`{"Margareting":{"${name}":{}}}`), name).toBe(1)
  })
})

test('files that arrays hold line by line', async () => {
  const picture = Buffer.from(await encodePng({ width: 40, height: 40, data: new Uint8ClampedArray(6400).fill(200) }))
  const linesOf = (bytes: Buffer) =>
    bytes
      .toString('base64')
      .match(/.{1,40}/g)!
      .map(line => `${line}\n`)
  const document = Buffer.from(`%PDF-1.7 ${'of somebody '.repeat(20)}`)
  const data = { 'image/png': linesOf(picture), 'application/pdf': linesOf(document), 'text/plain': ['Zya\n', 'b'] }
  const input = bufferInput('a.ipynb', Buffer.from(JSON.stringify({ data })))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('X', 'Zya')] }))
  const read = JSON.parse(Buffer.from(await output.read(0, output.size)).toString()) as { data: typeof data }
  expect(read.data['text/plain']).toEqual(['[X]\n', 'b'])
  expect(read.data['application/pdf']).toEqual([emptyBare])
  expect((await decodePng(Buffer.from(read.data['image/png'].join(''), 'base64'))).width).toBe(40)
  expect(report.dropped).toEqual([{ what: 'pictures', count: 1 }])
})

test('arrays of texts that look like lines of files', async () => {
  const source = JSON.stringify({
    a: ['iVBORw0KGgoAAAANSUhEUg', 'Zya b'],
    b: ['JVBERi0xLjcgVGV4dCBvZg', 1],
    c: ['U'.repeat(70), ''],
  })
  const { output } = await anonymise(
    call({ input: bufferInput('a.json', Buffer.from(source)), rules: [regexRule('X', 'Zya')] }),
  )
  expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(source.replace('Zya', '[X]'))
})

test('who sends and gets messages is a person or an account by the key beside the text', async () => {
  const detection = {
    type: 'AIMODEL' as const,
    modelId: 'pii-patterns',
    modelVersion: '1.0.0',
    confidenceThreshold: 0.5,
  }
  const rules = [{ ruleId: 'p', name: 'P', detection, replacement: { text: '[{{label}}]' } }]
  const models = modelLoader([patternSource])
  const cleaned = async (value: unknown) => {
    const input = bufferInput('chat.json', Buffer.from(JSON.stringify(value)))
    const { output } = await anonymise(call({ input, rules, models }))
    return JSON.parse(Buffer.from(await output.read(0, output.size)).toString())
  }
  expect(
    await cleaned([
      { de: 'Lupe', mensaje: 'Hola' },
      { de: 'Iker', mensaje: 'Claro' },
    ]),
  ).toEqual([
    { de: '[PERSON]', mensaje: 'Hola' },
    { de: '[PERSON]', mensaje: 'Claro' },
  ])
  const chat = [
    { from: 'maddie_k', text: 'hi' },
    { from: 'Owen', text: 'yes' },
    { from: 'assistant', text: 'fine' },
  ]
  expect(await cleaned({ chat })).toEqual({
    chat: [
      { from: '[USERNAME]', text: 'hi' },
      { from: '[PERSON]', text: 'yes' },
      { from: 'assistant', text: 'fine' },
    ],
  })
  const route = { from: 'here', to: 'there', price: 12 }
  expect(await cleaned({ route })).toEqual({ route })
})
