import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

const found = (text: string, ...entities: string[]) =>
  recognise(text, { threshold: 0.5, entities }).map(({ start, end }) => text.slice(start, end))

test.each([
  ['am zwölften März 2024 und', 'zwölften März 2024'],
  ['on the third of May 2024 at', 'third of May 2024'],
  ['le douze avril deux mille vingt-quatre.', 'douze avril deux mille vingt-quatre'],
  ['el doce de abril de dos mil veinticuatro.', 'doce de abril de dos mil veinticuatro'],
  ['dia doze de abril de dois mil e vinte e quatro.', 'doze de abril de dois mil e vinte e quatro'],
  ['il dodici aprile 2024', 'dodici aprile 2024'],
  ['op twaalf april 2024', 'twaalf april 2024'],
  ['dwunastego kwietnia 2024', 'dwunastego kwietnia 2024'],
])('a date in words: %s', (text, date) => expect(found(text, 'DATE')).toEqual([date]))

test.each(['the second march of the army', 'zweiten Mal', 'dos marchas', 'Montag und Dienstag'])(
  'no date in words: %s',
  text => expect(found(text, 'DATE')).toEqual([]),
)

test.each([
  ['mon frère a trente-deux ans', 'trente-deux ans'],
  ['tiene treinta y dos años', 'treinta y dos años'],
  ['ha trentadue anni', 'trentadue anni'],
  ['tem trinta e dois anos', 'trinta e dois anos'],
  ['ma trzydzieści dwa lata', 'trzydzieści dwa lata'],
  ['zweiunddreißig Jahre alt', 'zweiunddreißig Jahre alt'],
  ['tweeëndertig jaar oud', 'tweeëndertig jaar oud'],
  ['a thirty-two-year-old man, aged sixty-five', 'sixty-five'],
])('an age in words: %s', (text, age) => expect(found(text, 'AGE')).toContain(age))

test('a time in prison is no age', () => {
  expect(found('condamné à trente ans de prison', 'AGE')).toEqual([])
})

test.each([
  ['wifi pw is otter-lamp-77', 'otter-lamp-77'],
  ['mot de passe du wifi : Galette!35', 'Galette!35'],
  ['la password del wifi è Basilico.2291', 'Basilico.2291'],
  ['wachtwoord van de wifi: Stroopwafel!91', 'Stroopwafel!91'],
  ['hasło do wifi: Pierogi!2291', 'Pierogi!2291'],
  ['a palavra-passe do wifi é Maresia2024', 'Maresia2024'],
  ['stop pasting the db password otter!Lamp77 in here', 'otter!Lamp77'],
  ['The password otter!Lamp77. Then', 'otter!Lamp77'],
  ['token ghp_x8Kq2LmZ7vTn4RbW1sYd6PfHc3JgUa9EeXo0 now', 'ghp_x8Kq2LmZ7vTn4RbW1sYd6PfHc3JgUa9EeXo0'],
  ['Authorization: Bearer 9f2c41d7a0b84e5fb6', '9f2c41d7a0b84e5fb6'],
])('a secret: %s', (text, secret) => expect(found(text, 'SECRET')).toEqual([secret]))

test.each(['pass is required', 'the bearer of this letter', 'Basic knowledge of it', 'hasło do wifi jest'])(
  'no secret in: %s',
  text => expect(found(text, 'SECRET')).toEqual([]),
)

test.each([
  ['the van, reg LK53 ZPT, was', 'VEHICLE_ID', 'LK53 ZPT'],
  ["L'auto targata GK 417 LM era", 'VEHICLE_ID', 'GK 417 LM'],
  ['sa voiture, GH-417-KD, volée', 'VEHICLE_ID', 'GH-417-KD'],
  ['Fahrgestellnummer (FIN): WVWZZZ3CZ8E112233', 'VEHICLE_ID', 'WVWZZZ3CZ8E112233'],
  ['at 53° 33\' 12" N, 9° 59\' 30" O, near', 'COORDINATES', '53° 33\' 12" N, 9° 59\' 30" O'],
  ['N 48° 12.345’, E 16° 22.100’', 'COORDINATES', 'N 48° 12.345’, E 16° 22.100’'],
  ['ssh user k.plumb on', 'USERNAME', 'k.plumb'],
  ['N/ Ref.ª: MA/23/0391', 'ID', 'MA/23/0391'],
])('%s', (text, label, value) => expect(found(text, label)).toEqual([value]))

