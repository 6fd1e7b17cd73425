import { describe, expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

/** What is found in a text at the usual threshold: `label: value`. */
const found = (text: string) =>
  recognise(text, { threshold: 0.5 }).map(({ start, end, label }) => `${label}: ${text.slice(start, end)}`)

describe('e-mail addresses', () => {
  test.each([
    ["mail='anna@x.example'", 'anna@x.example'],
    ['mail="anna@x.example"', 'anna@x.example'],
    ['mail=anna.berg@x.example', 'anna.berg@x.example'],
    ['?id=7&e-mail=anna@x.example&go=1', 'anna@x.example'],
    ["[u'anna@x.example', b'ben@x.example']", 'anna@x.example', 'ben@x.example'],
    ['**anna@x.example**', 'anna@x.example'],
    ['`anna@x.example`', 'anna@x.example'],
    ['{anna@x.example|ben@x.example}', 'anna@x.example', 'ben@x.example'],
    ['/home/anna@x.example/', 'anna@x.example'],
    ['mailto:anna@x.example?subject=x', 'anna@x.example'],
    ['<anna+tag_1@x.example>, ben', 'anna+tag_1@x.example'],
    ["o'brien@x.example", "o'brien@x.example"],
    ["VALUES (N'ben@x.example', 2)", 'ben@x.example'],
    ["n'diaye@x.example wrote", "n'diaye@x.example"],
    ["Sant'Anna@x.example", "Sant'Anna@x.example"],
    ['bounce-7-anna=b.example@list.example', 'bounce-7-anna=b.example@list.example'],
    ['prvs=0123abcd=anna@x.example', 'prvs=0123abcd=anna@x.example'],
    ['SRS0=HHH=TT=b.example=anna@x.example', 'SRS0=HHH=TT=b.example=anna@x.example'],
    ['jörg@müller.example', 'jörg@müller.example'],
    ['иван@пример.рф', 'иван@пример.рф'],
    ['anna@xn--mller-kva.xn--p1ai', 'anna@xn--mller-kva.xn--p1ai'],
  ])('%s', (text, ...addresses) => {
    expect(found(text).filter(one => one.startsWith('EMAIL'))).toEqual(addresses.map(one => `EMAIL: ${one}`))
  })

  test.each(['anna@', '@x.example', 'anna@localhost', 'a b@c', 'anna.@x', 'anna@.example'])('none in %s', text => {
    expect(found(text).filter(one => one.startsWith('EMAIL'))).toEqual([])
  })
})

describe('national telephone numbers are found whole', () => {
  test.each([
    // United Kingdom
    '020 7946 0958',
    '(020) 7946 0958',
    '0161 496 0000',
    '07700 900123',
    '07700 900 123',
    '01632 960 001',
    '07700900123',
    // Germany
    '06221/566999',
    '06221 / 566999',
    '06221 566999',
    '06221-566999',
    '(06221) 566999',
    '0 62 21 / 56 69 99',
    '030 12345678',
    '030 901820',
    '089/1234567',
    '0151 23456789',
    '015123456789',
    // Spain
    '915 55 12 34',
    '91 555 12 34',
    '612 34 56 78',
    '934 123 456',
    // France
    '01 42 68 53 00',
    '04.72.00.11.22',
    '06-12-34-56-78',
    '06 12 34 56 78',
    '0612345678',
    // Italy
    '06 6982 1234',
    '02 12345678',
    '333 123 4568',
    '333 1234567',
    // Netherlands
    '020-1234567',
    '020 123 4567',
    '06-12345678',
    '06 12345678',
    '0612345678',
    // Poland
    '22 123 45 67',
    '601 234 567',
    // Portugal
    '912 345 678',
    '21 123 45 67',
    // Austria
    '01 51515-0',
    '0664 1234567',
    '0664/1234567',
    // Switzerland
    '044 668 18 00',
    '079 123 45 67',
    '044/668 18 00',
    // Sweden
    '073-123 45 67',
    '08-123 456 78',
    // North America
    '(415) 555-2671',
    '415-555-2670',
    '415.555.2671',
    '1-415-555-2671',
    // any country
    '+49 (0) 6221 566999',
    '0049 6221 566999',
    '+44 (0)20 7946 0958',
    '+44 20 7946 0958 ext. 12',
    '+33 4 72 00 11 22',
    '+351 912 345 678',
    '(+41) 44 668 18 00',
  ])('%s', number => {
    expect(found(number)).toEqual([`PHONE: ${number}`])
    expect(found(`Reach her under ${number}, please.`)).toEqual([`PHONE: ${number}`])
  })

  test.each([
    ['tel. 612345678', '612345678'],
    ['Tél. : 0472001122', '0472001122'],
    ['Handy 1701234567 x', undefined],
    ['Fon 06221 5669', '06221 5669'],
    ['home 020 7946 0958 work 0161 496 0000', '020 7946 0958', '0161 496 0000'],
    ['020 7946 0958 0161 496 0000', '020 7946 0958', '0161 496 0000'],
  ])('%s', (text, ...numbers) => {
    for (const number of numbers) if (number) expect(found(text)).toContain(`PHONE: ${number}`)
  })

  test.each([
    '1001',
    '1001 1002 1003 1004',
    '10012345',
    '1001234',
    '1234567.89',
    '0.1234567',
    '1700000000',
    '1700000000000',
    '2 212 345 678',
    '12 345 678 901',
    '912.345.678',
    '0800-1700',
    '0900 - 1830',
    '01.02.2003 04.05.2006',
    '2024-01-15 2024-02-16',
    '05/06/2024-06/06/2024',
    '1234 5678 9012 3456 7890',
    'AB0612345678',
    'v04.72.00.11',
  ])('none in %s', text => {
    expect(found(text).filter(one => one.startsWith('PHONE'))).toEqual([])
  })
})

describe('what has a checksum wins over what has none', () => {
  test.each([
    ['943 476 5919', 'HEALTH_ID: 943 476 5919'],
    ['NHS number 943 476 5919', 'HEALTH_ID: 943 476 5919'],
    // The same with a wrong check digit is a telephone number, and so are digits that a word calls so.
    ['943 476 5918', 'PHONE: 943 476 5918'],
    ['call 943 476 5919', 'PHONE: 943 476 5919'],
    ['415-555-2671', 'PHONE: 415-555-2671'],
    ['4111 1111 1111 1111', 'PAYMENT_CARD: 4111 1111 1111 1111'],
    ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN: DE89 3704 0044 0532 0130 00'],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual([expected])
  })
})

describe('addresses of the internet protocol', () => {
  test.each(['10.1.2.3', '192.168.0.1', '010.001.002.003', '255.255.255.255'])('%s', text => {
    expect(found(text)).toEqual([`IP_ADDRESS: ${text}`])
  })

  test.each(['04.72.00.11', '04.72.00.11.22', '1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.444'])('none in %s', text => {
    expect(found(text).filter(one => one.startsWith('IP_ADDRESS'))).toEqual([])
  })
})

describe('payment cards', () => {
  test.each([
    '4111 1111 1111 1111',
    '4222222222222',
    '5500-0000-0000-0004',
    '2221000000000009',
    '340000000000009',
    '3400 000000 00009',
    '30000000000004',
    '6011000000000004',
    '3530111333300000',
    '6304000000000000',
    '5018 0000 0009',
  ])('%s', text => {
    expect(found(text)).toEqual([`PAYMENT_CARD: ${text}`])
  })

  test.each(['4111 1111 1111 1112', '4711-2023-0001', '1700000000000', '9999 9999 9999 9995', '0000 0000 0000 0000'])(
    'none in %s',
    text => {
      expect(found(text).filter(one => one.startsWith('PAYMENT_CARD'))).toEqual([])
    },
  )
})

describe('a word names a value', () => {
  test.each([
    ['Termin am 3.4.2026\nGeburtsdatum: 4.5.1980\nTermin 3.5.2026', 'DATE', 'DATE_OF_BIRTH', 'DATE'],
    ['3.4.2026 Geburtsdatum: 4.5.1980', 'DATE', 'DATE_OF_BIRTH'],
    ['Visit 03/04/2026 DOB 04/05/1980', 'DATE', 'DATE_OF_BIRTH'],
    ['Geburtsdatum:\n4.5.1980', 'DATE_OF_BIRTH'],
    ['4.5.1980 (Geburtsdatum)', 'DATE_OF_BIRTH'],
  ])('in the right direction: %j', (text, ...labels) => {
    expect(found(text).map(one => one.split(':')[0])).toEqual(labels)
  })

  test('on an earlier line, unless it names a number there', () => {
    expect(found('his NHS number, which is\n943 476 5919')).toEqual(['HEALTH_ID: 943 476 5919'])
    expect(found('Tel. 030 12345678\nSumme 4512345')).toEqual(['PHONE: 030 12345678'])
  })
})

test.each([
  'born on 4 May 1980',
  'nació el 4 de mayo de 1980',
  'f. nac.: 04/05/1980',
  'née le 4 mai 1980',
  'né(e) le 04/05/1980',
  'nato/a il 4 maggio 1980',
  'nasceu em 4 de maio de 1980',
  'geb.datum 04-05-1980',
  'ur. 4.05.1980',
  'urodziła się 4 maja 1980',
])('a date of birth: %s', text => {
  expect(found(text).map(one => one.split(':')[0])).toEqual(['DATE_OF_BIRTH'])
})

test.each([
  'P.O. Box 101',
  'PO Box 2045',
  'Postfach 10 20 30',
  'Postbus 90801',
  'Apartado de Correos 1234',
  'Casella postale 55',
  'Caixa Postal 1.012',
  'skrytka pocztowa nr 7',
  'Boîte postale 12',
])('a box at a post office: %s', text => {
  expect(found(`Write to ${text}, please.`)).toEqual([`ADDRESS: ${text}`])
})

test.each(['12 Example House\nApt. 566\nSpringfield', 'Suite 574', '> Apartment 12B\n> Springfield'])(
  'a part of a building on a line: %s',
  text => {
    expect(found(text)).toContain(`ADDRESS: ${/(?:Apt\.|Suite|Apartment) \w+/.exec(text)![0]}`)
  },
)

test.each(['the suite 3 of the orchestra', 'postfach.de', 'Open suite 12b or c', 'the PO boxed 3 of them'])(
  'neither: %s',
  text => {
    expect(found(text)).toEqual([])
  },
)

test.each([
  ['antes del 30 de abril. Si tiene', '30 de abril'],
  ['rendez-vous du 17 janvier. Mon mari', '17 janvier'],
  ['seen on 12 Sept. 2023.', '12 Sept. 2023'],
])('a date without the full stop of its sentence: %s', (text, date) => {
  expect(found(text)).toEqual([`DATE: ${date}`])
})

test.each(['@page', '@media_berlin', '@import'])('a user name where no style sheet is: %s', name => {
  expect(found(`Follow ${name} for more; or not.`)).toEqual([`USERNAME: ${name}`])
})

test.each([
  'LibreOffice 7.4.7.2',
  'Chrome/120.0.0.1',
  'Version 10.2.3.4',
  'v1.2.3.4',
  'OpenSSL 1.1.1.7',
  'Firmware: 2.0.14.1',
])('no address but a version: %s', text => {
  expect(found(text)).toEqual([])
})

test.each(['Server 8.8.8.8', 'localhost/127.0.0.1', 'WLAN 192.168.0.1', 'myHost 10.1.2.3', 'Rechner 5.9.1.2'])(
  'an address: %s',
  text => {
    expect(found(text)).toEqual([`IP_ADDRESS: ${text.split(/[ /]/)[1]}`])
  },
)

test.each([
  'NIR 1 85 05 78 006 084 36',
  'NIR 185057800608436',
  'assuré 1 85 05 78 006 084',
  'n° SS : 2690549588157 clé 81',
  'numéro de sécurité sociale 2 69 05 2A 588 157 (81)',
])('a French number of social security is one thing, with a wrong key or none: %s', text => {
  expect(found(text)).toEqual([`SOCIAL_SECURITY: ${/[12] ?\d{2}.*/.exec(text)![0]}`])
})

test.each([
  ['Az. 12 C 345/23 vor dem Amtsgericht', 'ID: 12 C 345/23'],
  ['Aktenzeichen: S 14 AS 2231/22.', 'ID: S 14 AS 2231/22'],
  ['sygn. akt I ACa 45/23', 'ID: I ACa 45/23'],
  ['Case No. 1:23-cv-04512', 'ID: 1:23-cv-04512'],
  ['R.G. 1182/2023 del Tribunale', 'ID: 1182/2023'],
  ['Zählernummer 4711223, abgelesen', 'ID: 4711223'],
  ['n° allocataire 1234567 A', 'ID: 1234567 A'],
  ['Mitte fünfzig und in her late thirties', 'AGE: Mitte fünfzig', 'AGE: late thirties'],
  ['Sie ist 46 Jahre alt. Tiene 45 años.', 'AGE: 46 Jahre alt', 'AGE: 45 años'],
  ['meine Tochter Ida (12)', 'PERSON: Ida', 'AGE: 12'],
])('%s', (text, ...values) => {
  expect(found(text)).toEqual(values)
})

test.each([
  'Artikelnummer 4711223 und Hausnummer 12',
  'Rechnungen für 2024, EUR 45 je Stück',
  'seit 5 Jahren, 3 years ago, hace 10 años',
])('nothing in: %s', text => {
  expect(found(text)).toEqual([])
})
