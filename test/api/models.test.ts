import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { operator } from '../../local/cloud.ts'
import type { Model } from '../../shared/api/models.ts'
import { shippedModels } from '../../shared/engine/models/catalogue.ts'
import { deployed } from './deployed.ts'
import { useOwnService } from './setup.ts'

const shipped = join(import.meta.dirname, '../../models/pii-ner/1.0.0')
const config = readFileSync(join(shipped, 'config.json'))
const card = (fields: object) => JSON.stringify({ licence: 'MIT', languages: ['fr'], ...fields })

/** Objects of the models bucket by key. */
const objects: Record<string, string | Uint8Array> = {
  'own/1.0/config.json': config,
  'own/1.0/tokenizer.json': '{}',
  'own/1.0/onnx/model.onnx': 'weights',
  'own/1.0/anon-model.json': card({ labels: { PERSON: 'NAME', DATE: '' }, description: 'Ours' }),
  'own/2.0/config.json': config,
  'own/2.0/tokenizer.json': '{}',
  'own/3.0/README.md': '# nothing yet',
  'own/4.0/config.json': new Uint8Array(2_000_000),
  'own/5.0/config.json': '{',
  'own/5.0/tokenizer.json': '{}',
  'own/5.0/model.onnx': 'weights',
  'own/6.0/config.json': config,
  'own/6.0/tokenizer.json': '{}',
  'own/6.0/model.onnx': 'weights',
  'own/6.0/anon-model.json': card({ sha256: { 'config.json': '0'.repeat(64) } }),
  // Names that no rule can give, and what would stand in for a model that ships.
  'UPPER/1.0/config.json': config,
  '.hidden/1.0/config.json': config,
  'own/../config.json': config,
  'stray.txt': 'x',
  'pii-ner/1.0.0/config.json': '{',
}

const service = await useOwnService()
const ada = await service.person()
const s3 = deployed
  ? new S3Client()
  : new S3Client({
      endpoint: service.cloud.endpoints.s3,
      region: 'eu-central-1',
      credentials: operator,
      forcePathStyle: true,
    })
const { Buckets = [] } = await s3.send(new ListBucketsCommand())
const Bucket = Buckets.find(({ Name }) => /models/i.test(Name!))!.Name
for (const [Key, Body] of Object.entries(objects)) await s3.send(new PutObjectCommand({ Bucket, Key, Body }))
s3.destroy()

const list = (query: Record<string, unknown> = {}): Promise<Model[]> =>
  ada.client.models.list({ query } as never) as Promise<Model[]>
const named = (models: Model[]) => models.map(({ modelId, modelVersion }) => `${modelId} ${modelVersion}`)

test('what ships is listed as it is, and nothing of the bucket stands in for it', async () => {
  const found = await list({ source: 'shipped' })
  expect(found).toEqual(shippedModels.map(model => ({ ...model, source: 'shipped', usable: true, reason: null })))
  expect(named(await list()).filter(name => name === 'pii-ner 1.0.0')).toHaveLength(1)
})

test('a model of the bucket is described by its folder', async () => {
  const [own] = await list({ modelId: 'own', limit: 1 })
  expect(own).toMatchObject({
    modelId: 'own',
    modelVersion: '1.0',
    source: 'bucket',
    description: 'Ours',
    languages: ['fr'],
    licence: 'MIT',
    usable: true,
    reason: null,
  })
  expect(own!.labels).toContain('NAME')
  expect(own!.labels).not.toContain('DATE')
  const rule = { name: 'Own', type: 'AIMODEL', config: { aiModelRuleConfig: { modelId: 'own', modelVersion: '1.0' } } }
  expect((await service.send('POST', '/rules/', { token: ada.token, body: rule })).status).toBe(200)
})

test.each([
  ['2.0', 'onnx/model_quantized.onnx is missing'],
  ['3.0', 'config.json is missing'],
  ['4.0', 'config.json is larger than 1048576 bytes'],
  ['5.0', 'Model own 5.0: config.json is not valid'],
  ['6.0', 'Model own 6.0: config.json has another SHA-256'],
])('own %s is listed as not usable: %s', async (version, reason) => {
  const found = (await list()).find(({ modelVersion }) => modelVersion === version)
  expect(found).toMatchObject({ source: 'bucket', labels: [], usable: false, reason: expect.stringContaining(reason) })
})

test('names that no rule can give are left out', async () => {
  expect(named(await list({ source: 'bucket' }))).toEqual([1, 2, 3, 4, 5, 6].map(n => `own ${n}.0`))
})

test('the list comes in pages', async () => {
  const { body, headers } = await service.send('GET', '/models?limit=3&sort=-modelVersion&source=bucket', {
    token: ada.token,
  })
  expect(named(body as Model[])).toEqual(['own 6.0', 'own 5.0', 'own 4.0'])
  expect(headers.get('x-total-count')).toBe('6')
  expect(headers.get('link')).toContain('skip=3')
})
