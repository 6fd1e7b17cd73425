import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Emulator, EmulatorOptions } from 'aws-emulators'
import { startDynamoDB, startS3, startSQS } from 'aws-emulators'
import { afterAll, describe, expect, test } from 'vitest'
import { hasDynoxide, startDynoxide } from '../emulators/dynoxide.ts'
import { hasDynamoDBLocal, hasElasticMQ, startDynamoDBLocal, startElasticMQ } from '../emulators/java.ts'
import { installLocalStack, startLocalStack } from '../emulators/localstack.ts'
import { installMiniStack, startMiniStack } from '../emulators/ministack.ts'
import { exhaustive } from '../runs.ts'
import { checks, misses, type Suite, uncertain } from './known-misses.ts'

const root = join(import.meta.dirname, '../..')
const suites = join(root, '../shared/conformance')
const present = existsSync(suites)
if (!present) console.log('Skipped: the conformance suites are not beside the repository (../shared/conformance)')

// The suite's scripts find the SDK from where they lie, so they run from a copy below node_modules.
const copy = join(root, 'node_modules/.cache/conformance')
const data = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

type Started = { endpoint: string; environment?: NodeJS.ProcessEnv; stop(): Promise<void> }
type Start = (folder: string) => Promise<Started>

const ours =
  (start: (options: EmulatorOptions) => Promise<Emulator>): Start =>
  async directory => {
    const { endpoint, close } = await start({ directory })
    return { endpoint, stop: close }
  }
/** Starts a server once for all suites, which each use another of its services; it ends after them. */
function once(start: Start): Start {
  let starting: Promise<Started> | undefined
  afterAll(async () => (await starting)?.stop())
  return async folder => {
    starting ??= start(folder)
    return { ...(await starting), stop: async () => {} }
  }
}
const ministack = once(folder => startMiniStack(folder, 'local'))
const localstack = once(startLocalStack)
// Others' servers have versions that stand still: only the long run tries them.
const others = present && exhaustive
const noMiniStack = others ? await installMiniStack() : undefined
const noLocalStack = others ? await installLocalStack() : undefined
if (noLocalStack) console.log(`Skipped: the conformance of LocalStack, since ${noLocalStack}`)
if (noMiniStack) console.log(`Skipped: the conformance of MiniStack, since ${noMiniStack}`)
if (others && !hasDynoxide) console.log('Skipped: the conformance of dynoxide, which there is for Linux on x64 only')
if (others && !hasDynamoDBLocal) console.log('Skipped: the conformance of DynamoDB Local, which is not in AWS_SERVERS')
if (others && !hasElasticMQ) console.log('Skipped: the conformance of ElasticMQ, which is not in AWS_SERVERS')

const all = ['ddb', 's3', 'sqs'] as const
type Row = [engine: string, suite: Suite, start: Start]
const own: Row[] = [
  ['own', 'ddb', ours(startDynamoDB)],
  ['own', 's3', ours(startS3)],
  ['own', 'sqs', ours(startSQS)],
]
const rowsOfOthers: Row[] = [
  ...(hasDynoxide ? [['dynoxide', 'ddb', startDynoxide] satisfies Row] : []),
  ...(hasDynamoDBLocal ? [['dynamodb-local', 'ddb', startDynamoDBLocal] satisfies Row] : []),
  ...(hasElasticMQ ? [['elasticmq', 'sqs', startElasticMQ] satisfies Row] : []),
  ...(noMiniStack ? [] : all.map(suite => ['ministack', suite, ministack] satisfies Row)),
  ...(noLocalStack ? [] : all.map(suite => ['localstack', suite, localstack] satisfies Row)),
]

/** Runs a suite against an engine that holds nothing of its service, and returns every check's name and whether it passed. */
async function run(engine: string, suite: Suite, start: Start): Promise<Map<string, boolean>> {
  mkdirSync(copy, { recursive: true })
  cpSync(suites, copy, { recursive: true })
  const { endpoint, environment, stop } = await start(join(data, `${engine}-${suite}`))
  const key = environment?.AWS_ACCESS_KEY_ID ?? 'local'
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, `${suite}.mjs`), endpoint], {
      env: { ...process.env, V: '1', AK: key, SK: key, TMPDIR: data },
      timeout: 240_000,
    })
    const lines = [...stdout.matchAll(/^(ok {2}|FAIL) (.*?) \(\d+ ms\)/gm)]
    const results = new Map(lines.map(([, result, name]) => [name!, result === 'ok  ']))
    const [, total] = /: \d+\/(\d+) pass/.exec(stdout) ?? []
    expect(lines.length, 'every check of the report is read').toBe(Number(total))
    return results
  } finally {
    await stop()
  }
}

const resolvesSubdomains = await lookup('conf-bucket.localhost').then(
  ({ address }) => address === '127.0.0.1',
  () => false,
)

describe.skipIf(!present)('conformance through the AWS SDK', () => {
  const matrix: Record<string, Record<string, string>> = {}
  afterAll(() => console.table(matrix))

  test.each(others ? [...own, ...rowsOfOthers] : own)('%s: %s', { timeout: 300_000 }, async (engine, suite, start) => {
    const results = await run(engine, suite, start)
    // How fast an engine is, is no matter of conformance, and a busy machine makes any too slow.
    const certain = (name: string) => !name.startsWith('speed:') && !(name in (uncertain[engine]?.[suite] ?? {}))
    const failed = [...results].filter(([name, passed]) => !passed && certain(name)).map(([name]) => name)
    matrix[engine] ??= {}
    matrix[engine][suite] = `${[...results.values()].filter(Boolean).length} of ${results.size}`
    const expected = Object.keys(misses[engine]?.[suite] ?? {})
    const due = expected.filter(name => !(name.startsWith('virtual-hosted') && resolvesSubdomains))
    expect(failed.sort()).toEqual(due.sort())
    expect(results.size).toBe(checks[suite])
  })
})
