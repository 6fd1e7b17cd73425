import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { NewDelivery } from '../../shared/api/deliveries.ts'
import type { Job } from '../../shared/api/job.ts'
import { putFile } from '../api/deployed.ts'
import { problemsOf, time } from '../api/http.ts'
import { useService } from '../api/setup.ts'
import { host } from '../sources/context.ts'
import { mayServeFiles, password, sshPrograms, startSshServer } from '../sources/servers/files.ts'
import { available } from '../sources/servers/process.ts'
import { deliveriesBy } from './deliveries.ts'

const service = await useService()
const ada = await service.person()
const { client } = ada
const by = deliveriesBy(client)

const refusal = async (job: Job, body: object, person = ada) => {
  const reply = await service.send('POST', `/jobs/${job.id}/deliver`, { token: person.token, body })
  return [reply.status, problemsOf(reply)[0]!.type]
}

describe('files', () => {
  let sourceId: string
  let job: Job
  beforeAll(async () => {
    await putFile(ada.user.id, service.files, 'a.txt', 'Write to ada@example.org')
    await putFile(ada.user.id, service.files, 'b', 'Write to bob@example.org')
    sourceId = (await client.sources.create({ body: { name: 'Mine', kind: 'LOCAL_ASSET', config: {} } })).id
    job = await by.anonymised(sourceId, ['a.txt', 'b'], 'DOCUMENT')
  })
  const read = (name: string) => readFileSync(join(service.files, ada.user.id, name), 'utf8')

  test('go beside their originals, which stay as they are', async () => {
    const delivery = await by.deliver(job, { sourceId })
    expect(delivery).toMatchObject({
      sourceId,
      mode: 'create',
      place: 'copy',
      status: 'SUCCEEDED',
      progress: { assets: 2, done: 2, failed: 0 },
      createdAt: time,
      finishedAt: time,
      errors: [],
    })
    const ids = new Map(job.Assets.map(({ id, name }) => [name, id]))
    expect(delivery.assets.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))).toMatchObject([
      { assetId: ids.get('a.txt'), name: 'a.anonymised.txt', status: 'SUCCEEDED', bytes: 16, errors: [] },
      { assetId: ids.get('b'), name: 'b.anonymised', status: 'SUCCEEDED', bytes: 16, errors: [] },
    ])
    expect([read('a.txt'), read('a.anonymised.txt')]).toEqual(['Write to ada@example.org', 'Write to [EMAIL]'])
    const [note] = await client.notifications.list({ body: { limit: 1 } })
    expect(note).toMatchObject({ kind: 'delivery.succeeded', resource: { type: 'job', id: job.id } })
  })

  test('the same again finds them there; something else in the way fails its asset and no other', async () => {
    expect(await by.deliver(job, { sourceId })).toMatchObject({ status: 'SUCCEEDED', progress: { done: 2 } })
    await putFile(ada.user.id, service.files, 'a.anonymised.txt', 'Somebody’s own')
    const failed = await by.deliver(job, { sourceId })
    expect(failed).toMatchObject({ status: 'FAILED', progress: { assets: 2, done: 2, failed: 1 } })
    expect(failed.assets.find(({ status }) => status === 'FAILED')).toMatchObject({
      outputAssetId: null,
      name: 'a.anonymised.txt',
      bytes: null,
      errors: [{ type: 'source_conflict' }],
    })
    expect(read('a.anonymised.txt')).toBe('Somebody’s own')
    expect(await by.deliver(job, { sourceId, mode: 'replace' })).toMatchObject({ status: 'SUCCEEDED' })
    expect(read('a.anonymised.txt')).toBe('Write to [EMAIL]')
    const [note] = await client.notifications.list({ body: { filters: { kind: 'delivery.failed' } } })
    expect(note).toMatchObject({ resource: { type: 'job', id: job.id } })
    expect((await client.jobs.get({ job_id: job.id })).deliveries).toHaveLength(4)
  })

  test('go into a folder under their own names, and in place only when that is said', async () => {
    const delivery = await by.deliver(job, { sourceId, folder: 'out/today' })
    expect(delivery.assets.map(({ name }) => name).sort()).toEqual(['out/today/a.txt', 'out/today/b'])
    expect([read('out/today/a.txt'), read('a.txt')]).toEqual(['Write to [EMAIL]', 'Write to ada@example.org'])
    expect(await refusal(job, { sourceId, place: 'original' })).toEqual([422, 'invalid_value'])
    expect(await refusal(job, { sourceId, place: 'original', mode: 'replace', folder: 'x' })).toEqual([
      422,
      'invalid_value',
    ])
    for (const folder of ['/', '..', 'a/../..', '']) expect((await refusal(job, { sourceId, folder }))[0]).toBe(422)
    expect(await by.deliver(job, { sourceId, mode: 'replace', place: 'original' })).toMatchObject({
      status: 'SUCCEEDED',
    })
    expect(read('a.txt')).toBe('Write to [EMAIL]')
    expect(readdirSync(join(service.files, ada.user.id)).filter(name => name.startsWith('.'))).toEqual([])
  })

  test('what cannot be is refused', async () => {
    const other = await service.person()
    const theirs = await other.client.sources.create({ body: { name: 'Theirs', kind: 'LOCAL_ASSET', config: {} } })
    const second = await client.sources.create({ body: { name: 'Second', kind: 'LOCAL_ASSET', config: {} } })
    expect(await refusal(job, { sourceId }, other)).toEqual([404, 'not_found'])
    expect(await refusal(job, { sourceId: theirs.id })).toEqual([400, 'source_unknown'])
    expect(await refusal(job, { sourceId: randomUUID() })).toEqual([400, 'source_unknown'])
    expect(await refusal(job, { sourceId, mode: 'update' })).toEqual([400, 'source_kind_unavailable'])
    expect(await refusal(job, { sourceId: second.id, mode: 'replace', place: 'original' })).toEqual([
      400,
      'job_not_from_source',
    ])
    const pending = await client.jobs.upload({ body: { name: 'P' }, files: [{ name: 'a.txt', content: 'a' }] })
    expect(await refusal(pending, { sourceId })).toEqual([400, 'job_not_finished'])
    const broken = { name: 'x.bin', content: new Uint8Array([0, 1, 2, 255, 254, 0]) }
    const { id: job_id } = await client.jobs.upload({ body: { name: 'Broken' }, files: [broken] })
    await client.jobs.update({ job_id, body: { workflowId: await by.workflowFor('DOCUMENT') } })
    await client.jobs.execute({ job_id })
    const failed = await by.until(job_id, ({ status }) => status !== 'IN_PROGRESS')
    expect(await refusal(failed, { sourceId })).toEqual([400, 'job_without_results'])
    const role = await service.admin.client.roles.create({
      body: { name: `reader-${randomUUID().slice(0, 8)}`, permissions: ['jobs:read', 'jobs:execute', 'sources:read'] },
    })
    const reader = await service.person(role.name)
    expect(await refusal(job, { sourceId }, reader)).toEqual([403, 'permission_denied'])
  })

  test('of a job that FAILED the good results go; a second delivery waits for the first', async () => {
    const broken = { name: 'x.bin', content: new Uint8Array([0, 1, 2, 255, 254, 0]) }
    const good = { name: 'good.txt', content: 'Write to eve@example.org' }
    const { id: job_id } = await client.jobs.upload({ body: { name: 'Half' }, files: [broken, good] })
    await client.jobs.update({ job_id, body: { workflowId: await by.workflowFor('DOCUMENT') } })
    await client.jobs.execute({ job_id })
    const half = await by.until(job_id, ({ status }) => status !== 'IN_PROGRESS')
    expect(half.status).toBe('FAILED')
    const [first, second] = await Promise.allSettled([
      client.jobs.deliver({ job_id, body: { sourceId } as NewDelivery }),
      client.jobs.deliver({ job_id, body: { sourceId } as NewDelivery }),
    ])
    // Either both came one after the other, or one was refused for the other.
    const refused = [first, second].filter(({ status }) => status === 'rejected')
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason.has('delivery_in_progress')).toBe(true)
    const ended = await by.until(job_id, ({ deliveries }) => deliveries.every(({ status }) => status !== 'IN_PROGRESS'))
    expect(ended.deliveries).toHaveLength(2 - refused.length)
    expect(ended.deliveries[0]).toMatchObject({ status: 'SUCCEEDED', progress: { assets: 1, done: 1, failed: 0 } })
    expect(read('good.anonymised.txt')).toBe('Write to [EMAIL]')
  })
})

