import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalCloud, startLocalCloud } from '../../local/cloud.ts'
import { ApiError, type Client, logIn } from '../../shared/api/client.ts'
import type { NewWorkflow } from '../../shared/api/workflows.ts'
import { ended } from '../api/waiting.ts'

let folder: string
let cloud: LocalCloud
let client: Client
let ruleId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scopes-'))
  cloud = await startLocalCloud({ directory: folder, environment: { RATE_LIMIT_PER_USER: '1000000' } })
  client = await logIn({ baseUrl: cloud.baseUrl, ...cloud.administrator! })
  const config = { regexRuleConfig: { pattern: 'Anna' } }
  ruleId = (await client.rules.create({ body: { name: 'Name', type: 'REGEX', config } })).id
})
afterAll(async () => {
  await cloud?.close()
  await rm(folder, { recursive: true, force: true })
})

type Scope = 'document' | 'job' | 'project' | 'deployment'

const workflow = (scope: Scope, project?: string): NewWorkflow => ({
  ...{ name: 'Names', description: '', supportedAssetType: 'DOCUMENT' },
  config: { rules: [{ ruleId, replacement: { pseudonym: { scope } } }], ...(project && { project }) },
})

/** What `Anna` becomes in two files of one job. */
async function namesOf(scope: Scope, project?: string): Promise<string[]> {
  const { id: workflowId } = await client.workflows.create({ body: workflow(scope, project) })
  const files = ['a.txt', 'b.txt'].map(name => ({ name, content: 'Anna' }))
  const { id } = await client.jobs.upload({ body: { name: 'Names' }, files })
  await client.jobs.update({ job_id: id, body: { workflowId } })
  await client.jobs.execute({ job_id: id })
  const { result, errors } = await ended(client, id)
  expect(errors).toEqual([])
  return Promise.all(result!.assets.map(async ({ url }) => (await fetch(url!)).text()))
}

test('the same value has the same pseudonym as far as its scope reaches', { timeout: 120_000 }, async () => {
  const distinct = (names: string[]) => new Set(names).size
  const twice = async (scope: Scope) => [await namesOf(scope, 'trial'), await namesOf(scope, 'trial')].flat()
  expect(distinct(await twice('document'))).toBe(4)
  expect(distinct(await twice('job'))).toBe(2)
  const project = await twice('project')
  expect(distinct(project)).toBe(1)
  expect(distinct([...project, ...(await namesOf('project', 'another trial'))])).toBe(2)
  expect(distinct(await twice('deployment'))).toBe(1)
})

test('the scope of a project needs the name of one', async () => {
  const loc = ['body', 'config', 'rules', '0', 'replacement', 'pseudonym', 'scope']
  const refused = (error: unknown) => error instanceof ApiError && [error.status, error.detail[0]?.loc]
  expect(await client.workflows.create({ body: workflow('project') }).catch(refused)).toEqual([422, loc])
  const { id: workflow_id } = await client.workflows.create({ body: workflow('project', 'trial') })
  const { config } = workflow('project')
  expect(await client.workflows.update({ workflow_id, body: { config } }).catch(refused)).toEqual([422, loc])
})
