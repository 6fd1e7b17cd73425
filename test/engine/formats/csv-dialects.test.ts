import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EngineError } from '../../../shared/engine/errors.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { splitAsset } from '../../../shared/engine/split.ts'
import { runs } from '../../runs.ts'
import { call, regexRule } from '../call.ts'

const rules = [regexRule('secret', 'SECRET', { replacement: { text: '#' } })]

/** Characters that every encoding below has. */
const common = [
  'a',
  'b',
  ' ',
  '1',
  '=',
  '-',
  'é',
  'ß',
  '\\',
  ',',
  ';',
  '\t',
  '|',
  '"',
  "'",
  '\n',
  '\r',
  '\r\n',
  'SECRET',
]
const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-15', 'utf-32le'] as const

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|', '::'),
  quote: fc.constantFrom('"', "'"),
  escape: fc.constantFrom('double', 'backslash'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom(...encodings),
  bom: fc.boolean(),
  always: fc.boolean(),
  lastEnd: fc.boolean(),
  header: fc.boolean(),
})
const cells = fc.array(
  fc.array(fc.string({ unit: fc.constantFrom(...common), maxLength: 6 }), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 8 },
)

type Dialect = typeof dialect extends fc.Arbitrary<infer Value> ? Value : never

/** Writes a table, and the same with every secret replaced: all other bytes must stay what they are. */
function written(rows: string[][], { delimiter, quote, escape: style, lineEnd, always, lastEnd }: Dialect) {
  const escapeWith = style === 'double' ? quote : '\\'
  const cell = (text: string) => {
    const must = text === '' || text !== text.trim() || /[\r\n\\]/.test(text)
    if (!always && !must && !text.includes(delimiter) && !text.includes(quote)) return text
    const inner = escapeWith === quote ? text : text.replaceAll('\\', '\\\\')
    return quote + inner.replaceAll(quote, escapeWith + quote) + quote
  }
  const text = rows.map(row => row.map(cell).join(delimiter)).join(lineEnd) + (lastEnd ? lineEnd : '')
  return { before: text, after: text.replaceAll('SECRET', '#'), escapeWith }
}

async function run(input: Buffer, options: Record<string, unknown>, range?: { start: number; end: number }) {
  const made = await anonymise(call({ input: bufferInput('t.csv', input), rules, assetType: 'TABLE', options, range }))
  return Buffer.from(await made.output.read(0, made.output.size))
}

describe('tables of any dialect', () => {
  test('keep every byte that no match touches', async () => {
    await fc.assert(
      fc.asyncProperty(cells, dialect, async (rows, how) => {
        const { before, after, escapeWith } = written(rows, how)
        if (before === '') return
        const { encoding, delimiter, quote, header } = how
        const bytes = (text: string) => iconv.encode(text, encoding, { addBOM: how.bom && encoding.startsWith('utf') })
        const options = { encoding, delimiter, quote, escape: escapeWith, header }
        const refused = await run(bytes(before), options).then(
          output => void expect(output.toString('hex')).toBe(bytes(after).toString('hex')),
          (error: EngineError) => error.type,
        )
        // Few characters of two or four bytes each, without a mark, may be anything.
        const wide = expect.stringMatching(/utf-(?:16|32)/)
        if (refused !== undefined) expect([refused, how.bom, encoding]).toEqual(['unsupported_format', false, wide])
      }),
      { numRuns: runs(300) },
    )
  })

  test('are found out, and keep every byte that no match touches', async () => {
    const row = fc.record({
      name: fc.constantFrom('Zoë', 'Jürgen', 'Ann'),
      note: fc.constantFrom('SECRET', 'x y', 'é'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 5, maxLength: 40 }), dialect, async (people, how) => {
        if (how.delimiter === '::') return
        const plain = people.map(({ name, note }, n) => [
          String(n),
          name,
          `${note}${how.delimiter}${how.quote}q${how.quote}`,
        ])
        const { before, after } = written([['id', 'name', 'note'], ...plain], { ...how, escape: 'double' })
        const bytes = (text: string) =>
          iconv.encode(text, how.encoding, { addBOM: how.bom && how.encoding.startsWith('utf') })
        if (how.encoding === 'utf-32le' && !how.bom) return
        expect((await run(bytes(before), {})).toString('hex')).toBe(bytes(after).toString('hex'))
      }),
      { numRuns: runs(150) },
    )
  })

  test('that are cut into chunks come out as a single pass gives them', async () => {
    const row = fc.record({
      name: fc.constantFrom('Zoë', 'Jürgen', 'Ann'),
      note: fc.constantFrom('SECRET', 'x\ny', '"é"'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 30, maxLength: 200 }),
        dialect,
        fc.integer({ min: 60, max: 2000 }),
        async (people, how, size) => {
          const byteSafe = !how.encoding.startsWith('utf-16') && !how.encoding.startsWith('utf-32')
          if (!byteSafe || how.delimiter === '::') return
          const rows = people.map(({ name, note }, n) => [String(n), name, note])
          const { before, after } = written([['id', 'name', 'note'], ...rows], { ...how, escape: 'double' })
          const bytes = (text: string) =>
            iconv.encode(text, how.encoding, { addBOM: how.bom && how.encoding === 'utf-8' })
          const input = bytes(before)
          const { signal } = new AbortController()
          const split = await splitAsset({ input: bufferInput('t.csv', input), size, signal })
          const parts: Buffer[] = []
          for (const range of split?.ranges ?? []) parts.push(await run(input, split!.options, range))
          if (split) expect(Buffer.concat(parts).toString('hex')).toBe(bytes(after).toString('hex'))
        },
      ),
      { numRuns: runs(60) },
    )
  })
})

test('a comma in every quoted cell of a table with semicolons separates nothing', async () => {
  const rows = Array.from({ length: 50 }, (_, n) => `${n};p${n}@example.org;"a ""quoted"" SECRET, number ${n}"`)
  const table = Buffer.from(['nr;contact;remark', ...rows, ''].join('\n'))
  const { report, output } = await anonymise(call({ input: bufferInput('a.csv', table), rules, assetType: 'TABLE' }))
  const bytes = Buffer.from(await output.read(0, output.size))
  expect(bytes.toString()).toBe(table.toString().replaceAll('SECRET', '#'))
  expect(report.choices).toMatchObject({ delimiter: ';', columns: ['nr', 'contact', 'remark'] })
})
