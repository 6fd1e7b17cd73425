import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDetector } from '../../shared/engine/detect/detector.ts'
import { EngineError } from '../../shared/engine/errors.ts'
import type { Segment } from '../../shared/engine/formats/format.ts'
import { plain } from '../../shared/engine/formats/plain/index.ts'
import { pieces } from '../../shared/engine/formats/plain/pieces.ts'
import { applyEdits } from '../../shared/engine/formats/plain/write.ts'
import { memoryNumbering } from '../../shared/engine/in-memory.ts'
import { createReplacer } from '../../shared/engine/operators/replacer.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { createEditing } from '../../shared/engine/redact/segments.ts'
import { runs } from '../runs.ts'
import { regexRule, secrets } from './call.ts'

/** Edits a text that comes in pieces of these sizes; what the output becomes, and what it must become. */
async function edit(text: string, rules: PlannedRule[], sizes?: { piece: number; before: number; after: number }) {
  const signal = new AbortController().signal
  const plan = { rules, assetType: 'DOCUMENT' as const }
  const detector = await createDetector(plan, { signal })
  const replacer = createReplacer(rules, secrets, memoryNumbering())
  const editing = createEditing({ plan, detector, replacer, format: plain })
  const whole: Segment[] = [{ text, place: { kind: 'body' }, visible: true }]
  async function* parts() {
    for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7)
  }
  let output = ''
  for await (const segment of sizes ? pieces(parts(), sizes) : whole) {
    const [edits] = await editing.edit([segment])
    output += applyEdits(segment.text, edits!)
  }
  return { output, counts: editing.findings(), expected: editing.expected() }
}

const text = fc
  .string({
    unit: fc.constantFrom('a', 'a', 'b', 'c', 'ab', '1', ' ', '\n', 'é', '🙂', '%61', '\\n', '\u00a0', '\u200b', 'ａ'),
    maxLength: 160,
    size: 'max',
  })
  .filter(Boolean)
const sizes = fc.record({
  piece: fc.integer({ min: 8, max: 40 }),
  before: fc.constant(16),
  after: fc.integer({ min: 60, max: 70 }),
})

const bounded = [
  [regexRule('a', 'a{1,3}b?'), regexRule('b', 'b[ac1]{1,4}')],
  [regexRule('word', '\\b[abc]{2,5}\\b'), regexRule('n', '(?<=a)1(?! )', { replacement: { text: '{{n}}' } })],
  [regexRule('x', 'a.{0,6}?c'), regexRule('y', '[^a]{3}', { replacement: { remove: {} } }), regexRule('z', 'é|🙂')],
  [regexRule('pair', '[abc]{2}'), regexRule('five', 'a{5}')],
  [regexRule('start', '^[abc]'), regexRule('end', '[abc1]$'), regexRule('line', '^ ?a$', { flags: 'm' })],
]

test.each(bounded.map((rules, index) => [index, rules] as const))(
  'pieces make no difference (%i)',
  async (_, rules) => {
    await fc.assert(
      fc.asyncProperty(text, sizes, async (subject, size) => {
        expect(await edit(subject, [...rules], size)).toEqual(await edit(subject, [...rules]))
      }),
      { numRuns: runs(60) },
    )
  },
)

const unbounded = [regexRule('block', 'a[^1]*1'), regexRule('run', '[bc]+'), regexRule('look', 'é(?=[^ab]*a)')]

test('a match that might be longer than what is shown of the next piece fails, and is never lost', async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(text, sizes, async (subject, size) => {
      const whole = await edit(subject, unbounded)
      try {
        expect(await edit(subject, unbounded, size)).toEqual(whole)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        expect(error.type).toBe('limit_exceeded')
        refused++
      }
    }),
    { numRuns: runs(200) },
  )
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThan(200)
})
