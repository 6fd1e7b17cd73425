import { expect, test } from 'vitest'
import { useOwnService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'

const CHUNK_BYTES = 64 * 1024
const service = await useOwnService({
  environment: { FAN_OUT_BYTES: String(CHUNK_BYTES), CHUNK_BYTES: String(CHUNK_BYTES) },
})
const { client } = service.admin

const ROWS = 10_000
const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }

async function inspect(filename: string, content: string, columns?: string[]) {
  const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: 'Person {{n}}' }, ...(columns && { columns }) }]
  const body = { name: 'People', supportedAssetType: 'TABLE' as const, config: { rules } }
  const { id: workflowId } = await client.workflows.create({ body })
  const files = [{ name: filename, content }]
  const { id: job_id } = await client.jobs.upload({ body: { name: 'People', mode: 'INSPECT' }, files })
  await client.jobs.update({ job_id, body: { workflowId } })
  await client.jobs.execute({ job_id })
  return ended(client, job_id)
}

async function findingsOf(job_id: string) {
  const findings = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.jobs.findings({ job_id, query: { limit: 1000, ...(cursor && { cursor }) } })
    findings.push(...page.findings)
    if (!page.cursor) return findings
    cursor = page.cursor
  }
}

const tables = {
  'people.csv': `id,mail\n${Array.from({ length: ROWS }, (_, n) => `${n},person.${n}@mail.example\n`).join('')}`,
  'people.ndjson': Array.from(
    { length: ROWS },
    (_, n) => `${JSON.stringify({ id: n, mail: `person.${n}@mail.example` })}\n`,
  ).join(''),
}

test.each(Object.entries(tables))(
  'a large %s is looked at in chunks, and each row is told as it is',
  {
    timeout: 240_000,
  },
  async (name, content) => {
    const job = await inspect(name, content)
    expect(job).toMatchObject({ status: 'SUCCEEDED', result: { counts: { findings: ROWS, bytesOut: 0 } } })
    const findings = await findingsOf(job.id)
    const first = name.endsWith('.csv') ? 2 : 1
    expect(findings.map(({ place }) => place.row)).toEqual(Array.from({ length: ROWS }, (_, n) => n + first))
    expect(new Set(findings.map(({ id }) => id)).size).toBe(ROWS)
    expect(new Set(findings.map(({ place }) => place.column))).toEqual(new Set(['mail']))
    expect(JSON.stringify([job, findings])).not.toContain('mail.example')
  },
)

test('a large table that lacks a column which the workflow names fails', { timeout: 240_000 }, async () => {
  const job = await inspect('people.ndjson', tables['people.ndjson'], ['phone'])
  expect(job).toMatchObject({ status: 'FAILED', errors: [{ type: 'invalid_workflow' }] })
})
