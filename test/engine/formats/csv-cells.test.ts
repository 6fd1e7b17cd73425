import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDetector } from '../../../shared/engine/detect/detector.ts'
import type { Finding } from '../../../shared/engine/findings.ts'
import { csv } from '../../../shared/engine/formats/csv/index.ts'
import type { Editor, FormatContext } from '../../../shared/engine/formats/format.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { memoryNumbering } from '../../../shared/engine/in-memory.ts'
import { bufferInput, bufferOutput } from '../../../shared/engine/input.ts'
import { defaultLimits } from '../../../shared/engine/limits.ts'
import { createReplacer } from '../../../shared/engine/operators/replacer.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { createEditing } from '../../../shared/engine/redact/segments.ts'
import { runs } from '../../runs.ts'
import { regexRule, secrets } from '../call.ts'

type Run = { output: string; findings: Finding[]; neutralised: number; formulas?: number; leaks: number }

/** Anonymises a table cell by cell or many cells at once, reading pieces of `size` bytes, and verifies the output. */
async function run(
  text: string | Buffer,
  rules: PlannedRule[],
  fast: boolean,
  options = {},
  size?: number,
): Promise<Run> {
  const signal = new AbortController().signal
  const plan = { rules, assetType: 'TABLE' as const }
  const input = bufferInput('t.csv', Buffer.from(text as string))
  if (size !== undefined) {
    const { stream } = input
    input.stream = async function* (start, end) {
      for await (const piece of stream(start, end)) {
        for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size)
      }
    }
  }
  const context: FormatContext = { registry, limits: defaultLimits, signal, options }
  const detector = await createDetector(plan, { signal })
  const replacer = createReplacer(rules, secrets, memoryNumbering())
  const editing = createEditing({ plan, detector, replacer, format: csv })
  expect(editing.edit.cells).toBeDefined()
  const edit: Editor = fast ? editing.edit : Object.assign((batch: Parameters<Editor>[0]) => editing.edit(batch), {})
  const file = await csv.open(input, context)
  const output = bufferOutput()
  const { formulas } = await file.write(output, edit, [])
  const leaks = await csv.verify(bufferInput('t.csv', output.bytes()), editing.expected(), {
    ...context,
    options: { ...options, ...file.choices },
  })
  const { findings, neutralised } = editing
  const written = Buffer.from(output.bytes()).toString('utf8')
  return { output: written, findings: findings(), neutralised, formulas, leaks: leaks.length }
}

const rulesOf: Record<string, PlannedRule[]> = {
  words: [regexRule('a', '\\ba\\w*'), regexRule('b', 'b+', { replacement: { text: 'x,"y"\n' } })],
  removal: [
    regexRule('a', 'a+', { replacement: { remove: {} } }),
    regexRule('eq', 'b', { replacement: { text: '=b' } }),
  ],
  overlap: [regexRule('ab', 'a.?b'), regexRule('ba', 'b.?a', { replacement: { mask: { char: '-' } } })],
  edges: [regexRule('start', '^a|b$'), regexRule('line', '^c|d$', { flags: 'm' }), regexRule('not', '(?<!a)é(?!b)')],
  negated: [regexRule('n', '[^a,"]{2}'), regexRule('any', 'é.', { flags: 's' }), regexRule('s', '\\S\\s\\S')],
  columns: [regexRule('one', 'a+', { columns: ['1', 'h1'] }), regexRule('two', '[ab]+', { columns: ['2', 'h2'] })],
  dynamic: [
    regexRule('p', '[ab]{2}', { replacement: { pseudonym: {} } }),
    regexRule('n', 'é', { replacement: { text: '{{n}}' } }),
  ],
  whole: [
    regexRule('cell', '[ab]+', { replace: 'cell', replacement: { pseudonym: {} } }),
    regexRule('part', 'é', { columns: ['1'] }),
  ],
  redact: [regexRule('r', 'a(?<redact>b+)', { flags: 'i' })],
}

