import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { createItem, deleteItem, getItem, type Item, queryItems, ttlIn, updateItem } from './dynamo.ts'

/** Lifetime of a session that is not refreshed, seconds. */
const SESSION_SECONDS = 30 * 24 * 3600

/** A session as stored: it lives while its user is in the epoch that it began in. */
type Session = Item & { userId: string; sessionId: string; epoch: number; refreshHash: string; ttl: number }

/** Whose sessions they are, and the epoch that they are in. */
type Owner = { id: string; sessionEpoch: number }

const keyOfSession = (userId: string, sessionId: string) => ({ pk: `USER#${userId}`, sk: `SESSION#${sessionId}` })

/**
 * Begins a session: one row per login, which lives until log-out, block, reset or disuse. The user is the one whose
 * password was checked: a reset that came in between has raised the epoch, and the session is dead from the start.
 */
export async function createSession(user: Owner): Promise<{ sessionId: string; refreshToken: string }> {
  const [userId, sessionId] = [user.id, randomUUID()]
  const secret = randomBytes(32).toString('base64url')
  await createItem('sessions', {
    ...keyOfSession(userId, sessionId),
    userId,
    sessionId,
    epoch: user.sessionEpoch,
    refreshHash: digest(secret),
    createdAt: new Date().toISOString(),
    ttl: ttlIn(SESSION_SECONDS),
  })
  return { sessionId, refreshToken: `${userId}.${sessionId}.${secret}` }
}

/** A user's session, if it still lives as far as its row says; {@link isCurrent} says the rest. */
export const findSession = (userId: string, sessionId: string): Promise<Session | undefined> =>
  getItem<Session>('sessions', keyOfSession(userId, sessionId))

/** Whether a session belongs to the user's epoch. */
export const isCurrent = (session: { epoch: number }, user: Owner): boolean => session.epoch === user.sessionEpoch

/**
 * Exchanges a refresh token for the next one; undefined when it is no good. Every token works once: a token that was
 * exchanged before ends its session, because one of the two who hold it has stolen it.
 */
export async function rotateSession(
  refreshToken: string,
): Promise<(Pick<Session, 'userId' | 'sessionId' | 'epoch'> & { refreshToken: string }) | undefined> {
  const [userId = '', sessionId = '', secret = ''] = refreshToken.split('.')
  const key = keyOfSession(userId, sessionId)
  const session = await findSession(userId, sessionId)
  if (!session) return undefined
  const next = randomBytes(32).toString('base64url')
  const rotated =
    same(session.refreshHash, digest(secret)) &&
    (await updateItem('sessions', key, {
      update: 'SET refreshHash = :next, #ttl = :ttl',
      condition: 'refreshHash = :old',
      names: { '#ttl': 'ttl' },
      values: { ':next': digest(next), ':old': session.refreshHash, ':ttl': ttlIn(SESSION_SECONDS) },
    }))
  if (rotated) return { userId, sessionId, epoch: session.epoch, refreshToken: `${userId}.${sessionId}.${next}` }
  await deleteItem('sessions', key)
  return undefined
}

/** Ends one session. */
export const endSession = (userId: string, sessionId: string): Promise<void> =>
  deleteItem('sessions', keyOfSession(userId, sessionId))

/** Ends every session of a user. */
export async function endSessions(userId: string): Promise<void> {
  for await (const { pk, sk } of queryItems({ table: 'sessions', key: `USER#${userId}`, prefix: 'SESSION#' })) {
    await deleteItem('sessions', { pk, sk })
  }
}

/** Tokens are 256 random bits, so a plain digest keeps them from whoever reads the table. */
const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
