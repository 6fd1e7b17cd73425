import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { splitAsset } from '../../shared/engine/split.ts'
import { call, regexRule } from './call.ts'

const rules = [
  regexRule('email', '[a-z]+@[a-z]+\\.org'),
  regexRule('name', 'Ann', { columns: ['na*'], replacement: { pseudonym: {} } }),
]

/** A table with quotes, delimiters and line ends inside of cells, of `rows` rows. */
function table(rows: number, delimiter: string, lineEnd: string, seed: number): Buffer {
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
  const notes = [
    '',
    'ann@example.org',
    `"Ann${delimiter} ""the"" boss"`,
    `"two${lineEnd}lines${delimiter}${delimiter}é"`,
    '"say ""Ann"""',
  ]
  const lines = Array.from({ length: rows }, (_, row) =>
    [row, ['Ann', 'Bob'][random(2)], notes[random(notes.length)]].join(delimiter),
  )
  return Buffer.from(['id', 'name', 'note'].join(delimiter) + lineEnd + lines.join(lineEnd) + lineEnd)
}

async function output(input: Buffer, range?: { start: number; end: number }, options = {}): Promise<Buffer> {
  const result = await anonymise(
    call({ input: bufferInput('t.csv', input), rules, assetType: 'TABLE', range, options }),
  )
  return Buffer.from(await result.output.read(0, result.output.size))
}

test('the chunks of a table put together are what one pass gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 300 }),
      fc.constantFrom(',', ';', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.nat(),
      fc.integer({ min: 100, max: 3000 }),
      async (rows, delimiter, lineEnd, seed, size) => {
        const input = table(rows, delimiter, lineEnd, seed)
        const split = await splitAsset({
          input: bufferInput('t.csv', input),
          size,
          signal: new AbortController().signal,
        })
        const parts: Buffer[] = []
        for (const range of split!.ranges) parts.push(await output(input, range, split!.options))
        expect(Buffer.concat(parts).toString()).toBe((await output(input)).toString())
      },
    ),
    { numRuns: 40 },
  )
})

test('a large enough table is cut into several chunks of about the size', async () => {
  const input = table(20_000, ',', '\n', 7)
  const split = await splitAsset({
    input: bufferInput('t.csv', input),
    size: 50_000,
    signal: new AbortController().signal,
  })
  expect(split!.ranges.length).toBeGreaterThan(input.length / 50_000 / 2)
  expect(split!.ranges[0]!.start).toBe(0)
  expect(split!.ranges.at(-1)!.end).toBe(input.length)
  for (const [index, { start }] of split!.ranges.slice(1).entries()) {
    expect(start).toBe(split!.ranges[index]!.end)
    expect(input.subarray(start - 1, start).toString()).toBe('\n')
    expect(input.subarray(start, start + 8).toString()).toMatch(/^\d+,/)
  }
})

test.each([
  ['in the middle of a line', 30],
  ['inside of quotes', 0],
])('a chunk that is cut %s fails', async (_, at) => {
  const input = Buffer.from(`id,name,note\n${'1,Ann,"a\nb"\n'.repeat(20)}`)
  const end = at || input.indexOf('a\n') + 2
  await expect(output(input, { start: 0, end }, { delimiter: ',', quote: '"', header: true })).rejects.toMatchObject({
    type: 'corrupt_file',
  })
})

test.each([
  ['one column', 'only\n'.repeat(1000)],
  ['ragged rows', 'a,b\nc\n'.repeat(1000)],
])('%s: not cut', async (_, text) => {
  const input = bufferInput('t.csv', Buffer.from(text))
  expect(await splitAsset({ input, size: 500, signal: new AbortController().signal })).toBeUndefined()
})