const ssh = available('OpenSSH', ...Object.values(sshPrograms), ...mayServeFiles)
describe.skipIf(!ssh)('files over SFTP', () => {
  test('go beside their originals', async () => {
    const server = await startSshServer()
    try {
      const config = {
        protocol: 'sftp',
        host,
        port: server.port,
        username: server.user,
        base_path: 'drop',
        host_key_fingerprints: [server.hostKey],
        password,
      }
      const body = { name: 'Drop', kind: 'FTP/SFTP', config } as never
      const { id: sourceId } = await client.sources.create({ body })
      writeFileSync(join(server.drop, 'people.csv'), 'id,mail\n1,ada@example.org\n')
      const job = await by.anonymised(sourceId, ['people.csv'], 'TABLE')
      const delivery = await by.deliver(job, { sourceId })
      expect(delivery).toMatchObject({ status: 'SUCCEEDED', assets: [{ name: 'people.anonymised.csv', bytes: 18 }] })
      expect(readFileSync(join(server.drop, 'people.anonymised.csv'), 'utf8')).toBe('id,mail\n1,[EMAIL]\n')
      expect(readFileSync(join(server.drop, 'people.csv'), 'utf8')).toContain('ada@example.org')
      expect(readdirSync(server.drop).filter(name => name.endsWith('.partial'))).toEqual([])
    } finally {
      await server.stop()
    }
  })
})
