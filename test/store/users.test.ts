import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defaultPermissions } from '../../shared/api/permission-names.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { NOTIFICATION } from '../../shared/store/notifications.ts'
import { createDefaultPermissions, listPermissions } from '../../shared/store/permissions.ts'
import { changeRole, createRole, listRoles, permissionsOf, removeRole } from '../../shared/store/roles.ts'
import { createSession, endSession, findSession, isCurrent, rotateSession } from '../../shared/store/sessions.ts'
import {
  blockUser,
  changePassword,
  createFirstAdministrator,
  createUser,
  findUserByEmail,
  getUser,
  removeUser,
  setPassword,
  USER,
  updateUser,
} from '../../shared/store/users.ts'
import { startTables } from './tables.ts'

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await startTables()
})
afterAll(() => {
  vi.useRealTimers()
  return stop()
})

let made = 0
const fields = (role: string) => ({ name: 'Ada', email: `user-${++made}@example.org`, role, passwordHash: 'hash' })
const create = (role = 'user') => createUser(fields(role))
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    error => error.detail?.[0]?.type ?? error.message,
  )
const page = { skip: 0, limit: 100 }

describe('the first administrator', () => {
  test('is created once, however many ask at the same moment', async () => {
    const { role, ...first } = fields('admin')
    const tries = await Promise.all(
      [1, 2, 3, 4].map(n => createFirstAdministrator({ ...first, email: `first-${n}@example.org` })),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await createFirstAdministrator(first)).toBe(false)
  })
})

describe('the last administrator', () => {
  test('stays, when all administrators are demoted, blocked and removed at the same moment', async () => {
    const others = await Promise.all([create('admin'), create('admin'), create('admin')])
    const everyone = await listRecords<{ role: string } & (typeof others)[0]>(USER, 'all', page)
    const admins = everyone.records.filter(user => user.role === 'admin')
    expect(admins).toHaveLength(4)
    const ends = [
      outcome(updateUser(admins[0]!.id, { role: 'user' })),
      outcome(updateUser(admins[1]!.id, { role: 'user' })),
      outcome(blockUser(admins[2]!.id, true)),
      outcome(removeUser(admins[3]!.id)),
    ]
    expect((await Promise.all(ends)).toSorted()).toEqual(['done', 'done', 'done', 'last_administrator'])
    const left = await listRecords<(typeof others)[0]>(USER, 'all', page)
    expect(left.records.filter(({ role, blocked }) => role === 'admin' && !blocked)).toHaveLength(1)
  })
})

describe('an address', () => {
  test('is one user’s in any case, also when two ask at once', async () => {
    const twins = ['Twin@example.org', 'tWIN@EXAMPLE.org'].map(email => createUser({ ...fields('user'), email }))
    const settled = await Promise.all(twins.map(outcome))
    expect(settled.toSorted()).toEqual(['done', 'email_taken'])
    expect((await findUserByEmail('TWIN@example.org'))?.email.toLowerCase()).toBe('twin@example.org')
  })

  test('is free again once its user has another or is gone', async () => {
    const user = await create()
    const old = user.email
    await updateUser(user.id, { email: 'New@example.org' })
    expect(await findUserByEmail(old)).toBeUndefined()
    expect((await findUserByEmail('new@example.org'))?.id).toBe(user.id)
    await updateUser(user.id, { email: 'NEW@example.org' })
    expect((await getUser(user.id)).email).toBe('NEW@example.org')
    await removeUser(user.id)
    expect(await outcome(createUser({ ...fields('user'), email: 'new@example.org' }))).toBe('done')
  })
})

describe('sessions', () => {
  test.each([
    ['blocking', (id: string) => blockUser(id, true)],
    ['a new password', (id: string) => setPassword(id, { passwordHash: 'other', mustChangePassword: false })],
  ])('%s ends them, also one that begins at the same moment', async (_, end) => {
    const user = await create()
    const before = await createSession(user)
    await end(user.id)
    const late = await createSession(user)
    const now = await getUser(user.id)
    expect(await findSession(user.id, before.sessionId)).toBeUndefined()
    expect(isCurrent((await findSession(user.id, late.sessionId))!, now)).toBe(false)
    const rotated = await rotateSession(late.refreshToken)
    expect(isCurrent(rotated!, now)).toBe(false)
    const { records } = await listRecords(NOTIFICATION, { ownerId: user.id }, page)
    expect(records).toHaveLength(1)
  })

  test('a refresh token that is used twice ends its session', async () => {
    const { refreshToken, sessionId } = await createSession(await create())
    const [userId = ''] = refreshToken.split('.')
    const next = await rotateSession(refreshToken)
    expect(next?.sessionId).toBe(sessionId)
    expect(await rotateSession(refreshToken)).toBeUndefined()
    expect(await findSession(userId, sessionId)).toBeUndefined()
    expect(await rotateSession(next!.refreshToken!)).toBeUndefined()
  })

  test('a made-up refresh token, or one with another session’s mark, ends none', async () => {
    const user = await create()
    const [session, other] = [await createSession(user), await createSession(user)]
    const parts = session.refreshToken.split('.')
    const made = [
      parts.slice(0, 3).join('.'),
      [...parts.slice(0, 2), 'x'.repeat(43), parts[3]].join('.'),
      [...parts.slice(0, 3), other.refreshToken.split('.')[3]].join('.'),
      `${session.refreshToken}.more`,
    ]
    for (const token of made) expect(await rotateSession(token)).toBeUndefined()
    expect((await rotateSession(session.refreshToken))?.sessionId).toBe(session.sessionId)
  })

  test('of the one who changes the password the session goes on, and all others end', async () => {
    const user = await create()
    const [own, other] = [await createSession(user), await createSession(user)]
    const change = { sessionId: own.sessionId, passwordHash: 'other', ended: new Error('ended') }
    await changePassword(user, change)
    const now = await getUser(user.id)
    expect(now).toMatchObject({ passwordHash: 'other', mustChangePassword: false })
    expect(isCurrent((await findSession(user.id, own.sessionId))!, now)).toBe(true)
    expect(await findSession(user.id, other.sessionId)).toBeUndefined()
    // The password that was checked is no longer the user's.
    expect(await outcome(changePassword(user, change))).toBe('ended')
    await endSession(user.id, own.sessionId)
    expect(await outcome(changePassword(now, change))).toBe('ended')
    expect((await getUser(user.id)).sessionEpoch).toBe(now.sessionEpoch)
  })
})

