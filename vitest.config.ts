import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { Outcome } from './test/outcome.ts'

// Every file has a process of its own: what Node.js compiles in one is kept for all, and for later runs.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** What a file of tests may take with the models, the service and readings of pictures that it starts, bytes. */
const perWorker = 3 * 2 ** 30

/** Everything that is tested. vitest.quick.config.ts takes the part that `npm test` runs. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What is sent to the service is noted, and no log of the run may hold any of it.
    globalSetup: ['test/log-leak-guard/run.ts', 'test/run-folder.ts', 'test/shared-cloud/run.ts'],
    setupFiles: 'test/log-leak-guard/collect.ts',
    // One more than there are processors, for many files wait as long as they compute.
    maxWorkers: Math.max(1, Math.min(availableParallelism() + 1, Math.floor(totalmem() / perWorker))),
    // Of tests in one file that run side by side, each with a local cloud of its own.
    maxConcurrency: 3,
    reporters: ['default', new Outcome()],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    // Vitest gives tests a BASE_URL of its own, the one of web pages. The inference runtime is to report to nobody.
    env: { DEPLOYED_URL: process.env.BASE_URL ?? '', ORT_DISABLE_TELEMETRY: '1' },
  },
})
