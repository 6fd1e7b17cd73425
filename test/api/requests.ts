import { randomUUID } from 'node:crypto'
import type { Client } from '../../shared/api/client.ts'
import { makePdf } from '../engine/formats/pdf-samples.ts'
import { putFile } from './deployed.ts'
import { codeFor } from './second-factor.ts'
import type { Person, Sending, Service } from './setup.ts'
import { jobUntil, succeeded } from './waiting.ts'

/** Makes a record of somebody's, by what a path calls it. */
export type Parameter =
  | 'rule_id'
  | 'workflow_id'
  | 'preset_id'
  | 'file'
  | 'list_id'
  | 'job_id'
  | 'asset_id'
  | 'source_id'
  | 'schedule_id'
  | 'notification_id'
  | 'user_id'
  | 'role_id'
  | 'account_id'
  | 'webhook_id'
  | 'delivery_id'
  | 'key_id'
  | 'reidentification_id'
  | 'provider'

const regexRule = { name: 'Numbers', type: 'REGEX' as const, config: { regexRuleConfig: { pattern: '[0-9]+' } } }
const unique = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`

/** A rule, or what stands in its place. */
export const makeRule = async (client: Client): Promise<string> => (await client.rules.create({ body: regexRule })).id

/** A workflow of one rule. */
export async function makeWorkflow(client: Client, type: 'DOCUMENT' | 'TABLE' = 'DOCUMENT'): Promise<string> {
  const rules = [{ ruleId: await makeRule(client), replacement: { text: '#' } }]
  const body = { name: 'Letters', description: '', supportedAssetType: type, config: { rules } }
  return (await client.workflows.create({ body })).id
}

/** A job of one text file. */
export const makeJob = (client: Client) =>
  client.jobs.upload({ body: { name: 'Letters' }, files: [{ name: 'a.txt', content: 'Call 112 now' }] })

/** A job of one text file that has SUCCEEDED. */
export async function makeFinishedJob(client: Client): Promise<string> {
  const { id: job_id } = await makeJob(client)
  await client.jobs.update({ job_id, body: { workflowId: await makeWorkflow(client) } })
  await client.jobs.execute({ job_id })
  await succeeded(client, job_id)
  return job_id
}

/** A job of one file, a text unless given, that waits for its review; `client` is somebody's who may review. */
export async function makeWaitingJob(client: Client, job = makeJob(client)): Promise<string> {
  const { id: job_id } = await job
  await client.jobs.update({ job_id, body: { workflowId: await makeWorkflow(client), review: {} } })
  await client.jobs.execute({ job_id })
  const { status, review } = await jobUntil(
    client,
    job_id,
    ({ status, review }) => review?.state === 'waiting' || status !== 'IN_PROGRESS',
  )
  if (review?.state !== 'waiting') throw new Error(`The job is ${status}`)
  return job_id
}

/** A workflow whose replacements can be undone. */
export async function makeTokenWorkflow(client: Client, more: object = {}): Promise<string> {
  const rules = [{ ruleId: await makeRule(client), replacement: { token: {} } }]
  const body = { name: 'Reversible', supportedAssetType: 'DOCUMENT' as const, config: { rules, ...more } }
  return (await client.workflows.create({ body })).id
}

/** The key of reversible replacements that somebody gets with the first job that needs one. */
export async function makeTokenKey(client: Client): Promise<string> {
  const project = unique('project')
  const { id: job_id } = await makeJob(client)
  await client.jobs.update({ job_id, body: { workflowId: await makeTokenWorkflow(client, { project }) } })
  await client.jobs.execute({ job_id })
  const [key] = await client.tokenKeys.list({ query: { name: project } })
  return key!.id
}

const reidentification = { purpose: 'care' as const, reason: 'A patient is to be called', tokens: ['PERSON~0'] }

/** A request for what a token stands for, which nobody has decided on. */
export const makeReidentification = async (client: Client): Promise<string> =>
  (await client.reidentifications.create({ body: reidentification })).id

/** A schedule of a folder that is empty, to be created. */
const newSchedule = async (client: Client) => {
  const source = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
  return { name: 'Nightly', cron: '30 2 * * *', sourceId: source.id, presetId: 'default' }
}
// Nobody answers there.
const webhook = { name: 'Tickets', url: 'https://127.0.0.1:65000', events: ['job.*' as const] }

/** A webhook whose receiver is not there. */
export const makeWebhook = async (client: Client): Promise<string> =>
  (await client.webhooks.create({ body: webhook })).id

/** Makes a record that the person owns, or may reach as an administrator. */
export async function make(service: Service, { client, user }: Person, parameter: Parameter): Promise<string> {
  switch (parameter) {
    case 'rule_id':
      return makeRule(client)
    case 'workflow_id':
      return makeWorkflow(client)
    case 'list_id':
      return (await client.lists.create({ body: { name: 'Names' } })).id
    case 'preset_id':
      return 'default'
    case 'provider':
      // There is none: a log-in by one has a test of its own, and a service.
      return 'acme'
    case 'file':
      return 'app.js'
    case 'job_id':
      return (await makeJob(client)).id
    case 'asset_id':
      return (await makeJob(client)).Assets[0]!.id
    case 'source_id':
      return (await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })).id
    case 'schedule_id':
      return (await client.schedules.create({ body: await newSchedule(client) })).id
    case 'notification_id': {
      const job = await makeJob(client)
      await client.jobs.cancel({ job_id: job.id })
      const [notification] = await client.notifications.list({ body: { limit: 1 } })
      return notification!.id
    }
    case 'user_id':
      return (await service.person()).user.id
    case 'role_id': {
      const permissions = ['rules:read']
      return (await service.admin.client.roles.create({ body: { name: unique('role'), permissions } })).id
    }
    case 'account_id': {
      const body = { name: unique('account'), role: 'user', permissions: ['rules:read'] }
      return (await service.admin.client.serviceAccounts.create({ body })).id
    }
    case 'webhook_id':
      return makeWebhook(client)
    case 'delivery_id':
      return (await client.webhooks.test({ webhook_id: await makeWebhook(client) })).id
    case 'key_id':
      return makeTokenKey(client)
    case 'reidentification_id':
      return makeReidentification(client)
    default:
      throw new Error(`Nobody makes a ${parameter} of ${user.id}`)
  }
}

/** A job's file of text as a form. */
export function form(fields: Record<string, string>, files: Record<string, string>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const [name, text] of Object.entries(files)) body.append('files', new Blob([text]), name)
  return body
}

type Ready = Sending & { path?: Record<string, string>; query?: string }
type Prepare = (service: Service, person: Person) => Promise<Ready>

const body = (value: unknown): Prepare => {
  return async () => ({ body: value })
}

/** A good body for every endpoint that takes one; `root` is where local files are kept. */
export const bodies = (root: string): Record<string, Prepare> => ({
  'auth.register': async () => ({
    body: { name: 'Grace', email: `${randomUUID()}@example.org`, password: 'correct horse battery' },
  }),
  'auth.login': async (_, { user, password }) => ({ body: { email: user.email, password } }),
  'auth.refresh': async (service, { user, password }) => ({
    body: { refresh_token: (await service.logIn(user.email, password)).refreshToken },
  }),
  'auth.changePassword': async (_, { password }) => ({
    body: { currentPassword: password, newPassword: 'quite another battery' },
  }),
  'auth.setUpSecondFactor': async (_, { password }) => ({ body: { currentPassword: password } }),
  'auth.enableSecondFactor': async (_, { client, password }) => {
    const { secret } = await client.auth.setUpSecondFactor({ body: { currentPassword: password } })
    return { body: { code: codeFor(secret) } }
  },
  'auth.disableSecondFactor': body({ code: '123456' }),
  'auth.exchange': body({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: '00000000-0000-4000-8000-000000000000',
    subject_token: 'a.b.c',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  }),
  'identity.logout': body({ logout_token: 'a.b.c' }),
  'identity.setSecret': body({ secret: 'quite secret' }),
  'sources.create': body({ name: 'Files', kind: 'LOCAL_ASSET', config: {} }),
  'sources.test': body({ kind: 'LOCAL_ASSET', config: {} }),
  'sources.update': body({ name: 'Renamed' }),
  'sources.preview': body({ limit: 10 }),
  'sources.discover': async (_, { client, user }) => {
    await putFile(user.id, root, 'people.csv', 'name,mail\nAda,ada@example.org\n')
    const source = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    return { path: { source_id: source.id }, body: { name: 'people.csv' } }
  },
  'assets.columns': async (_, { client }) => {
    const files = [{ name: 'people.csv', content: 'name,mail\nAda,ada@example.org\n' }]
    const { Assets } = await client.jobs.upload({ body: { name: 'People' }, files })
    return { path: { asset_id: Assets[0]!.id } }
  },
  'assets.update': body({ name: 'b.txt', table: { encoding: 'utf-8', header: true } }),
  'workflows.create': async (_, { client }) => ({
    body: {
      name: 'Letters',
      description: '',
      supportedAssetType: 'DOCUMENT',
      config: { rules: [{ ruleId: await makeRule(client), replacement: { text: '#' } }] },
    },
  }),
  'workflows.update': body({ name: 'Renamed' }),
  'lists.create': body({ name: 'Names' }),
  'lists.update': body({ name: 'Renamed' }),
  'lists.add': body({ entries: [{ value: 'Ada Lovelace' }] }),
  'lists.remove': body({ values: ['Ada Lovelace'] }),
  'lists.load': async (_, { client }) => ({ body: { assetId: (await makeJob(client)).Assets[0]!.id } }),
  'rules.create': body(regexRule),
  'rules.update': body({ name: 'Renamed' }),
  'texts.anonymise': body({ texts: ['Call 112'], rules: [{ type: 'REGEX', config: regexRule.config }] }),
  'mcp.call': body({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  'texts.restore': async (_, { client }) => {
    const rules = [{ type: 'REGEX' as const, config: regexRule.config }]
    const { session } = await client.texts.anonymise({ body: { texts: ['Call 112'], rules, session: {} } })
    return { body: { texts: ['Call'], session: { sealed: session!.sealed } } }
  },
  'rules.test': body({ text: 'Call 112', rules: [{ type: 'REGEX', config: regexRule.config }] }),
  'jobs.upload': async () => ({ body: form({ name: 'Letters' }, { 'a.txt': 'Call 112' }) }),
  'jobs.uploads': body({ name: 'Large', files: [{ filename: 'a.txt', size: 5 }] }),
  'jobs.update': async (_, { client }) => ({ body: { workflowId: await makeWorkflow(client) } }),
  'jobs.estimate': body({ files: [{ filename: 'a.txt', size: 10 }], presetId: 'default' }),
  'jobs.execute': async (_, { client }) => {
    const job = await makeJob(client)
    await client.jobs.update({ job_id: job.id, body: { workflowId: await makeWorkflow(client) } })
    return { path: { job_id: job.id } }
  },
  'jobs.review': async (_, { client }) => ({ path: { job_id: await makeWaitingJob(client) } }),
  'jobs.proposals': async (_, { client }) => ({ path: { job_id: await makeWaitingJob(client) } }),
  'jobs.page': async (_, { client }) => {
    const pdf = Uint8Array.from(await makePdf(['Call 112 now']))
    const job = client.jobs.upload({ body: { name: 'Letters' }, files: [{ name: 'a.pdf', content: pdf }] })
    return { path: { job_id: await makeWaitingJob(client, job) } }
  },
  'jobs.decisions': async (_, { client }) => ({ path: { job_id: await makeWaitingJob(client) } }),
  'jobs.decide': async (_, { client }) => ({
    path: { job_id: await makeWaitingJob(client) },
    body: { decisions: [{ action: 'reject', value: '112' }] },
  }),
  'jobs.release': async (_, { client }) => ({ path: { job_id: await makeWaitingJob(client) }, body: { version: 0 } }),
  'jobs.rejectReview': async (_, { client }) => ({ path: { job_id: await makeWaitingJob(client) } }),
  'jobs.certificate': async (_, { client }) => ({ path: { job_id: await makeFinishedJob(client) } }),
  'jobs.findings': async (_, { client }) => ({ path: { job_id: await makeFinishedJob(client) } }),
  'jobs.removeAssets': async (_, { client }) => {
    const job = await makeJob(client)
    return { path: { job_id: job.id }, body: { assetIds: [job.Assets[0]!.id] } }
  },
  'jobs.load': async (_, person) => {
    await putFile(person.user.id, root, 'a.txt', 'Call 112')
    const source = await person.client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    return { body: { sourceId: source.id, sourceType: 'LOCAL_ASSET', files_load_config: { filenames: ['a.txt'] } } }
  },
  'jobs.copy': async (_, { client }) => ({ path: { job_id: await makeFinishedJob(client) } }),
  'jobs.deliver': async (_, { client }) => {
    const source = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    return { path: { job_id: await makeFinishedJob(client) }, body: { sourceId: source.id } }
  },
  'schedules.create': async (_, { client }) => ({ body: await newSchedule(client) }),
  // All that others than the owner may change.
  'schedules.update': body({ enabled: false }),
  'schedules.retry': body({}),
  'tokenKeys.destroy': body({}),
  'reidentifications.create': body(reidentification),
  'reidentifications.approve': body({}),
  'users.update': body({ name: 'Renamed' }),
  'users.block': body({}),
  'users.resetPassword': body({}),
  'roles.create': async () => ({ body: { name: unique('role'), permissions: ['rules:read'] } }),
  'roles.update': body({ description: 'Changed' }),
  'serviceAccounts.create': body({ name: 'Nightly', role: 'user', permissions: ['rules:read'], networks: ['::1'] }),
  'serviceAccounts.update': body({ name: 'Renamed' }),
  'serviceAccounts.createKey': body({ expiresInDays: 30 }),
  'serviceAccounts.revokeKeys': body({}),
  'webhooks.create': body(webhook),
  'webhooks.update': body({ name: 'Renamed' }),
  'webhooks.rotate': body({}),
  'webhooks.redeliver': async (_, { client }) => {
    const webhook_id = await makeWebhook(client)
    const { id: delivery_id } = await client.webhooks.test({ webhook_id })
    return { path: { webhook_id, delivery_id } }
  },
  'permissions.create': async () => ({ body: { name: `${unique('thing')}:read` } }),
})
