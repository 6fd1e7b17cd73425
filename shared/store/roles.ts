import { defaultPermissions } from '../api/permission-names.ts'
import { notFound, ProblemError } from '../api/problems.ts'
import type { NewRole, Role, RoleChanges } from '../api/roles.ts'
import {
  type Expression,
  getItem,
  type Item,
  queryItems,
  setting,
  type Transact,
  transact,
  type Write,
} from './dynamo.ts'
import { idFrom } from './ids.ts'
import { type Kind, kinds } from './kinds.ts'
import { type ListPage, type ListQuery, listAhead, listRecords, matches, sortRows } from './lists.ts'
import { creating, findRecord, keyOf, removing, type Stored } from './records.ts'

const ROLE: Kind = kinds.role_id

/** What a role allows. */
export type Standing = Pick<Role, 'permissions' | 'quota'>

/** A role as stored. Name, permissions and quota are also a row of its own, which is read on each request. */
type RoleRecord = Role & Stored

type NameRow = Item & { roleId: string } & Standing

const nameKey = (name: string) => ({ pk: `ROLE-NAME#${name}`, sk: 'ROLE-NAME' })

/** Epoch of what is built in. */
const SINCE = '2026-01-01T00:00:00.000Z'

const builtIn = (name: string, description: string, permissions: string[]): Role => ({
  id: idFrom('built-in role', name),
  name,
  description,
  permissions,
  builtIn: true,
  createdAt: SINCE,
  updatedAt: SINCE,
})

/** Permissions that only administrators hold by default. */
const isAdministrative = (name: string): boolean =>
  name.endsWith(':any') ||
  /^(users|roles|service-accounts|audit):|^tokens:(approve|emergency)$|^jobs:review$/.test(name)

/** Roles that every deployment has; they can't be changed or deleted. */
const builtInRoles: readonly Role[] = [
  builtIn('admin', 'Everything', Object.keys(defaultPermissions)),
  builtIn(
    'user',
    'Own rules, workflows, jobs, assets, sources, keys and notifications',
    Object.keys(defaultPermissions).filter(name => !isAdministrative(name)),
  ),
]

const builtInRole = (name: string): Role | undefined => builtInRoles.find(role => role.name === name)

const findName = (name: string): Promise<NameRow | undefined> => getItem<NameRow>('roles', nameKey(name))

/** What a role allows, by its name; undefined when there is no such role. */
export const standingOf = async (name: string): Promise<Standing | undefined> =>
  builtInRole(name) ?? (await findName(name))

/** Permissions of a built-in role, which need not be read; undefined for other roles. */
export const builtInPermissions = (name: string): readonly string[] | undefined => builtInRole(name)?.permissions

/** Permissions of a role by its name; undefined when there is no such role. */
export const permissionsOf = async (name: string): Promise<readonly string[] | undefined> =>
  (await standingOf(name))?.permissions

/** A role by id; refuses an unknown one (404). */
export async function getRole(id: string): Promise<Role> {
  const role = builtInRoles.find(role => role.id === id) ?? (await findRecord<RoleRecord>(ROLE, id))
  if (!role) throw notFound('role')
  return role
}

/** A role that may be changed, unless `check` refuses that; refuses what is built in (400). */
async function getOwnRole(id: string, check: (role: Role) => void = () => {}): Promise<RoleRecord> {
  const role = await getRole(id)
  check(role)
  if (role.builtIn) throw new ProblemError({ type: 'built_in', loc: ['path', 'role_id'] })
  return role as RoleRecord
}

/** What a page of roles reads. */
export const rolesAhead = (page: ListQuery): ReturnType<typeof listAhead> => listAhead(ROLE, 'all', page)

/** A page of roles: newest first, the built-in ones last. */
export async function listRoles(page: ListQuery): Promise<ListPage<Role>> {
  if (page.search || page.filters || page.sort) {
    // Roles are few: with the built-in ones among them they are sorted here.
    const all = await listRecords<RoleRecord>(ROLE, 'all', { skip: 0, limit: 10_000 })
    const found = sortRows(
      [...all.records, ...builtInRoles].filter(role => matches(role, page)),
      page.sort ?? [],
    )
    return { records: found.slice(page.skip, page.skip + page.limit), total: found.length }
  }
  const { records, total, last } = await listRecords<RoleRecord>(ROLE, 'all', page)
  const rest = builtInRoles.slice(Math.max(0, page.skip - total), Math.max(0, page.skip + page.limit - total))
  return { records: [...records, ...rest], total: total + builtInRoles.length, last }
}

/** The write that takes a name for a role. */
const naming = ({ id, name, permissions, quota }: Role): Write => ({
  table: 'roles',
  put: { ...nameKey(name), roleId: id, permissions, quota },
  condition: { condition: 'attribute_not_exists(pk) OR roleId = :id', values: { ':id': id } },
  otherwise: nameTaken(),
})

