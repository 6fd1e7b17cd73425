import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('nothing that a thread prints gets into the log of its function', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quiet-'))
  const [preload, script, input] = ['preload.mjs', 'run.mjs', 'input'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ]
  // Stands in for a library that prints what it stumbles over: it runs in the thread before anything else.
  await writeFile(
    preload,
    `import { isMainThread } from 'node:worker_threads'
     if (!isMainThread) { console.log('quoted text'); console.error('quoted text') }`,
  )
  await writeFile(input, 'Dear Grace,\n')
  await writeFile(
    script,
    `const { anonymiseIsolated } = await import(${JSON.stringify(new URL('../../shared/jobs/worker/worker-host.ts', import.meta.url).href)})
     const secrets = { hash: Buffer.alloc(32), pseudonym: Buffer.alloc(32) }
     const plan = { rules: [], assetType: 'DOCUMENT' }
     const data = { path: ${JSON.stringify(input)}, name: 'a.txt', plan, secrets, directory: ${JSON.stringify(directory)} }
     const bounds = { milliseconds: 30000, heapMiB: 512, signal: new AbortController().signal, number: async () => [] }
     const { format } = await anonymiseIsolated(data, bounds)
     await new Promise(resolve => setTimeout(resolve, 100))
     console.log('format', format)`,
  )
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', preload, script])
  await rm(directory, { recursive: true })
  expect(stdout).toBe('format txt\n')
  expect(stderr).not.toContain('quoted text')
})