test.each([
  ['Model AB12 CDE of the pump', 'VEHICLE_ID'],
  ['ABC 123 and XY-12', 'VEHICLE_ID'],
  ['at 37° and 40° in May', 'COORDINATES'],
  ['every user knows', 'USERNAME'],
])('nothing in: %s', (text, label) => expect(found(text, label)).toEqual([]))

test('the name of a house belongs to its address', () => {
  const text = 'to The Boathouse, Quay Street, Port Selwick PL99 1AA, today'
  expect(found(text, 'ADDRESS').join(' ')).toContain('The Boathouse')
})

test.each([
  ['Nombre: Juan.\nApellidos: Rojo Clavel.\nNHC: 5347986', 'Rojo Clavel'],
  ['Nachname: Winter\nVorname: Rose', 'Winter', 'Rose'],
  ['Nom de famille : Blanc\nPrénom : Fleur', 'Blanc', 'Fleur'],
  ['Last name: Frost\nFirst name: Grace', 'Frost', 'Grace'],
])('parts of names behind their labels: %s', (text, ...names) => {
  const all = found(text, 'PERSON')
  for (const name of names) expect(all).toContain(name)
})

test.each([
  ['her NI no still QQ 12 34 56 C right?', ['QQ 12 34 56 C']],
  ['parts QQ 12 34 56 C were ordered', []],
  ['the password policy2024 page and a password for 20240101', []],
])('%s', (text, expected) => expect(found(text, 'SOCIAL_SECURITY', 'SECRET')).toEqual(expected))

test.each([
  ['der Firmenwagen HG-ST 417 steht dort', 'HG-ST 417'],
  ['na moto Honda placa FXT-4B21', 'FXT-4B21'],
  ['Matrícula de la plaza de garaje: 4821 KLM', '4821 KLM'],
])('a plate: %s', (text, plate) => expect(found(text, 'VEHICLE_ID')).toEqual([plate]))

test('no plate: parts and standards', () => {
  expect(found('Norm DIN-EN 417, Teil A-B 12, ABC-1234, 2024 GMT', 'VEHICLE_ID')).toEqual([])
})

test.each([
  ['Mme Diarra (06 55 43 21 09), Lyon', '06 55 43 21 09'],
  ['Office (+44 20 7946 0812) or', '+44 20 7946 0812'],
  ['Call (0161) 496 0123 today', '(0161) 496 0123'],
])('a telephone number with brackets: %s', (text, phone) => expect(found(text, 'PHONE')).toEqual([phone]))

