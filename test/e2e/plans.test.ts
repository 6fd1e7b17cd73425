import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiError } from '../../shared/api/client.ts'
import type { NewWorkflow } from '../../shared/api/workflows.ts'
import { verdictOn } from '../api/certified.ts'
import { makeRule, makeWorkflow } from '../api/requests.ts'
import { type Service, startService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const problemsOf = (error: ApiError) => error.detail

const files = [
  { name: 'letter.txt', content: 'Anna' },
  { name: 'Notes.TXT', content: 'Anna' },
  { name: 'people.csv', content: 'name,town\nAnna,Bern\n' },
]

/** A workflow that replaces a name by its pseudonym, with a mark to tell it by. */
async function naming(mark: string, supportedAssetType: NewWorkflow['supportedAssetType'], more: object = {}) {
  const { client } = service.admin
  const rule = (pattern: string) => ({
    name: pattern,
    type: 'REGEX' as const,
    config: { regexRuleConfig: { pattern } },
  })
  const [name, town] = await Promise.all([rule('Anna'), rule('Bern')].map(body => client.rules.create({ body })))
  const rules = [
    { ruleId: name!.id, replacement: { pseudonym: { as: 'NAME' } } },
    { ruleId: town!.id, replacement: { text: mark } },
  ]
  return (await client.workflows.create({ body: { name: mark, supportedAssetType, config: { rules, ...more } } })).id
}

const finished = (job_id: string) => ended(service.admin.client, job_id)

test('the first entry of a plan that fits an asset decides, and one scope reaches over all', async () => {
  const { client } = service.admin
  const [documents, tables, rest] = await Promise.all([
    naming('[documents]', 'DOCUMENT'),
    naming('[tables]', 'TABLE'),
    makeWorkflow(client),
  ])
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Mixed' }, files })
  const plan = [
    { match: { type: 'TABLE' as const }, workflowId: tables },
    { match: { name: 'l*.txt' }, workflowId: documents },
  ]
  expect(await client.jobs.update({ job_id, body: { plan } })).toMatchObject({ plan, workflowId: null })
  const unmatched = await client.jobs.execute({ job_id }).catch(problemsOf)
  expect(unmatched).toMatchObject([{ type: 'workflow_required', msg: 'No entry of the plan is for Notes.TXT' }])

  await client.jobs.update({ job_id, body: { workflowId: rest } })
  expect(await client.jobs.execute({ job_id })).toMatchObject({ status: 'IN_PROGRESS', result: null, plan })
  await expect(client.workflows.delete({ workflow_id: tables })).rejects.toMatchObject({ status: 400 })
  const { result, errors } = await finished(job_id)
  expect(errors).toEqual([])
  const texts = new Map<string, string>()
  for (const { name, url } of result!.assets) texts.set(name, await (await fetch(url!)).text())
  const letter = [...texts].find(([name]) => name.startsWith('letter'))![1]
  expect(letter).toMatch(/^NAME_\w{10}$/)
  expect([...texts.values()].toSorted()).toEqual(['Anna', letter, `name,town\n${letter},[tables]\n`].toSorted())
  expect((await verdictOn(client, job_id)).problems).toEqual([])
})

test('workflows that cannot serve one job are refused when they are attached and when they are run', async () => {
  const { client } = service.admin
  const [tables, inProject, documents] = await Promise.all([
    makeWorkflow(client, 'TABLE'),
    naming('[x]', 'DOCUMENT', { project: 'trial' }),
    naming('[y]', 'DOCUMENT'),
  ])
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Mixed' }, files: files.slice(0, 1) })
  const attach = (plan: { match: object; workflowId: string }[]) =>
    client.jobs.update({ job_id, body: { plan } }).catch(problemsOf)
  expect(await attach([{ match: { type: 'DOCUMENT' }, workflowId: tables }])).toMatchObject([
    { type: 'plan_mismatch', loc: ['body', 'plan', '0', 'match', 'type'] },
  ])
  const mixed = [inProject, documents].map(workflowId => ({ match: {}, workflowId }))
  expect(await attach(mixed)).toMatchObject([{ type: 'plan_mismatch', loc: ['body', 'plan'] }])
  expect(await attach([{ match: {}, workflowId: await makeRule(client) }])).toMatchObject([
    { type: 'workflow_not_found', loc: ['body', 'plan', '0', 'workflowId'] },
  ])
  await attach([{ match: {}, workflowId: tables }])
  expect(await client.jobs.execute({ job_id }).catch(problemsOf)).toMatchObject([{ type: 'asset_type_mismatch' }])
  await attach([{ match: { name: '*' }, workflowId: documents }])
  await client.jobs.update({ job_id, body: { workflowId: await makeWorkflow(client) } })
  const config = { rules: [{ ruleId: await makeRule(client), replacement: { text: '#' } }], project: 'other' }
  await client.workflows.update({ workflow_id: documents, body: { config } })
  expect(await client.jobs.execute({ job_id }).catch(problemsOf)).toMatchObject([{ type: 'plan_mismatch' }])
})
