import * as z from 'zod'
import { Description, Id, listQuery, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

/** Every permission that an endpoint may ask for, with what it allows. Names are `resource:action`. */
export const defaultPermissions = {
  'rules:read': 'List and show own rules',
  'rules:write': 'Create, change and delete own rules',
  'rules:any': 'See and change the rules of everybody',
  'workflows:read': 'List and show own workflows',
  'workflows:write': 'Create, change and delete own workflows',
  'workflows:any': 'See and change the workflows of everybody',
  'jobs:read': 'List and show own jobs, and what was found in them',
  'jobs:write': 'Create, change and delete own jobs',
  'jobs:execute': 'Execute and cancel own jobs',
  'jobs:deliver': 'Write the results of own jobs to own sources',
  'jobs:any': 'See and change the jobs of everybody',
  'assets:read': 'Show and download own assets, results of jobs among them',
  'assets:write': 'Change and delete own assets',
  'assets:any': 'See and change the assets of everybody',
  'sources:read': 'List, show and preview own sources',
  'sources:write': 'Create, change, test and delete own sources',
  'sources:any': 'See and change the sources of everybody',
  'notifications:read': 'List own notifications and mark them as read',
  'users:manage': 'List, show, change, block and delete users, and reset their passwords',
  'roles:manage': 'Manage roles and permissions',
  'audit:read': 'Read the audit trail',
} as const

export type PermissionName = keyof typeof defaultPermissions

export const Permission = z
  .object({ id: Id, name: z.string(), description: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'Permission' })
export type Permission = z.infer<typeof Permission>

export const NewPermission = z
  .strictObject({
    name: upTo(64).regex(/^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/, 'must be resource:action'),
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
    description:
      'A permission of one’s own, for roles that other systems read; no endpoint of this service asks for it.',
    body: NewPermission,
    reply: Permission,
    problems: ['name_taken'],
  },
  createDefault: {
    route: 'POST /permissions/default',
    access: 'roles:manage',
    summary: 'Create the default permissions',
    description: 'Creates what is missing, changes nothing else, and answers the whole default set.',
    reply: z.array(Permission),
  },
} as const satisfies Resource
