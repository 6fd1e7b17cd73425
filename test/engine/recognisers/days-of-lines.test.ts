import { expect, test } from 'vitest'
import { daysOfLines } from '../../../shared/engine/recognisers/days-of-lines.ts'

const found = (text: string) => daysOfLines(text).map(({ start, end }) => text.slice(start, end))

test.each([
  ['4.3 train\n7.3 voiture\n7.3 parking\n12.3 Payerne', ['4.3', '7.3', '7.3', '12.3']],
  ['7.1.   Einlage\n28.1.  Schnaps\n11.2.  Strafe', ['7.1.', '28.1.', '11.2.']],
  ['Kasse\n 1/6  4"   $85\n 1/9  lot + walk\n 1/14 again', ['1/6', '1/9', '1/14']],
  ['12/8  envelope\nnext day\n30/8  leg', ['12/8', '30/8']],
  ['26.3 café\n4.3 train\n28.2 taxi', ['26.3', '4.3', '28.2']],
  ['07/28 shift\n07/30 shift\n08/02 off', ['07/28', '07/30', '08/02']],
])('days of «%s»', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test.each([
  '1.1 Scope\n1.2 Terms\n2.1 Parties\n2.2 Rent',
  '1.2 Terms\n2.4 Rent\n3.5 Costs',
  '1/10 begins\n2/10 goes on\n3/10 ends',
  '1/2 cup of milk\n1/3 cup of oil\n3/4 cup of flour',
  '3.5 kg apples\n2.6 kg pears\n1.7 kg plums',
  '12.5 € bread\n3.6 € milk\n2.7 € salt',
  '4.3 train\n7.45 voiture\n12.3 Payerne',
  '7.1 alone',
  '2-1 Arsenal\n1-1 Leeds\n3-2 Derby',
  '5.1.2 deeper\n5.1.3 deeper\n6.1.1 deeper',
])('no days in «%s»', text => {
  expect(found(text)).toEqual([])
})
