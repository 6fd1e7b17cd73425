import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS, SIGN_ON_SESSION_SECONDS } from '../api/bounds.ts'
import {
  deleteItem,
  getItem,
  type Item,
  type Key,
  queryItems,
  setting,
  type Transact,
  transact,
  ttlIn,
  type Write,
} from './dynamo.ts'
import { keyedDigest } from './keys.ts'

/** A session as stored: it lives while its user is in the epoch that it began in, at most until `endsAt` (epoch seconds). */
export type Session = Item & {
  userId: string
  sessionId: string
  epoch: number
  refreshHash: string
  /** The token before, and when it was exchanged, milliseconds since 1970; absent before the first exchange. */
  previousHash?: string
  rotatedAt?: number
  /** Absent in rows from before there were second factors. */
  amr?: SessionProof['amr']
  /** When somebody proved who they are, milliseconds since 1970. */
  authTime?: number
  /** The identity and the session of a provider that it began by, each as a digest. */
  identity?: string
  providerSession?: string
  endsAt: number
  ttl: number
}

/** What somebody proved who they are by, here or to a provider, and when (milliseconds since 1970). */
export type SessionProof = {
  amr: 'pwd' | 'otp' | 'sso' | 'mfa'
  authTime: number
  identity?: string
  providerSession?: string
}

/** Whose sessions they are, and the epoch that they are in. */
type Owner = { id: string; sessionEpoch: number; secondFactor?: string | null }

/** Where a session stands. */
export const keyOfSession = (userId: string, sessionId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `SESSION#${sessionId}`,
})

/**
 * Begins a session: one row per login, which lives until log-out, block, reset or disuse. The user is the one whose
 * password was checked: a reset that came in between has raised the epoch, and the session is dead from the start. What
 * a provider proved is to be proved again sooner.
 */
export async function createSession(
  user: Owner,
  { proof = provenBy(user.secondFactor), write = transact }: { proof?: SessionProof; write?: Transact } = {},
): Promise<{ sessionId: string; refreshToken: string }> {
  const [userId, sessionId] = [user.id, randomUUID()]
  const refreshToken = await newToken(userId, sessionId)
  const endsAt = ttlIn(proof.identity ? SIGN_ON_SESSION_SECONDS : SESSION_SECONDS)
  const session: Session = {
    ...keyOfSession(userId, sessionId),
    userId,
    sessionId,
    epoch: user.sessionEpoch,
    refreshHash: digest(refreshToken),
    ...proof,
    createdAt: new Date().toISOString(),
    endsAt,
    ttl: Math.min(ttlIn(SESSION_IDLE_SECONDS), endsAt),
  }
  await write([{ table: 'sessions', put: session }])
  return { sessionId, refreshToken }
}

/** What a session of now was proven by. */
const provenBy = (secondFactor: string | null | undefined): SessionProof => ({
  amr: secondFactor ? 'otp' : 'pwd',
  authTime: Date.now(),
})

/** A user's session, if it still lives as far as its row says; {@link isCurrent} says the rest. */
export const findSession = (userId: string, sessionId: string): Promise<Session | undefined> =>
  getItem<Session>('sessions', keyOfSession(userId, sessionId))

/** Whether a session belongs to the user's epoch. */
export const isCurrent = (session: { epoch: number }, user: Owner): boolean => session.epoch === user.sessionEpoch

/**
 * A refresh token: whose, which session's, random bits, and a mark that only this deployment can make. By the mark a token
 * that was good once is told from a made-up one without a list of all that were given out.
 */
async function newToken(userId: string, sessionId: string): Promise<string> {
  const named = `${userId}.${sessionId}.${randomBytes(32).toString('base64url')}`
  return `${named}.${await markOf(named)}`
}

const markOf = (named: string): Promise<string> => keyedDigest('refresh tokens', named)

/** How long a token that was just exchanged is forgiven where the caller could not help it, milliseconds. */
const LEEWAY_MS = 10_000

