import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, type TestContext } from 'vitest'
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../local/cloud.ts'
import { type Client, logIn } from '../../shared/api/client.ts'

/** A local cloud to disturb. */
export type Stage = {
  cloud: LocalCloud
  client: Client
  /** Workflows that replace e-mail addresses in documents, and in tables. */
  workflowId: string
  tableWorkflowId: string
  /** A source of local files, and the folder where they are kept. */
  sourceId: string
  files: string
  close(): Promise<void>
}

/** From this size on, bytes, a table of a stage is cut into chunks of the second size. */
export const LARGE_TABLE = 16_000
const CHUNK = '6000'

/** Starts a local cloud in a folder of its own; messages come back a second after a failure, silence counts as loss after three. */
export async function startStage(options: Partial<LocalCloudOptions>): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'reliability-'))
  const sizes = { FAN_OUT_BYTES: String(LARGE_TABLE), CHUNK_BYTES: CHUNK }
  const EGRESS_ALLOW = '127.0.0.0/8'
  const environment = {
    RATE_LIMIT_PER_USER: '1000000',
    EGRESS_ALLOW,
    STALLED_SECONDS: '3',
    ...sizes,
    ...options.environment,
  }
  const cloud = await startLocalCloud({ redeliverySeconds: 1, ...options, directory, environment })
  const client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: '[EMAIL]' } }]
  const workflow = (supportedAssetType: 'DOCUMENT' | 'TABLE') =>
    client.workflows.create({ body: { name: 'Letters', supportedAssetType, config: { rules } } })
  const source = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
  return {
    cloud,
    client,
    workflowId: (await workflow('DOCUMENT')).id,
    tableWorkflowId: (await workflow('TABLE')).id,
    sourceId: source.id,
    files: join(directory, 'files', (await client.auth.me()).id),
    async close() {
      await cloud.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Starts a stage of a test's own, which ends with it. */
export async function stageOf({ onTestFinished }: TestContext, options: Partial<LocalCloudOptions>): Promise<Stage> {
  const stage = await startStage(options)
  onTestFinished(() => stage.close())
  return stage
}

/**
 * A stage that tests of a file use one after another, each disturbing it in its own way: starting one takes as long as half a
 * dozen of jobs.
 */
export function useStage(
  options: Partial<LocalCloudOptions> = {},
): (context: TestContext, disturbed?: Pick<LocalCloudOptions, 'faults' | 'onAccess'>) => Stage {
  let stage: Stage
  let now: Pick<LocalCloudOptions, 'faults' | 'onAccess'> = {}
  beforeAll(async () => {
    stage = await startStage({
      ...options,
      faults: (...request) => now.faults?.(...request),
      onAccess: (...access) => now.onAccess?.(...access),
    })
  })
  afterAll(() => stage?.close())
  return ({ onTestFinished }, disturbed = {}) => {
    now = disturbed
    onTestFinished(() => {
      now = {}
    })
    return stage
  }
}
