import { randomUUID } from 'node:crypto'
import { addSecondFactor } from '../second-factor.ts'
import type { Provocation, Stage } from './stage.ts'

const password = 'correct horse battery'
const stranger = () => `${randomUUID()}@example.org`
const register =
  (change: object): Provocation =>
  ({ send }) =>
    send('POST', '/auth/register', { name: 'Ada', email: stranger(), password, ...change })
const bearing =
  (token: (stage: Stage) => Promise<string> | string): Provocation =>
  async stage =>
    stage.service.send('GET', '/auth/me', { token: await token(stage) })

const account = { name: 'Nightly', role: 'user', permissions: ['rules:read'] }
const newAccount = ({ service }: Stage, more: object = {}) =>
  service.admin.client.serviceAccounts.create({ body: { ...account, ...more } })

/** Somebody with a second factor, whose log-in of a second ago is no longer fresh. */
async function withFactor({ service }: Stage, role?: string) {
  const person = await service.person(role)
  return { ...person, ...(await addSecondFactor(person)) }
}

/** A request for each fault of who is calling, and of accounts and roles. */
export const ofPeople = {
  not_authenticated: ({ service }) => service.send('GET', '/auth/me'),
  invalid_token: bearing(() => 'not.a.token'),
  token_expired: bearing(async ({ service }) => {
    const { client, token } = await service.person()
    await client.auth.logout()
    return token
  }),
  invalid_credentials: ({ send }) => send('POST', '/auth/login', { email: stranger(), password: 'wrong password' }),
  too_many_attempts: async ({ send }) => {
    const guess = { email: stranger(), password: 'wrong password' }
    let reply = await send('POST', '/auth/login', guess)
    for (let n = 0; n < 30 && reply.status !== 429; n++) reply = await send('POST', '/auth/login', guess)
    return reply
  },
  second_factor_required: async stage => {
    const { user, password } = await withFactor(stage)
    return stage.send('POST', '/auth/login', { email: user.email, password })
  },
  invalid_code: async stage => {
    const { user, password } = await withFactor(stage)
    return stage.send('POST', '/auth/login', { email: user.email, password, code: '12345' })
  },
  second_factor_setup_required: async ({ service }) => {
    await service.admin.client.roles.create({ body: { name: 'guarded', permissions: ['rules:read'] } })
    const { token } = await service.person('guarded')
    return service.send('POST', '/rules/list', { token })
  },
  fresh_login_required: async stage => {
    const { roles } = stage.service.admin.client
    await roles.create({ body: { name: 'manager', permissions: ['users:manage'] } })
    const person = await withFactor(stage, 'manager')
    const change = () => stage.send('PUT', `/users/${randomUUID()}`, { name: 'Grace' }, person)
    let reply = await change()
    for (let n = 0; n < 100 && reply.status === 404; n++) {
      await new Promise(resolve => setTimeout(resolve, 100))
      reply = await change()
    }
    return reply
  },
  wrong_code: ({ send }) => send('PUT', '/auth/second-factor', { code: '12345' }),
  second_factor_on: async stage => stage.send('PUT', '/auth/second-factor', { code: '12345' }, await withFactor(stage)),
  second_factor_off: ({ send }) => send('DELETE', '/auth/second-factor', { code: '12345' }),
  invalid_refresh_token: ({ send }) => send('POST', '/auth/refresh', { refresh_token: 'x'.repeat(43) }),
  wrong_password: ({ send }) =>
    send('PUT', '/auth/password', { currentPassword: 'wrong password', newPassword: 'quite another battery' }),
  password_unchanged: ({ send, user }) =>
    send('PUT', '/auth/password', { currentPassword: user.password, newPassword: user.password }),
  password_change_required: async ({ service }) => {
    const { user } = await service.person()
    const { temporaryPassword } = await service.admin.client.users.resetPassword({ user_id: user.id })
    const { token } = await service.logIn(user.email, temporaryPassword!)
    return service.send('GET', '/auth/me', { token })
  },
  permission_denied: ({ send }) => send('GET', '/users/'),
  registration_closed: ({ strict }) =>
    strict.send('POST', '/auth/register', { body: { name: 'Ada', email: stranger(), password } }),
  password_too_common: register({ password: 'password1234' }),
  email_taken: async stage => register({ email: stage.user.user.email })(stage),
  name_taken: ({ send, service }) => send('POST', '/roles/', { name: 'admin', permissions: [] }, service.admin),
  permission_unknown: ({ send, service }) =>
    send('POST', '/roles/', { name: 'wizard', permissions: ['magic:do'] }, service.admin),
  permission_for_people: ({ send, service }) =>
    send('POST', '/service-accounts/', { ...account, permissions: ['users:manage'] }, service.admin),
  address_not_allowed: async stage => {
    const { id: account_id } = await newAccount(stage, { networks: ['192.0.2.0/24'] })
    const { key } = await stage.service.admin.client.serviceAccounts.createKey({ account_id })
    return stage.service.send('POST', '/rules/list', { token: key })
  },
  too_many_keys: async stage => {
    const { id: account_id } = await newAccount(stage)
    const { serviceAccounts } = stage.service.admin.client
    for (let n = 0; n < 2; n++) await serviceAccounts.createKey({ account_id })
    return stage.send('POST', `/service-accounts/${account_id}/keys`, {}, stage.service.admin)
  },
  key_unknown: async stage => {
    const { id } = await newAccount(stage)
    return stage.send('DELETE', `/service-accounts/${id}/keys`, { keyIds: [randomUUID()] }, stage.service.admin)
  },
  role_not_found: ({ send, service, user }) => send('PUT', `/users/${user.user.id}`, { role: 'wizard' }, service.admin),
  built_in: async ({ send, service }) => {
    const roles = (await send('GET', '/roles/', undefined, service.admin)).body as { id: string; name: string }[]
    return send('DELETE', `/roles/${roles.find(({ name }) => name === 'user')!.id}`, undefined, service.admin)
  },
  own_account: ({ send, service }) => send('DELETE', `/users/${service.admin.user.id}`, undefined, service.admin),
  last_administrator: async ({ send, good, service }) => {
    const roles = (await send('GET', '/roles/', undefined, service.admin)).body as {
      name: string
      permissions: string[]
    }[]
    const { permissions } = roles.find(({ name }) => name === 'admin')!
    await good('POST', '/roles/', { name: 'deputy', permissions }, service.admin)
    return send('PUT', `/users/${service.admin.user.id}/block`, {}, await service.person('deputy'))
  },
} satisfies Record<string, Provocation>
