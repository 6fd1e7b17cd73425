import * as z from 'zod'
import { Deleted, Description, Id, listQuery, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

const RoleName = upTo(64).regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be lower-case letters, digits, - and _')
const PermissionNames = z.array(z.string().max(64)).max(100)

export const Quota = z
  .strictObject({
    bytesPerDay: z.int().min(1).optional().describe('Bytes of the files that come in; no limit when absent'),
    jobsPerDay: z.int().min(1).optional().describe('Jobs that are created; no limit when absent'),
  })
  .describe('How much each user and service account of the role may bring in on one day (UTC)')
  .meta({ id: 'Quota' })
export type Quota = z.infer<typeof Quota>

export const Role = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
    quota: Quota.optional(),
    builtIn: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

export const NewRole = z
  .strictObject({
    name: RoleName,
    description: Description.default(''),
    permissions: PermissionNames,
    quota: Quota.optional(),
  })
  .meta({ id: 'NewRole' })
export type NewRole = z.infer<typeof NewRole>

export const RoleChanges = z
  .strictObject({
    name: RoleName.optional(),
    description: Description.optional(),
    permissions: PermissionNames.optional(),
    quota: Quota.optional().describe('In place of the one it has; `{}` for no limits'),
  })
  .meta({ id: 'RoleChanges' })
export type RoleChanges = z.infer<typeof RoleChanges>

export const roles = {
  list: {
    route: 'GET /roles/',
    access: 'roles:manage',
    summary: 'List roles',
    query: listQuery([], ['name', 'createdAt', 'updatedAt']),
    reply: z.array(Role),
  },
  create: {
    route: 'POST /roles/',
    access: 'roles:manage',
    fresh: true,
    summary: 'Create a role',
    body: NewRole,
    reply: Role,
    problems: ['name_taken', 'permission_unknown'],
  },
  get: { route: 'GET /roles/{role_id}', access: 'roles:manage', summary: 'Show a role', reply: Role },
  update: {
    route: 'PUT /roles/{role_id}',
    access: 'roles:manage',
    fresh: true,
    summary: 'Change a role',
    description: 'Takes effect on the very next request of everyone who has the role.',
    body: RoleChanges,
    reply: Role,
    problems: ['name_taken', 'permission_unknown', 'built_in', 'in_use'],
  },
  delete: {
    route: 'DELETE /roles/{role_id}',
    access: 'roles:manage',
    summary: 'Delete a role that nobody has',
    reply: Deleted,
    problems: ['built_in', 'in_use'],
  },
} as const satisfies Resource
