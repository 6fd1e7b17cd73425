import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

/** What of a text is found as numbers and telephones, with its label. */
const found = (text: string): string[] =>
  recognise(text, { threshold: 0.5, entities: ['PHONE', 'ID'] }).map(
    ({ start, end, label }) => `${label} ${text.slice(start, end)}`,
  )

test.each([
  [
    'ring me back on oh one six three two nine six oh four double one bye',
    'PHONE oh one six three two nine six oh four double one',
  ],
  ['his number if they ask is r one one four seven eight two its', 'ID one one four seven eight two'],
  [
    'die nummer ist null drei fünf eins vier vier eins sieben null tschüss',
    'PHONE null drei fünf eins vier vier eins sieben null',
  ],
  ['null sechs einundzwanzig vierzig null null achtzehn', 'PHONE null sechs einundzwanzig vierzig null null achtzehn'],
  [
    'vous pouvez rappeler au zéro sept cinquante-trois quarante onze zéro neuf',
    'PHONE zéro sept cinquante-trois quarante onze zéro neuf',
  ],
  [
    'en el móvil seis dos cinco, cuatro cuatro, uno ocho, cero siete?',
    'PHONE seis dos cinco, cuatro cuatro, uno ocho, cero siete',
  ],
  [
    'liga no dezenove três três um oito quarenta e quatro zero sete',
    'PHONE dezenove três três um oito quarenta e quatro zero sete',
  ],
  ['chiama tre quattro zero sei sei uno due due nove otto', 'PHONE tre quattro zero sei sei uno due due nove otto'],
  ['nul zes eenentwintig veertig nul nul achttien', 'PHONE nul zes eenentwintig veertig nul nul achttien'],
  ['numer jest na lodówce sześć zero pięć jeden jeden trzy i', 'ID sześć zero pięć jeden jeden trzy'],
  ['Volejte mi na tři osm čtyři, sedm osm dvě, jedna jedna pět.', 'PHONE tři osm čtyři, sedm osm dvě, jedna jedna pět'],
  ['mitt nummer är noll sju noll trettiotvå elva nittioåtta och', 'PHONE noll sju noll trettiotvå elva nittioåtta'],
  [
    'rodné číslo šedesát osm padesát dva nula tři lomeno jedna dva tři čtyři děkuji',
    'PHONE šedesát osm padesát dva nula tři lomeno jedna dva tři čtyři',
  ],
  ['claim two four slash oh nine eight two one please', 'ID two four slash oh nine eight two one'],
  ['Vertrag sieben drei Strich null null vier eins, genau', 'ID sieben drei Strich null null vier eins'],
  ['het is drie twee streepje vijf nul nul zeven, dank u', 'ID drie twee streepje vijf nul nul zeven'],
  ['De code van de garage is zeven zeven nul drie.', 'ID zeven zeven nul drie'],
  ['my pin is one two three four', 'ID one two three four'],
])('%s', (text, value) => expect(found(text)).toEqual([value]))

test.each([
  'one two three four five six seven eight nine ten, here I come',
  'zehn neun acht sieben sechs fünf vier drei zwei eins',
  'We counted two, three, four or five of them.',
  'Deux ou trois fois, six mois, sept ans et neuf jours.',
  'seis de ocho, dos de tres',
  'They won six four, six three.',
  'Chapters one, three, five, six, eight, nine are new.',
  'eins, zwei, drei, vier, sechs, acht',
  'The numbers ten, twenty, thirty, forty.',
  'Dash two, slash three; ein Strich unter eins bis vier.',
  'Choose ten, twenty, thirty, forty or fifty.',
  'two, four, six, eight, ten, twelve',
])('no number in %s', text => expect(found(text)).toEqual([]))
