import { createSecretKey } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AnonymiseCall, anonymise } from '../../../shared/engine/anonymise.ts'
import { findValues } from '../../../shared/engine/found-values.ts'
import { bufferInput, bufferOutput } from '../../../shared/engine/input.ts'
import { comparedBy } from '../../../shared/engine/plan-facts.ts'
import { splitAsset } from '../../../shared/engine/split.ts'
import { createMarker } from '../../../shared/engine/surrogates/marker.ts'
import { filterOf, openFilter } from '../../../shared/engine/surrogates/value-filter.ts'
import { createMarks } from '../../../shared/engine/surrogates/value-marks.ts'
import { fetchFilter } from '../../../shared/jobs/worker/filter.ts'
import { call, regexRule } from '../call.ts'
import { tableKinds } from '../formats/tables.ts'

const rule = (as: string, scope?: 'document' | 'project') =>
  regexRule('value', '.+', { replacement: { surrogate: { as, scope } }, columns: ['value'], replace: 'cell' })
const callOf = (name: string, bytes: Uint8Array, rules = [rule('ID')]) =>
  call({ input: bufferInput(name, bytes), rules, assetType: 'TABLE' })
const csv = (values: readonly string[]) =>
  Buffer.from(`id,value\n${values.map((value, n) => `r${n},${value}\n`).join('')}`)

/** The values of the column in an output. */
const valuesIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(',')[1]!)
async function madeOf(call: AnonymiseCall): Promise<string> {
  const { output } = await anonymise(call)
  return Buffer.from(await output.read(0, output.size)).toString()
}
const numbers = (count: number, digits: number, from = 0) =>
  Array.from({ length: count }, (_, n) => String(from + n).padStart(digits, '0'))

/** Values of which no two become the same, and none another one of them. */
function expectApart(values: readonly string[], made: readonly string[]) {
  const held = new Set(values)
  expect(made.length).toBe(values.length)
  expect(made.filter(value => held.has(value)).length).toBe(0)
  expect(new Set(made).size).toBe(held.size)
}

describe('in a table', () => {
  test.each([
    ['ID', numbers(3000, 4)],
    ['PHONE', numbers(3000, 4).map(end => `030 123${end}`)],
    ['PAYMENT_CARD', numbers(900, 3).map(end => `4111 1100 0000 ${end}4`)],
    ['IP_ADDRESS', numbers(3000, 1).map(n => `8.8.${Number(n) >> 8}.${Number(n) & 255}`)],
  ])('no surrogate is the value of another row, and no two are the same: %s', async (as, values) => {
    expectApart(values, valuesIn(await madeOf(callOf('t.csv', csv(values), [rule(as)]))))
  })

  test.each(tableKinds.map(kind => [kind.name, kind] as const))('of the kind %s likewise', async (name, kind) => {
    const values = numbers(300, 3)
    const bytes = await kind.make(
      ['id', 'value'],
      values.map((value, n) => [`r${n}`, value]),
    )
    const { output } = await anonymise(callOf(name, bytes))
    const rows = await kind.read(Buffer.from(await output.read(0, output.size)))
    expectApart(
      values,
      rows.slice(-values.length).map(row => row[1]!),
    )
  })

  test('each value has its surrogate wherever it stands', async () => {
    const values = numbers(3000, 4)
    const made = valuesIn(await madeOf(callOf('t.csv', csv(values))))
    const back = valuesIn(await madeOf(callOf('t.csv', csv(values.toReversed()))))
    expect(back.toReversed()).toEqual(made)
  })

  test('a wider scope than a job depends on no other row', async () => {
    const more = { secrets: { ...callOf('', Buffer.alloc(0)).secrets, project: createSecretKey(Buffer.alloc(32, 3)) } }
    const madeWith = async (values: string[]) =>
      valuesIn(await madeOf({ ...callOf('t.csv', csv(values), [rule('ID', 'project')]), ...more }))
    const values = numbers(3000, 4)
    const apart = [await madeWith(values.slice(0, 10)), await madeWith(values.slice(10))].flat()
    expect(await madeWith(values)).toEqual(apart)
  })

  test('a chunk is refused without the values of the whole', async () => {
    const input = bufferInput('t.csv', csv(numbers(3000, 4)))
    const whole = callOf(input.name, await input.read(0, input.size))
    const { ranges, options } = (await splitAsset({ ...whole, input, size: 8000 }))!
    expect(ranges.length).toBeGreaterThan(2)
    const failing = anonymise({ ...whole, range: ranges[1]!, options })
    await expect(failing).rejects.toMatchObject({ type: 'internal' })
    const compared = comparedBy(whole.plan)
    const marks = await Promise.all(ranges.map(range => findValues({ ...whole, range, options, compared })))
    const filter = await filterOf(marks.toReversed())
    const parts = await Promise.all(ranges.map(range => madeOf({ ...whole, range, options, filter })))
    expect(parts.join('')).toBe(await madeOf(whole))
  })
})

test('a filter has all its values, few others, and tells neither to another key', async () => {
  const [key, other] = [8, 9].map(byte => createSecretKey(Buffer.alloc(32, byte))) as [
    ReturnType<typeof createSecretKey>,
    ReturnType<typeof createSecretKey>,
  ]
  const output = bufferOutput()
  const { add, end } = await createMarks(key, ['number', 'phone'], output)
  const values = numbers(100_000, 6, 100_000)
  await add([...values, ...values.slice(0, 1000)])
  await end()
  const filter = await filterOf([bufferInput('marks', output.bytes())])
  expect(filter.length).toBeLessThan(values.length * 2 * 2.6)
  const { has } = openFilter(filter, createMarker(key))
  expect(values.filter(value => !has('number', value) || !has('phone', value))).toEqual([])
  const share = (answers: boolean[]) => answers.filter(Boolean).length / answers.length
  expect(share(numbers(100_000, 6, 500_000).map(value => has('number', value)))).toBeLessThan(3e-4)
  expect(share(values.map(value => has('address', value)))).toBeLessThan(3e-4)
  const strange = openFilter(filter, createMarker(other))
  expect(share(values.map(value => strange.has('number', value)))).toBeLessThan(3e-4)
})

test('a job that was begun before there were filters goes on as it began', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'filter-'))
  const whole = callOf('t.csv', csv(numbers(3000, 4)))
  try {
    const [table, now] = [{ type: 'TABLE', assetCount: 1 } as const, { compared: ['number' as const], tables: 1 }]
    expect(await fetchFilter(whole.plan, { id: 'now', values: now, ...table }, table, folder)).toBeUndefined()
    for (const values of [undefined, null])
      expect(await fetchFilter(whole.plan, { id: 'before', values, ...table }, table, folder)).toBeDefined()
    const document = { type: 'DOCUMENT', assetCount: 1 } as const
    expect(await fetchFilter(whole.plan, { id: 'now', values: null, ...document }, document, folder)).toBeUndefined()
    const filter = await readFile((await fetchFilter(whole.plan, { id: 'before', ...table }, table, folder))!)
    const { ranges, options } = (await splitAsset({ ...whole, size: 8000 }))!
    const parts = await Promise.all(ranges.map(range => madeOf({ ...whole, range, options, filter })))
    const made = valuesIn(parts.join(''))
    expect(new Set(made).size).toBe(3000)
    // Of ten thousand numbers three thousand are values, and nothing kept the surrogates apart from them.
    expect(made.filter(value => Number(value) < 3000).length).toBeGreaterThan(600)
  } finally {
    await rm(folder, { recursive: true })
  }
})
