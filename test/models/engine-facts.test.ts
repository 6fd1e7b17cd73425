import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from 'anonymisation-engine'
import { expect, onTestFinished, test } from 'vitest'
import { engineFacts } from '../../shared/jobs/worker/engine-facts.ts'
import { modelCache } from '../../shared/models/fetch.ts'

const planOf = (...models: [modelId: string, modelVersion: string][]): Plan => ({
  assetType: 'DOCUMENT',
  rules: models.map(([modelId, modelVersion]) => ({
    ...{ ruleId: modelId, name: modelId, replacement: { text: '#' } },
    detection: { type: 'AIMODEL', modelId, modelVersion, confidenceThreshold: 0.5 },
  })),
})

test('tells the digests of models, and the languages that they were made for', async () => {
  const own = join(modelCache, 'engine-facts-test', '1.0.0')
  onTestFinished(() => rmSync(join(own, '..'), { recursive: true }))
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'config.json'), JSON.stringify({ id2label: { 0: 'O', 1: 'B-PERSON' } }))
  writeFileSync(join(own, 'anon-model.json'), JSON.stringify({ languages: ['fi', 'sv'] }))
  const names = [
    ['pii-ner', '1.0.0'],
    ['pii-patterns', '1.0.0'],
    ['engine-facts-test', '1.0.0'],
    ['no-such-model', '1.0.0'],
    ['pii-patterns', '1.0.0'],
  ] as [string, string][]
  const { models } = await engineFacts(planOf(...names))
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(models).toEqual([
    {
      modelId: 'pii-ner',
      modelVersion: '1.0.0',
      sha256: digest,
      languages: ['en', 'es', 'de', 'pt', 'no', 'sv', 'da'],
    },
    { modelId: 'pii-patterns', modelVersion: '1.0.0', sha256: null, languages: [] },
    { modelId: 'engine-facts-test', modelVersion: '1.0.0', sha256: digest, languages: ['fi', 'sv'] },
    { modelId: 'no-such-model', modelVersion: '1.0.0', sha256: null },
  ])
})

test('a version that ships no more has the digest of what reads for it', async () => {
  const { models } = await engineFacts(planOf(['pii-ner', '2.2.0'], ['pii-ner', '2.5.0']))
  expect(models[0]).toMatchObject({ modelVersion: '2.2.0', sha256: models[1]!.sha256 })
  expect(models[1]!.sha256).toMatch(/^[0-9a-f]{64}$/)
})
