import { describe, expect, test } from 'vitest'
import { id, problemsOf, stamps, talk, time } from './http.ts'
import { makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const ada = await service.person()
const { send, good } = talk(service, ada)
const sourceId = await newSource()
const nightly = { name: 'Nightly', cron: '30 2 * * *', timezone: 'Europe/Berlin', sourceId, presetId: 'default' }
const nobody = '00000000-0000-4000-8000-000000000000'

async function newSource(kind = 'LOCAL_ASSET', config: object = {}): Promise<string> {
  return (await good('POST', '/sources/', { name: 'Files', kind, config })).id as string
}

const database = { host: 'db.example.org', database: 'clinic', username: 'reader', password: 'top secret' }

/** What is wrong with a schedule, as status, type and place. */
async function refusal(body: object): Promise<unknown[]> {
  const reply = await send('POST', '/schedules/', body)
  const [first] = problemsOf(reply) as { type: string; loc: string[] }[]
  return [reply.status, first?.type, first?.loc.slice(1).join('.')]
}

describe('schedules', () => {
  test('a schedule is created, shown, changed, paused, resumed and deleted', async () => {
    const created = await good('POST', '/schedules/', nightly)
    expect(created).toEqual({
      ...nightly,
      ...{ id, description: '', rate: null, enabled: true, workflowId: null, plan: null, deliver: null },
      ...{ mode: 'ANONYMISE', nextRunAt: time, lastRunAt: null, ...stamps },
    })
    const path = `/schedules/${created.id}`
    expect(await good('GET', path)).toEqual(created)
    expect(await good('POST', '/schedules/list')).toEqual([created])
    const workflowId = await makeWorkflow(ada.client)
    const changed = await good('PUT', path, { rate: '5 minutes', workflowId, files: '*.txt' })
    expect(changed).toMatchObject({ cron: null, rate: '5 minutes', workflowId, presetId: null, files: '*.txt' })
    expect(Date.parse(String(changed.nextRunAt)) - Date.now()).toBeLessThanOrEqual(300_000)
    expect(await good('PUT', path, { enabled: false })).toMatchObject({ enabled: false, nextRunAt: null })
    expect(await good('PUT', path, { enabled: true })).toMatchObject({ enabled: true, nextRunAt: time })
    expect(await good('DELETE', path)).toEqual({ id: created.id, deleted: true })
    expect((await send('DELETE', path)).status).toBe(404)
    expect((await send('GET', `${path}/runs`)).status).toBe(404)
  })

  test('the next time is that of the time zone', async () => {
    const { nextRunAt } = await good('POST', '/schedules/', nightly)
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
    // 03:00 in the night when the clocks skip 02:30.
    expect(format.format(new Date(String(nextRunAt)))).toMatch(/^0(2:30|3:00)$/)
  })

  test.each([
    [{ cron: '61 * * * *' }, 422, 'schedule_invalid', 'cron'],
    [{ cron: '0 0 30 2 *' }, 422, 'schedule_invalid', 'cron'],
    [{ cron: '* * * *' }, 422, 'invalid_format', 'cron'],
    [{ cron: `${'*/1,'.repeat(50)}1 * * * *` }, 422, 'too_big', 'cron'],
    [{ cron: undefined }, 422, 'invalid_value', 'cron'],
    [{ rate: '5 minutes' }, 422, 'invalid_value', 'cron'],
    [{ cron: undefined, rate: '0 minutes' }, 422, 'invalid_format', 'rate'],
    [{ cron: undefined, rate: 'PT5M' }, 422, 'invalid_format', 'rate'],
    [{ timezone: 'Mars/Olympus' }, 422, 'invalid_value', 'timezone'],
    [{ timezone: '../../etc/passwd' }, 422, 'invalid_format', 'timezone'],
    [{ sourceId: nobody }, 400, 'source_unknown', 'sourceId'],
    [{ tables: ['people'] }, 422, 'schedule_invalid', 'tables'],
    [{ folder: '../secrets' }, 422, 'invalid_value', 'folder'],
    [{ settleSeconds: -1 }, 422, 'too_small', 'settleSeconds'],
    [{ presetId: undefined }, 400, 'workflow_required', ''],
    [{ presetId: 'none' }, 400, 'preset_not_found', 'presetId'],
    [{ workflowId: nobody }, 422, 'conflicting_values', 'presetId'],
    [{ presetId: undefined, workflowId: nobody }, 400, 'workflow_not_found', ''],
    [{ deliver: { sourceId: nobody } }, 400, 'source_unknown', 'deliver.sourceId'],
    [{ deliver: { sourceId } }, 422, 'schedule_invalid', 'deliver.folder'],
    [{ folder: 'in/', deliver: { sourceId, folder: '/in' } }, 422, 'schedule_invalid', 'deliver.folder'],
    [{ deliver: { sourceId, folder: 'out', mode: 'update' } }, 400, 'source_kind_unavailable', 'deliver.mode'],
    [{ ownerId: nobody }, 422, 'unknown_field', 'ownerId'],
  ])('refuses %j', async (change, ...expected) => {
    expect(await refusal({ ...nightly, ...change })).toEqual(expected)
  })

  test('refuses another source of the same files as the place of results, and tables without names', async () => {
    const another = await newSource()
    expect(await refusal({ ...nightly, deliver: { sourceId: another } })).toEqual([
      ...[422, 'schedule_invalid', 'deliver.folder'],
    ])
    const tables = await newSource('DB_ENGINE_1', database)
    expect(await refusal({ ...nightly, sourceId: tables })).toEqual([422, 'schedule_invalid', 'tables'])
    const named = { ...nightly, sourceId: tables, tables: ['public.people'] }
    expect(await refusal({ ...named, folder: 'in' })).toEqual([422, 'schedule_invalid', 'folder'])
    expect(await good('POST', '/schedules/', { ...named, deliver: { sourceId: tables } })).toMatchObject({
      tables: ['public.people'],
      deliver: { sourceId: tables, mode: 'create', types: 'source' },
    })
  })

  test('another’s source is unknown, and only the owner changes what a schedule does', async () => {
    const grace = await service.person()
    const body = { name: 'Files', kind: 'LOCAL_ASSET' as const, config: {} }
    const other = await grace.client.sources.create({ body })
    expect(await refusal({ ...nightly, sourceId: other.id })).toEqual([400, 'source_unknown', 'sourceId'])
    const { id: schedule_id } = await good('POST', '/schedules/', nightly)
    const asAdministrator = talk(service, service.admin)
    const path = `/schedules/${schedule_id}`
    const refused = await asAdministrator.send('PUT', path, { sourceId: other.id, name: 'Mine' })
    expect(refused.status).toBe(422)
    expect((await asAdministrator.send('PUT', path, { files: '*' })).status).toBe(403)
    expect(await asAdministrator.good('PUT', path, { enabled: false })).toMatchObject({ enabled: false })
  })

  test('needs the permissions of what it does', async () => {
    const permissions = ['schedules:write', 'sources:write', 'sources:read', 'jobs:write', 'jobs:execute']
    const { roles, users } = service.admin.client
    const role = await roles.create({ body: { name: `clerk-${Date.now()}`, permissions } })
    const clerk = await service.person()
    await users.update({ user_id: clerk.user.id, body: { role: role.name } })
    const { client } = clerk
    const source = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
    const body = { ...nightly, sourceId: source.id }
    expect(await client.schedules.create({ body })).toMatchObject({ sourceId: source.id })
    const deliver = { sourceId: source.id, folder: 'out' }
    const refused = client.schedules.create({ body: { ...body, deliver } as never })
    await expect(refused).rejects.toMatchObject({ status: 403 })
  })
})
