import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

const persons = (text: string) =>
  recognise(text, { threshold: 0.5, entities: ['PERSON'] }).map(({ start, end }) => text.slice(start, end))

test.each([
  ['Dr. Juan Pérez Vega Servicio de Neurología', 'Juan Pérez Vega'],
  ['le llamó el doctor Íñigo Zubizarreta ayer', 'Íñigo Zubizarreta'],
  ['Frau Anna Schmidt, geb. Weiß, wohnt hier', 'Anna Schmidt', 'Weiß'],
  ['Herrn Dr. med. Weber-Klein Diagnose: keine', 'Weber-Klein'],
  ['Prof. Dr. Hans Müller und Dipl.-Ing. Karl Huber', 'Hans Müller', 'Karl Huber'],
  ['Mrs May and Mr. O’Brien met Ms D’Angelo and Dr. J. K. Stone', 'May', 'O’Brien', 'D’Angelo', 'J. K. Stone'],
  ['M. Jean Dupont et Mme Lefèvre-Martin, née Beaumont', 'Jean Dupont', 'Lefèvre-Martin', 'Beaumont'],
  ['don Íñigo y doña Leocadia Ruiz con la Sra. Vega', 'Íñigo', 'Leocadia Ruiz', 'Vega'],
  ['il sig. Rossi, la sig.ra Verdi e la dott.ssa Bianchi, nata Ferrari', 'Rossi', 'Verdi', 'Bianchi', 'Ferrari'],
  ['o Sr. João da Silva e a Dra. Marta Sousa', 'João da Silva', 'Marta Sousa'],
  ['de heer Van den Berg en mevrouw de Vries', 'Van den Berg', 'de Vries'],
  ['From: "Oduya, Blessing" <b.oduya@example.org>', 'Oduya, Blessing'],
  ['An: „Ute Zimmer-Okafor“; Einkauf', 'Ute Zimmer-Okafor'],
  ['Mme GUILLOU ép. LE BRAS Maryvonne', 'GUILLOU', 'LE BRAS Maryvonne'],
  ['Josenildo (vulgo "Nildo") e outro, conhecido como “Gordo”', 'Nildo', 'Gordo'],
  ['t.a.v. dhr. S.J. (Sjoerd) van den Heuvel', 'S.J. (Sjoerd) van den Heuvel'],
  ['chiami il rag. Lo Presti o il geom. Di Bella', 'Lo Presti', 'Di Bella'],
  ['My name is Quilla, but everyone calls me Thistle.', 'Quilla', 'Thistle'],
  ['a film directed by Ione Thackerby and starring Marrable', 'Ione Thackerby', 'Marrable'],
  ['Pani Anna Kowalska z domu Nowak, lek. Piotr Zając', 'Anna Kowalska', 'Nowak', 'Piotr Zając'],
])('%s', (text, ...names) => {
  expect(persons(text)).toEqual(names)
})

test.each([
  'Dr.-Karl-Str. 5 und Dr. Karl-Renner-Ring 3',
  'He is a Dr. The nurse left. I saw the doctor. Then she came.',
  'Mr President, Herr Präsident, Madame la Présidente, Sr. Director, Frau Ministerin',
  'Prof. Dr. und Dipl.-Ing. sind Titel; Sehr geehrte Damen und Herren',
  'doctor en Medicina, doctor de la Universidad de Sevilla, docteur de l’Université',
  'geb. am 3. Mai, geb. in Berlin, geb. Juni 1980, nato a Roma, née à Paris',
  'der 1950 geborene Kläger, professor de Ciências Políticas, Herr Dr. A',
  'My name is not on it. Call me Monday, they called him Tuesday.',
  'NATO Allies, Pan American, I don’t know, the pan is hot, P.M. Thursday',
])('nobody is named in: %s', text => {
  expect(persons(text)).toEqual([])
})

const speakers = (text: string) =>
  recognise(text, { threshold: 0.5, entities: ['PERSON', 'USERNAME'] }).map(({ start, end }) => text.slice(start, end))

test.each([
  [
    'times and names in lower case',
    '[09:41] priya.n: morning\n[09:42] dlamini_t: hi\n[09:43] priya.n: ok',
    ['priya.n', 'dlamini_t', 'priya.n'],
  ],
  [
    'dates and times',
    '12/03/2024, 09:41 - Ida: morning\n12/03/2024, 09:42 - Bo W.: hi\n12/03/2024, 09:43 - Ida: ok',
    ['Ida', 'Bo W.', 'Ida'],
  ],
  ['names in angles', '09:41 <ida> morning\n09:42 <Bo_7> hi\n09:43 <ida> ok', ['ida', 'Bo_7', 'ida']],
  ['a log', '09:41:01 error: disk\n09:41:02 info: none\n09:41:03 error: disk\n09:41:04 info: none', []],
  [
    'a form in front of a conversation',
    'Temat: Zwrot\nStatus: Otwarte\nKanał: Czat\nAnna: dzień dobry\nPiotr: witam\nAnna: mam pytanie\nPiotr: słucham',
    ['Anna', 'Piotr', 'Anna', 'Piotr'],
  ],
  [
    'somebody who speaks once between others',
    'Anna: hello\nMiro: I am late\nBen: hi\nAnna: no harm\nBen: right\n\nSubject: lunch',
    ['Anna', 'Miro', 'Ben', 'Anna', 'Ben'],
  ],
  ['settings', 'user_1: yes\nmail.to: no\nuser_1: yes\nmail.to: no', []],
])('who speaks: %s', (_, text, expected) => {
  expect(speakers(text)).toEqual(expected)
})

test('what somebody is in a conversation is nobody’s name, and those who are named beside it are', () => {
  const talk = 'Agent: what is your name?\nMarta: Marta.\nAgent: and the other?\nMarta: no.\n'
  const speaking = recognise(talk, { threshold: 0.5, entities: ['PERSON'] })
    .filter(({ evidence }) => evidence.by === 'pattern' && evidence.pattern === 'person.speaker')
    .map(({ start, end }) => talk.slice(start, end))
  expect(speaking).toEqual(['Marta', 'Marta'])
  expect(recognise(talk.replaceAll('Marta:', 'Caller 2:'), { threshold: 0.5, entities: ['PERSON'] })).toEqual([])
})
