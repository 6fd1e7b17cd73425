import { expect, test } from 'vitest'
import { isPlausible } from '../../../shared/engine/models/plausible.ts'

const text = 'Dzwoniłem. To nie tak.'

test.each([
  ['PERSON', 'Anna', text, 'pl', true],
  ['PERSON', 'anna', text, 'pl', true],
  ['PERSON', 'dzwoniłem', text, 'pl', false],
  ['PERSON', 'dzwoniłem', 'wszystko małe', 'pl', true],
  ['LOCATION', 'nie tak', text, 'pl-PL', false],
  ['LOCATION', 'miasto 4', text, 'pl', true],
  ['ORGANIZATION', 'sąd rejonowy', text, 'pl', true],
  ['LOCATION', 'tampa bay', 'We went there.', 'en', true],
  ['LOCATION', 'US', 'We went there.', 'en', true],
  ['PERSON', 'lub', text, undefined, true],
  ['PERSON', 'and', text, undefined, false],
  ['DEMOGRAPHIC', 'retired', text, 'de', true],
  ['PERSON', '张伟', '张伟来了。', 'zh', true],
] as const)('%s «%s» in «%s» (%s): %s', (label, value, whole, language, isOne) => {
  expect(isPlausible(label, value, whole, language)).toBe(isOne)
})
