import * as z from 'zod'
import { Description, Id, listQuery, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

export const Permission = z
  .object({ id: Id, name: z.string(), description: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'Permission' })
export type Permission = z.infer<typeof Permission>

export const NewPermission = z
  .strictObject({
    name: upTo(64)
      .regex(/^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/, 'must be resource:action')
      .meta({ examples: ['reports:read'] }),
    description: Description.default(''),
  })
  .meta({ id: 'NewPermission' })
export type NewPermission = z.infer<typeof NewPermission>

export const permissions = {
  list: {
    route: 'GET /permissions/',
    access: 'roles:manage',
    summary: 'List permissions',
    query: listQuery([], ['name', 'createdAt', 'updatedAt']),
    reply: z.array(Permission),
  },
  create: {
    route: 'POST /permissions/',
    access: 'roles:manage',
    summary: 'Create a permission',
    description: 'Your own permission, for roles that other systems read; no endpoint of this service requires it.',
    body: NewPermission,
    reply: Permission,
    problems: ['name_taken'],
  },
  createDefault: {
    route: 'POST /permissions/default',
    access: 'roles:manage',
    summary: 'Create the default permissions',
    description: 'Creates missing permissions, changes nothing else, and returns the whole default set.',
    reply: z.array(Permission),
  },
} as const satisfies Resource
