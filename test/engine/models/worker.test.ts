import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ModelDetection, Plan } from '../../../shared/engine/plan.ts'
import { anonymiseIsolated } from '../../../shared/jobs/isolate.ts'

const directory = mkdtempSync(join(tmpdir(), 'model-rules-'))
afterAll(() => rmSync(directory, { recursive: true }))

const rule = (modelId: string, more: Partial<ModelDetection> = {}): Plan['rules'][number] => ({
  ruleId: modelId,
  name: modelId,
  detection: { type: 'AIMODEL', modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5, ...more },
  replacement: { text: '[{{label}}]' },
})

async function run(text: string, rules: Plan['rules']): Promise<string> {
  const path = join(directory, `${randomBytes(4).toString('hex')}.txt`)
  writeFileSync(path, text)
  const result = await anonymiseIsolated(
    {
      path,
      name: 'letter.txt',
      plan: { rules, assetType: 'DOCUMENT' },
      secrets: { hash: randomBytes(32), pseudonym: randomBytes(32) },
      directory,
      models: directory,
    },
    {
      milliseconds: 120_000,
      heapMiB: 1024,
      signal: new AbortController().signal,
      number: async keys => keys.map((_, i) => i + 1),
    },
  )
  return readFileSync(result.path, 'utf8')
}

test('model rules replace names and identifiers in the thread that assets are processed in', async () => {
  const text =
    'Dear Margaret Thompson,\nyour card 4111 1111 1111 1111 was sent to Chicago.\nMargaret Thompson may call.\n'
  const out = await run(text, [rule('pii-patterns'), rule('pii-ner', { entities: ['PERSON', 'LOCATION'] })])
  expect(out).toBe('Dear [PERSON],\nyour card [PAYMENT_CARD] was sent to [LOCATION].\n[PERSON] may call.\n')
})

test('a model that is nowhere fails the asset', async () => {
  await expect(run('text', [rule('unknown')])).rejects.toMatchObject({
    type: 'model_load_failed',
    message: 'There is no model unknown 1.0.0',
  })
})
