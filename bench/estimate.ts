// npm run bench:estimate [-- CHARACTERS]: what jobs of one file of each kind take on the local cloud, and what was estimated. The
// figures of shared/jobs/estimate/speeds.ts come from it. Processor time of the whole service, its stores included.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalCloud } from '../local/cloud.ts'
import { type Client, logIn } from '../shared/api/client.ts'
import { type Sample, samples } from './estimate-samples.ts'

const characters = Number(process.argv[2] ?? 400_000)
const only = process.argv[3]?.split(',')

const seconds = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

type Rules = { patterns: object[]; recognisers: object[]; models: object[] }

async function rulesFor(client: Client): Promise<Rules> {
  const ruleOf = async (name: string, type: 'REGEX' | 'AIMODEL', config: object) => {
    const { id: ruleId } = await client.rules.create({ body: { name, type, config } as never })
    return { ruleId, replacement: { text: `[${name}]` } }
  }
  const pattern = (name: string, text: string) => ruleOf(name, 'REGEX', { regexRuleConfig: { pattern: text } })
  const model = (modelId: string, modelVersion: string) =>
    ruleOf(modelId, 'AIMODEL', { aiModelRuleConfig: { modelId, modelVersion, modelParameters: {} } })
  const recogniser = await model('pii-patterns', '1.0.0')
  return {
    patterns: [
      await pattern('MAIL', '[\\w.]+@[\\w.]+\\w'),
      await pattern('PHONE', '\\(?\\d{3}\\)?[ -]\\d{3}-\\d{4}'),
      await pattern('DAY', '\\d{4}-\\d{2}-\\d{2}'),
    ],
    recognisers: [recogniser],
    models: [await model('pii-ner', '2.1.0'), recogniser],
  }
}

async function job(client: Client, sample: Sample, rules: object[], mode: 'ANONYMISE' | 'INSPECT') {
  const supportedAssetType = sample.kind === 'table' || sample.kind === 'workbook' ? 'TABLE' : 'DOCUMENT'
  const workflow = await client.workflows.create({
    body: { name: 'W', supportedAssetType, config: { rules } } as never,
  })
  const files = [{ name: sample.name, content: sample.content as Uint8Array<ArrayBuffer> }]
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Estimate', mode }, files })
  await client.jobs.update({ job_id, body: { workflowId: workflow.id } })
  const before = process.cpuUsage()
  await client.jobs.execute({ job_id })
  for (;;) {
    const { status } = await client.jobs.status({ job_id })
    if (status === 'SUCCEEDED') return seconds(before)
    if (status !== 'IN_PROGRESS') throw new Error(`${sample.name}: ${status}`)
    await new Promise(resolve => setTimeout(resolve, 300))
  }
}

const directory = mkdtempSync(join(tmpdir(), 'estimate-'))
const cloud = await startLocalCloud({ directory, environment: { RATE_LIMIT_PER_USER: '1000000' } })
try {
  const client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
  const rules = await rulesFor(client)
  const files = await samples(characters)
  console.log('| file | MB | rules | mode | s of CPU time |\n|---|---|---|---|---|')
  for (const sample of files.filter(({ name }) => !only || only.includes(name))) {
    for (const depth of ['patterns', 'recognisers', 'models'] as const) {
      for (const mode of ['ANONYMISE', 'INSPECT'] as const) {
        const taken = await job(client, sample, rules[depth], mode)
        console.log(
          `| ${sample.name} | ${(sample.content.length / 1e6).toFixed(3)} | ${depth} | ${mode} | ${taken.toFixed(2)} |`,
        )
      }
    }
  }
} finally {
  await cloud.close()
  rmSync(directory, { recursive: true, force: true })
}
