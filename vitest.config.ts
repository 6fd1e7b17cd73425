import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { Outcome } from './test/outcome.ts'
import { LongestFirst } from './test/sequencer.ts'
import { changing } from './test/slow.ts'
import { v8Flags } from './test/v8-flags.ts'

// What Node.js compiles in one process is kept for the others, and for later runs.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** What a file of tests may take with the models, the service and readings of pictures that it starts, bytes. */
const perWorker = 3 * 2 ** 30

const common = {
  // What is sent to the service is noted, and no log of the run may hold any of it.
  setupFiles: 'test/log-leak-guard/collect.ts',
  // One more than there are processors, for many files wait as long as they compute.
  maxWorkers: Math.max(1, Math.min(availableParallelism() + 1, Math.floor(totalmem() / perWorker))),
  // Of tests in one file that run side by side, each with a local cloud of its own.
  maxConcurrency: 3,
  testTimeout: 60_000,
  hookTimeout: 300_000,
  // Vitest gives tests a BASE_URL of its own, the one of web pages. The inference runtime is to report to nobody.
  env: { DEPLOYED_URL: process.env.BASE_URL ?? '', ORT_DISABLE_TELEMETRY: '1' },
}

/** A part of the tests with settings of its own, and a name that the run shows. */
const part = (
  name: string,
  include: string[],
  more: { isolate?: boolean; exclude?: string[]; execArgv?: string[] } = {},
) => ({
  extends: false as const,
  test: { ...common, name, include, ...more },
})

/** Modules keep nothing between calls that a test could change: files share processes, which load each module once. */
const shared = (name: string, include: string[], exclude: string[] = [], execArgv: string[] = []) =>
  part(name, include, { isolate: false, exclude, execArgv })

export const engine = shared('engine', ['test/engine/**/*.test.ts'])

/** Everything else. */
export const service = shared('service', ['test/!(engine)/**/*.test.ts', 'test/*.test.ts'], changing, v8Flags)

/** Files that change their process. */
export const serviceAlone = part('service, alone', changing, { execArgv: v8Flags })

/** Everything that is tested. vitest.quick.config.ts takes the part that `npm test` runs. */
export default defineConfig({
  test: {
    globalSetup: ['test/log-leak-guard/run.ts', 'test/run-folder.ts', 'test/shared-cloud/run.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new Outcome()],
    projects: [service, serviceAlone, engine],
  },
})
