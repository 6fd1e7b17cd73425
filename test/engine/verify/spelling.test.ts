import { expect, test } from 'vitest'
import { findValues } from '../../../shared/engine/formats/text/leaks.ts'
import { createRemovedValues } from '../../../shared/engine/verify/removed-values.ts'

const place = { kind: 'body' as const }
const segment = (text: string, visible: boolean) => ({ text, place, visible })

test('a value that is gone is looked for in every spelling', () => {
  const gone = ['Margaret Johnson']
  for (const left of [
    'Margaret\u00a0Johnson',
    'Mar\u00adgaret Johnson',
    'Margaret\u200b Johnson',
    'Ｍargaret\u202fJohnson',
  ]) {
    const hidden = [segment(`by ${left}.`, false)]
    const bytes = [Buffer.from(`<x y="by ${left}."/>`)]
    expect(findValues(gone, hidden, bytes, [])).toMatchObject([{ type: 'leak_detected', place }])
  }
  expect(findValues(gone, [segment('by Margaret\u00a0J.', false)], [], [])).toEqual([])
})

test('a value is to be gone in its usual spelling as well, unless the output is to show it', () => {
  const gone = createRemovedValues(true)
  gone.add('Margaret\u00a0Johnson')
  expect(gone.values()).toEqual(['Margaret\u00a0Johnson', 'Margaret Johnson'])
  expect(gone.without(texts => texts.add('as Margaret Johnson says'))).toEqual(['Margaret\u00a0Johnson'])
  expect(gone.without(texts => texts.add('as Margaret\u00a0Johnson says'))).toEqual([])
})
