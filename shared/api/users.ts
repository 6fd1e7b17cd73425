import * as z from 'zod'
import { Deleted, EmailAddress, Id, listQuery, Name, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'

export const User = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: z.string().describe('Name of the role'),
    blocked: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const UserChanges = z
  .strictObject({ name: Name.optional(), email: EmailAddress.optional(), role: z.string().max(64).optional() })
  .meta({ id: 'UserChanges' })
export type UserChanges = z.infer<typeof UserChanges>

export const users = {
  list: {
    route: 'GET /users/',
    access: 'users:manage',
    summary: 'List users',
    query: listQuery(['role', 'blocked'], ['name', 'email', 'role', 'createdAt', 'updatedAt']),
    reply: z.array(User),
  },
  get: { route: 'GET /users/{user_id}', access: 'users:manage', summary: 'Show a user', reply: User },
  update: {
    route: 'PUT /users/{user_id}',
    access: 'users:manage',
    fresh: true,
    summary: 'Change name, e-mail address or role of a user',
    body: UserChanges,
    reply: User,
    problems: ['email_taken', 'role_not_found', 'own_account', 'last_administrator'],
  },
  delete: {
    route: 'DELETE /users/{user_id}',
    access: 'users:manage',
    fresh: true,
    summary: 'Delete a user',
    description:
      'What the user owns stays for administrators, or goes too with `?purge=true`: records and files, those of `LOCAL_ASSET` sources included. Who was deleted without it can be deleted once more with it.',
    query: z.strictObject({ purge: z.enum(['true', 'false']).optional() }),
    reply: Deleted,
    problems: ['own_account', 'last_administrator'],
  },
  block: {
    route: 'PUT /users/{user_id}/block',
    access: 'users:manage',
    fresh: true,
    summary: 'Block a user, or unblock with `blocked: false`',
    description: 'A blocked user’s sessions end immediately, and log-in fails as for a wrong password.',
    body: z.strictObject({ blocked: z.boolean().default(true) }),
    reply: User,
    problems: ['own_account', 'last_administrator'],
  },
  resetPassword: {
    route: 'PUT /users/{user_id}/password/reset',
    access: 'users:manage',
    fresh: true,
    summary: 'Set the password of a user, or get a temporary one',
    description:
      'All sessions of the user end, and failed log-ins are reset. Without a `password` the response has a `temporaryPassword`, shown once, with which the user can only set a new one with `PUT /auth/password`.',
    body: z.strictObject({ password: z.string().min(12).max(256).optional() }),
    reply: z.object({ id: Id, temporaryPassword: z.string().optional() }),
    secretReply: true,
    problems: ['password_too_common'],
  },
  resetSecondFactor: {
    route: 'DELETE /users/{user_id}/second-factor',
    access: 'users:manage',
    extension: true,
    fresh: true,
    summary: 'Turn the second factor of a user off',
    description: 'For those who have lost app and recovery codes. All sessions of the user end.',
    reply: User,
    problems: ['second_factor_off'],
  },
} as const satisfies Resource
