import { expect, test } from 'vitest'
import { bounded, withLastWord } from '../../../shared/engine/models/bounds.ts'

const parts = (label: string, text: string, language?: string) =>
  bounded(text, { start: 0, end: text.length, label }, language).map(({ start, end }) => text.slice(start, end))

test.each([
  ['LOCATION', 'Getafe (Madrid', ['Getafe', 'Madrid']],
  ['LOCATION', 'Getafe (Madrid)', ['Getafe', 'Madrid']],
  ['LOCATION', 'Frankfurt am Main', ['Frankfurt am Main']],
  ['ORGANIZATION', 'Hospital General Servicio Regional de Salud', ['Hospital General', 'Servicio Regional de Salud']],
  ['ORGANIZATION', 'Servicio de Salud', ['Servicio de Salud']],
  ['ORGANIZATION', 'Hospital Ramón Cajal.', ['Hospital Ramón Cajal']],
  ['ORGANIZATION', 'Medical Instrument Inc.', ['Medical Instrument Inc.']],
  ['DEMOGRAPHIC', 'padre y', ['padre']],
  ['DEMOGRAPHIC', 'de', []],
  ['DATE', 'de agosto de 2005', ['agosto de 2005']],
  ['DATE', '6.4, abril 2002', ['abril 2002']],
  ['DATE', '12 de mayo', ['12 de mayo']],
  ['AGE', 'tres meses y', ['tres meses']],
  ['LOCATION', 'Villa (Bogotá)', ['Villa', 'Bogotá']],
  ['LOCATION', '总部 (北京)', ['总部', '北京']],
  ['DATE', '12.05, 14.06.2020', ['12.05, 14.06.2020']],
  ['PERSON', 'Kim\nDo', ['Kim\nDo']],
  ['PERSON', 'Kim Do    Ulf\tBrand', ['Kim Do', 'Ulf', 'Brand']],
  ['PHONE', '71    0161 496 0148', ['71', '0161 496 0148']],
  ['PERSON', 'Ulf\nBrand', ['Ulf\nBrand']],
  ['ORGANIZATION', 'geb.', []],
])('of %s «%s»', (label, text, expected) => {
  expect(parts(label, text)).toEqual(expected)
})

