import { expect, test } from 'vitest'
import { type KnownValue, knownValues } from '../../../shared/engine/detect/known-values.ts'

const known = (label: string, value: string): KnownValue => ({
  ...{ value, label, rule: 0, score: 0.7, times: 1, fromModel: true },
})

/** What of a visible text is one of the values. */
const said = (values: KnownValue[], text: string) =>
  knownValues(values)({ text, place: { kind: 'body' }, visible: true }).map(({ start, end }) => text.slice(start, end))

test('an account in lower case with a mark in it is replaced wherever it is written', () => {
  const values = [known('USERNAME', 'thilo.b'), known('USERNAME', 'mel_k')]
  expect(said(values, 'thilo.b broke it, ask mel_k; not thilo.berg or mel_kay')).toEqual(['thilo.b', 'mel_k'])
})

test('a word in lower case is no account elsewhere, and nothing else in lower case with a mark is', () => {
  expect(said([known('USERNAME', 'sunny'), known('ORGANIZATION', 'e.on')], 'a sunny day, e.on')).toEqual([])
})
