import { expect, test } from 'vitest'
import { loadLanguages } from '../../../shared/engine/detect/language.ts'

const tell = await loadLanguages()

test.each([
  ['en', 'The tenant has paid the rent for the last three months.'],
  ['de', 'Die Mieterin hat die Miete der letzten drei Monate bezahlt.'],
  ['fr', 'La locataire a payé le loyer des trois derniers mois.'],
  ['es', 'La inquilina ha pagado el alquiler de los últimos tres meses.'],
  ['it', 'L’inquilina ha pagato l’affitto degli ultimi tre mesi.'],
  ['nl', 'De huurster heeft de huur van de laatste drie maanden betaald.'],
  ['pt', 'A inquilina pagou a renda dos últimos três meses, mas não tudo.'],
  ['pl', 'Najemczyni zapłaciła czynsz za ostatnie trzy miesiące.'],
  ['cs', 'Nájemnice zaplatila nájem za poslední tři měsíce.'],
  ['sv', 'Hyresgästen har betalat hyran för de senaste tre månaderna.'],
  ['ru', 'Квартиросъёмщица заплатила за последние три месяца.'],
  ['zh', '租客已经付了最近三个月的房租。'],
])('%s', (language, text) => {
  expect(tell(text)).toBe(language)
})

test.each([
  ['he', 'דוד כהן גר בתל אביב'],
  ['zh', '王建國 ABC'],
  ['ja', '東京のビル 3-1'],
  ['ko', '김철수'],
  ['th', 'สมชาย'],
  [undefined, 'Acme 东 Ltd 12'],
])('%s by its script alone: %s', (language, text) => {
  expect(tell(text)).toBe(language)
})

test('what says nothing has no language', () => {
  expect(['', ' \n', '12.05.2024', '4111 1111 1111 1111', '<>{}'].map(text => tell(text))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
})

test('a long text is told by more than its beginning', () => {
  const german = 'Die Mieterin hat die Miete der letzten drei Monate wieder nicht bezahlt. '
  expect(tell(`${'Acme Ltd 12 Main Street Springfield '.repeat(3)}${german.repeat(200)}`)).toBe('de')
})
