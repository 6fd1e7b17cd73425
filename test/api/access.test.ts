import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isForPeople } from '../../shared/api/endpoint.ts'
import { type DeclaredEndpoint, endpoints } from '../../shared/api/index.ts'
import { defaultPermissions, forPeople } from '../../shared/api/permission-names.ts'
import { bodies, make, type Parameter } from './requests.ts'
import { type Person, type Reply, useService } from './setup.ts'

const service = await useService()
const prepared = bodies(service.files)
const owner = await service.person()
const other = await service.person()
const blocked = await service.person()
await service.admin.client.users.block({ user_id: blocked.user.id })

const nameOf = ({ resource, operation }: DeclaredEndpoint) => `${resource}.${operation}`

/** Milliseconds that two requests about each endpoint may take on a busy machine. */
const walk = 300_000

const nobody = '00000000-0000-4000-8000-000000000000'

/** Sends a request of the endpoint about a record that there is not: for those who don't get that far. */
const probe = (declared: DeclaredEndpoint, token: string | undefined): Promise<Reply> =>
  service.send(declared.method, declared.path.replaceAll(/\{\w+\}/g, nobody), { token })

/**
 * Records that a request is about: new ones, those that all requests share which change nothing, or those of other
 * kinds of requests too, in whatever state they are.
 */
type Records = 'new' | 'shared' | 'any'

const made = new Map<string, Promise<unknown>>()

/** What is made once under a name. */
function once<T>(name: string, make: () => Promise<T>): Promise<T> {
  if (!made.has(name)) made.set(name, make())
  return made.get(name) as Promise<T>
}

/** Sends a good request of the endpoint about records of one person with the token of another, or without. */
async function call(
  declared: DeclaredEndpoint,
  about: Person,
  token: string | undefined,
  records: Records = declared.method === 'GET' ? 'shared' : 'new',
): Promise<Reply> {
  const prepare = async () => (await prepared[nameOf(declared)]?.(service, about)) ?? {}
  const of = about.user.id
  const ready = await (records === 'new' ? prepare() : once(`${of} ${nameOf(declared)}`, prepare))
  let path = declared.path
  for (const name of declared.parameters as Parameter[]) {
    const anew = () => make(service, about, name)
    const id = records === 'any' ? undefined : ready.path?.[name]
    path = path.replace(`{${name}}`, id ?? (await (records === 'new' ? anew() : once(`${of} ${name}`, anew))))
  }
  const reply = await service.send(declared.method, path, { token, body: ready.body })
  if (declared.operation === 'changePassword' && reply.status === 200) {
    const back = { currentPassword: 'quite another battery', newPassword: about.password }
    expect((await service.send(declared.method, path, { token, body: back })).status).toBe(200)
  }
  if (declared.operation === 'enableSecondFactor' && reply.status === 200) {
    const [code] = (reply.body as { recoveryCodes: string[] }).recoveryCodes
    expect((await service.send('DELETE', path, { token, body: { code } })).status).toBe(200)
  }
  return reply
}

const typeOf = ({ body }: Reply) => (body as { detail: { type: string }[] }).detail[0]!.type
const closed = endpoints.filter(({ endpoint }) => endpoint.access !== 'public')
/** Endpoints that need a permission, by its name. */
const byPermission = Map.groupBy(
  closed.filter(({ endpoint }) => endpoint.access !== 'session'),
  ({ endpoint }) => endpoint.access,
)
const administrative = (access: string) =>
  /^(users|roles|service-accounts|audit):|^(tokens:approve|jobs:review)$/.test(access)

/** What public endpoints answer without their parameters, or before the log has its first entry. */
const answersOf: Record<string, number[]> = {
  'transparency.checkpoint': [200, 404],
  'transparency.tile': [422],
  'transparency.receipt': [422],
  'transparency.consistency': [422],
  'auth.exchange': [400],
  'identity.start': [404],
  'identity.callback': [404],
  'identity.logout': [404],
}

describe('without a good token', () => {
  test.each(closed)('$endpoint.route answers 401', async declared => {
    const without = await probe(declared, undefined)
    expect([without.status, typeOf(without)]).toEqual([401, 'not_authenticated'])
    expect(without.headers.get('www-authenticate')).toBe('Bearer')
    const bad = await probe(declared, `${owner.token.slice(0, -8)}AAAAAAAA`)
    expect([bad.status, typeOf(bad)]).toEqual([401, 'invalid_token'])
    const ended = await probe(declared, blocked.token)
    expect([ended.status, typeOf(ended)]).toEqual([401, 'token_expired'])
  })

  test.each(endpoints.filter(({ endpoint }) => endpoint.access === 'public'))(
    '$endpoint.route answers',
    async declared => {
      expect(answersOf[nameOf(declared)] ?? [200]).toContain((await call(declared, owner, undefined)).status)
    },
  )
})

