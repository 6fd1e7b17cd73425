import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Two cores are the smallest machine this must pass on; more workers only make timings noisier.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
