import { defineConfig } from 'vitest/config'
import { slow } from './test/slow.ts'
import all, { engine, service, serviceAlone } from './vitest.config.ts'

/** What `npm test` runs: everything but what is slow, and a part of what is tried very often. */
const quick = ({ test }: typeof service) => ({
  extends: false as const,
  test: { ...test, exclude: [...(test.exclude ?? []), ...slow], env: { ...test.env, SHARE_OF_RUNS: '0.2' } },
})

export default defineConfig({ test: { ...all.test, projects: [engine, service, serviceAlone].map(quick) } })
