import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { shippedModels } from '../../../shared/engine/models/catalogue.ts'
import { folderSource } from '../../../shared/engine/models/classifier.ts'
import { loadModel } from '../../../shared/engine/models/load-model.ts'
import type { ModelSource } from '../../../shared/engine/models/model.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'

const shipped = join(import.meta.dirname, '../../../models')
const sources = [patternSource, folderSource(shipped, 1)]
const ner = await loadModel({ modelId: 'pii-ner', modelVersion: '1.0.0' }, sources)
const root = mkdtempSync(join(tmpdir(), 'classifier-'))
afterAll(() => rmSync(root, { recursive: true }))

const ask = async (text: string, entities?: string[], threshold = 0.5) =>
  (await ner.detect([text], { threshold, entities }))[0]!.map(
    ({ start, end, label }) => `${label} ${text.slice(start, end)}`,
  )

test.each(shippedModels)(
  '$modelId $modelVersion is what the catalogue says',
  async ({ modelId, modelVersion, labels, languages }) => {
    const model = await loadModel({ modelId, modelVersion }, sources)
    expect([model.labels, model.languages]).toEqual([labels, languages])
  },
)

describe('pii-ner finds', () => {
  test.each([
    [
      'Dear Mr Ångström, I met Anna-Lena Müller in Göteborg.',
      ['PERSON Ångström', 'PERSON Anna-Lena Müller', 'LOCATION Göteborg'],
    ],
    ['Deutsche Bank opened an office in Chicago.', ['ORGANIZATION Deutsche Bank', 'LOCATION Chicago']],
    ['Please find attached the report for the third quarter.', []],
    ['Mi hermana se llama María José García y vive en Sevilla.', ['PERSON María José García', 'LOCATION Sevilla']],
  ])('%s', async (text, expected) => {
    expect(await ask(text, ['PERSON', 'LOCATION', 'ORGANIZATION'])).toEqual(expected)
  })
})

test.each([
  [
    'Anschrift: Hauptstr. 4, 94032 Passau\nArtikel Menge Preis\nFliesen 12 96,00\nVielen Dank.',
    ['Hauptstr. 4, 94032 Passau'],
  ],
  ['Morada: Rua Nova 12, 4100-130 Porto\nArtigo Qtd Preço\nAzulejos 12 96,00', ['Rua Nova 12, 4100-130 Porto']],
  ['Prinsengracht 482\n1017 KG Amsterdam\nUtrecht, 6 juni 2025', ['Prinsengracht 482\n1017 KG Amsterdam', 'Utrecht']],
])('an address ends where it ends: %s', async (text, expected) => {
  expect((await ask(text)).filter(one => one.startsWith('ADDRESS '))).toEqual(expected.map(one => `ADDRESS ${one}`))
})

test.each([
  ['Dr Solène Quéméneur, RPPS 10001234567', 'RPPS'],
  ['Uw zoon heeft gebeld vanaf 06-12345678.', 'vanaf'],
  ['Heeft u nog vragen, bel dan 030 - 123 45 67.', 'vragen'],
  ['proszę wpłacić na rachunek PL61 1090 1014 0000 0712 1981 2874.', 'rachunek'],
])('no word that names no street or town is an address: %s', async (text, word) => {
  expect((await ask(text)).filter(one => one.includes(word))).toEqual([])
})

test('a name takes no label of the next line along', async () => {
  const found = await ask('Nome: Zulmira Teixeira Pacheco\nMorada: Avenida da Boavista 1203, Porto', ['PERSON'])
  expect(found).toEqual(['PERSON Zulmira Teixeira Pacheco'])
})

test('no text is cut short: a name is found at every place of a long one', async () => {
  const filler = 'Nothing of interest happened on the way to the station that day. '
  for (const repeats of [0, 3, 40, 700, 1500]) {
    const text = `${filler.repeat(repeats)}Then Margaret Thompson called.${` ${filler}`.repeat(20)}`
    expect(await ask(text, ['PERSON'])).toEqual(['PERSON Margaret Thompson'])
  }
}, 600_000)

