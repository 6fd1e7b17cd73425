import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

const found = (text: string, ...entities: string[]) =>
  recognise(text, { threshold: 0.5, ...(entities.length > 0 && { entities }) }).map(({ start, end }) =>
    text.slice(start, end),
  )

test.each([
  ['wohnt in der Sonnengasse 5, 1070 Wienfeld, und', 'Sonnengasse 5, 1070 Wienfeld'],
  ['Am Mühlbach 3a\n94327 Bogendorf\n', 'Am Mühlbach 3a\n94327 Bogendorf'],
  ['Calle de los Almendros, 23, 4º B\n30201 Valdemora', 'Calle de los Almendros, 23, 4º B\n30201 Valdemora'],
  [
    'demeurant 15, avenue du Maréchal-Leclerc, 47300 Villefranquin.',
    '15, avenue du Maréchal-Leclerc, 47300 Villefranquin',
  ],
  ['Piazza San Rocco 2/A\n95024 Acitrezzola CT', 'Piazza San Rocco 2/A\n95024 Acitrezzola CT'],
  ['Kerkplein 4, 4301 EK Zierikhaven', 'Kerkplein 4, 4301 EK Zierikhaven'],
  ['ul. Jarzębinowa 12 m. 4\n62-800 Kaliszany', 'ul. Jarzębinowa 12 m. 4\n62-800 Kaliszany'],
  ['Rua das Amoreiras, 56, 3.º Esq.\n2410-118 Leirosa', 'Rua das Amoreiras, 56, 3.º Esq.\n2410-118 Leirosa'],
  ['410 Larkspur Avenue, Suite 12, Dunmore, OH 43012', '410 Larkspur Avenue, Suite 12, Dunmore, OH 43012'],
  ['wait at the corner of Quarry Lane and Marl Street.', 'the corner of Quarry Lane and Marl Street'],
  ['taxi to the corner of quarry lane 4 and marl street.', 'the corner of quarry lane 4 and marl street'],
  ['on the corner of 5th and Larkspur', 'corner of 5th and Larkspur'],
  ['PSC 4926, Box 7979\nAPO AA 63682', 'PSC 4926, Box 7979\nAPO AA 63682'],
  ['- Apt. 272\n', 'Apt. 272'],
])('an address: %s', (text, address) => {
  const at = text.indexOf(address)
  const open = Array.from(address, (_, n) => n).filter(n => /[\p{L}\p{N}]/u.test(address[n]!))
  const spans = recognise(text, { threshold: 0.5, entities: ['ADDRESS', 'LOCATION'] })
  expect(open.filter(n => !spans.some(({ start, end }) => start <= at + n && at + n < end))).toEqual([])
})

test.each([
  'Er kam via Skype und blieb.',
  'la via Crucis de 1820',
  'In Place 3 of the list',
  'Der Weg 5 ist das Ziel',
  'la place de la femme en 1950',
  'The Court 12 of them',
  'the intersection of A and B, of Law and Ethics',
  'in the corner of the room, and Alan crossed the street',
  'the corner of the room and Alan crossed the street',
])('no address: %s', text => expect(found(text, 'ADDRESS')).toEqual([]))

test('a post box ends before the postcode, and a town before its province', () => {
  expect(found('Apartado de Correos 993 02080 Albacete', 'ADDRESS')).toEqual(['Apartado de Correos 993'])
  expect(found('Calle Mayor 5, 28905 Getafe (Madrid), España', 'LOCATION')).toEqual(['28905', 'Getafe', 'Madrid'])
})

test.each([
  ['Rechnung Nr. RE-2024-1187', 'RE-2024-1187'],
  ['FACTURA Nº F24/00317', 'F24/00317'],
  ['mon contrat n° 7741-220-B', '7741-220-B'],
  ['alla pratica n. 3312/24', '3312/24'],
  ['FACTUUR 20240412', '20240412'],
  ['FAKTURA VAT nr FV/214/05/2024', 'FV/214/05/2024'],
  ['kenmerk 2024.118.33', '2024.118.33'],
  ["documento d'identità n. CA12345AB", 'CA12345AB'],
  ['targa EX 417 KD', 'EX 417 KD'],
  ['amtliches Kennzeichen VR-KX 318', 'VR-KX 318'],
])('a number of something: %s', (text, number) => expect(found(text)).toContain(number))

