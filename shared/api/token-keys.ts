import * as z from 'zod'
import { Id, listQuery, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'

const Generation = z.object({
  generation: z.int(),
  number: z.int().describe('Number of the key among those of its owner; each of its tokens contains it'),
  fingerprint: z.string().describe('SHA-256 of the wrapped key, hexadecimal, as the audit trail names it'),
  createdAt: Timestamp,
  destroyedAt: Timestamp.nullable().describe('The time from which nobody can open what was made with it'),
})

export const TokenKey = z
  .object({
    id: Id,
    ownerId: Id,
    name: z.string().describe('The project; empty for everything outside projects'),
    generation: z.int().describe('The one that new tokens are made with'),
    generations: z.array(Generation),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'TokenKey' })
export type TokenKey = z.infer<typeof TokenKey>

/** Most generations of one key. */
export const MAX_GENERATIONS = 50

export const tokenKeys = {
  list: {
    route: 'GET /token-keys/',
    access: 'tokens:read',
    extension: true,
    summary: 'List the keys of reversible replacements',
    description:
      'One for each project, and one for everything outside projects. The keys themselves are never returned.',
    query: listQuery(['name'], ['name', 'createdAt', 'updatedAt']),
    reply: z.array(TokenKey),
  },
  rotate: {
    route: 'POST /token-keys/{key_id}/rotate',
    access: 'tokens:manage',
    extension: true,
    summary: 'Make a new generation of a key',
    description:
      'Jobs executed from now on make other tokens of the same values; those made before stay openable. Joins over the rotation are lost.',
    reply: TokenKey,
    problems: ['too_many_generations'],
  },
  destroy: {
    route: 'POST /token-keys/{key_id}/destroy',
    access: 'tokens:manage',
    extension: true,
    fresh: true,
    summary: 'Destroy a key, so that its tokens can never be opened',
    description:
      'Nobody can ever open tokens and values that were made with it. Backups of the wrapped key are deleted after seven days. Send the generations, or all of them are destroyed.',
    body: z.strictObject({ generations: z.array(z.int().min(1)).min(1).max(MAX_GENERATIONS).optional() }),
    reply: TokenKey,
    problems: ['generation_unknown', 'already_destroyed'],
  },
} as const satisfies Resource