const cellText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        'c',
        'd',
        ' ',
        'é',
        '好',
        '🙂',
        '=',
        '-',
        '.',
        '%61',
        '&#98;',
        '%C3%A9',
        '\\u00e9',
        '\\n',
        '\u00a0',
        '\u200b',
        'e\u0301',
        'ﬀ',
        'ａ',
        '٣',
      ),
      maxLength: 8,
    }),
  },
  fc.string({ unit: fc.constantFrom('a', 'b', ',', ';', '"', "'", '\n', '\r', '\r\n', '\t', 'é'), maxLength: 6 }),
  fc.constantFrom('', 'aa', 'ab', 'b', '=a', '-1', 'a"b', '\u001f'),
)

const table = fc
  .record({
    rows: fc.array(fc.array(cellText, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    always: fc.boolean(),
    lastEnd: fc.boolean(),
    raw: fc.boolean(),
  })
  .map(({ rows, delimiter, lineEnd, always, lastEnd, raw }) => {
    const cell = (text: string) =>
      // Some cells are written as people write them: with quotes in the middle and text behind a closing quote.
      raw && !/[\r\n]/.test(text) && !text.includes(delimiter) && !text.startsWith('"')
        ? text
        : always || /["\r\n]/.test(text) || text.includes(delimiter)
          ? `"${text.replaceAll('"', '""')}"${raw && text.length === 1 ? 'a' : ''}`
          : text
    const text = rows.map(cells => cells.map(cell).join(delimiter)).join(lineEnd) + (lastEnd ? lineEnd : '')
    return { text, delimiter }
  })
  .filter(({ text }) => text !== '')

describe('many cells at once', () => {
  for (const [name, rules] of Object.entries(rulesOf)) {
    test(`gives what cell by cell gives: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async ({ text, delimiter }, size) => {
          const options = { delimiter, quote: '"', escape: '"', header: false, encoding: 'utf-8' }
          const slow = await run(text, rules, false, options)
          expect(slow.leaks).toBe(0)
          expect(await run(text, rules, true, options)).toEqual(slow)
          expect(await run(text, rules, true, options, size)).toEqual(slow)
          expect(await run(text, rules, false, options, size)).toEqual(slow)
        }),
        { numRuns: runs(60) },
      )
    })
  }

  test('counts the cells that were formulas before, and leaves them', async () => {
    const text = 'a,=1+1\n"@x",-12.5\n+49 30,-x\n\tq,plain\n=y@z,"=""q"" "\n'
    const options = { delimiter: ',', quote: '"', escape: '"', header: false, encoding: 'utf-8' }
    const rules = [regexRule('plain', 'plain', { replacement: { text: '=p' } })]
    for (const fast of [true, false]) {
      const found = await run(text, rules, fast, options)
      expect(found).toMatchObject({ formulas: 6, neutralised: 1, leaks: 0, output: text.replace('plain', "'=p") })
    }
  })

  test('replaces whole cells in which a rule matches, and no others', async () => {
    const text = 'name,note\nAnn Smith,"met Ann, ""twice"""\nBob,Annette\n'
    const options = { delimiter: ',', quote: '"', escape: '"', header: true, encoding: 'utf-8' }
    const rule = regexRule('ann', '\\bAnn\\b', { replace: 'cell', columns: ['no*'], replacement: { remove: {} } })
    for (const fast of [true, false]) {
      const { output, findings } = await run(text, [rule], fast, options)
      expect(output).toBe('name,note\nAnn Smith,""\nBob,Annette\n')
      expect(findings).toEqual([
        { ruleId: rule.ruleId, name: rule.name, count: 1, labels: [{ label: rule.name, count: 1 }] },
      ])
    }
  })

  test('changes nothing without a match', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ text, delimiter }) => {
        const options = { quote: '"', escape: '"', delimiter, encoding: 'utf-8' }
        expect((await run(text, [regexRule('none', 'ZZZ')], true, options)).output).toBe(text)
      }),
      { numRuns: runs(60) },
    )
  })
})
