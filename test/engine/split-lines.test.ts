import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { checkFields, type Fields } from '../../shared/engine/columns/field-names.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { maxNameCharacters } from '../../shared/engine/limits.ts'
import type { Plan, PlannedRule } from '../../shared/engine/plan.ts'
import { splitAsset } from '../../shared/engine/split.ts'
import { runs } from '../runs.ts'
import { call, fleetingInput, regexRule, secrets } from './call.ts'

const mail = regexRule('mail', '\\w+@\\w+\\.org')
const named = regexRule('name', 'Ann', { columns: ['who.na*'], replacement: { pseudonym: {} } })

type Range = { start: number; end: number }

const anonymised = async (text: string, rules: PlannedRule[], range?: Range, more: Partial<Plan> = {}) => {
  const input = fleetingInput('t.ndjson', Buffer.from(text))
  const made = call({ input, rules, assetType: 'TABLE', range })
  const result = await anonymise({ ...made, plan: { ...made.plan, ...more } })
  return { ...result, text: Buffer.from(await result.output.read(0, result.output.size)).toString() }
}

const split = (text: string, size: number) =>
  splitAsset({ input: bufferInput('t.ndjson', Buffer.from(text)), size, signal: new AbortController().signal })

/** Anonymises a file in chunks of about `size` bytes, and checks what they left. */
async function inChunks(text: string, rules: PlannedRule[], size: number) {
  const { ranges } = (await split(text, size))!
  expect(ranges.map(({ start }) => start)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)])
  expect(ranges.at(-1)!.end).toBe(Buffer.byteLength(text))
  const chunks: Awaited<ReturnType<typeof anonymised>>[] = []
  for (const range of ranges) chunks.push(await anonymised(text, rules, range))
  // What chunks leave is written down in between.
  const left = JSON.parse(JSON.stringify(chunks.map(({ fields }) => fields))) as Fields[]
  const read = async function* () {
    yield* left
  }
  await checkFields(read, { rules, assetType: 'TABLE' }, secrets.pseudonym)
  const counts = rules.map((_, n) => chunks.reduce((sum, { findings }) => sum + findings[n]!.count, 0))
  const examined = chunks.reduce((sum, { report }) => sum + report.examined, 0)
  return { text: chunks.map(chunk => chunk.text).join(''), counts, examined, chunks: ranges.length, left }
}

const value = fc.oneof(
  fc.constantFrom('ann@example.org', 'Ann', 'say "Ann"\r\n\u2028', 'é好🙂', '', 12.5, true, null),
  fc.jsonValue({ maxDepth: 2 }),
)
const record = fc
  .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'x"\n', 'é', 'ann@example.org'), value, { maxKeys: 4 }), value)
  .map(([more, name]) => JSON.stringify({ ...more, who: { name, note: 'to ann@example.org' } }))
const line = fc.tuple(record, fc.constantFrom('\n', '\r\n', '\n\n', ' \n\t\r\n'))

test('the chunks of a file of records put together are what one pass gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 3, maxLength: 40 }),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 20, max: 600 }),
      async (lines, mark, ended, size) => {
        const all = (mark ? '\ufeff' : '') + lines.flat().join('')
        const text = ended ? all : all.trimEnd()
        // A column without a text or a number in it is none, and a rule may not name it.
        fc.pre(/"who":\{"name":["\d-]/.test(text))
        fc.pre(Buffer.byteLength(text) > size)
        const whole = await anonymised(text, [mail, named])
        const { text: made, counts, examined } = await inChunks(text, [mail, named], size)
        expect(made).toBe(whole.text)
        expect(counts).toEqual(whole.findings.map(({ count }) => count))
        expect(examined).toBe(whole.report.examined)
      },
    ),
    { numRuns: runs(60) },
  )
})

const people = Array.from({ length: 200 }, (_, n) => `{"n":${n},"who":{"name":"Ann ${n}"},"at":"a${n}@b.org"}\n`)

test('a large file is cut into several chunks of about the size, which leave no value', async () => {
  const { chunks, left } = await inChunks(people.join(''), [mail], 1500)
  expect(chunks).toBeGreaterThan(4)
  expect(left[0]!.names).toEqual(['n', 'who', 'name', 'at'])
  expect(left[0]!.gone.length).toBeGreaterThan(10)
  expect(JSON.stringify(left)).not.toMatch(/@b|Ann/)
})

test('a chunk that ends within a line fails', async () => {
  await expect(anonymised(people.join(''), [mail], { start: 0, end: 100 })).rejects.toMatchObject({
    type: 'corrupt_file',
  })
})

test('a line that is longer than chunks stays whole', async () => {
  const text = `${people[0]}{"long":"${'x'.repeat(3_000_000)}","at":"a@b.org"}\n${people[1]}`
  const { text: made, chunks } = await inChunks(text, [mail], 100)
  expect(made).toBe((await anonymised(text, [mail])).text)
  expect(chunks).toBe(2)
})

describe('what only all chunks tell', () => {
  const inWho = { ...mail, columns: ['who'] }
  const key = '{"the a1@b.org":1}\n'

  test.each([
    ['before it', [key, ...people, '{"who":"a1@b.org"}\n']],
    ['behind it', ['{"who":"a1@b.org"}\n', ...people, key]],
    ['in the same one', [...people, '{"who":"a1@b.org"}\n', key]],
  ])('a value that names a field in the chunk %s fails the file, as in one pass', async (_, lines) => {
    const text = lines.join('')
    const failure = { type: 'leak_detected' }
    await expect(anonymised(text, [inWho])).rejects.toMatchObject(failure)
    await expect(inChunks(text, [inWho], 1500)).rejects.toMatchObject(failure)
  })

  test('a value that is a part of a word in a name of a field is no mention of it', async () => {
    const rules = [regexRule('whole', '\\bQuandt\\b')]
    const text = ['{"isQuandtering":1}\n', ...people, '{"who":"Quandt"}\n'].join('')
    expect((await inChunks(text, rules, 1500)).text).toContain('{"isQuandtering":1}')
    const mention = ['{"is_Quandt":1}\n', ...people, '{"who":"Quandt"}\n'].join('')
    await expect(inChunks(mention, rules, 1500)).rejects.toMatchObject({ type: 'leak_detected' })
  })

  test('a column that none of them has fails the file, as in one pass; one that a single chunk has does not', async () => {
    const text = [...people, '{"late":"a@b.org"}\n'].join('')
    const missing = [{ ...mail, columns: ['later'] }]
    const whole = await anonymised(text, missing).catch((error: unknown) => error)
    expect(whole).toMatchObject({ type: 'invalid_workflow', message: expect.stringContaining('n, who.name, at, late') })
    await expect(inChunks(text, missing, 1500)).rejects.toEqual(whole)
    expect((await inChunks(text, [{ ...mail, columns: ['late'] }], 1500)).counts).toEqual([1])
  })

  test('records with very many names of fields are not cut, and refused where they come late', async () => {
    const many = Array.from({ length: 20 }, (_, n) => `{"${`${n} `.padEnd(maxNameCharacters / 16, 'x')}":1}\n`).join('')
    expect(await split(many, 1000)).toBeUndefined()
    await expect(anonymised(many, [mail], { start: 0, end: many.length })).rejects.toMatchObject({
      type: 'limit_exceeded',
    })
  })
})