test.each([
  ['Whg. an: Ahornweg 9, Whg. 07, VH 2. Stock. Miete', 'Ahornweg 9, Whg. 07, VH 2. Stock'],
  ['wohnt Ahornweg 9, 3. OG links, seit', 'Ahornweg 9, 3. OG links'],
  ['bor Kvarngatan 6, lgh 1103, 2 tr, sedan', 'Kvarngatan 6, lgh 1103, 2 tr'],
  ['at Unit 4b, 18 Mulberry Lane, and', 'Unit 4b, 18 Mulberry Lane'],
  [
    'au 12, impasse des Glycines, bât. C, esc. 2, 4e ét. gauche, depuis',
    '12, impasse des Glycines, bât. C, esc. 2, 4e ét. gauche',
  ],
  ['in via Tiglio 7, secondo piano.', 'via Tiglio 7, secondo piano'],
  ['5 r. des Embruns', '5 r. des Embruns'],
  ['Nachbarin, Hs.-Nr. 90, sah', 'Hs.-Nr. 90'],
  ['byt Lhota, č. p. 27', 'č. p. 27'],
  ['the neighbour (Apt 12) heard', 'Apt 12'],
  ['wohnt Georgsfelder Weg 7, seit', 'Georgsfelder Weg 7'],
  ['wohnt Konrad-Adenauer-Platz 3, seit', 'Konrad-Adenauer-Platz 3'],
  ['in der Karl-Marx-Straße 5 b gemeldet', 'Karl-Marx-Straße 5 b'],
  ['bei ihr, Kirchdorfer Str. 112, seit', 'Kirchdorfer Str. 112'],
  ['wohnhaft Op de Wisch 14, seit', 'Op de Wisch 14'],
  ['wohnhaft Hinter den Höfen 3, seit', 'Hinter den Höfen 3'],
  ['siège 3 bis, venelle du Pain-Cuit, dont', '3 bis, venelle du Pain-Cuit'],
  ['sise chaussée de Waterloo 417, dont', 'chaussée de Waterloo 417'],
  ['studio in Via Cairoli civ. 12, innanzi', 'Via Cairoli civ. 12'],
  ['na Av. Gago Coutinho, lote 12, a quem', 'Av. Gago Coutinho, lote 12'],
  ['zam. os. Przyjaźni bl. 12 m. 44, dalej', 'os. Przyjaźni bl. 12 m. 44'],
  ['of 14/3 Heriot Wynd, and', '14/3 Heriot Wynd'],
])('an address with the parts of its house: %s', (text, address) => expect(found(text, 'ADDRESS')).toEqual([address]))

test.each(['Dieser Weg 7 ist', 'Unser Platz 3 war', 'auf Erster Platz 1 und', 'VIP-Platz 12'])(
  'no street of several words: %s',
  text => expect(found(text, 'ADDRESS')).toEqual([]),
)

test('initials behind the number of a house are no town', () => {
  expect(found('via Loreto n. 31/b, C.F. e via Cairoli 3, P.IVA', 'LOCATION')).toEqual([])
})

test.each([
  ['18 Mulberry Lane, flat rate of', '18 Mulberry Lane'],
  ['Ahornweg 9, 2 Personen', 'Ahornweg 9'],
  ['Ahornweg 9, bus fahren', 'Ahornweg 9'],
])('an address without what is no part of a house: %s', (text, address) =>
  expect(found(text, 'ADDRESS')).toEqual([address]),
)

test.each([
  ['cita el lunes 22.', 'lunes 22'],
  ['mercredi 3 à 14 h', 'mercredi 3'],
  ['zaterdag de tiende,', 'zaterdag de tiende'],
  ['op de eerste van juni', 'eerste van juni'],
  ['begin um de abril', 'um de abril'],
  ['controle half maart', 'half maart'],
  ['Cs mi-mars avec', 'mi-mars'],
  ['am 29. März 24.', '29. März 24'],
  ['am 3. Feber 2024', '3. Feber 2024'],
  ['seit hl. Abend 2023', 'hl. Abend 2023'],
  ['op Koningsdag', 'Koningsdag'],
])('a day: %s', (text, day) => expect(found(text, 'DATE')).toEqual([day]))

test.each([
  'lunes 22 euros',
  'Monday 5 people',
  'Montag 8 Uhr',
  'Monday 10 am',
  'every Christmas',
  'a mid-market firm',
])('no day: %s', text => expect(found(text, 'DATE')).toEqual([]))

test.each([
  ['Reni, 58 J., Maurer', '58 J.'],
  ['in Klasse 3c, 9 J.)', '9 J.'],
  ['a man, early forties, with', 'early forties'],
  ['een man, eind dertig', 'eind dertig'],
  ['un hombre de setenta y pico', 'setenta y pico'],
])('an age: %s', (text, age) => expect(found(text, 'AGE')).toEqual([age]))

test('the early forties are no age', () => expect(found('music of the early forties', 'AGE')).toEqual([]))

