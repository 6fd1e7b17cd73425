import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startS3 } from 'aws-emulators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderSource } from '../../shared/engine/models/classifier.ts'
import { loadModel } from '../../shared/engine/models/load-model.ts'
import type { Plan } from '../../shared/engine/plan.ts'
import { fetchModels, modelCache } from '../../shared/models/fetch.ts'

const modelId = `own-${randomUUID().slice(0, 8)}`
const shipped = join(import.meta.dirname, '../../models/pii-ner/1.0.0')
const files = ['config.json', 'tokenizer.json', 'anon-model.json', 'onnx/model_quantized.onnx']
let end: () => Promise<void>

const plan = (modelVersion: string): Plan => ({
  rules: [
    {
      ruleId: '1',
      name: 'own',
      detection: { type: 'AIMODEL', modelId, modelVersion, confidenceThreshold: 0.5 },
      replacement: { remove: {} },
    },
  ],
  assetType: 'DOCUMENT',
})

beforeAll(async () => {
  const s3 = await startS3({ directory: mkdtempSync(join(tmpdir(), 's3-')) })
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    BUCKET_MODELS: 'models',
  })
  end = () => s3.close()
  const client = new S3Client({ forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'models' }))
  const put = (Key: string, Body: Uint8Array) => client.send(new PutObjectCommand({ Bucket: 'models', Key, Body }))
  for (const file of files) await put(`${modelId}/1.0/${file}`, readFileSync(join(shipped, file)))
  await put(`${modelId}/large/config.json`, new Uint8Array(2_000_000))
  client.destroy()
})
afterAll(async () => {
  rmSync(join(modelCache, modelId), { recursive: true, force: true })
  await end()
})

test('a model of the bucket is brought to this machine once, and works', async () => {
  await Promise.all([fetchModels(plan('1.0')), fetchModels(plan('1.0'))])
  const model = await loadModel({ modelId, modelVersion: '1.0' }, [folderSource(modelCache, 1)])
  const [found] = await model.detect(['I met Margaret Thompson.'], { threshold: 0.5, entities: ['PERSON'] })
  expect(found).toMatchObject([{ start: 6, end: 23, label: 'PERSON' }])
})

test('a file that is too large is never fetched', async () => {
  await expect(fetchModels(plan('large'))).rejects.toMatchObject({
    type: 'model_load_failed',
    message: expect.stringContaining('config.json is larger than'),
  })
})

test('a model that is not in the bucket leaves nothing behind', async () => {
  await fetchModels(plan('2.0'))
  expect(existsSync(join(modelCache, modelId, '2.0'))).toBe(false)
})
