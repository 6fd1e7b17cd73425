import { defineConfig } from 'vitest/config'
import { Outcome } from './test/outcome.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What is sent to the service is noted, and no log of the run may hold any of it.
    globalSetup: 'test/log-leak-guard/run.ts',
    setupFiles: 'test/log-leak-guard/collect.ts',
    // Two cores are the smallest machine this must pass on; more workers only make timings noisier.
    maxWorkers: 2,
    reporters: ['default', new Outcome()],
    // On a machine that is busy with other things a deadline may be missed: what passed the second time only is named.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 300_000,
    // Vitest gives tests a BASE_URL of its own, the one of web pages. The inference runtime is to report to nobody.
    env: { DEPLOYED_URL: process.env.BASE_URL ?? '', ORT_DISABLE_TELEMETRY: '1' },
  },
})
