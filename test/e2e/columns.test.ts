import { expect, test } from 'vitest'
import type { Client } from '../../shared/api/client.ts'
import { useService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'
import { type TableKind, tableKinds } from '../engine/formats/tables.ts'

const service = await useService()
const client: Client = service.admin.client

const config = { regexRuleConfig: { pattern: '[\\w.]+@[\\w.]+\\w' } }
const rule = await client.rules.create({ body: { name: 'E-mail', type: 'REGEX', config } })

async function workflowFor(columns: string[]): Promise<string> {
  const rules = [{ ruleId: rule.id, replacement: { text: 'x' }, columns }]
  const body = { name: 'People', supportedAssetType: 'TABLE' as const, config: { rules } }
  return (await client.workflows.create({ body })).id
}

/** A job over some files, executed to its end. */
async function execute(tables: { name: string; bytes: Uint8Array }[], columns: string[]) {
  const files = tables.map(({ name, bytes }) => ({ filename: name, size: bytes.length, contentType: 'text/csv' }))
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'Tables', files } })
  for (const [n, { upload }] of Assets.entries()) {
    if (upload!.method !== 'PUT') throw new Error('not a single upload')
    const { url, headers } = upload!
    const sent = await fetch(url, { method: 'PUT', body: Buffer.from(tables[n]!.bytes), headers })
    expect(sent.status).toBe(200)
  }
  await client.jobs.update({ job_id: id, body: { workflowId: await workflowFor(columns) } })
  await client.jobs.execute({ job_id: id })
  return ended(client, id)
}

const rows = Array.from({ length: 30 }, (_, n) => [String(n), `a${n}@b.example`])
const good = (kind: TableKind) => ({ name: `good-${kind.name}`, bytes: kind.make(['id', 'mail'], rows) })
const bad = (kind: TableKind) => ({ name: kind.name, bytes: kind.make(['id', 'phone'], rows) })

test.each(tableKinds.map(kind => [kind.name, kind] as const))(
  'a job with a %s that lacks a column makes nothing',
  {
    timeout: 120_000,
  },
  async (_, kind) => {
    const others = tableKinds.slice(0, 2).map(good)
    const job = await execute([...others, bad(kind)], ['mail'])
    expect(job.status).toBe('FAILED')
    const msg = 'Rule «E-mail»: the table has no column mail; it has id, phone'
    const { id: assetId } = job.Assets.find(({ name }) => name === kind.name)!
    expect(job.errors).toEqual([{ type: 'invalid_workflow', msg, loc: ['rules', rule.id], assetId }])
    expect(job.result?.assets.filter(({ url }) => url) ?? []).toEqual([])
    // Of what could have been made, nothing was: every result would be an asset of the job.
    expect(job.Assets).toHaveLength(others.length + 1)
  },
)

test('a job whose tables all have the columns is done as ever', { timeout: 120_000 }, async () => {
  const job = await execute(tableKinds.map(good), ['m*'])
  expect(job.errors).toEqual([])
  expect(job.result!.counts).toMatchObject({ succeeded: tableKinds.length, findings: tableKinds.length * rows.length })
})
