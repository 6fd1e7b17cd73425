import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

/** What is found of some labels: the values in their order. */
const found = (text: string, ...entities: string[]) =>
  recognise(text, { threshold: 0.5, entities }).map(({ start, end }) => text.slice(start, end))

test.each([
  ['detained for eight days, then thirty-five more days', 'eight days', 'thirty-five more days'],
  ['seit sechs Jahren, drei Wochen lang', 'sechs Jahren', 'drei Wochen'],
  ['desde hace cuarenta años y 3 meses', 'cuarenta años', '3 meses'],
  ['depuis vingt ans, soit 18 mois', 'vingt ans', '18 mois'],
  ['per dieci giorni, 2 settimane', 'dieci giorni', '2 settimane'],
  ['durante doze meses', 'doze meses'],
  ['al tien jaar, 6 weken', 'tien jaar', '6 weken'],
  ['przez pięć lat i 4 miesiące', 'pięć lat', '4 miesiące'],
  ['EUR 4,000 and 15 % and £30 million', 'EUR 4,000', '15 %', '£30 million'],
  ['1.250,50 € oder 200 zł', '1.250,50 €', '200 zł'],
  [
    'some fifty pages and 22,000 ecstasy tablets, sixteen other persons',
    'fifty pages',
    '22,000 ecstasy tablets',
    'sixteen other persons',
  ],
])('quantities: %s', (text, ...values) => expect(found(text, 'QUANTITY')).toEqual(values))

test('quantities are found where they are asked for by name only', () => {
  expect(recognise('It took eight days and EUR 4,000.', { threshold: 0.5 })).toEqual([])
})

test.each(['Article 12 applies', 'the year two', 'paragraphs 3 and 4', 'version 2.0.1', 'Nr. 5, § 3', 'two of them'])(
  'no quantity in: %s',
  text => expect(found(text, 'QUANTITY')).toEqual([]),
)

test.each([
  ['by a Turkish national, born in', 'Turkish'],
  ['He served in the British army.', 'British'],
  ['two South African students', 'South African'],
  ['der türkische Staatsangehörige und ihre polnische Herkunft', 'türkische', 'polnische'],
  ['Staatsangehörigkeit: rumänisch', 'rumänisch'],
  ['ressortissant algérien de nationalité française', 'algérien', 'française'],
  ['de nacionalidad rumana, ciudadano boliviano', 'rumana', 'boliviano'],
  ['cittadino albanese, di nazionalità italiana', 'albanese', 'italiana'],
  ['de nacionalidade angolana', 'angolana'],
  ['van Surinaamse afkomst', 'Surinaamse'],
  ['obywatel ukraiński', 'ukraiński'],
  ['She worked as a primary school teacher and as a nurse.', 'primary school teacher'],
  ['My husband is an electrician.', 'electrician'],
  ['Sie arbeitet als Krankenschwester. Er ist als Schreiner tätig.', 'Krankenschwester', 'Schreiner'],
  ['Beruf: Dachdecker\nProfession : aide-soignante', 'Dachdecker', 'aide-soignante'],
  ['elle travaille comme infirmière', 'infirmière'],
  ['trabaja como albañil, de profesión carpintero', 'albañil', 'carpintero'],
  ['lavora come cuoco', 'cuoco'],
  ['trabalha como pedreiro', 'pedreiro'],
  ['hij werkt als timmerman', 'timmerman'],
  ['pracuje jako spawacz', 'spawacz'],
  ['Staatsangeh.: deutsch/tunesisch', 'deutsch/tunesisch'],
  ['Nationalität: ........ syrisch ........', 'syrisch'],
  ['Konfession: [ ] ev. [ ] rk. [x] islam. [ ] ohne', 'islam.'],
  ['Konf. rk  SV-Nr 12', 'rk'],
  ['Wyznanie: rzymskokatolickie', 'rzymskokatolickie'],
  ['Religion: Muslim', 'Muslim'],
  ['Beruf der Mutter: MTA       Arbeitgeber', 'MTA'],
  ['Puesto: mozo de almacén – 28', 'mozo de almacén'],
  ['Stanowisko pracy: ....... księgowa .......', 'księgowa'],
  ['Sie war als Sachbearbeiterin Lohn in unserem Hause tätig.', 'Sachbearbeiterin'],
  ['Best,\nIone Thackerby\nTraining and development coordinator\nPraxton', 'Training and development coordinator'],
  ['> Wim de Haan\n> accountant\n', 'accountant'],
  ['Olive Marrable, the railroad switch operator, said so.', 'railroad switch operator'],
])('origins and professions: %s', (text, ...values) => expect(found(text, 'DEMOGRAPHIC')).toEqual(values))