describe('roles', () => {
  const newRole = (name: string) => ({ id: randomUUID(), name, description: '', permissions: ['rules:read'] })

  test('a role that somebody has is neither renamed nor removed, and may be once nobody has it', async () => {
    const role = await createRole(newRole('auditor'))
    const user = await create()
    await updateUser(user.id, { role: 'auditor' })
    expect(await outcome(removeRole(role.id))).toBe('in_use')
    expect(await outcome(changeRole(role.id, { name: 'checker' }))).toBe('in_use')
    await changeRole(role.id, { permissions: ['jobs:read'] })
    expect(await permissionsOf('auditor')).toEqual(['jobs:read'])
    await updateUser(user.id, { role: 'user' })
    await changeRole(role.id, { name: 'checker' })
    expect(await permissionsOf('auditor')).toBeUndefined()
    expect(await permissionsOf('checker')).toEqual(['jobs:read'])
    await removeRole(role.id)
    expect(await outcome(updateUser(user.id, { role: 'checker' }))).toBe('role_not_found')
  })

  test('given and removed at the same moment, only one of the two happens', async () => {
    for (let round = 0; round < 10; round++) {
      const role = await createRole(newRole(`racing-${round}`))
      const user = await create()
      await Promise.all([outcome(updateUser(user.id, { role: role.name })), outcome(removeRole(role.id))])
      const has = (await getUser(user.id)).role === role.name
      expect((await permissionsOf(role.name)) !== undefined).toBe(has)
    }
  })

  test('names are unique, built-in ones included', async () => {
    const tries = await Promise.all([1, 2, 3].map(() => outcome(createRole(newRole('twice')))))
    expect(tries.toSorted()).toEqual(['done', 'name_taken', 'name_taken'])
    expect(await outcome(createRole(newRole('admin')))).toBe('name_taken')
  })

  test('changes of different fields at the same moment both hold', async () => {
    const role = await createRole(newRole('shared'))
    await Promise.all([
      changeRole(role.id, { description: 'One' }),
      changeRole(role.id, { permissions: ['jobs:read', 'rules:read'] }),
    ])
    expect(await permissionsOf('shared')).toEqual(['jobs:read', 'rules:read'])
  })

  test('lists show the built-in ones last, page by page', async () => {
    const { total } = await listRoles(page)
    const names: string[] = []
    for (let skip = 0; skip < total; skip += 2)
      names.push(...(await listRoles({ skip, limit: 2 })).records.map(({ name }) => name))
    expect(new Set(names).size).toBe(total)
    expect(names.slice(-2)).toEqual(['admin', 'user'])
  })
})

describe('default permissions', () => {
  test('are created once, however often', async () => {
    await Promise.all([createDefaultPermissions(), createDefaultPermissions()])
    const { records, total } = await listPermissions(page)
    expect(total).toBe(Object.keys(defaultPermissions).length)
    expect(new Set(records.map(({ name }) => name))).toEqual(new Set(Object.keys(defaultPermissions)))
  })
})

// The last ones: requests are signed with the time, which must not go back.
describe('sessions in time', () => {
  test('forgive the token before for ten seconds where they have leeway, and bring no other for it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { refreshToken, sessionId } = await createSession(await create())
    const next = await rotateSession(refreshToken, { hasLeeway: true })
    vi.setSystemTime(Date.now() + 9000)
    expect(await rotateSession(refreshToken, { hasLeeway: true })).toMatchObject({ sessionId, refreshToken: undefined })
    vi.setSystemTime(Date.now() + 1000)
    expect(await rotateSession(refreshToken, { hasLeeway: true })).toBeUndefined()
    expect(await rotateSession(next!.refreshToken!, { hasLeeway: true })).toBeUndefined()
  })

  test('end thirty days after they began, however often they are refreshed, and after seven without', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [user, days] = [await create(), 24 * 3600 * 1000]
    const idle = await createSession(user)
    let { refreshToken } = await createSession(user)
    for (let day = 6; day < 30; day += 6) {
      vi.setSystemTime(Date.now() + 6 * days)
      refreshToken = (await rotateSession(refreshToken))!.refreshToken!
    }
    expect(await rotateSession(idle.refreshToken)).toBeUndefined()
    vi.setSystemTime(Date.now() + 6 * days + 1000)
    expect(await rotateSession(refreshToken)).toBeUndefined()
  })
})
