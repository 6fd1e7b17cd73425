import { expect, test } from 'vitest'
import { type KnownValue, knownValues } from '../../../shared/engine/detect/known-values.ts'
import { useNameLists } from '../../../shared/engine/detect/name-parts.ts'
import type { Segment } from '../../../shared/engine/formats/format.ts'
import { isCommonName, listedName } from '../../../shared/engine/recognisers/name-lexicon.ts'

useNameLists({ isCommonName, listedName })

const person = (value: string): KnownValue => ({
  value,
  rule: 0,
  label: 'PERSON',
  score: 0.9,
  times: 1,
  fromModel: true,
})

function found(name: string, text: string, more: Partial<Segment> = {}): string[] {
  const segment: Segment = { text, place: { kind: 'body' }, visible: true, ...more }
  return knownValues([person(name)])(segment).map(({ start, end }) => text.slice(start, end))
}

test.each([
  ['Rosalind Quarmby', 'Mrs Quarmby, Rosalind and Quarmby’s cat', 'Quarmby', 'Rosalind', 'Quarmby'],
  ['Ziemowit Wielgomas', 'dla Ziemowita Wielgomasa i Wielgomasowi', 'Ziemowita', 'Wielgomasa', 'Wielgomasowi'],
  ['Halina Kowalska', 'z Haliną Kowalską, Kowalskiej i Kowalskiego', 'Haliną', 'Kowalską', 'Kowalskiej', 'Kowalskiego'],
  ['Franciszek Gołąbek', 'Franciszka Gołąbka', 'Franciszka', 'Gołąbka'],
  ['Torben Claußen', 'Torbens Hund, Claußens Haus', 'Torbens', 'Claußens'],
  ['Matti Virtanen', 'Virtasen ei, Virtanenin kyllä, Matille', 'Virtanenin'],
  ['Иван Петров', 'с Иваном Петровым о Петрове', 'Иваном', 'Петровым', 'Петрове'],
])('every part of %s, inflected too', (name, text, ...parts) => expect(found(name, text)).toEqual(parts))

test.each([
  ['Anna von der Mark', 'ein Mann, von der Mutter, Annas Markt'],
  ['Rosa Klein', 'rosa und klein, die Rosen, Kleinigkeit'],
  ['Jan Patient', 'Der Patient kam im Januar'],
])('of %s nothing else: %s', (name, text) => {
  expect(found(name, text).filter(word => !['Annas'].includes(word))).toEqual([])
})

test.each([
  ['Ngozi Abdelmassih', 'Then ABDELMASSIH spoke', 'ABDELMASSIH'],
  ['Ngozi Abdelmassih', 'ok?\nask abdelmassih, he knows\nThen he left', 'abdelmassih'],
  ['HENSLEY, ROBERT', 'Keep the Hensleys apart; Hensley fell', 'Hensley'],
  ['ДОВГОПОЛА', 'Довгопола вийшла', 'Довгопола'],
  ['Alf Strømnes', 'Alf came; half of it', 'Alf'],
])('%s in other cases, and short given names', (name, text, ...parts) => expect(found(name, text)).toEqual(parts))

test.each([
  ['Tolk', 'de tolk vertaalt', 'a word alone that the lists do not have'],
  ['Anders Lindqvist', 'Es ist anders als gedacht', 'a word of a line with capitals'],
  ['Bill Baker', 'BILL No 4 of the baker', 'words'],
  ['Day, Sunny', 'A sunny day. DAY 3', 'words'],
])('%s is not «%s»: %s', (name, text) => expect(found(name, text)).toEqual([]))

test('in words of programs no part is looked for', () => {
  expect(found('Rosalind Quarmby', 'Quarmby', { visible: false, wording: 'code' })).toEqual([])
  expect(found('Rosalind Quarmby', 'by Quarmby', { visible: false })).toEqual(['Quarmby'])
})
