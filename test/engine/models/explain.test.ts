import { expect, test } from 'vitest'
import { explain, type RuleUnderTest } from '../../../shared/engine/models/explain.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'

const patterns: RuleUnderTest = {
  name: 'Identifiers',
  detection: { type: 'AIMODEL', modelId: 'pii-patterns', modelVersion: '1.0.0', confidenceThreshold: 0.5 },
}
const signal = new AbortController().signal

test('says what each rule found, why, and what fell short', async () => {
  const text = 'card 4111 1111 1111 1111, card 4111 1111 1111 1112, see AB-1'
  const rules: RuleUnderTest[] = [
    patterns,
    { name: 'Reference', detection: { type: 'REGEX', pattern: '[A-Z]{2}-\\d' } },
  ]
  const told = await explain(text, rules, [patternSource], signal)
  expect(told.filter(one => one.counts)).toEqual([
    {
      rule: 0,
      start: 5,
      end: 24,
      label: 'PAYMENT_CARD',
      score: 0.99,
      reason: { by: 'checksum', pattern: 'card', context: 'card' },
      counts: true,
    },
    { rule: 1, start: 56, end: 60, label: 'Reference', score: 1, reason: { by: 'regex' }, counts: true },
  ])
  expect(told.find(one => one.start === 31 && one.reason.pattern === 'card')).toMatchObject({
    score: 0.05,
    reason: { by: 'pattern', pattern: 'card' },
    counts: false,
  })
})

test('a model that is nowhere fails with its name', async () => {
  const rule = {
    ...patterns,
    detection: { ...patterns.detection, modelVersion: '9.9.9' } as RuleUnderTest['detection'],
  }
  await expect(explain('x', [rule], [patternSource], signal)).rejects.toMatchObject({
    type: 'model_load_failed',
    message: 'There is no model pii-patterns 9.9.9',
  })
})

test('detection loads models by the same sources, and keeps to entities and threshold', async () => {
  const load = modelLoader([patternSource])
  const model = await load({ ...patterns.detection, entities: ['EMAIL'] } as Extract<
    RuleUnderTest['detection'],
    { type: 'AIMODEL' }
  >)
  const found = await model.find(['a.b@example.org, 4111 1111 1111 1111'], signal)
  expect(found.map(list => list.map(one => one.label))).toEqual([['EMAIL']])
})

test('what escapes stand for is explained where it stands', async () => {
  const text = 'mail to ann%40example.org'
  const told = await explain(
    text,
    [patterns, { ...patterns, name: 'pattern', detection: { type: 'REGEX', pattern: '\\w+@\\S+' } }],
    [patternSource],
    signal,
  )
  const places = told.filter(one => one.counts && text.slice(one.start, one.end) === 'ann%40example.org')
  expect(places.map(({ rule }) => rule)).toEqual([0, 1])
})
