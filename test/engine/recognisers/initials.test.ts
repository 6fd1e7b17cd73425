import { expect, test } from 'vitest'
import { initials } from '../../../shared/engine/recognisers/initials.ts'

const found = (text: string) => initials(text).map(({ start, end }) => text.slice(start, end))

test.each([
  ['Note of Sarah Buckland: she rang. Call her back. SB', ['SB']],
  ['Voorzitter Anna de Wit opent.\nNotulist: AdW', ['AdW']],
  ['Par-devant Marie Claire Pernot.\nParaphes : M.C.P. / M. P.', ['M.C.P.', 'M. P.']],
  ['Herr Thomas Kern (TK) ruft an', ['TK']],
  // Not of the text's persons; parts of names; abbreviations and words of others.
  ['Sarah Buckland rang. Call XY back. KO', []],
  ['Sarah Buckland, not S. B. Miller', []],
  ['The World Health Organization (WHO) and the European Union (EU)', []],
  ['Thomas Kern: TK is on the phone', []],
  ['Paul Martin wrote. See you at 3 (PM)', []],
])('initials in %j', (text, expected) => {
  expect(found(text)).toEqual(expected)
})