test.each([
  'The applicant is a party to the case.',
  'Human rights and English language',
  'nationality of the other',
  'als er kam, als Kind',
  'Religion: sehr gut\nEthik: gut',
  'Konfession: [ ] ev. [ ] rk.',
  'als Folge waren viele beschäftigt',
  'It works as a whole, served as of right',
  'Release notes\nPackage manager\n',
  'Manager\nWorker\n',
  'In Python, the package manager, called pip',
])('nothing of anybody in: %s', text => expect(found(text, 'DEMOGRAPHIC')).toEqual([]))

test.each([
  ['2018 – actualidad: maestra\n2014 – 2018: monitora', '2018', '2014 – 2018'],
  ['Seit 2012 bei uns, im Jahr 1998 geboren', '2012', '1998'],
  ['en 2011, desde 2004 hasta 2009', '2011', '2004', '2009'],
  ['depuis 2015; dal 1987; em 2003; sinds 1999; w 2007', '2015', '1987', '2003', '1999', '2007'],
  ['the 1998/99 season, 2001-2003', '1998/99', '2001-2003'],
  ['2009: Abitur\n2010  Studium', '2009', '2010'],
])('years: %s', (text, ...values) => expect(found(text, 'DATE')).toEqual(values))

test.each(['ab 2000 €, de 2000 euros', 'Nr. 2014-5543-1', 'in 20155 Fällen', 'für 2000 kg', 'from 1999.99 on'])(
  'no year in: %s',
  text => expect(found(text, 'DATE')).toEqual([]),
)

test.each([
  ['applications nos. 26480/95, 28291/95 and 43362/96', '26480/95', '28291/95', '43362/96'],
  ['registered under plot no. 937, sheet/plan 33/21.2.3', '937', '33/21.2.3'],
  ['flat no. 128 and decision no. 4471-2', '128', '4471-2'],
])('numbers of files and parcels: %s', (text, ...values) => expect(found(text, 'ID')).toEqual(values))

test.each(['Law no. 657, Protocol No. 1', 'loi n° 1978', 'blood pressure 120/80, 1998/99', 'No. 5', '06221/566999'])(
  'no number of a file in: %s',
  text => expect(found(text, 'ID')).toEqual([]),
)

test.each([
  ['number.no', `no. ${'1-'.repeat(50_000)}`],
  ['quantity.count', `${'three '.repeat(50_000)}`],
  ['quantity.sum-behind', '1 000 '.repeat(50_000)],
  ['origin.people', 'Abcdefgh-'.repeat(30_000)],
  ['profession.is', `he is a ${'-'.repeat(50_000)}`],
  ['creed.labelled', 'Religion: [ ] '.repeat(20_000)],
  ['profession.als-before', `als Ab in ${'ab '.repeat(50_000)}`],
  ['profession.below-name', 'Ab '.repeat(50_000)],
  ['profession.below-name', `Ab Cd\n${'ab, '.repeat(50_000)}`],
  ['year.span', '1999-'.repeat(50_000)],
])('%s takes linear time', (_, text) => {
  const start = process.cpuUsage()
  recognise(text, { threshold: 0.5, entities: ['QUANTITY', 'DEMOGRAPHIC', 'DATE', 'ID'] })
  const { user } = process.cpuUsage(start)
  expect(user / 1e6).toBeLessThan(10)
})
