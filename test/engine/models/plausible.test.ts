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
  ['ORGANIZATION', 'przychodnia rejonowa', text, 'pl', true],
  ['ORGANIZATION', 'sąd rejonowy', text, 'pl', false],
  ['ORGANIZATION', 'Court of Appeal', text, 'en', false],
  ['ORGANIZATION', 'Public Prosecutor’s Office', text, 'en', false],
  ['ORGANIZATION', 'Ministère de l’Intérieur', text, 'fr', false],
  ['ORGANIZATION', 'Ministerio del Interior', text, 'es', false],
  ['ORGANIZATION', 'Bundesministerium der Finanzen', text, 'de', false],
  ['ORGANIZATION', 'Kiel Regional Court', text, 'en', true],
  ['ORGANIZATION', 'Labour Court', text, 'en', true],
  ['LOCATION', 'Court', text, 'en', true],
  ['PERSON', 'Dr.', text, 'en', false],
  ['PERSON', 'Mme', text, 'fr', false],
  ['PERSON', '@param', '/** @param {string} name', 'en', false],
  ['PERSON', 'author', ' * @author Kim Do', 'en', false],
  ['PERSON', 'Vd', text, 'es', false],
  ['PERSON', 'Dr. May', text, 'en', true],
  ['LOCATION', 'tampa bay', 'We went there.', 'en', true],
  ['LOCATION', 'US', 'We went there.', 'en', true],
  ['PERSON', 'lub', text, undefined, true],
  ['PERSON', 'and', text, undefined, false],
  ['DEMOGRAPHIC', 'retired', text, 'de', true],
  ['PERSON', '张伟', '张伟来了。', 'zh', true],
] as const)('%s «%s» in «%s» (%s): %s', (label, value, whole, language, isOne) => {
  expect(isPlausible(label, value, whole, language)).toBe(isOne)
})
