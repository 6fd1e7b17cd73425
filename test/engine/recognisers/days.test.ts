import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

const found = (label: string, text: string): string[] =>
  recognise(text, { threshold: 0.5, entities: [label] }).map(({ start, end }) => text.slice(start, end))

test.each([
  ['nota 29.8 02:30', ['29.8']],
  ['Ctrl gipspoli 14-7 9u10 bij Wilco', ['14-7']],
  ['fysio vr 3-11, behandelaar', ['3-11']],
  ['cita Mittwoch 4.9 im Haus', ['4.9']],
  ['version 4.11 of 16 modules', []],
  ['so 1-2 people, we sat 1/2 hour', []],
  ['Montag 3.5 kg, dienstag 4.2 %', []],
])('days in «%s»', (text, expected) => {
  const days = found('DATE', text).filter(value => /\d/.test(value))
  expect(days).toEqual(expected)
})

test.each([
  ['EDET 22/M E/R 771', ['22/M']],
  ['Bed 2 | HATHERLEY, D. | 88M | Adm', ['88M']],
  ['turnover grew to 88M in May', []],
  ['room 24/Main', []],
])('ages beside the sex: «%s»', (text, expected) => {
  expect(found('AGE', text)).toEqual(expected)
})
