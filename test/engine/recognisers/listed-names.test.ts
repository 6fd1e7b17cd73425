import { expect, test } from 'vitest'
import { baseForms } from '../../../shared/engine/recognisers/base-forms.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { listedNames } from '../../../shared/engine/recognisers/listed-names.ts'

const persons = (text: string, language?: string, threshold = 0.5) =>
  listedNames(text, language)
    .filter(({ score }) => score >= threshold)
    .map(({ start, end }) => text.slice(start, end))

test.each([
  ['Gestern kam Gundula Achtelstetter mit Rolf Kroiß.', 'de', 'Gundula Achtelstetter'],
  ['Hier soir, Maëlle Kerangoff a appelé Idrissa Konaté.', 'fr', 'Maëlle Kerangoff', 'Idrissa Konaté'],
  ['Volgens Hendrik van der Spijker kwam Sjoerd niet.', 'nl', 'Hendrik van der Spijker', 'Sjoerd'],
  ['Przekazano Annie Kowalskiej, Markowi i Zającowi.', 'pl', 'Annie Kowalskiej', 'Markowi', 'Zającowi'],
  ['Smlouvu předal Pavlovi Novákovi a Janě Novotné.', 'cs', 'Pavlovi Novákovi', 'Janě Novotné'],
  ['Brevet kom till Nilsson från J. F. Lindström.', 'sv', 'Nilsson', 'J. F. Lindström'],
  ['ROSSI MARIO, nato a Roma; Giulia Bianchi', 'it', 'ROSSI MARIO', 'Giulia Bianchi'],
  ['Ana-Maria Popescu e aici', 'ro', 'Ana-Maria Popescu'],
  ['Gäste: Anna Schneider/2', 'de', 'Anna Schneider'],
])('%s', (text, language, ...names) => {
  expect(persons(text, language)).toEqual(names)
})

test.each([
  ['Der Termin am Montag, Herbst und Winter, Mark und Wolf, Kunde und Vertrag.', 'de'],
  ['Javier HTTP/1.1', 'es'],
  ['Segundo ele, a Corte deve decidir. Durante Abril nada. Claro.', 'pt'],
  ['Will May change? Mark the Date. Grace and Hope. Bill due in June.', 'en'],
  ['Pole 03 formularza. Róża kwitnie. Zima w górach.', 'pl'],
  ['Aube et Fleur. Mai est beau. Victoire hier.', 'fr'],
  ['Vera storia, Bianca neve. Gioia e Amore.', 'it'],
  ['maria.rossi@esempio.it @AnnaSchmidt #PeterMüller Anna_Schmidt', 'it'],
  ['', undefined],
  ['…, 12 + 34', 'xx'],
])('nobody is named in: %s', (text, language) => {
  expect(persons(text, language)).toEqual([])
})

test('a name alone counts where the language of the text is known to have it', () => {
  expect([persons('Sprawę prowadzi Grzegorz.', 'pl'), persons('Sprawę prowadzi Grzegorz.')]).toEqual([['Grzegorz'], []])
  expect([persons('Das sagte Hildegard gern.', 'de'), persons('Das sagte Hildegard gern.', 'de', 0.3)]).toEqual([
    [],
    ['Hildegard'],
  ])
})

test('forms are undone in languages that inflect names only', () => {
  expect([...baseForms('kowalskiego', 'pl')]).toContain('kowalski')
  expect([...baseForms('kowalskiego', 'de'), ...baseForms('kowalskiego', undefined)]).toEqual([])
})

test('the model tells the language of each text by itself', async () => {
  const model = (await patternSource({ modelId: 'pii-patterns', modelVersion: '1.0.0' }))!
  const texts = ['Sprawę prowadzi Grzegorz od wczoraj.', 'This has been done by Grzegorz since.']
  const names = async (language?: string) =>
    (await model.detect(texts, { threshold: 0.5, entities: ['PERSON'], language })).map(list => list.length)
  expect([await names(), await names('pl')]).toEqual([
    [1, 0],
    [1, 1],
  ])
})
