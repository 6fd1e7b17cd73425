import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { type Cutting, cutAsset, splitAsset } from '../../shared/engine/split.ts'
import { runs } from '../runs.ts'
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
    { numRuns: runs(40) },
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

/** Cuts by reading, with a checkpoint after every few ranges that is written down as JSON in between. */
async function cutByReading(input: Buffer, size: number, atOnce: number, options = {}): Promise<Cutting> {
  let so: Cutting | undefined
  for (;;) {
    let left = atOnce
    const { signal } = new AbortController()
    const enough = () => --left === 0
    so = await cutAsset({ input: bufferInput('t.csv', input), size, signal, options, so, enough })
    if (so!.done) return so!
    so = JSON.parse(JSON.stringify(so))
  }
}

test.each([
  ['of one column', (n: number) => `ann@example.org ${'x'.repeat(n % 50)}\n`, {}],
  ['ragged', (n: number) => `${n},Ann${',ann@example.org'.repeat(n % 4)}\n`, { delimiter: ',' }],
  ['with backslashes before quotes', (n: number) => `${n},Ann,"say \\"ann@example.org\\",\nthen"\n`, {}],
  ['in UTF-16', (n: number) => `${n},Ann,"é\r\nann@example.org"\r\n`, { encoding: 'utf-16le' }],
  ['in UTF-16, big end first', (n: number) => `${n},Ann,éann@example.org\r`, { encoding: 'utf-16be' }],
  ['in Shift JIS', (n: number) => `${n},Ann,表ソann@example.org\n`, { encoding: 'shift_jis' }],
  ['with a unit separator in a cell', (n: number) => `${n},Ann,a${n % 900 ? '' : '\u001f'}ann@example.org\n`, {}],
] as const)(
  'a table %s is cut by reading, whatever the checkpoints, and comes out as in one pass',
  async (_, line, options) => {
    const text = `id,name,note\n${Array.from({ length: 9000 }, (_, n) => line(n)).join('')}`
    const encoding = (options as { encoding?: string }).encoding
    const input = encoding ? iconv.encode(text, encoding, { addBOM: false }) : Buffer.from(text)
    const whole = await output(input, undefined, options)
    for (const atOnce of [1, 2, 1000]) {
      const { ranges, options: found } = await cutByReading(input, 20_000, atOnce, options)
      expect(ranges.length).toBeGreaterThan(2)
      expect(ranges.map(({ start }) => start)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)])
      expect(ranges.at(-1)!.end).toBe(input.length)
      const parts: Buffer[] = []
      for (const range of ranges) parts.push(await output(input, range, found))
      expect(Buffer.concat(parts).equals(whole)).toBe(true)
    }
    expect(whole.includes(encoding ? iconv.encode('[email]', encoding, { addBOM: false }) : '[email]')).toBe(true)
  },
)

test.each([
  ['utf-8', 'utf8'],
  ['windows-1252', 'latin1'],
] as const)('fifty gigabytes are cut without reading them, also in %s', async (expected, written) => {
  const line = Buffer.from('1,Ann,café and more of the same\n', written)
  const size = line.length * Math.floor((50 * 1024 ** 3) / line.length)
  let bytes = 0
  const read = async (start: number, end: number) => {
    const length = Math.max(0, Math.min(end, size) - start)
    bytes += length
    const from = start % line.length
    return Buffer.alloc(from + length, line).subarray(from)
  }
  const stream = () => {
    throw new Error('The file is read whole')
  }
  const split = await splitAsset({
    input: { name: 't.csv', size, read, stream },
    size: 64 * 1024 ** 2,
    signal: new AbortController().signal,
  })
  expect(split!.ranges.length).toBeGreaterThan(790)
  expect(split!.options).toMatchObject({ encoding: expected })
  expect(bytes).toBeLessThan(size / 300)
})

test.each([
  ['cp850', 'Müller'],
  ['ibm866', 'Жуков'],
  ['windows-874', 'สมชาย'],
])('a table in %s is cut without reading it', async (encoding, name) => {
  const bytes = iconv.encode(`1,Ann,${name} and more of the same\n`.repeat(20_000), encoding)
  const signal = new AbortController().signal
  const split = await splitAsset({ input: bufferInput('t.csv', bytes), size: 64 * 1024, signal })
  expect(split!.ranges.length).toBeGreaterThan(5)
  expect(split!.options).toMatchObject({ encoding })
})

test('a plan for columns that a table has not is refused before the table is cut', async () => {
  const input = bufferInput('t.csv', table(300, ',', '\n', 1))
  const signal = new AbortController().signal
  const planned = (column: string) => ({
    rules: [regexRule('email', 'x', { columns: [column] })],
    assetType: 'TABLE' as const,
  })
  const refused = { type: 'invalid_workflow', message: expect.stringContaining('it has id, name, note') }
  await expect(splitAsset({ input, plan: planned('nam'), size: 1000, signal })).rejects.toMatchObject(refused)
  await expect(
    cutAsset({ input, plan: planned('nam'), size: 1000, signal, enough: () => false }),
  ).rejects.toMatchObject(refused)
  expect((await splitAsset({ input, plan: planned('na*'), size: 1000, signal }))!.ranges.length).toBeGreaterThan(1)
})
