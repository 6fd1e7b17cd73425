import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderSource } from '../../../shared/engine/models/classifier.ts'
import { loadModel } from '../../../shared/engine/models/load-model.ts'

const models = folderSource(join(import.meta.dirname, '../../../models'), 1)
const ner = await loadModel({ modelId: 'pii-ner', modelVersion: '2.5.0' }, [models])

test.each([
  [
    'en',
    'Dear Mr Ångström, I met Anna-Lena Müller in Göteborg.',
    ['PERSON Ångström', 'PERSON Anna-Lena Müller', 'LOCATION Göteborg'],
  ],
  ['es', 'Mi hermana se llama María José García y vive en Sevilla.', ['PERSON María José García', 'LOCATION Sevilla']],
  [
    'de',
    'Frau Annegret Wollschläger wohnt seit Mai in Tübingen.',
    ['PERSON Annegret Wollschläger', 'LOCATION Tübingen'],
  ],
  ['fr', 'Mme Solène Castaing habite à Montpellier.', ['PERSON Solène Castaing', 'LOCATION Montpellier']],
  ['it', 'La signora Fiammetta Donadoni abita a Verona.', ['PERSON Fiammetta Donadoni', 'LOCATION Verona']],
  ['nl', 'Mevrouw Willemijn van der Sluis woont in Utrecht.', ['PERSON Willemijn van der Sluis', 'LOCATION Utrecht']],
  ['pt', 'O meu nome é Filomena Quaresma e moro em Coimbra.', ['PERSON Filomena Quaresma', 'LOCATION Coimbra']],
  [
    'pl',
    'Rozmawiałem z Ziemowitem Wielgomasem o umowie w Krakowie.',
    ['PERSON Ziemowitem Wielgomasem', 'LOCATION Krakowie'],
  ],
  ['cs', 'Včera jsem mluvil s Bohumilem Hrdličkou v Brně.', ['PERSON Bohumilem Hrdličkou', 'LOCATION Brně']],
  ['ru', 'Вчера я говорил с Иваном Кузнецовым в Москве.', ['PERSON Иваном Кузнецовым', 'LOCATION Москве']],
])('pii-ner 2.5.0 reads %s', async (_, text, expected) => {
  const [found] = await ner.detect([text], { threshold: 0.5, entities: ['PERSON', 'LOCATION'] })
  expect(found!.map(({ start, end, label }) => `${label} ${text.slice(start, end)}`)).toEqual(expected)
})

test('it finds nothing in text without names', async () => {
  const texts = [
    'Please find attached the report for the third quarter.',
    'Proszę o wpłatę w ciągu czternastu dni.',
    'Die Kosten des Verfahrens trägt der Kläger.',
  ]
  expect(await ner.detect(texts, { threshold: 0.5 })).toEqual([[], [], []])
})
