import { expect, test } from 'vitest'
import { mayHold } from '../../../shared/engine/recognisers/columns.ts'

const persons = ['P. Sandhu', 'M. Achterberg', 'Lena Vogt', 'J. Kowalczyk']
const beside = ['Claim number', 'Date', 'Amount', 'Status']
const mayBeName = (name: string, values: readonly string[], others: readonly string[] = beside) =>
  mayHold({ name, values, beside: [...others, name] }, name, 'PERSON')

test.each(['Handler', 'Courier', 'Pupil', 'Alunno', 'Leerling'])('%s above persons says what they are', name => {
  expect(mayBeName(name, persons)).toBe(false)
})

test('the name of somebody above others may be one', () => {
  for (const name of ['Anna', 'Kowalski', 'Anna Berg']) expect(mayBeName(name, persons), name).toBe(true)
})

test('a word above what is no person may be a name, and so where no other column says what it holds', () => {
  expect(mayBeName('Handler', ['early', 'late', 'early'])).toBe(true)
  expect(mayBeName('Handler', persons, ['Sandhu', 'Vogt', 'Berg', 'Kolb'])).toBe(true)
})