const nameTaken = () => new ProblemError({ type: 'name_taken', loc: ['body', 'name'] })

/** Creates a role; refuses a name that is taken (400). */
export async function createRole(fields: NewRole & { id: string }, write: Transact = transact): Promise<Role> {
  if (builtInRole(fields.name)) throw nameTaken()
  const now = new Date().toISOString()
  const role: RoleRecord = { ...fields, ownerId: fields.id, builtIn: false, createdAt: now, updatedAt: now }
  await write([...creating(ROLE, role), naming(role)])
  return role
}

/** Holds while the role is as it was read and, where that matters, nobody has it. */
function still({ name, permissions, quota }: RoleRecord, unused: boolean): Expression {
  const free = unused ? ' AND (attribute_not_exists(#uses) OR #uses = :none)' : ''
  const sameQuota = quota ? '#quota = :quota' : 'attribute_not_exists(#quota)'
  return {
    condition: `#name = :name AND #permissions = :permissions AND ${sameQuota}${free}`,
    names: { '#name': 'name', '#permissions': 'permissions', '#quota': 'quota', ...(unused && { '#uses': 'uses' }) },
    values: {
      ':name': name,
      ':permissions': permissions,
      ...(quota && { ':quota': quota }),
      ...(unused && { ':none': 0 }),
    },
  }
}

/** Refuses what would leave users without their role (400), naming up to twenty of them. */
async function requireUnused({ id }: RoleRecord): Promise<void> {
  const users: string[] = []
  for await (const { sk } of queryItems({ table: 'roles', key: keyOf(ROLE, id).pk, prefix: 'USER#' }, 20))
    users.push(sk.slice('USER#'.length))
  if (users.length > 0)
    throw new ProblemError({ type: 'in_use', msg: `Used by the users or service accounts ${users.join(', ')}` })
}

/** Changes and removals that met another one of the same role start over this often. */
const ATTEMPTS = 10

/**
 * Changes a role, unless `check` refuses that of the role as it is now; refuses a taken name, and another name while users
 * have the role (400).
 */
export async function changeRole(
  id: string,
  changes: RoleChanges,
  write: Transact = transact,
  check?: (role: Role) => void,
): Promise<Role> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await getOwnRole(id, check)
    const updatedAt = new Date().toISOString()
    const { name = before.name, description = before.description, permissions = before.permissions } = changes
    const { quota = before.quota } = changes
    const after: RoleRecord = { ...before, name, description, permissions, quota, updatedAt }
    const renamed = name !== before.name
    if (renamed && builtInRole(name)) throw nameTaken()
    if (renamed) await requireUnused(before)
    const [set, same] = [setting({ name, description, permissions, quota, updatedAt }), still(before, renamed)]
    const change = {
      ...set,
      ...same,
      names: { ...set.names, ...same.names },
      values: { ...set.values, ...same.values },
    }
    const freed: Write[] = renamed ? [{ table: 'roles', delete: nameKey(before.name) }] : []
    if (await write([{ table: 'roles', update: keyOf(ROLE, id), change }, naming(after), ...freed])) return after
  }
  throw new Error('The role is being changed too often')
}

/** Removes a role that nobody has. */
export async function removeRole(id: string, write: Transact = transact): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const role = await getOwnRole(id)
    await requireUnused(role)
    const [removal, ...totals] = removing(ROLE, role)
    const condition = still(role, true)
    const freed: Write = { table: 'roles', delete: nameKey(role.name) }
    if (await write([{ ...removal, condition } as Write, ...totals, freed])) return
  }
  throw new Error('The role is being changed too often')
}

/** The writes that note who has a role and who has no longer: part of the user's own change, so they always agree. */
export async function rankWrites(userId: string, before: string | undefined, after: string | undefined) {
  if (before === after) return []
  return [...(await rankWrite(userId, before, -1)), ...(await rankWrite(userId, after, 1))]
}

async function rankWrite(userId: string, name: string | undefined, by: 1 | -1): Promise<Write[]> {
  if (name === undefined || builtInRole(name)) return []
  const otherwise = new ProblemError({ type: 'role_not_found', loc: ['body', 'role'] })
  const role = await findName(name)
  if (!role && by === -1) return []
  if (!role) throw otherwise
  const key = keyOf(ROLE, role.roleId)
  const change: Expression = {
    update: 'ADD #uses :by',
    condition: '#name = :name',
    names: { '#uses': 'uses', '#name': 'name' },
    values: { ':by': by, ':name': name },
  }
  const note = { pk: key.pk, sk: `USER#${userId}` }
  return [
    { table: 'roles', update: key, change, otherwise },
    by === 1 ? { table: 'roles', put: note } : { table: 'roles', delete: note },
  ]
}