test.each([
  ['Das Initialpasswort lautet Zwirn-4417-neu, bitte', 'Zwirn-4417-neu'],
  ['moa.a, lösen Humle!23', 'Humle!23'],
  ['naam jorrit.b, ww Geitenkaas!1', 'Geitenkaas!1'],
  ['password resettata: Grano-Duro5.', 'Grano-Duro5'],
  ['Zugangscode Haustür: 2906', '2906'],
  ['PIN del VPN: 4471', '4471'],
])('a secret by what it is called: %s', (text, secret) => expect(found(text, 'SECRET')).toEqual([secret]))

test.each([
  ['uid=brandst, from', 'brandst'],
  ["user='lpreau' from", 'lpreau'],
  ['(usuário cleidson.albq),', 'cleidson.albq'],
  ['użytkownik heniek.plac, wew.', 'heniek.plac'],
  ["his login's petra_ext.", 'petra_ext'],
  ['github : ewenlg29', 'ewenlg29'],
  ['skype: live:petr.7', 'petr.7'],
  ['Laptop? KE-LT-0447', 'KE-LT-0447'],
  ['Rechner AUER-PC-XHUBER ist', 'AUER-PC-XHUBER'],
  ['PC? – TJARN-07', 'TJARN-07'],
])('an account or a device: %s', (text, account) => expect(found(text, 'USERNAME')).toEqual([account]))

test.each(['a PC-based tool', 'USB-C, NB-IoT, PC-2', 'uid=root', 'Laptop HP'])('no account or device: %s', text =>
  expect(found(text, 'USERNAME')).toEqual([]),
)

test.each([
  ['those who arrive late may be refused', 'DATE'],
  ['gli anni 80', 'AGE'],
  ['one fuse, 16 A, 230 V', 'AGE'],
  ['a letter typed by hand.', 'PERSON'],
  ['1=Sunday, 2=Monday', 'DATE'],
  ['Please report it via GitHub issues.', 'USERNAME'],
  ['Disconnected from user kvandijk 192.0.2.7 port 51022', 'ADDRESS'],
])('ordinary words that look like more: %s', (text, label) => expect(found(text, label)).toEqual([]))

test('initials of who dictated and typed a letter', () =>
  expect(found('Dictated by IFT, typed bm', 'PERSON')).toEqual(['IFT', 'bm']))

test.each([
  ['ausgewiesen durch Personalausweis Nr. L7XF9K21T,', 'NATIONAL_ID', 'L7XF9K21T'],
  ['Im Grundbuch des Amtsgerichts Aurich von Ihlow Blatt 2217 ist', 'ID', '2217'],
  ['Grundbuch von Ihlow Bl. 1107, Bd.', 'ID', '1107'],
  ['zapsáno na LV č. 417 pro', 'ID', '417'],
  ['pozemek parc. č. St. 114/2, zastavěná', 'ID', '114/2'],
  ['działki nr ew. 1107/4, o pow.', 'ID', '1107/4'],
  ['REPERTORIO N. 45.218  ', 'ID', '45.218'],
  ['Minute n° 24/512', 'ID', '24/512'],
  ['N° Portalis DB2M-W-B7I-FQXZ', 'ID', 'DB2M-W-B7I-FQXZ'],
  ['usnesení 30 Nd 117/2024, kterým', 'ID', '30 Nd 117/2024'],
  ['KSPH 41 INS 2207/2024', 'ID', '41 INS 2207/2024'],
  ['Autos: P.O. 318/2023, Juzgado', 'ID', '318/2023'],
  ['Diligencias Previas nº 77/2022', 'ID', '77/2022'],
])('a number of a file or of land: %s', (text, label, value) => expect(found(text, label)).toEqual([value]))

test.each([
  ['Ley 12/2023 de vivienda', 'ID'],
  ['die Blätter im Grundbuch. Blatt 3 der Akte', 'ID'],
  ['Dear Sirs,', 'PERSON'],
])('no number of a file and nobody: %s', (text, label) => expect(found(text, label)).toEqual([]))
