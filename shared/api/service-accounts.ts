import * as z from 'zod'
import { Deleted, Description, Id, listQuery, Name, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { Issuer } from './identity.ts'
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
  .describe('Addresses and ranges (IPv4 or IPv6) that its keys and access tokens may be used from; none: from anywhere')

/** Algorithms of signatures that tokens of workloads may have: no shared secrets, and never none. */
export const WORKLOAD_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'] as const
/** Age up to which tokens of workloads are taken, seconds: by default, at least and at most. */
export const WORKLOAD_AGE = { usual: 3600, least: 60, most: 86_400 } as const

/** What ties a token to somebody at issuers that sign for everybody; without one of these, a stranger's token would do. */
const OWNER_CLAIMS: Record<string, readonly string[]> = {
  'token.actions.githubusercontent.com': ['repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
  'gitlab.com': ['project_id', 'project_path', 'namespace_id', 'namespace_path'],
  'accounts.google.com': ['email'],
}

const namesOwner = ({
  issuer,
  subject,
  claims = {},
}: {
  issuer: string
  subject?: string
  claims?: object
}): boolean => {
  const owners = URL.canParse(issuer) ? OWNER_CLAIMS[new URL(issuer).hostname] : undefined
  return subject !== undefined || (owners?.some(name => Object.hasOwn(claims, name)) ?? Object.keys(claims).length > 0)
}

/** A workload whose tokens are trusted, as an administrator describes it. */
export const Workload = z
  .strictObject({
    issuer: Issuer.describe('Who signs its tokens, exactly as `iss` names it; its keys are found by OpenID discovery'),
    audience: upTo(200)
      .min(1)
      .describe('The only audience (`aud`) of its tokens: choose one that stands for this service alone'),
    subject: upTo(500).min(1).optional().describe('The whole subject (`sub`) of its tokens'),
    claims: z
      .record(upTo(100).min(1), z.union([upTo(500).min(1), z.boolean()]))
      .refine(claims => Object.keys(claims).length <= 10, 'must be at most 10 claims')
      .optional()
      .describe('Claims that its tokens must have, each with exactly this value'),
    algorithms: z
      .array(z.enum(WORKLOAD_ALGORITHMS))
      .min(1)
      .max(WORKLOAD_ALGORITHMS.length)
      .default([...WORKLOAD_ALGORITHMS])
      .describe('Algorithms of its signatures'),
    maxAgeSeconds: z
      .int()
      .min(WORKLOAD_AGE.least)
      .max(WORKLOAD_AGE.most)
      .default(WORKLOAD_AGE.usual)
      .describe('Age from which a token is no longer taken'),
    singleUse: z.boolean().default(true).describe('Whether a token is taken only once'),
  })
  .refine(namesOwner, 'must name a subject, or claims that only this workload has')
  .meta({
    id: 'Workload',
    examples: [
      {
        issuer: 'https://token.actions.githubusercontent.com',
        audience: 'https://anonymise.acme.example',
        claims: { repository: 'acme/reports', ref: 'refs/heads/main' },
      },
    ],
  })
export type Workload = z.output<typeof Workload>

const Workloads = z
  .array(Workload)
  .max(20)
  .describe('Workloads whose tokens `POST /auth/token` exchanges for an access token of this account')

export const ServiceAccount = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    role: z.string().describe('Name of the role'),
    permissions: z.array(z.string()),
    networks: z.array(z.string()),
    workloads: z.array(z.object(Workload.shape)).default([]),
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
    workloads: Workloads.default([]),
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
    workloads: Workloads.optional(),
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
    fresh: true,
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
    fresh: true,
    summary: 'Change, block or unblock a service account',
    description: 'Takes effect on the very next request with one of its keys or access tokens.',
    body: ServiceAccountChanges,
    reply: ServiceAccount,
    problems: ['role_not_found', 'permission_unknown', 'permission_for_people'],
  },
  delete: {
    route: 'DELETE /service-accounts/{account_id}',
    access: 'service-accounts:manage',
    extension: true,
    fresh: true,
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
    fresh: true,
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
