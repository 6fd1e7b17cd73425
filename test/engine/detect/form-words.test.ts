import { expect, test } from 'vitest'
import { isFormWords } from '../../../shared/engine/detect/form-words.ts'

test.each([
  'Nachname',
  'Ort',
  'Straße',
  'ciudad',
  'Verzug',
  'die Kanzlei',
  'birthPlace',
  'E-Mail',
  'Data di nascita',
  'Parentesco',
  'SEPA',
])('%s names a part of a form', text => expect(isFormWords(text)).toBe(true))

test.each(['Weiß', 'Kanzlei Weiß', 'Ort im Innkreis', 'und', '2024', ''])('%s says more, or nothing', text =>
  expect(isFormWords(text)).toBe(false),
)
