import { randomBytes } from 'node:crypto'
import {
  deleteItem,
  type Expression,
  getItem,
  type Item,
  type Transact,
  ttlIn,
  updateItem,
  type Write,
} from './dynamo.ts'
import { keyedDigest } from './keys.ts'

/** How long a secret waits for its first code, seconds. */
const PENDING_SECONDS = 900
const SECRET_BYTES = 20

/** A secret that has been shown, and is not yet in force. */
type Pending = Item & { factor: string; ttl: number }

/** What is left of a factor in force: the last step whose code was used, and digests of the recovery codes. */
type Used = Item & { factor: string; step: number; recovery: Record<string, true> }

const pendingKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'SECOND-FACTOR#PENDING' })
const usedKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'SECOND-FACTOR' })

/** The secret is derived from the factor's random name, so no table holds what codes could be made from. */
export const secretOf = async (userId: string, factor: string): Promise<Buffer> =>
  Buffer.from(await keyedDigest('second factors', `${userId}#${factor}`), 'hex').subarray(0, SECRET_BYTES)

const recoveryDigest = (userId: string, code: string) => keyedDigest('recovery codes', `${userId}#${code}`)

/** Begins a factor, in place of one begun before, and answers its secret. */
export async function beginFactor(userId: string, write: Transact): Promise<Buffer> {
  const factor = randomBytes(16).toString('hex')
  const change = {
    update: 'SET factor = :factor, #ttl = :ttl',
    names: { '#ttl': 'ttl' },
    values: { ':factor': factor, ':ttl': ttlIn(PENDING_SECONDS) },
  }
  await write([{ table: 'sessions', update: pendingKey(userId), change }])
  return secretOf(userId, factor)
}

/** The name of the factor that somebody has begun, if it still waits for its first code. */
export const pendingFactor = async (userId: string): Promise<string | undefined> =>
  (await getItem<Pending>('sessions', pendingKey(userId)))?.factor

/** The writes that put a factor in force whose code of a step was used, with recovery codes: part of the user's own change. */
export async function puttingInForce(
  userId: string,
  { factor, step, recoveryCodes }: { factor: string; step: number; recoveryCodes: string[] },
): Promise<Write[]> {
  const digests = await Promise.all(recoveryCodes.map(code => recoveryDigest(userId, code)))
  const recovery = Object.fromEntries(digests.map(digest => [digest, true as const]))
  const used: Used = { ...usedKey(userId), factor, step, recovery }
  return [
    { table: 'sessions', put: used },
    { table: 'sessions', delete: pendingKey(userId) },
  ]
}

/** Uses up the code of a step; false where it or a later one was used before. */
export async function useStep(userId: string, factor: string, step: number): Promise<boolean> {
  const change: Expression = {
    update: 'SET #step = :step',
    condition: 'factor = :factor AND #step < :step',
    names: { '#step': 'step' },
    values: { ':factor': factor, ':step': step },
  }
  return (await updateItem('sessions', usedKey(userId), change)) !== undefined
}

/** Uses up a recovery code; false where it is none, or was used before. */
export async function useRecoveryCode(userId: string, factor: string, code: string): Promise<boolean> {
  const change: Expression = {
    update: 'REMOVE recovery.#digest',
    condition: 'factor = :factor AND attribute_exists(recovery.#digest)',
    names: { '#digest': await recoveryDigest(userId, code) },
    values: { ':factor': factor },
  }
  return (await updateItem('sessions', usedKey(userId), change)) !== undefined
}

/** Forgets what was kept of somebody's factors. */
export async function forgetFactors(userId: string): Promise<void> {
  await Promise.all([pendingKey(userId), usedKey(userId)].map(key => deleteItem('sessions', key)))
}
