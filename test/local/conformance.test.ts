import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import type { Emulator, EmulatorOptions } from '../../local/aws/hooks.ts'
import { startDynamoDB } from '../../local/dynamodb/start.ts'
import { startS3 } from '../../local/s3/start.ts'
import { startSQS } from '../../local/sqs/start.ts'

const root = join(import.meta.dirname, '../..')
const suites = join(root, '../shared/conformance')
const present = existsSync(suites)
if (!present) console.log('Skipped: the conformance suites are not beside the repository (../shared/conformance)')

// The suite's scripts find the SDK from where they lie, so they run from a copy below node_modules.
const copy = join(root, 'node_modules/.cache/conformance')
const data = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** Runs a suite against a fresh emulator and returns every check's name and whether it passed. */
async function run(
  suite: string,
  start: (options: EmulatorOptions) => Promise<Emulator>,
): Promise<Map<string, boolean>> {
  mkdirSync(copy, { recursive: true })
  cpSync(suites, copy, { recursive: true })
  const emulator = await start({ directory: join(data, suite) })
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, `${suite}.mjs`), emulator.endpoint], {
      env: { ...process.env, V: '1', AK: 'local', SK: 'local', TMPDIR: data },
      timeout: 240_000,
    })
    const lines = [...stdout.matchAll(/^(ok {2}|FAIL) (.*?) \(\d+ ms\)/gm)]
    const checks = new Map(lines.map(([, result, name]) => [name!, result === 'ok  ']))
    const [, total] = /: \d+\/(\d+) pass/.exec(stdout) ?? []
    expect(lines.length, 'every check of the report is read').toBe(Number(total))
    return checks
  } finally {
    await emulator.close()
  }
}

/** Every miss has its reason here; a check that passes unexpectedly fails the test as well. */
const suitesOf = {
  ddb: {
    start: startDynamoDB,
    checks: 84,
    misses: {
      'PartiQL ExecuteStatement': 'The service uses no PartiQL: expressions cover all that it asks for.',
      'multi-attribute GSI key (Nov 2025 feature)':
        'The stack declares no such index; it is refused rather than ignored.',
    },
  },
  s3: {
    start: startS3,
    checks: 56,
    misses: {
      'S3 -> SQS event delivered': 'The stack subscribes to no bucket events, and each service has a port of its own.',
      versioning: 'The buckets of the stack keep one version; asking for more is refused (NotImplemented).',
      'virtual-hosted style (bucket.localhost)':
        'Needs a resolver that knows *.localhost; endpoints are handed out as 127.0.0.1, where the SDK uses paths.',
    },
  },
  sqs: { start: startSQS, checks: 30, misses: {} },
}

const resolvesSubdomains = await lookup('conf-bucket.localhost').then(
  ({ address }) => address === '127.0.0.1',
  () => false,
)

describe.skipIf(!present)('conformance through the AWS SDK', () => {
  test.concurrent.each(Object.entries(suitesOf))(
    '%s',
    { timeout: 300_000 },
    async (suite, { start, checks, misses }) => {
      const results = await run(suite, start)
      const failed = [...results].filter(([, passed]) => !passed).map(([name]) => name)
      const expected = Object.keys(misses).filter(name => !(name.startsWith('virtual-hosted') && resolvesSubdomains))
      expect(failed.sort()).toEqual(expected.sort())
      expect(results.size).toBe(checks)
    },
  )
})