/** One after the other: side by side, each sandbox would load the code of every endpoint. */
async function expectRefused(declared: DeclaredEndpoint[], token: string): Promise<void> {
  for (const each of declared) {
    const refused = await probe(each, token)
    expect([each.endpoint.route, refused.status, typeOf(refused)]).toEqual([
      each.endpoint.route,
      403,
      'permission_denied',
    ])
  }
}

describe('a role without the permission', () => {
  test('answers 403 on every endpoint that needs one, and acts on the very next request', {
    timeout: walk,
  }, async () => {
    const { client } = service.admin
    const role = await client.roles.create({ body: { name: `narrow-${randomUUID().slice(0, 8)}`, permissions: [] } })
    const person = await service.person(role.name)
    for (const [access, declared] of byPermission) {
      const permissions = Object.keys(defaultPermissions).filter(name => name !== access)
      await client.roles.update({ role_id: role.id, body: { permissions } })
      await expectRefused(declared, person.token)
    }
  })
})

describe('a user', () => {
  test.each(closed)('$endpoint.route answers the owner, if at all', async declared => {
    const reply = await call(declared, owner, owner.token)
    expect(reply.status).toBe(administrative(declared.endpoint.access) ? 403 : expectedOf(declared))
  })

  // What ships with the service is everybody's.
  const owned = closed.filter(
    ({ parameters, endpoint }) => parameters.length > 0 && !endpoint.path && !administrative(endpoint.access),
  )
  test.each(owned)('$endpoint.route answers others as if there were no such record', async declared => {
    const reply = await call(declared, owner, other.token, 'any')
    expect([reply.status, typeOf(reply)]).toEqual([404, 'not_found'])
    expect(reply.text).not.toContain(owner.user.id)
  })
})

describe('an administrator', () => {
  test.each(closed)('$endpoint.route answers about anybody’s record', async declared => {
    // Sessions of texts are bound to who opened them, as are notifications.
    const about = ['notifications', 'auth', 'texts'].includes(declared.resource) ? service.admin : owner
    const reply = await call(declared, about, service.admin.token)
    // What was approved is opened by who asked for it, and nobody else.
    const isOthers = nameOf(declared) === 'reidentifications.open'
    expect(reply.status).toBe(isOthers ? 403 : expectedOf(declared))
  })
})

describe('a key of a service account', async () => {
  const { serviceAccounts } = service.admin.client
  const all = Object.keys(defaultPermissions).filter(name => !forPeople.has(name))
  const body = { name: 'Everything', role: 'admin', permissions: all }
  const { id: strongest } = await serviceAccounts.create({ body })
  const { key: strongestKey } = await serviceAccounts.createKey({ account_id: strongest })

  const [forPeopleOnly, forBoth] = [true, false].map(people =>
    closed.filter(({ endpoint }) => isForPeople(endpoint) === people),
  ) as [DeclaredEndpoint[], DeclaredEndpoint[]]
  test.each(forPeopleOnly)('is refused by $endpoint.route, whatever it may do', async declared => {
    const refused = await call(declared, owner, strongestKey, 'shared')
    expect([refused.status, typeOf(refused)]).toEqual([403, 'permission_denied'])
  })

  // Sessions of texts are bound to who opened them, as are notifications.
  const unbound = forBoth.filter(declared => !['notifications.read', 'texts.restore'].includes(nameOf(declared)))
  test.each(unbound)('is answered by $endpoint.route where it may do that', async declared => {
    expect((await call(declared, owner, strongestKey)).status).toBe(expectedOf(declared))
  })

  test('answers 403 on every endpoint whose permission its account lacks, on the very next request', {
    timeout: walk,
  }, async () => {
    const { id: account_id } = await serviceAccounts.create({ body })
    const { key } = await serviceAccounts.createKey({ account_id })
    for (const [access, declared] of byPermission) {
      await serviceAccounts.update({ account_id, body: { permissions: all.filter(name => name !== access) } })
      await expectRefused(declared, key)
    }
  })
})

/** What a good request gets: 200, but where its record is not in the state for it. */
function expectedOf(declared: DeclaredEndpoint): number {
  if (nameOf(declared) === 'mcp.listen') return 405
  if (nameOf(declared) === 'identity.setSecret') return 404
  // An asset that was not anonymised has no report, nobody has approved the request, and nobody has a second factor.
  return ['assets.report', 'reidentifications.open', 'auth.disableSecondFactor', 'users.resetSecondFactor'].includes(
    nameOf(declared),
  )
    ? 400
    : 200
}
