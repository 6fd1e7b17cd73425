import { createHash } from 'node:crypto'
import { ProblemError } from '../api/problems.ts'
import { MAX_GENERATIONS, type TokenKey } from '../api/token-keys.ts'
import {
  deleteItem,
  getItem,
  type Item,
  queryItems,
  setting,
  type Transact,
  transact,
  updateItem,
  type Write,
} from './dynamo.ts'
import { idFrom } from './ids.ts'
import { newDataKey, unwrapDataKey } from './keys.ts'
import { type Kind, kinds } from './kinds.ts'
import { creating, findRecord, keyOf } from './records.ts'

export const TOKEN_KEY: Kind = kinds.key_id

type Generation = TokenKey['generations'][number] & {
  /** The data key under the deployment's own key, base64; gone when it was destroyed. */
  wrapped?: string
}

/** A key as stored: one for each owner and project. */
export type TokenKeyRecord = Omit<TokenKey, 'generations'> & { generations: Generation[] }

/** What a job notes of a key that it works with. */
export type TokenKeyRef = { keyId: string; generation: number; number: number }

/** How often a change that met another one starts over. */
const ATTEMPTS = 10

/** Largest number that a token can carry. */
const MAX_NUMBER = 0xffff

const numbersKey = (ownerId: string) => ({ pk: `OWNER#${ownerId}`, sk: 'NUMBERS' })
const numberKey = (ownerId: string, number: number) => ({ pk: `OWNER#${ownerId}`, sk: `NUMBER#${number}` })

/** The id of a project's key, which follows from owner and name. */
const keyIdOf = (ownerId: string, project: string): string => idFrom('token key', ownerId, project)

/** A new generation, and the write by which its number leads to it. */
async function makeGeneration(ownerId: string, keyId: string, generation: number) {
  const counter = await updateItem<Item & { number: number }>('keys', numbersKey(ownerId), {
    update: 'ADD #number :one',
    names: { '#number': 'number' },
    values: { ':one': 1 },
  })
  const { number } = counter!
  if (number > MAX_NUMBER) throw new ProblemError({ type: 'too_many_generations' })
  const wrapped = Buffer.from(await newDataKey({ ownerId, keyId, generation }))
  const fingerprint = createHash('sha256').update(wrapped).digest('hex')
  const createdAt = new Date().toISOString()
  const made: Generation = {
    generation,
    number,
    fingerprint,
    createdAt,
    destroyedAt: null,
    wrapped: wrapped.toString('base64'),
  }
  const leading: Write = { table: 'keys', put: { ...numberKey(ownerId, number), keyId, generation } }
  return { made, leading }
}

/** The generation that new tokens are made with; undefined when it was destroyed. */
const currentOf = ({ generation, generations }: TokenKeyRecord): Generation | undefined =>
  generations.find(one => one.generation === generation && one.wrapped !== undefined)

const refOf = (keyId: string, { generation, number }: Generation): TokenKeyRef => ({ keyId, generation, number })

/** The key that new tokens of an owner's project are made with; made if there is none, or if it was destroyed. */
export async function provideTokenKey(ownerId: string, project = ''): Promise<TokenKeyRef> {
  const id = keyIdOf(ownerId, project)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await findRecord<TokenKeyRecord>(TOKEN_KEY, id)
    const current = known && currentOf(known)
    if (current) return refOf(id, current)
    if (known) await rotateTokenKey(known)
    else await createTokenKey(id, ownerId, project)
  }
  throw new Error('The key of tokens is being changed too often')
}

async function createTokenKey(id: string, ownerId: string, name: string): Promise<void> {
  const { made, leading } = await makeGeneration(ownerId, id, 1)
  const { createdAt } = made
  const record = { id, ownerId, name, generation: 1, generations: [made], createdAt, updatedAt: createdAt }
  // Should another have made one at the same moment, that one counts.
  await transact([...creating(TOKEN_KEY, record), leading])
}

/** The write that changes a key, if nobody has changed it since it was read. */
function changing(before: TokenKeyRecord, changes: Partial<TokenKeyRecord>): Write {
  const change = setting({ ...changes, updatedAt: new Date().toISOString() })
  return {
    table: 'keys',
    update: keyOf(TOKEN_KEY, before.id),
    change: {
      ...change,
      condition: '#generations = :before',
      names: { ...change.names, '#generations': 'generations' },
      values: { ...change.values, ':before': before.generations },
    },
  }
}

/** Makes a new generation of a key, with which tokens are made from now on; false if it was changed meanwhile. */
export async function rotateTokenKey(before: TokenKeyRecord, write: Transact = transact): Promise<boolean> {
  if (before.generations.length >= MAX_GENERATIONS) throw new ProblemError({ type: 'too_many_generations' })
  const generation = Math.max(...before.generations.map(one => one.generation)) + 1
  const { made, leading } = await makeGeneration(before.ownerId, before.id, generation)
  return write([changing(before, { generation, generations: [...before.generations, made] }), leading])
}

/** Destroys generations of a key: what is left of each says that there was one. False if it was changed meanwhile. */
export function destroyGenerations(
  before: TokenKeyRecord,
  doomed: ReadonlySet<number>,
  write: Transact,
): Promise<boolean> {
  const destroyedAt = new Date().toISOString()
  const generations = before.generations.map(one => {
    if (!doomed.has(one.generation) || one.wrapped === undefined) return one
    const { wrapped: _, ...rest } = one
    return { ...rest, destroyedAt }
  })
  return write([changing(before, { generations })])
}

/** Removes what leads from numbers to the keys of an owner, who is gone with all of them. */
export async function forgetNumbers(ownerId: string): Promise<void> {
  for await (const { pk, sk } of queryItems<Item>({ table: 'keys', key: numbersKey(ownerId).pk }))
    await deleteItem('keys', { pk, sk })
}

/** The key of a number of its owner; undefined where there is none. */
export async function findKeyOfNumber(ownerId: string, number: number): Promise<TokenKeyRef | undefined> {
  const row = await getItem<Item & { keyId: string; generation: number }>('keys', numberKey(ownerId, number))
  return row && { keyId: row.keyId, generation: row.generation, number }
}

/** The bytes of a data key, and the project it is for; undefined when it was destroyed. */
export async function openTokenKey(
  ownerId: string,
  { keyId, generation }: TokenKeyRef,
): Promise<{ bytes: Uint8Array; project: string } | undefined> {
  const record = await findRecord<TokenKeyRecord>(TOKEN_KEY, keyId)
  const wrapped = record?.generations.find(one => one.generation === generation)?.wrapped
  if (!record || !wrapped || record.ownerId !== ownerId) return undefined
  const bytes = await unwrapDataKey({ ownerId, keyId, generation }, Buffer.from(wrapped, 'base64'))
  return { bytes, project: record.name }
}

/** Changes a key as it is now, again if it was changed meanwhile, and answers what it became. */
export async function untilUnchanged(
  read: () => Promise<TokenKeyRecord>,
  change: (key: TokenKeyRecord) => Promise<boolean>,
): Promise<TokenKeyRecord> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await change(await read())) return read()
  throw new Error('The key of tokens is being changed too often')
}
