import { randomUUID } from 'node:crypto'
import { MAX_GENERATIONS } from '../../../shared/api/token-keys.ts'
import { MAX_WEBHOOKS } from '../../../shared/api/webhooks.ts'
import { loseInput } from '../deployed.ts'
import {
  makeFinishedJob,
  makeJob,
  makeReidentification,
  makeRule,
  makeTokenKey,
  makeWaitingJob,
  makeWebhook,
  makeWorkflow,
} from '../requests.ts'
import type { Provocation, Stage } from './stage.ts'

const nobody = randomUUID()

async function jobWith({ user }: Stage, type: 'DOCUMENT' | 'TABLE' = 'DOCUMENT') {
  const job = await makeJob(user.client)
  const workflowId = await makeWorkflow(user.client, type)
  await user.client.jobs.update({ job_id: job.id, body: { workflowId } })
  return job
}

const tried =
  (text: string, rule: object): Provocation =>
  ({ send }) =>
    send('POST', '/rules/test', { text, rules: [rule] })

/** Runs a request while a job is under way: nothing comes through to its results until it is answered. */
async function during(
  stage: Stage,
  request: (job: { id: string; Assets: { id: string }[] }) => ReturnType<Provocation>,
) {
  const job = await jobWith(stage)
  const calm = stage.disturb({ table: 'Results', error: { name: 'ThrottlingException', status: 400 } })
  await stage.good('POST', `/jobs/${job.id}/execute`)
  return request(job).finally(calm)
}

const announced = ({ good }: Stage) =>
  good('POST', '/jobs/uploads', { name: 'L', files: [{ filename: 'a.txt', size: 5 }] })
const cancelled = async ({ user, good }: Stage) => {
  const job = await makeJob(user.client)
  await good('PUT', `/jobs/${job.id}/cancel`)
  return job
}
const workflow = (ruleId: string) => ({
  name: 'Letters',
  description: '',
  supportedAssetType: 'DOCUMENT',
  config: { rules: [{ ruleId, replacement: { text: '#' } }] },
})
const localFiles = { name: 'Files', kind: 'LOCAL_ASSET', config: {} }
const load = (sourceId: string, sourceType = 'LOCAL_ASSET') => ({
  sourceId,
  sourceType,
  files_load_config: { filenames: ['no-such.txt'] },
})

const source = async ({ good }: Stage, body: object = localFiles) => (await good('POST', '/sources/', body)).id

const pinned = { host_key_fingerprints: [`SHA256:${'A'.repeat(43)}`] }

