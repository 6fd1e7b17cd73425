import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deployed, putFile } from './deployed.ts'
import { id, problemsOf, stamps, talk, time } from './http.ts'
import { make, makeFinishedJob, makeJob, makeRule } from './requests.ts'
import { type Person, useOwnService } from './setup.ts'

/** The function whose next change is held up, and what is done meanwhile. */
let held: { by: string; meanwhile: () => Promise<unknown> } | undefined
const service = await useOwnService({
  faults: (_, action, __, caller) => {
    if (action !== 'TransactWriteItems' || caller !== held?.by) return undefined
    const { meanwhile } = held
    held = undefined
    return { after: meanwhile() }
  },
})
const ada = await service.person()
const { admin } = service
const { send, good } = talk(service, ada)

describe('administration', () => {
  test('users are listed, shown, changed, blocked, reset and deleted', async () => {
    const { user } = await service.person()
    expect(await good('GET', `/users/${user.id}`, undefined, admin)).toEqual(user)
    const listed = await good('GET', '/users/?limit=1', undefined, admin)
    expect(listed).toEqual([user])
    const changes = { name: 'Countess', email: `${randomUUID()}@example.org` }
    expect(await good('PUT', `/users/${user.id}`, changes, admin)).toEqual({ ...user, ...changes, updatedAt: time })
    expect(await good('PUT', `/users/${user.id}/block`, undefined, admin)).toMatchObject({ blocked: true })
    expect(await good('PUT', `/users/${user.id}/block`, { blocked: true }, admin)).toMatchObject({ blocked: true })
    expect(await good('PUT', `/users/${user.id}/block`, { blocked: false }, admin)).toMatchObject({ blocked: false })
    const path = `/users/${user.id}/password/reset`
    expect(await good('PUT', path, undefined, admin)).toEqual({
      id: user.id,
      temporaryPassword: expect.stringMatching(/^\w{20}$/),
    })
    expect(await good('PUT', path, { password: 'correct horse battery' }, admin)).toEqual({ id: user.id })
    expect(await good('DELETE', `/users/${user.id}`, undefined, admin)).toEqual({ id: user.id, deleted: true })
    expect((await send('DELETE', `/users/${user.id}`, undefined, admin)).status).toBe(404)
  })

  test('lists show what a role allows now, whatever it was at the log-in', async () => {
    const grace = await service.person()
    const { id: mine } = await ada.client.webhooks.create({
      body: { name: 'Tickets', url: 'https://example.org/hook', events: ['job.*'] },
    })
    const shown = async ({ client }: Pick<Person, 'client'>) =>
      (await client.webhooks.list({ query: { limit: 1000 } })).some(({ id }) => id === mine)
    const ranked = (role: string) => good('PUT', `/users/${grace.user.id}`, { role }, admin)
    expect(await shown(grace)).toBe(false)
    await ranked('admin')
    expect(await shown(grace)).toBe(true)
    const again = await service.logIn(grace.user.email, grace.password)
    await ranked('user')
    expect(await shown(again)).toBe(false)
    expect((await admin.client.webhooks.delete({ webhook_id: mine })).deleted).toBe(true)
  })

  test.skipIf(deployed).each([
    { operation: 'block', method: 'PUT', path: '/block', body: {} },
    { operation: 'update', method: 'PUT', path: '', body: { name: 'Countess' } },
    { operation: 'resetPassword', method: 'PUT', path: '/password/reset', body: {} },
    { operation: 'delete', method: 'DELETE', path: '', body: undefined },
  ])('nobody acts by $operation on somebody who rises above them at that moment', async ({ operation, ...call }) => {
    const personWith = async (permissions: string[]) => {
      const name = `role-${randomUUID().slice(0, 8)}`
      await admin.client.roles.create({ body: { name, permissions } })
      return service.person(name)
    }
    const [manager, { user }] = [await personWith(['users:manage']), await personWith([])]
    const meanwhile = () => admin.client.users.update({ user_id: user.id, body: { role: 'admin' } })
    held = { by: `users-${operation}`, meanwhile }
    const reply = await send(call.method, `/users/${user.id}${call.path}`, call.body, manager)
    expect([reply.status, problemsOf(reply)[0]?.type]).toEqual([403, 'permission_denied'])
    const { role, name, blocked } = await admin.client.users.get({ user_id: user.id })
    expect({ role, name, blocked }).toEqual({ role: 'admin', name: user.name, blocked: false })
  })

  test('nobody blocks, demotes or deletes themselves', async () => {
    const path = `/users/${admin.user.id}`
    const replies = [
      await send('PUT', `${path}/block`, {}, admin),
      await send('PUT', path, { role: 'user' }, admin),
      await send('DELETE', path, undefined, admin),
    ]
    expect(replies.map(reply => [reply.status, problemsOf(reply)[0]!.type])).toEqual(
      replies.map(() => [400, 'own_account']),
    )
    expect(await good('PUT', path, { name: 'Administrator' }, admin)).toMatchObject({ role: 'admin' })
  })

  test('the last administrator stays, whoever asks', async () => {
    const everything = (await good('GET', '/roles/', undefined, admin)).find(
      (role: { name: string }) => role.name === 'admin',
    )
    await good('POST', '/roles/', { name: 'deputy', permissions: everything.permissions }, admin)
    // A service that is deployed is shared with other tests, which leave administrators of their own.
    for (const { id, role } of await good('GET', '/users/?limit=500', undefined, admin))
      if (role === 'admin' && id !== admin.user.id) await good('PUT', `/users/${id}`, { role: 'user' }, admin)
    const deputy = await service.person('deputy')
    const path = `/users/${admin.user.id}`
    const replies = [
      await send('PUT', `${path}/block`, {}, deputy),
      await send('PUT', path, { role: 'user' }, deputy),
      await send('DELETE', path, undefined, deputy),
    ]
    expect(replies.map(reply => [reply.status, problemsOf(reply)[0]!.type])).toEqual(
      replies.map(() => [400, 'last_administrator']),
    )
  })

  test('a deleted user’s records stay for administrators, or go too', async () => {
    const [kept, purged] = [await service.person(), await service.person()]
    const [ruleId, job] = [await makeRule(kept.client), await makeJob(purged.client)]
    const { url } = await purged.client.assets.url({ asset_id: job.Assets[0]!.id })
    await good('DELETE', `/users/${kept.user.id}`, undefined, admin)
    expect(await good('GET', `/rules/${ruleId}`, undefined, admin)).toMatchObject({ id: ruleId })
    await good('DELETE', `/users/${purged.user.id}?purge=true`, undefined, admin)
    for (let tries = 0; tries < 100; tries++) {
      if ((await send('GET', `/jobs/${job.id}`, undefined, admin)).status === 404 && (await fetch(url)).status === 404)
        return
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect.fail('the job or its file is still there')
  })

  test('a purge takes the local files too, and can be asked for after the deletion', async () => {
    const [kept, purged] = [await service.person(), await service.person()]
    const ruleId = await makeRule(kept.client)
    for (const { user } of [kept, purged]) await putFile(user.id, service.files, 'a.txt', 'Call 112')
    const there = ({ user }: Person) => existsSync(join(service.files, user.id))
    await good('DELETE', `/users/${purged.user.id}?purge=true`, undefined, admin)
    if (!deployed) await expect.poll(() => there(purged), { timeout: 30_000 }).toBe(false)
    expect((await send('DELETE', `/users/${purged.user.id}?purge=true`, undefined, admin)).status).toBe(404)
    await good('DELETE', `/users/${kept.user.id}`, undefined, admin)
    expect((await send('DELETE', `/users/${kept.user.id}`, undefined, admin)).status).toBe(404)
    await good('GET', `/rules/${ruleId}`, undefined, admin)
    await good('DELETE', `/users/${kept.user.id}?purge=true`, undefined, admin)
    const rule = async () => (await send('GET', `/rules/${ruleId}`, undefined, admin)).status
    await expect.poll(rule, { timeout: 30_000 }).toBe(404)
    if (!deployed) await expect.poll(() => there(kept), { timeout: 30_000 }).toBe(false)
  })

  test('names of the language are no permissions', async () => {
    const body = { name: 'odd', permissions: ['constructor', 'toString', '__proto__'] }
    const reply = await send('POST', '/roles/', body, admin)
    expect([reply.status, problemsOf(reply).map(({ type }) => type)]).toEqual([
      422,
      Array(3).fill('permission_unknown'),
    ])
  })

  test('results are downloaded with assets:read only', async () => {
    const job = await makeFinishedJob(admin.client)
    const permissions = ['jobs:read', 'jobs:any']
    await good('POST', '/roles/', { name: 'viewer', permissions }, admin)
    const viewer = await service.person('viewer')
    const urlOf = async (person: Person) => (await good('GET', `/jobs/${job}`, undefined, person)).result.assets[0].url
    expect(await urlOf(viewer)).toBeNull()
    expect(await urlOf(admin)).toMatch(/^http/)
  })

  test('roles are created, shown, changed and deleted; built-in ones are not', async () => {
    const body = { name: 'auditor', description: 'Reads', permissions: ['audit:read'] }
    const role = await good('POST', '/roles/', body, admin)
    expect(role).toEqual({ id, ...body, builtIn: false, ...stamps })
    expect(await good('GET', `/roles/${role.id}`, undefined, admin)).toEqual(role)
    expect(await good('PUT', `/roles/${role.id}`, { description: 'Looks' }, admin)).toMatchObject({
      description: 'Looks',
    })
    const person = await service.person('auditor')
    const used = await send('DELETE', `/roles/${role.id}`, undefined, admin)
    expect([used.status, problemsOf(used)[0]]).toEqual([
      400,
      expect.objectContaining({ type: 'in_use', msg: expect.stringContaining(person.user.id) }),
    ])
    await good('PUT', `/users/${person.user.id}`, { role: 'user' }, admin)
    expect(await good('DELETE', `/roles/${role.id}`, undefined, admin)).toEqual({ id: role.id, deleted: true })
    const unknown = await send('POST', '/roles/', { name: 'odd', permissions: ['rules:read', 'rules:fly'] }, admin)
    expect([unknown.status, problemsOf(unknown)]).toEqual([
      422,
      [expect.objectContaining({ type: 'permission_unknown', loc: ['body', 'permissions', '1'] })],
    ])
    const builtIn = (await good('GET', '/roles/', undefined, admin)).filter((one: { builtIn: boolean }) => one.builtIn)
    expect(builtIn.map(({ name }: { name: string }) => name)).toEqual(['admin', 'user'])
    for (const { id: roleId } of builtIn) {
      expect((await send('PUT', `/roles/${roleId}`, { description: 'x' }, admin)).status).toBe(400)
      expect((await send('DELETE', `/roles/${roleId}`, undefined, admin)).status).toBe(400)
    }
  })

  test('permissions: created, listed, the default ones as often as asked', async () => {
    const permission = await good('POST', '/permissions/', { name: 'reports:print' }, admin)
    expect(permission).toEqual({ id, name: 'reports:print', description: '', ...stamps })
    expect((await send('POST', '/permissions/', { name: 'reports:print' }, admin)).status).toBe(400)
    const [first, second] = [
      await good('POST', '/permissions/default', undefined, admin),
      await good('POST', '/permissions/default', undefined, admin),
    ]
    expect(second).toEqual(first)
    const names = (await good('GET', '/permissions/', undefined, admin)).map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['reports:print', 'rules:read', 'audit:read']))
  })

  test('notifications: own ones only, unread or all, read once', async () => {
    const person = await service.person()
    const notificationId = await make(service, person, 'notification_id')
    const [unread] = await good('POST', '/notifications/list', { filters: { read: false } }, person)
    const { title, message } = unread
    expect(unread).toEqual({
      id: notificationId,
      kind: 'job.cancelled',
      title,
      message,
      resource: { type: 'job', id },
      read: false,
      readAt: null,
      createdAt: time,
    })
    const read = await good('POST', `/notifications/${notificationId}/read`, undefined, person)
    expect(read).toMatchObject({ read: true, readAt: time })
    expect((await good('POST', `/notifications/${notificationId}/read`, undefined, person)).readAt).toBe(read.readAt)
    expect(await good('POST', '/notifications/list', { filters: { read: false } }, person)).toEqual([])
    expect(await good('POST', '/notifications/list', {}, admin)).not.toContainEqual(
      expect.objectContaining({ id: notificationId }),
    )
  })
})
