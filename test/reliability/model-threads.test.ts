import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { HEAP_MIB, keepThreadReady } from '../../shared/jobs/worker/threads.ts'
import { anonymiseIsolated } from '../../shared/jobs/worker/worker-host.ts'

const directory = mkdtempSync(join(tmpdir(), 'model-threads-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('models answer every asset of a job, one after the other and side by side', async () => {
  keepThreadReady()
  const detection = {
    type: 'AIMODEL' as const,
    modelId: 'pii-patterns',
    modelVersion: '1.0.0',
    confidenceThreshold: 0.5,
  }
  const rules = [{ ruleId: 'r', name: 'Addresses', detection, replacement: { text: '[X]' } }]
  const run = async (name: string) => {
    const own = mkdtempSync(join(directory, 'asset-'))
    const path = join(own, 'input')
    writeFileSync(path, 'Write to a@brookside.example')
    const secrets = { hash: randomBytes(32), pseudonym: randomBytes(32) }
    const given = { path, name, plan: { rules, assetType: 'DOCUMENT' as const }, secrets, directory: own, models: own }
    const { signal } = new AbortController()
    const bounds = { milliseconds: 60_000, heapMiB: HEAP_MIB, signal, number: async () => [] }
    return readFileSync((await anonymiseIsolated({ ...given, job: 'job-1' }, bounds)).path!, 'utf8')
  }
  for (const name of ['a.txt', 'b.txt', 'c.txt']) expect(await run(name)).toBe('Write to [X]')
  const together = await Promise.all(['d.txt', 'e.txt', 'f.txt'].map(run))
  expect(together).toEqual(Array(3).fill('Write to [X]'))
})
