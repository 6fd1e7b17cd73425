import { expect, test } from 'vitest'
import { bare, isMeant, isTelling } from '../../../shared/engine/detect/propagation.ts'
import { isStopWord } from '../../../shared/engine/detect/stop-words.ts'

test('names, numbers and dates tell enough to be looked for elsewhere', () => {
  const telling = [
    'Smith',
    'Kaltenbrunner-Sand',
    'The Hague',
    'WBA',
    '28045/02',
    '2005',
    'van der Berg',
    'April Smith',
    'N26',
  ]
  for (const value of [...telling, '张伟', '김철', 'محمد', 'משה', 'Ødegård']) expect(isTelling(value), value).toBe(true)
})

test('marks, common words, single characters and words without a capital do not', () => {
  const common = ['.', ',', '—', '...', 'the', 'The', 'Er', 'March', 'Mai', 'enero', 'Lunes', 'Frau', 'The Three', 'of']
  for (const value of [...common, 'años', 'widow', 'two years', 'X', '04', 'de', 'De la', '张'])
    expect(isTelling(value), value).toBe(false)
})

test('only marks and common words are never meant, whatever the place', () => {
  for (const value of ['.', '-', 'the', 'Er', 'de la', 'März']) expect(isMeant(value), value).toBe(false)
  for (const value of ['18', 'widow', 'Anna', '张']) expect(isMeant(value), value).toBe(true)
})

test('punctuation around a value is left off, and what belongs to it stays', () => {
  const trimmed = {
    ', Smith;': 'Smith',
    'Patronat”': 'Patronat',
    '(Smith': 'Smith',
    '-Sand': 'Sand',
    '. ': '',
    '(Cádiz)': 'Cádiz',
    '"Encinas"': 'Encinas',
    'Encinas"': 'Encinas',
  }
  for (const [value, wanted] of Object.entries(trimmed)) expect(bare(value)).toBe(wanted)
  for (const value of ['(06221) 566999', '+49 6221', 'S.A.', 'Yahoo (UK)', 'C++', 'Centro "Las Encinas"'])
    expect(bare(value)).toBe(value)
})

test('months and weekdays of all languages are stop words', () => {
  for (const word of ['march', 'mai', 'februar', 'wednesday', 'søndag', 'sept', 'août', 'woensdag'])
    expect(isStopWord(word), word).toBe(true)
})