test.each(['Rechnung Nr. eins', 'im Fall Nr. 3', 'Kennzeichen einer Demokratie', 'the contract no party signed'])(
  'no number of anything: %s',
  text => expect(found(text)).toEqual([]),
)

test.each([
  ['Name: Thaddäus Ellerkamp\nOrt: Nordholzen', 'Thaddäus Ellerkamp', 'Nordholzen'],
  ['Cliente: Hermenegildo Osuna Tapia, NIF', 'Hermenegildo Osuna Tapia'],
  ['Bailleur : Honoré Bessières, demeurant', 'Honoré Bessières'],
  ['Hoi Youssef,\nkun je', 'Youssef'],
  ['Yours faithfully,\nBarnaby Tait\n', 'Barnaby Tait'],
  ['mit ihrer Tochter Mechthild Sander zusammen', 'Mechthild Sander'],
  ['la moglie Fiorenza ha detto', 'Fiorenza'],
  ['Ana: hola\nRui: boas\nAna: e então?', 'Ana', 'Rui', 'Ana'],
])('names by what stands beside them: %s', (text, ...names) => {
  const all = found(text)
  for (const name of names) expect(all).toContain(name)
})

test.each([
  ['PESEL 92071814764', 'NATIONAL_ID'],
  ['C.F. FRNLNR75E42E506X', 'NATIONAL_ID'],
  ['DNI: 12345678A', 'NATIONAL_ID'],
  ['BSN: 123456789', 'NATIONAL_ID'],
  ['NIF 245 678 902', 'TAX_ID'],
  ['Steuer-ID 12 345 678 901', 'TAX_ID'],
  ['n° sécu 2 69 05 49 588 157 81', 'SOCIAL_SECURITY'],
  ['NHS number: 943 476 5918', 'HEALTH_ID'],
])('a number behind its own name is one in spite of a wrong check digit: %s', (text, label) => {
  const [one, ...more] = recognise(text, { threshold: 0.5 })
  expect([one!.label, one!.evidence.by, more]).toEqual([label, 'pattern', []])
  const value = text.slice(one!.start, one!.end)
  expect(recognise(`say ${value}`, { threshold: 0.5, entities: [label] })).toEqual([])
})

test.each([
  ['btw-nummer NL123456782B90, KvK', 'TAX_ID NL123456782B90'],
  ['RG 24.678.131-4, residente', 'NATIONAL_ID 24.678.131-4'],
  ['CEP 80230-010.', 'LOCATION 80230-010'],
  ['apto 52, 80230-010 Curitiba', 'LOCATION 80230-010', 'LOCATION Curitiba'],
  ['Az.: 340 Js 22871/24', 'ID 340 Js 22871/24'],
  ['Rechnung RE-2025-0917 vom', 'ID RE-2025-0917'],
  ['né en 1961, IPP 80021477', 'DATE 1961', 'ID 80021477'],
  [
    'Passport no. 925665416; driving licence FERNC 802157 TJ9KL.',
    'PASSPORT 925665416',
    'DRIVING_LICENCE FERNC 802157 TJ9KL',
  ],
])('a number is found whole and as what it is: %s', (text, ...numbers) => {
  const all = recognise(text, { threshold: 0.5 }).map(({ label, start, end }) => `${label} ${text.slice(start, end)}`)
  expect(all).toEqual(numbers)
})

test.each([
  ['Inês Malheiro, Advogada', 'Inês Malheiro'],
  ['Aude Marchetti, infirmière coordinatrice', 'Aude Marchetti'],
  ['Piotr Zak, Therapist', 'Piotr Zak'],
  ['Maaike Dijkgraaf, verpleegkundige', 'Maaike Dijkgraaf'],
])('a name before what its bearer does: %s', (text, name) => expect(found(text, 'PERSON')).toEqual([name]))