type Rotated = Pick<Session, 'userId' | 'sessionId' | 'epoch' | 'amr'> & { refreshToken: string | undefined }

type Rotation = {
  /** Whether a session may go on. */
  admits?: (session: Session) => Promise<boolean>
  /** With it the token exchanged last still proves the session for some seconds, without another token for it. */
  hasLeeway?: boolean
  write?: Transact
}

/**
 * Exchanges a refresh token for the next one; undefined when it is no good. Every token works once: a token that was
 * exchanged before ends its session, because one of the two who hold it has stolen it. A made-up one changes nothing, nor
 * does one of a session that may not go on.
 */
export async function rotateSession(
  refreshToken: string,
  { admits = async () => true, hasLeeway = false, write = transact }: Rotation = {},
): Promise<Rotated | undefined> {
  const [userId = '', sessionId = '', secret = '', mark = '', ...more] = refreshToken.split('.')
  if (more.length > 0 || !same(await markOf(`${userId}.${sessionId}.${secret}`), mark)) return undefined
  const key = keyOfSession(userId, sessionId)
  const session = await findSession(userId, sessionId)
  if (!session || !(await admits(session))) return undefined
  const next = await newToken(userId, sessionId)
  const { epoch, amr } = session
  if (await write([exchange(session, digest(refreshToken), digest(next))]))
    return { userId, sessionId, epoch, amr, refreshToken: next }
  if (hasLeeway && wasExchangedNow(await findSession(userId, sessionId), refreshToken))
    return { userId, sessionId, epoch, amr, refreshToken: undefined }
  await deleteItem('sessions', key)
  return undefined
}

/** The write that puts the next token in the place of one, if that is still the current one. */
const exchange = ({ userId, sessionId, endsAt }: Session, old: string, next: string): Write => ({
  table: 'sessions',
  update: keyOfSession(userId, sessionId),
  change: {
    update: 'SET refreshHash = :next, previousHash = :old, rotatedAt = :now, #ttl = :ttl',
    condition: 'refreshHash = :old',
    names: { '#ttl': 'ttl' },
    values: { ':next': next, ':old': old, ':now': Date.now(), ':ttl': Math.min(ttlIn(SESSION_IDLE_SECONDS), endsAt) },
  },
})

const wasExchangedNow = (session: Session | undefined, refreshToken: string): boolean =>
  session?.previousHash === digest(refreshToken) && Date.now() - session.rotatedAt! < LEEWAY_MS

/**
 * The write that takes a session over into the next epoch of its user, who has just turned a second factor on or off where
 * it is given; `otherwise` is thrown when the session is gone.
 */
export const carryingOver = (
  userId: string,
  sessionId: string,
  { epoch, secondFactor, otherwise }: { epoch: number; secondFactor?: string | null; otherwise: Error },
): Write => {
  const { update, names, values } = setting({ epoch, ...(secondFactor !== undefined && provenBy(secondFactor)) })
  return {
    table: 'sessions',
    update: keyOfSession(userId, sessionId),
    change: { update, names, values, condition: 'attribute_exists(pk)' },
    otherwise,
  }
}

/** Ends one session. */
export async function endSession(userId: string, sessionId: string, write: Transact = transact): Promise<void> {
  await write([{ table: 'sessions', delete: keyOfSession(userId, sessionId) }])
}

/** Ends every session of a user, or all but one. */
export async function endSessions(userId: string, but?: string): Promise<void> {
  const kept = but && keyOfSession(userId, but).sk
  for await (const { pk, sk } of queryItems({ table: 'sessions', key: `USER#${userId}`, prefix: 'SESSION#' })) {
    if (sk !== kept) await deleteItem('sessions', { pk, sk })
  }
}

/** Tokens are 256 random bits, so a plain digest keeps them from whoever reads the table. */
const digest = (token: string): string => createHash('sha256').update(token).digest('hex')

const same = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map(text => Buffer.from(text)) as [Buffer, Buffer]
  return left.length === right.length && timingSafeEqual(left, right)
}
