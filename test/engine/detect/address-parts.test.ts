import { expect, test } from 'vitest'
import { addressParts, spanishParts } from '../../../shared/engine/detect/address-parts.ts'

const parts = (text: string) => addressParts(text, 0, text.length).map(({ start, end }) => text.slice(start, end))

test.each([
  'Hauptstr. 4, 94032 Passau',
  'Bank Street 12',
  'HAUPTSTRASSE 5\n94032 PASSAU',
  '12 high street, oxford',
  'calle mayor 5',
  'Rua das Flores 12, centro, Lisboa',
  '0750 Example Rd Suite 4\nTown, ST 12345',
  'Flat 3, The Old Maltings\n27 Lower Station Road\nKeynsham BS31 2LE',
  'Neuer Wall 5, 1. Stock',
  'ul. Długa 5 m. 4\n80-827 Gdańsk',
  '48.5734, 13.4602',
  'Leeds',
])('all of it may be an address: %s', text => expect(parts(text)).toEqual([text]))

test.each([
  ['12 High Street, Oxford she was admitted with chest pain', '12 High Street, Oxford'],
  ['Hauptstr. 4, 94032 Passau Diagnose Asthma', 'Hauptstr. 4, 94032 Passau'],
  ['Calle Mayor 5, 28040 Madrid\nArtículo Cantidad Precio\nBaldosas 12 96,00', 'Calle Mayor 5, 28040 Madrid'],
  ['4 rue du Port, 69003 Lyon\nPrix\nMerci', '4 rue du Port, 69003 Lyon'],
  ['Via Roma 3, 20121 Milano\nQuantità', 'Via Roma 3, 20121 Milano'],
  ['ul. Długa 5, 80-827 Gdańsk\nIlość Cena', 'ul. Długa 5, 80-827 Gdańsk'],
  ['75008 Paris\n5 rue de Rivoli\n75001 Paris', '75008 Paris', '5 rue de Rivoli\n75001 Paris'],
  ['San Borja 12, 28013 Madrid\nEspaña', 'San Borja 12, 28013 Madrid', 'España'],
  ['Avda. Carlos Haya, s/n.', 'Avda. Carlos Haya, s/n'],
  ['Kennzeichen 4711', '4711'],
  ['bel dan 030', '030'],
])('a part of it is one: %s', (text, ...expected) => expect(parts(text)).toEqual(expected))

test.each(['FATURA FT', 'RPPS', 'D', 'Preço\nAzulejos 12 96,00', 'vanaf', '', '\n\n', '—'])(
  'nothing of it is one: %s',
  text => expect(parts(text)).toEqual([]),
)

test('a price is told by what stands behind the stretch as well', () => {
  const text = 'Azulejos 12 96,00'
  expect(addressParts(text, 0, text.indexOf(','))).toEqual([])
})

test('a long stretch takes time in proportion to its length', () => {
  const text = 'Rua Nova 12, 4100-130 Porto e '.repeat(20_000)
  expect(parts(text).join('').length).toBeGreaterThan(0)
})

test.each([
  'PSC 7004, Box 8380\nAPO AP 11949',
  '1991 Dam Road\nTrancoso\n, LA\n 59797',
  'via mameli 149\n suite 268\n poggiovalle',
])('codes of states and addresses without capitals stay whole: %s', text => {
  const parts = addressParts(text, 0, text.length)
  expect(
    text
      .split('')
      .filter((_, at) => !parts.some(({ start, end }) => start <= at && at < end))
      .join(''),
  ).toMatch(/^[\s,]*$/)
})

test.each([
  ['Calle Mayor 5, 28040 Madrid', 'Calle Mayor 5', '28040', 'Madrid'],
  ['Avda. Campanar, 21 - 46009 Valencia', 'Avda. Campanar, 21', '46009', 'Valencia'],
  ['Apartado de Correos 20134 48080', 'Apartado de Correos 20134', '48080'],
  ['C/ Cobre, 37 E-02006', 'C/ Cobre, 37', 'E-02006'],
  ['28040 Madrid', '28040', 'Madrid'],
  ['Calle Mayor 5', 'Calle Mayor 5'],
])('the parts of a Spanish address: %s', (text, ...expected) => {
  const found = spanishParts(text, { start: 0, end: text.length })
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('the country before a postcode is no part of the street', () => {
  expect(spanishParts('C/ Cobre, 3 E-13600 Soria', { start: 0, end: 13 })).toEqual([{ start: 0, end: 11 }])
})
