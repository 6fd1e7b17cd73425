import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { type FromModels, modelsBehind, type ToModels } from '../../shared/jobs/worker/model-calls.ts'
import { HEAP_MIB, keepThreadReady } from '../../shared/jobs/worker/threads.ts'
import { anonymiseIsolated } from '../../shared/jobs/worker/worker-host.ts'

const directory = mkdtempSync(join(tmpdir(), 'model-threads-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** All threads of assets and of models, in the order of their start. */
const threads: Worker[] = []
process.on('worker', thread => threads.push(thread))

beforeEach(async () => {
  keepThreadReady()
  await setImmediate()
})

const ruleOf = (modelId: string) => ({
  ruleId: modelId,
  name: modelId,
  detection: { type: 'AIMODEL' as const, modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5 },
  replacement: { text: '[{{label}}]' },
})
const ids = ['pii-patterns', 'pii-ner']

async function run(
  name: string,
  {
    text = 'Margaret Thompson, a@brookside.example',
    models = ids,
    owner = 'owner-1',
    signal = AbortSignal.any([]),
  } = {},
): Promise<string> {
  const own = mkdtempSync(join(directory, 'asset-'))
  const path = join(own, 'input')
  writeFileSync(path, text)
  const secrets = { hash: randomBytes(32), pseudonym: randomBytes(32) }
  const plan = { rules: models.map(ruleOf), assetType: 'DOCUMENT' as const }
  const given = { path, name, plan, secrets, directory: own, models: own, owner }
  const bounds = { milliseconds: 60_000, heapMiB: HEAP_MIB, signal, number: async () => [] }
  return readFileSync((await anonymiseIsolated(given, bounds)).path!, 'utf8')
}

const anonymised = '[PERSON], [EMAIL]'

test('models answer every asset of an owner, one after the other and side by side', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) expect(await run(name)).toBe(anonymised)
  const together = await Promise.all(['d.txt', 'e.txt', 'f.txt'].map(name => run(name)))
  expect(together).toEqual(Array(3).fill(anonymised))
})

/** The threads that were started while something was done. */
async function startedBy(act: () => Promise<void>): Promise<number> {
  await setImmediate()
  const before = threads.length
  await act()
  await setImmediate()
  return threads.length - before
}

test('assets of an owner that ask models have one thread, after the one that stands ready', async () => {
  expect(await run('a.txt', { owner: 'owner-2' })).toBe(anonymised)
  const started = await startedBy(async () => {
    for (let n = 0; n < 8; n++) expect(await run(`${n}.txt`, { owner: 'owner-2' })).toBe(anonymised)
  })
  expect(started).toBe(0)
  expect(await startedBy(async () => expect(await run('a.txt', { owner: 'owner-3' })).toBe(anonymised))).toBe(1)
})

test.each([
  [
    'fails',
    () => expect(run('bad.txt', { owner: 'owner-4', models: ['pii-ner', 'unknown'] })).rejects.toThrow('no model'),
  ],
  [
    'is cancelled',
    async () => {
      const text = 'Margaret Thompson was here. '.repeat(20_000)
      const controller = new AbortController()
      const ended = run('long.txt', { owner: 'owner-4', text, models: ['pii-ner'], signal: controller.signal })
      setTimeout(() => controller.abort(new Error('cancelled')), 1500)
      await expect(ended).rejects.toThrow('cancelled')
    },
  ],
])('an asset that asks models and %s ends its thread, and the next one is answered', async (_, act) => {
  expect(await run('a.txt', { owner: 'owner-4' })).toBe(anonymised)
  expect(await startedBy(act)).toBe(0)
  expect(await startedBy(async () => expect(await run('b.txt', { owner: 'owner-4' })).toBe(anonymised))).toBe(1)
})

test('an asset whose waiting thread has died gets another one, with a port of its own', async () => {
  const ready = threads.at(-1)!
  expect(await run('a.txt', { owner: 'owner-5' })).toBe(anonymised)
  void ready.terminate()
  expect(await run('b.txt', { owner: 'owner-5' })).toBe(anonymised)
})

test('patterns are searched for in all cells of a table, however many are asked for at once', async () => {
  const rows = Array.from({ length: 25_000 }, (_, n) => `${n},ada.${n}@brookside.example`)
  const text = ['id,contact', ...rows].join('\n')
  const lines = (await run('a.csv', { text, models: ['pii-patterns'], owner: 'owner-6' })).split('\n')
  expect(lines).toEqual(['id,contact', ...rows.keys().map(n => `${n},[EMAIL]`)])
})

/** A thread of models that answers when it is told to. */
function answering(port: MessagePort) {
  const asked: ToModels[] = []
  port.on('message', (call: ToModels) => {
    if (call.type === 'load') port.postMessage({ id: call.id, ok: true } satisfies FromModels)
    else asked.push(call)
  })
  const answer = (label: string) => {
    const found = [[{ start: 0, end: 1, label, score: 1, evidence: { by: 'model' as const } }]]
    for (const { id } of asked.splice(0)) port.postMessage({ id, ok: true, found } satisfies FromModels)
  }
  return { asked, answer }
}

test('what was asked over one port is neither answered over another nor waited for once it is closed', async () => {
  const reference = { modelId: 'pii-ner', modelVersion: '1.0.0' }
  const [first, second] = [new MessageChannel(), new MessageChannel()]
  const [theirs, ours] = [answering(first.port2), answering(second.port2)]
  const early = (await modelsBehind(first.port1)(reference))!
  const late = expect(early.detect(['x'], { threshold: 0 })).rejects.toThrow('The models have ended')
  await vi.waitFor(() => expect(theirs.asked).toHaveLength(1))
  first.port1.close()
  const model = (await modelsBehind(second.port1)(reference))!
  const found = model.detect(['y'], { threshold: 0 })
  theirs.answer('THEIRS')
  await late
  await expect(early.detect(['z'], { threshold: 0 })).rejects.toThrow('The models have ended')
  await delay(20)
  ours.answer('OURS')
  expect((await found)[0]![0]!.label).toBe('OURS')
  second.port1.close()
})
