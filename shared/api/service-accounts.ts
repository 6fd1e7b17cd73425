import * as z from 'zod'
import { Deleted, Description, Id, listQuery, Name, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { forPeople } from './permission-names.ts'

/** Keys of one account that work at the same time: an old and a new one. */
export const KEYS_IN_USE = 2
/** Lifetime of a key, days: by default, and at most. */
export const KEY_DAYS = { usual: 90, most: 365 } as const

const Permissions = z
  .array(upTo(64))
  .min(1)
  .max(100)
  .describe(
    `What its keys may do, as far as its role permits it too. Never ${[...forPeople].map(name => `\`${name}\``).join(', ')}`,
  )

const Range = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

const Networks = z
  .array(upTo(64).refine(text => Range.safeParse(text).success, 'must be an address or a range such as 192.0.2.0/24'))
  .max(50)
  .describe('Addresses and ranges (IPv4 or IPv6) that its keys may be used from; none: from anywhere')

export const ServiceAccount = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    role: z.string().describe('Name of the role'),
    permissions: z.array(z.string()),
    networks: z.array(z.string()),
    blocked: z.boolean(),
    keys: z
      .array(z.object({ id: Id, createdAt: Timestamp, expiresAt: Timestamp, revokedAt: Timestamp.nullable() }))
      .describe('The last ten, without the keys themselves'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ServiceAccount' })
export type ServiceAccount = z.infer<typeof ServiceAccount>

export const NewServiceAccount = z
  .strictObject({
    name: Name,
    description: Description.default(''),
    role: z.string().max(64).describe('Name of the role'),
    permissions: Permissions,
    networks: Networks.default([]),
  })
  .meta({ id: 'NewServiceAccount' })
export type NewServiceAccount = z.output<typeof NewServiceAccount>

export const ServiceAccountChanges = z
  .strictObject({
    name: Name.optional(),
    description: Description.optional(),
    role: z.string().max(64).optional(),
    permissions: Permissions.optional(),
    networks: Networks.optional(),
    blocked: z.boolean().optional(),
  })
  .meta({ id: 'ServiceAccountChanges' })
export type ServiceAccountChanges = z.output<typeof ServiceAccountChanges>

export const serviceAccounts = {
  list: {
    route: 'GET /service-accounts/',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'List service accounts',
    query: listQuery(['role', 'blocked'], ['name', 'role', 'createdAt', 'updatedAt']),
    reply: z.array(ServiceAccount),
  },
  create: {
    route: 'POST /service-accounts/',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'Create a service account',
    description:
      'An account for programs: it has keys in place of a password, and owns what it makes as a user does. Its permissions are those of its role that `permissions` also names.',
    body: NewServiceAccount,
    reply: ServiceAccount,
    problems: ['role_not_found', 'permission_unknown', 'permission_for_people'],
  },
  get: {
    route: 'GET /service-accounts/{account_id}',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'Show a service account',
    reply: ServiceAccount,
  },
  update: {
    route: 'PUT /service-accounts/{account_id}',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'Change, block or unblock a service account',
    description: 'Takes effect on the very next request of each of its keys.',
    body: ServiceAccountChanges,
    reply: ServiceAccount,
    problems: ['role_not_found', 'permission_unknown', 'permission_for_people'],
  },
  delete: {
    route: 'DELETE /service-accounts/{account_id}',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'Delete a service account',
    description:
      'Its keys stop working immediately. What it owns stays for administrators, or goes too with `?purge=true`; an account that was deleted without it can be deleted once more with it.',
    query: z.strictObject({ purge: z.enum(['true', 'false']).optional() }),
    reply: Deleted,
  },
  createKey: {
    route: 'POST /service-accounts/{account_id}/keys',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'Make a key of a service account',
    description:
      'The key is shown once; only its digest is kept. Send it as `Authorization: Bearer anon_…`. Two keys may be in use at the same time: to replace one, make another, hand it over, and revoke the old one.',
    body: z.strictObject({
      expiresInDays: z.int().min(1).max(KEY_DAYS.most).default(KEY_DAYS.usual),
    }),
    reply: z.object({ id: Id, key: z.string(), createdAt: Timestamp, expiresAt: Timestamp }),
    secretReply: true,
    problems: ['too_many_keys'],
  },
  revokeKeys: {
    route: 'DELETE /service-accounts/{account_id}/keys',
    access: 'service-accounts:manage',
    extension: true,
    summary: 'Revoke keys of a service account',
    description: 'They stop working immediately. Without `keyIds`, all of them.',
    body: z.strictObject({ keyIds: z.array(Id).min(1).max(10).optional() }),
    reply: ServiceAccount,
    problems: ['key_unknown'],
  },
} as const satisfies Resource
