import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

const found = (label: string, text: string): string[] =>
  recognise(text, { threshold: 0.5, entities: [label] }).map(({ start, end }) => text.slice(start, end))

test.each([
  ['nota 29.8 02:30', ['29.8']],
  ['återbesök 12 feb -24 på morgonen', ['12 feb -24']],
  ['möte 2/10 -23 i parken', ['2/10 -23']],
  ['schůzka út 9. ledna 2024', ['9. ledna 2024']],
  ['in dienst sinds najaar van 2021, vast', ['najaar van 2021']],
  ['im Herbst 2019 begonnen', ['Herbst 2019']],
  ["depuis l'été 2021 ; nell'estate 2020", ['été 2021', 'estate 2020']],
  ['real estate 2021; il a été fait; prices fall 2000 euros', []],
  ['PCIe Gen 5, UNC 1/2 -13, minus 3/4 -12 points, 1/2 -10 Grad', []],
  ['riunione ven. 26 gen. 2024', ['26 gen. 2024']],
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

test.each([
  ['Klin. Angaben: 74-jähr. Raucher', ['74-jähr.']],
  ['pt Abebe, 33 jr, geen BSN', ['33 jr']],
  ['rak w 52. r.ż.; skierowano', ['52. r.ż.']],
])('ages in short: «%s»', (text, expected) => {
  expect(found('AGE', text)).toEqual(expected)
})

test.each([
  ['Sra. (2.º dto.), (r/c esq.) e o 1.º B, em atraso', ['2.º dto.', 'r/c esq.', '1.º B']],
  ['Frau vom 3. Stock rechts bittet', ['3. Stock rechts']],
  ['Domicilio Piso: 3º izda. Localidad', ['3º izda.']],
  ['u babičky (přízemí vlevo)', ['přízemí vlevo']],
  ['im 3. Stock rechtzeitig; o 1.º Bloco e a 2ª Divisão; fiebre de 39º C, a 4ºC.', []],
])('floors in «%s»', (text, expected) => {
  expect(found('ADDRESS', text)).toEqual(expected)
})

test.each([
  ['verh., 2 Kinder 5 + 8 J., Streit', ['5 + 8 J.']],
  ['deux enfants, 3 et 11 ans', ['3 et 11 ans']],
  ['lives with three children (4, 7 and 12)', ['4, 7 and 12']],
  ['two sons (9 & 14), one cat', ['9 & 14']],
  ['found in children (12, 13) and adults', []],
  ['for children 2 and 3 of the tree', []],
])('ages of several children: «%s»', (text, expected) => {
  expect(found('AGE', text)).toEqual(expected)
})

test.each([
  ['DN: 30-09-1958 (66A)', ['66A']],
  ['DOB 3/9/38 (86F)', ['86F']],
  ['delivered 3/9/38 (86 boxes), fuse (16A)', []],
])('ages behind a date of birth: «%s»', (text, expected) => {
  expect(found('AGE', text)).toEqual(expected)
})

test.each([
  ['BIRTH DATE  04 | 17 | 1966   SEX', 'DATE_OF_BIRTH', ['04 | 17 | 1966']],
  ['née le 22 07 1991 à Lanta', 'DATE_OF_BIRTH', ['22 07 1991']],
  ["Mother's DOB 11Jun1990.", 'DATE_OF_BIRTH', ['11Jun1990']],
  ['collected 04MAR2024 08:15', 'DATE', ['04MAR2024']],
  ['values 04 17 1966 and 12 | 10 | 2000', 'DATE_OF_BIRTH', []],
  ['part X04MAR2024, 41JUN1990, 11june1990', 'DATE', []],
])('dates of forms and laboratories: «%s»', (text, label, expected) => {
  expect(found(label, text)).toEqual(expected)
})

test('the minutes of a time are no number of a house', () => {
  expect(found('ADDRESS', '09:20 WR Dr Basu, then 14 Larkspur Dr')).toEqual(['14 Larkspur Dr'])
})