test('offsets hold among characters of every width', async () => {
  const text = '😀👩‍👩‍👧 ﬁ İ e\u0301 日本語: my name is Margaret Thompson 😀'
  expect(await ask(text, ['PERSON'])).toEqual(['PERSON Margaret Thompson'])
})

test('equal texts are answered alike, empty and blank ones with nothing', async () => {
  const texts = ['Anna Petersson', '', '   \n', 'Anna Petersson']
  const found = await ner.detect(texts, { threshold: 0.5, entities: ['PERSON'] })
  expect(found.map(list => list.length)).toEqual([1, 0, 0, 1])
  expect(found[3]).toEqual(found[0])
})

test('batches do not change what is found', async () => {
  const texts = ['Anna Petersson lives in Malmö.', 'Chicago', 'Call John Smith at Siemens tomorrow, he knows Paul.']
  const together = await ner.detect(texts, { threshold: 0.5 })
  for (const [i, text] of texts.entries()) {
    const [alone] = await ner.detect([text], { threshold: 0.5 })
    expect(together[i]!.map(one => [one.start, one.end, one.label])).toEqual(
      alone!.map(one => [one.start, one.end, one.label]),
    )
  }
})

test('the zone behind a time of day is no telephone number', async () => {
  const texts = ['Date: Tue, 3 Mar 2026 10:22:11 +0100', 'Sent: 10:22 +01:00 (CET)', 'at 10:22:11.123456 -0530']
  const found = await ner.detect(texts, { threshold: 0.5 })
  const zones = found.map((list, i) => list.filter(({ end }) => end > texts[i]!.search(/[+-]\d/)))
  expect(zones).toEqual([[], [], []])
})

test('what stands inside an address of mail or of the web is left to the patterns', async () => {
  expect(await ask('Write to anna.petersson@example.org or see https://example.org/Anna', ['PERSON'])).toEqual([])
})

test('a higher threshold never finds more', async () => {
  const text = 'Rumsfeld staffed the CPA with people from Texas, said Xinhua on Monday.'
  const counts = []
  for (const threshold of [0.1, 0.5, 0.9, 1]) counts.push((await ask(text, undefined, threshold)).length)
  expect(counts.toSorted((a, b) => b - a)).toEqual(counts)
})

test('an abort ends the work', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(ner.detect(['Anna'], { threshold: 0.5, signal })).rejects.toThrow('stopped')
})

test('a model whose weights were changed, or that the runtime refuses, does not load', async () => {
  cpSync(join(shipped, 'pii-ner/1.0.0'), join(root, 'changed/1'), { recursive: true })
  writeFileSync(join(root, 'changed/1/onnx/model_quantized.onnx'), 'x')
  const load = loadModel({ modelId: 'changed', modelVersion: '1' }, [folderSource(root, 1)])
  await expect(load).rejects.toMatchObject({ type: 'model_load_failed', message: expect.stringContaining('SHA-256') })
  rmSync(join(root, 'changed/1/anon-model.json'))
  const again = loadModel({ modelId: 'changed', modelVersion: '1' }, [folderSource(root, 1)])
  await expect(again).rejects.toThrow('it is not an ONNX model')
})

test.each([
  ['../models', '1.0.0'],
  ['pii-ner', '../pii-ner/1.0.0'],
  ['pii-ner', '9.0.0'],
])('nothing is looked up for %s %s', async (modelId, modelVersion) => {
  await expect(loadModel({ modelId, modelVersion }, sources)).rejects.toMatchObject({ type: 'model_load_failed' })
})

test('a model is loaded once for many callers', async () => {
  let calls = 0
  const counting: ModelSource = async () => {
    calls++
    return ner
  }
  const reference = { modelId: 'counted', modelVersion: '1' }
  await Promise.all([loadModel(reference, [counting]), loadModel(reference, [counting])])
  await loadModel(reference, [counting])
  expect(calls).toBe(1)
})

test('a model in use goes on working when others take its place, and close it', async () => {
  for (const modelId of ['a', 'b', 'c', 'd']) await loadModel({ modelId, modelVersion: '1' }, [async () => ner])
  expect(await ask('Anna Petersson', ['PERSON'])).toEqual(['PERSON Anna Petersson'])
})