test.each([
  ["VALUES (7, N'Zoë', 3)", "N'Zoë", ['Zoë']],
  ["VALUES (7, N'Zoë', 3)", 'N', []],
  ["SET last_name = N'Brouwer-Smit' WHERE id = 3", "N'Brouwer", ['Brouwer']],
  ["Aminata, N'Diaye, l'amie", "N'Diaye", ["N'Diaye"]],
  ["der Spieler N'Golo", "N'Golo", ["N'Golo"]],
])('of a string of SQL Server: %s', (text, value, expected) => {
  const start = text.indexOf(value === 'N' ? "N'" : value)
  const all = bounded(text, { start, end: start + value.length, label: 'PERSON' })
  expect(all.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('a name ends before the word that begins the next line', () => {
  const text = 'Ulf Brand\nAn Frau Holm'
  const [found] = bounded(text, { start: 0, end: 12, label: 'PERSON' })
  expect(text.slice(found!.start, found!.end)).toBe('Ulf Brand')
})

test.each([
  ['nota\n12/8  sobre', '12', '12/8'],
  ['OT HV 28.02 c Mr', '28', '28.02'],
  ['Strafe 25.2. Lugge', '2', '25.2'],
  ['clos 05.09 par', '05', '05.09'],
  ['dt. 11-1. Please', '11', '11-1'],
  ['12.8.2020', '2020', '2020'],
  ['Werte 45/99', '45', '45'],
])('a day has its month: «%s»', (text, value, expected) => {
  const start = text.lastIndexOf(value)
  const [found] = bounded(text, { start, end: start + value.length, label: 'DATE' })
  expect(text.slice(found!.start, found!.end)).toBe(expected)
})

test('a part of a time of day is no date', () => {
  const text = '[09:58] 12:30:05, den 7.'
  const found = ['09', '58', '30', '05', '7'].filter(value => {
    const start = text.indexOf(value)
    return bounded(text, { start, end: start + value.length, label: 'DATE' }).length > 0
  })
  expect(found).toEqual(['7'])
})

test('a Spanish address is found in parts, another as a whole', () => {
  const text = 'Calle Mayor 5, 28040 Madrid'
  expect(parts('ADDRESS', text, 'es-ES')).toEqual(['Calle Mayor 5', '28040', 'Madrid'])
  expect(parts('ADDRESS', text, 'en')).toEqual([text])
})

test('the last word of an institution is no address', () => {
  const text = 'Hospital Universitario Reina Sofía 4'
  const of = (label: string, start: number, end: number) => ({ label, start, end })
  const institution = of('ORGANIZATION', 0, 28)
  expect(withLastWord(text, [institution, of('ADDRESS', 29, 34)])).toEqual([of('ORGANIZATION', 0, 34)])
  expect(withLastWord(text, [institution, of('ADDRESS', 29, 36)])).toHaveLength(2)
})

test.each([
  ['Dvořák ml. přišel', 'Dvořák ml.'],
  ['Ohnesorg sen. kam', 'Ohnesorg sen.'],
  ['Bonnefoy père est venu', 'Bonnefoy père'],
  ['Novák st. Novotná', 'Novák'],
  ['Mills stood up', 'Mills'],
  ['Kowalski 5 ml soli', 'Kowalski'],
])('a person with what tells two of one name apart: «%s»', (text, expected) => {
  const end = /[^\p{L}]/u.exec(text)!.index
  const [found] = bounded(text, { start: 0, end, label: 'PERSON' })
  expect(text.slice(found!.start, found!.end)).toBe(expected)
})

test('the end of a row and the beginning of the next are no one name', () => {
  const text = 'iokoro     Larks\nSunny Day     44'
  const found = { start: 11, end: 26, label: 'ORGANIZATION' }
  expect(bounded(text, found).map(({ start, end }) => text.slice(start, end))).toEqual(['Larks', 'Sunny Day'])
})

test.each([
  ['Dr. Seyfarth\nWiesner K.', '1   Rübs   Dr. Seyfarth\nWiesner K.     12.11.'],
  ['Zella\nLiebetrau', 'Czaja   Erst   MVZ Zella\nLiebetrau (Azubi)  fehlt'],
])('nor are those of rows of which only the middle has columns: «%s»', (value, text) => {
  const start = text.indexOf(value)
  const found = { start, end: start + value.length, label: 'PERSON' }
  expect(bounded(text, found).map(part => text.slice(part.start, part.end))).toEqual(value.split('\n'))
})

test.each([
  ['ID', '92', 'il caso (L. 104/92, art. 3)', false],
  ['DATE', '/2010', 'la L. 170/2010', false],
  ['ID', '286/98', 'art. 5 D.Lgs. 286/98', false],
  ['ID', '81/2014', 'a Lei n.º 81/2014 diz', false],
  ['ID', '2016/679', 'Regulation 2016/679 says', false],
  ['ID', '104/92', 'S.L. 104/92', true],
  ['ID', '104/92', 'pratica 104/92', true],
  ['ID', '104/92', 'L. 104/92-7', true],
  ['DATE', '12/1972', 'Maria L. 12/1972', true],
  ['DATE', '12/1972', 'Jude Law 12/1972', true],
  ['ID', '1523/2024', 'Número de orden 1523/2024', true],
  ['DATE', '8/1990', 'a Lei n.º 8/1990', false],
])('the number of a law is none of anybody: %s «%s» in «%s»', (label, value, text, isOne) => {
  const start = text.lastIndexOf(value)
  expect(bounded(text, { start, end: start + value.length, label })).toHaveLength(isOne ? 1 : 0)
})

test.each(['ed25519', 'ssh-ed25519', 'ecdsa-sha2-nistp256'])('the kind of a key is no number of anybody: %s', text => {
  expect(bounded(text, { start: 0, end: text.length, label: 'ID' })).toEqual([])
})