test.each(['Rechnung 100 Euro', 'Invoice totals', 'In Zimmer 12 C 3/4', 'Das Team, Arzt und Pfleger'])(
  'none of these: %s',
  text => expect(found(text)).toEqual([]),
)

test.each([
  ['Date of birth: 05/07/1944 Diagnosis: bilateral pneumonia', '05/07/1944'],
  ['DOB: 05/07/1944 Ward: 7B Allergies: penicillin', '05/07/1944'],
  ['Date of birth: 5 July 1944 she was admitted with chest pain', '5 July 1944'],
  ['Geburtsdatum: 5. Juli 1944 Diagnose: Pneumonie', '5. Juli 1944'],
  ['Date de naissance : 03/09/1961 Diagnostic : asthme', '03/09/1961'],
  ['Fecha de nacimiento: 19/03/1958 Diagnóstico: asma', '19/03/1958'],
  ['Data di nascita: 21/01/1949 Diagnosi: polmonite', '21/01/1949'],
  ['Geboortedatum: 05-07-1944 Diagnose: longontsteking', '05-07-1944'],
  ['Data urodzenia: 05.07.1944 Rozpoznanie: zapalenie', '05.07.1944'],
  ['Data de nascimento: 05/07/1944 Diagnóstico: pneumonia', '05/07/1944'],
  ['Town: Oxford she was admitted', 'Oxford'],
  ['Address: 12 High Street, Oxford she was admitted', '12 High Street, Oxford'],
  ['Morada: Rua Nova 12, 4100-130 Porto Medicação: paracetamol 500 mg', 'Rua Nova 12, 4100-130 Porto'],
  ['Name: Anna Weiß Wohnort: Passau Diagnose: Asthma', 'Anna Weiß', 'Passau'],
])('a value ends where its line goes on: %s', (text, ...values) => {
  expect(found(text, 'DATE_OF_BIRTH', 'LOCATION', 'ADDRESS', 'PERSON')).toEqual(values)
})

test.each([
  'Dear Sir or Madam,',
  'Hallo zusammen,',
  'Kunde: offen',
  'Firma: Elektro GmbH Nord 24',
  'Note: This is fine\nTotal: 12\nNote: again',
  'Ihre Mutter war hier',
])('nobody: %s', text => expect(found(text, 'PERSON')).toEqual([]))

test.each([
  ['die 76-jährige Patientin', '76-jährige'],
  ['Mujer de 60 años, natural', '60 años'],
  ['a 45 year old postman', '45 year old'],
  ['Pacjent lat 85, emerytowany', '85'],
])('an age: %s', (text, age) => expect(found(text, 'AGE').some(one => one.includes(age))).toBe(true))

test.each(['seit 10 Jahren', 'hace 5 años', 'page 12 of 40', 'for 3 years'])('no age: %s', text =>
  expect(found(text, 'AGE')).toEqual([]),
)

test('profiles, accounts and passwords by the words around them', () => {
  expect(found('see linkedin.com/in/jurriaan-spijkerboer.')).toEqual(['linkedin.com/in/jurriaan-spijkerboer'])
  expect(found('user is kofi.mensah88, ok')).toEqual(['kofi.mensah88'])
  expect(found('wachtwoord: Zeehond!44')).toEqual(['Zeehond!44'])
  expect(found('the user is happy, hasło jest krótkie')).toEqual([])
})

test.each([
  ['Dra. Ana Ruiz. Hospital Ramón y Cajal C/ Limón, 5', 'Hospital Ramón y Cajal'],
  ['Hospital de Getafe Carretera Toledo 28905 Getafe', 'Hospital de Getafe'],
  ['Clínica Universitaria de Navarra Av. Pío XII, 36', 'Clínica Universitaria de Navarra'],
  ['Hospital Miguel Servet Pº Isabel la Católica 1', 'Hospital Miguel Servet'],
])('an institution ends before its address: %s', (text, institution) => {
  expect(found(text, 'ORGANIZATION')).toEqual([institution])
})
