import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { ModelDetection, Plan } from '../../../shared/engine/plan.ts'
import { modelsBehind } from '../../../shared/jobs/worker/model-calls.ts'
import { connectModels } from '../../../shared/jobs/worker/model-host.ts'
import { anonymiseIsolated } from '../../../shared/jobs/worker/worker-host.ts'

const directory = mkdtempSync(join(tmpdir(), 'model-rules-'))
afterAll(() => rmSync(directory, { recursive: true }))

const rule = (modelId: string, more: Partial<ModelDetection> = {}): Plan['rules'][number] => ({
  ruleId: modelId,
  name: modelId,
  detection: { type: 'AIMODEL', modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5, ...more },
  replacement: { text: '[{{label}}]' },
})

async function run(text: string, rules: Plan['rules'], signal = new AbortController().signal): Promise<string> {
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
      signal,
      number: async keys => keys.map((_, i) => i + 1),
    },
  )
  return readFileSync(result.path!, 'utf8')
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

/** A copy of the model that ships, in the folder of fetched ones. */
function fetched(modelId: string) {
  cpSync(join(import.meta.dirname, '../../../models/pii-ner/1.0.0'), join(directory, modelId, '1.0.0'), {
    recursive: true,
  })
}
const forget = (modelId: string) => rmSync(join(directory, modelId), { recursive: true })
const people = (modelId: string) => [rule(modelId, { entities: ['PERSON'] })]

test('a model stays loaded for the next asset', async () => {
  fetched('kept')
  expect(await run('I met Margaret Thompson.', people('kept'))).toBe('I met [PERSON].')
  // Loaded again, it would not be found.
  forget('kept')
  expect(await run('I saw Margaret Thompson.', people('kept'))).toBe('I saw [PERSON].')
})

test('an asset that is ended while a model reads it leaves the model to the next one', async () => {
  fetched('spared')
  await run('I met Margaret Thompson.', people('spared'))
  forget('spared')
  const controller = new AbortController()
  const ended = run('Margaret Thompson was here. '.repeat(20_000), people('spared'), controller.signal)
  setTimeout(() => controller.abort(new Error('cancelled')), 1500)
  await expect(ended).rejects.toThrow('cancelled')
  expect(await run('I saw Margaret Thompson.', people('spared'))).toBe('I saw [PERSON].')
})

test('a thread of models that does not answer is replaced', async () => {
  fetched('hung')
  await run('I met Margaret Thompson.', people('hung'))
  const port = await connectModels(directory)
  const model = await modelsBehind(port)({ modelId: 'hung', modelVersion: '1.0.0' })
  const asked = model!.detect(['Margaret Thompson was here. '.repeat(20_000)], { threshold: 0.5 })
  let over = false
  const ended = expect(asked)
    .rejects.toThrow('The models have ended')
    .finally(() => {
      over = true
    })
  // Without any patience, whatever runs counts as hung; between two batches it may still answer in time.
  let other = await connectModels(directory, undefined, 0)
  while (!over) {
    await delay(50)
    if (!over) other = await connectModels(directory, undefined, 0)
  }
  await ended
  forget('hung')
  await expect(modelsBehind(other)({ modelId: 'hung', modelVersion: '1.0.0' })).rejects.toThrow(
    'There is no model hung',
  )
  other.close()
  expect(await run('I saw Margaret Thompson.', people('pii-ner'))).toBe('I saw [PERSON].')
})

test('threads that are replaced in the middle of a batch leave the process alive', async () => {
  for (const milliseconds of [100, 200, 300, 400]) {
    const port = await connectModels(directory)
    const model = await modelsBehind(port)({ modelId: 'pii-ner', modelVersion: '1.0.0' })
    const asked = model!.detect(['Margaret Thompson was here. '.repeat(20_000)], { threshold: 0.5 })
    const ended = asked.then(
      () => true,
      () => true,
    )
    await delay(milliseconds)
    // Without any patience whatever runs counts as hung, but for the moment between two batches.
    while (!(await Promise.race([ended, delay(0)]))) {
      const other = await connectModels(directory, undefined, 0)
      other.close()
    }
  }
  expect(await run('I saw Margaret Thompson.', people('pii-ner'))).toBe('I saw [PERSON].')
})