/** A request for each conflict with the state of records. */
export const ofRecords = {
  not_found: ({ send }) => send('GET', `/rules/${nobody}`),
  in_use: async ({ user, send }) => {
    const ruleId = await makeRule(user.client)
    await user.client.workflows.create({ body: workflow(ruleId) as never })
    return send('DELETE', `/rules/${ruleId}`)
  },
  rule_not_found: ({ send }) => send('POST', '/workflows/', workflow(nobody)),
  hierarchy_invalid: async ({ user, good, send }) => {
    const job = await makeJob(user.client)
    const generalise = { hierarchy: { level: 50, assetId: job.Assets[0]!.id } }
    const rules = [{ ruleId: await makeRule(user.client), replacement: { generalise } }]
    const made = await good('POST', '/workflows/', { ...workflow(nobody), config: { rules } })
    await good('PUT', `/jobs/${job.id}`, { workflowId: made.id })
    return send('POST', `/jobs/${job.id}/execute`)
  },
  workflow_not_found: async ({ user, send }) =>
    send('PUT', `/jobs/${(await makeJob(user.client)).id}`, { workflowId: nobody }),
  list_not_found: ({ send }) =>
    send('POST', '/rules/', { name: 'L', type: 'LIST', config: { listRuleConfig: { listId: nobody } } }),
  list_full: async ({ good, send }) => {
    const { id } = await good('POST', '/lists/', { name: 'L' })
    const entries = Array.from({ length: 201 }, (_, n) => ({ value: `x${n}`, match: 'pattern' }))
    return send('POST', `/lists/${id}/entries`, { entries })
  },
  entry_invalid: async ({ good, send }) => {
    const { id } = await good('POST', '/lists/', { name: 'L' })
    return send('POST', `/lists/${id}/entries`, { entries: [{ value: '(', match: 'pattern' }] })
  },
  file_not_a_list: async ({ user, good, send }) => {
    const { id } = await good('POST', '/lists/', { name: 'L' })
    const files = [{ name: 'a.bin', content: '\u0000\u0001' }]
    const job = await user.client.jobs.upload({ body: { name: 'L' }, files })
    return send('POST', `/lists/${id}/import`, { assetId: job.Assets[0]!.id })
  },
  preset_not_found: ({ send }) =>
    send('POST', '/jobs/uploads', { name: 'L', presetId: 'none', files: [{ filename: 'a.txt', size: 5 }] }),
  plan_mismatch: async ({ user, send }) => {
    const workflowId = await makeWorkflow(user.client, 'TABLE')
    const plan = [{ match: { type: 'DOCUMENT' }, workflowId }]
    return send('PUT', `/jobs/${(await makeJob(user.client)).id}`, { plan })
  },
  workflow_required: async ({ user, send }) => send('POST', `/jobs/${(await makeJob(user.client)).id}/execute`),
  job_not_pending: async stage => stage.send('POST', `/jobs/${(await cancelled(stage)).id}/execute`),
  job_in_progress: stage => during(stage, ({ id }) => stage.send('DELETE', `/jobs/${id}`)),
  job_finished: async stage => {
    const { id } = await jobWith(stage)
    await stage.good('POST', `/jobs/${id}/execute`)
    while ((await stage.good('GET', `/jobs/${id}/status`)).status === 'IN_PROGRESS')
      await new Promise(resolve => setTimeout(resolve, 100))
    return stage.send('PUT', `/jobs/${id}/cancel`)
  },
  regex_budget: tried('key'.repeat(6000), {
    type: 'REGEX',
    config: { regexRuleConfig: { pattern: '(?!z)key[^]*[^]*#' } },
  }),
  session_invalid: ({ send }) => {
    const sealed = `00000000-0000-4000-8000-000000000000.${Date.now() + 1e6}.AAAA`
    return send('POST', '/texts/restore', { texts: ['x'], session: { sealed } })
  },
  session_full: ({ send }) => {
    const texts = [Array.from({ length: 20_000 }, (_, n) => `${n + 10_000}`).join(' ')]
    const rule = { type: 'REGEX', config: { regexRuleConfig: { pattern: '[0-9]+' } } }
    return send('POST', '/texts', { texts, rules: [rule], session: {} })
  },
  text_refused: ({ send }) => {
    const rule = { type: 'REGEX', config: { regexRuleConfig: { pattern: 'Quillfeather' } } }
    return send('POST', '/texts', { texts: ['Quillfeather so Quill=66eather said'], rules: [rule] })
  },
  model_load_failed: tried('Ada', {
    type: 'AIMODEL',
    config: { aiModelRuleConfig: { modelId: 'aws-comprehend-pii', modelVersion: 'managed' } },
  }),
  job_not_finished: async stage =>
    stage.send('POST', `/jobs/${(await jobWith(stage)).id}/deliver`, { sourceId: await source(stage) }),
  job_without_results: async stage => {
    const content = new Uint8Array([0, 1, 2, 255, 254, 0])
    const { id } = await stage.user.client.jobs.upload({ body: { name: 'X' }, files: [{ name: 'x.bin', content }] })
    await stage.good('PUT', `/jobs/${id}`, { workflowId: await makeWorkflow(stage.user.client) })
    await stage.good('POST', `/jobs/${id}/execute`)
    while ((await stage.good('GET', `/jobs/${id}/status`)).status === 'IN_PROGRESS')
      await new Promise(resolve => setTimeout(resolve, 100))
    return stage.send('POST', `/jobs/${id}/deliver`, { sourceId: await source(stage) })
  },
  job_not_from_source: async stage => {
    const body = { sourceId: await source(stage), mode: 'replace', place: 'original' }
    return stage.send('POST', `/jobs/${await makeFinishedJob(stage.user.client)}/deliver`, body)
  },
  source_kind_unavailable: async stage => {
    const body = { sourceId: await source(stage), mode: 'update' }
    return stage.send('POST', `/jobs/${await makeFinishedJob(stage.user.client)}/deliver`, body)
  },
  delivery_in_progress: async stage => {
    // Nobody listens there, so it is tried again much later.
    const login = { protocol: 'sftp', host: '127.0.0.1', port: 1, username: 'drop', password: 'secret', ...pinned }
    const body = { sourceId: await source(stage, { name: 'Drop', kind: 'FTP/SFTP', config: login }) }
    const id = await makeFinishedJob(stage.user.client)
    await stage.good('POST', `/jobs/${id}/deliver`, body)
    return stage.send('POST', `/jobs/${id}/deliver`, body)
  },
  inputs_gone: async stage => {
    const job = await cancelled(stage)
    await stage.good('DELETE', `/assets/${job.Assets[0]!.id}`)
    return stage.send('POST', `/jobs/${job.id}/copy`)
  },
  job_empty: async stage => {
    const { id, Assets } = await jobWith(stage)
    await stage.good('DELETE', `/jobs/${id}/assets`, { assetIds: Assets.map(asset => asset.id) })
    return stage.send('POST', `/jobs/${id}/execute`)
  },
  asset_not_ready: async stage => {
    const { Assets } = (await announced(stage)) as unknown as { Assets: { id: string }[] }
    return stage.send('GET', `/assets/${Assets[0]!.id}/url`)
  },
  asset_gone: async stage => {
    const { id, Assets } = await makeJob(stage.user.client)
    await loseInput(stage.service.cloud, id, Assets[0]!.id)
    return stage.send('GET', `/assets/${Assets[0]!.id}/page`)
  },
  cannot_show: async stage => {
    const files = [{ name: 'old.doc', content: new Uint8Array(Buffer.from('d0cf11e0a1b11ae1', 'hex')) }]
    const { Assets } = await stage.user.client.jobs.upload({ body: { name: 'Old' }, files })
    return stage.send('GET', `/assets/${Assets[0]!.id}/page`)
  },
  columns_unknown: async stage => {
    const { Assets } = await makeJob(stage.user.client)
    return stage.send('GET', `/assets/${Assets[0]!.id}/columns`)
  },
  asset_type_mismatch: async stage => stage.send('POST', `/jobs/${(await jobWith(stage, 'TABLE')).id}/execute`),
  asset_in_use: stage =>
    during(stage, ({ Assets }) => stage.send('PUT', `/assets/${Assets[0]!.id}`, { name: 'b.txt' })),
  upload_incomplete: async stage => stage.send('POST', `/jobs/${(await announced(stage)).id}/uploads/complete`),
  schedule_invalid: async ({ good, send }) => {
    const { id: sourceId } = await good('POST', '/sources/', localFiles)
    return send('POST', '/schedules/', { name: 'Never', cron: '0 0 30 2 *', sourceId, presetId: 'default' })
  },
  source_unknown: ({ send }) => send('POST', '/jobs/load', load(nobody)),
  source_type_mismatch: async ({ good, send }) => {
    const { id } = await good('POST', '/sources/', localFiles)
    return send('POST', '/jobs/load', load(id, 'DB_ENGINE_1'))
  },
  file_not_found: async ({ good, send }) => {
    const { id } = await good('POST', '/sources/', localFiles)
    return send('POST', '/jobs/load', load(id))
  },
  secret_kept_for_other_host: async ({ good, send }) => {
    const login = { protocol: 'sftp', host: 'one.example.org', username: 'reader', password: 'secret' }
    const { id } = await good('POST', '/sources/', { name: 'Drop', kind: 'FTP/SFTP', config: login })
    const { password: _, ...config } = { ...login, host: 'other.example.org' }
    return send('PUT', `/sources/${id}`, { config })
  },
  too_many_generations: async ({ user, send }) => {
    const key = await makeTokenKey(user.client)
    let reply = await send('POST', `/token-keys/${key}/rotate`)
    for (let n = 1; reply.status === 200 && n <= MAX_GENERATIONS; n++)
      reply = await send('POST', `/token-keys/${key}/rotate`)
    return reply
  },
  generation_unknown: async ({ user, send }) =>
    send('POST', `/token-keys/${await makeTokenKey(user.client)}/destroy`, { generations: [2] }),
  already_destroyed: async ({ user, good, send }) => {
    const path = `/token-keys/${await makeTokenKey(user.client)}/destroy`
    await good('POST', path)
    return send('POST', path)
  },
  nothing_reversible: async ({ user, send }) =>
    send('POST', '/reidentifications/', { purpose: 'care', reason: 'A', jobId: (await makeJob(user.client)).id }),
  own_request: async ({ service, send }) =>
    send('POST', `/reidentifications/${await makeReidentification(service.admin.client)}/approve`, {}, service.admin),
  already_decided: async ({ service, user, good, send }) => {
    const path = `/reidentifications/${await makeReidentification(user.client)}`
    await good('POST', `${path}/reject`, {}, service.admin)
    return send('POST', `${path}/approve`, {}, service.admin)
  },
  not_approved: async ({ user, send }) =>
    send('POST', `/reidentifications/${await makeReidentification(user.client)}/open`),
  too_many_webhooks: async ({ service, send }) => {
    const person = await service.person()
    for (let n = 0; n < MAX_WEBHOOKS; n++) await makeWebhook(person.client)
    return send('POST', '/webhooks/', { name: 'Tickets', url: 'https://example.org', events: ['*'] }, person)
  },
  https_required: ({ send }) => send('POST', '/webhooks/', { name: 'Plain', url: 'http://example.org', events: ['*'] }),
  webhook_disabled: async ({ user, good, send }) => {
    const path = `/webhooks/${await makeWebhook(user.client)}`
    const { id } = await good('POST', `${path}/test`)
    await good('PUT', path, { enabled: false })
    return send('POST', `${path}/deliveries/${id}/retry`)
  },
  attempt_pending: async ({ user, good, send }) => {
    const path = `/webhooks/${await makeWebhook(user.client)}`
    const { id } = await good('POST', `${path}/test`)
    await good('POST', `${path}/deliveries/${id}/retry`)
    return send('POST', `${path}/deliveries/${id}/retry`)
  },
  not_in_review: async ({ service, send }) => {
    const { id } = await makeJob(service.admin.client)
    return send('POST', `/jobs/${id}/review/reject`, {}, service.admin)
  },
  review_changed: async ({ service, send }) => {
    const id = await makeWaitingJob(service.admin.client)
    return send('POST', `/jobs/${id}/review/release`, { version: 7 }, service.admin)
  },
  finding_unknown: async ({ service, send }) => {
    const id = await makeWaitingJob(service.admin.client)
    return send('POST', `/jobs/${id}/decisions`, { undo: [0] }, service.admin)
  },
  page_unknown: async ({ service, send }) => {
    const id = await makeWaitingJob(service.admin.client)
    const [asset] = (await service.admin.client.jobs.get({ job_id: id })).Assets
    return send('GET', `/jobs/${id}/review/page?assetId=${asset!.id}&page=1`, undefined, service.admin)
  },
} satisfies Record<string, Provocation>
