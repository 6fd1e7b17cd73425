import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../local/cloud.ts'
import { type Client, logIn } from '../../shared/api/client.ts'

/** A local cloud to disturb, and a workflow that replaces e-mail addresses in documents. */
export type Stage = { cloud: LocalCloud; client: Client; workflowId: string; close(): Promise<void> }

/** Starts a local cloud in a folder of its own; messages come back after two seconds, silence counts as loss after three. */
export async function startStage(options: Partial<LocalCloudOptions>): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'reliability-'))
  const environment = { RATE_LIMIT_PER_USER: '1000000', STALLED_SECONDS: '3', ...options.environment }
  const cloud = await startLocalCloud({ visibilityTimeout: 2, ...options, directory, environment })
  const client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
  const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: '[EMAIL]' } }]
  const workflow = await client.workflows.create({
    body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules } },
  })
  const close = async () => {
    await cloud.close()
    await rm(directory, { recursive: true, force: true })
  }
  return { cloud, client, workflowId: workflow.id, close }
}
