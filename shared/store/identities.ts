import { createHash } from 'node:crypto'
import { ProblemError } from '../api/problems.ts'
import { getItem, type Item, queryItems, type Transact, transact, type Write } from './dynamo.ts'
import { openSecret, sealSecret } from './keys.ts'
import { endSession, type Session } from './sessions.ts'

const digest = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** Names who somebody is to a provider: by its issuer and their subject there, nothing else. */
export const identityOf = (issuer: string, subject: string): string => digest(issuer, subject)

/** Names a session of a provider. */
export const providerSessionOf = (issuer: string, sid: string): string => digest('sid', issuer, sid)

const keyOfIdentity = (identity: string) => ({ pk: `IDENTITY#${identity}`, sk: 'IDENTITY' })

type Identified = { id: string; identity?: string | null }

/** The writes that keep whose an identity is: one user's at most. */
export function identifying(before: Identified | undefined, after: Identified | undefined): Write[] {
  const [old, next] = [before, after].map(user => user?.identity ?? undefined)
  if (old === next) return []
  const otherwise = new ProblemError({ type: 'sign_on_not_allowed' })
  const free = { condition: 'attribute_not_exists(pk)' }
  return [
    ...(next
      ? [{ table: 'users' as const, put: { ...keyOfIdentity(next), userId: after!.id }, condition: free, otherwise }]
      : []),
    ...(old ? [{ table: 'users' as const, delete: keyOfIdentity(old) }] : []),
  ]
}

/** The id of the user whose identity it is. */
export async function findIdentity(identity: string): Promise<string | undefined> {
  return (await getItem<Item & { userId: string }>('users', keyOfIdentity(identity)))?.userId
}

/**
 * Ends the sessions that began by an identity before a time (milliseconds since 1970), all of them or those of one session
 * of the provider.
 */
export async function endSessionsOf(
  userId: string,
  { identity, providerSession, before }: { identity: string; providerSession?: string; before: number },
  write: Transact = transact,
): Promise<void> {
  for await (const session of queryItems<Session>({ table: 'sessions', key: `USER#${userId}`, prefix: 'SESSION#' })) {
    const isMeant = providerSession === undefined || session.providerSession === providerSession
    const isEarlier = Date.parse(String(session.createdAt)) < before
    if (session.identity === identity && isMeant && isEarlier) await endSession(userId, session.sessionId, write)
  }
}

/** Where the secret of a client stands, and what it is sealed for: no other issuer or client gets to see it. */
type SecretOf = { name: string; issuer: string; clientId: string }

const keyOfSecret = ({ name }: SecretOf) => ({ pk: `PROVIDER#${name}`, sk: 'SECRET' })
const sealedFor = ({ name, issuer, clientId }: SecretOf) => `provider:${digest(name, issuer, clientId)}`

async function keeping(provider: SecretOf, secret: string): Promise<Write> {
  const purpose = sealedFor(provider)
  const sealed = await sealSecret(purpose, secret)
  return { table: 'users', put: { ...keyOfSecret(provider), purpose, sealed } }
}

/** Keeps the secret of a client, sealed; null removes it. */
export async function keepSecret(provider: SecretOf, secret: string | null, write: Transact): Promise<void> {
  await write([secret === null ? { table: 'users', delete: keyOfSecret(provider) } : await keeping(provider, secret)])
}

/** The secret of a client; undefined where none is kept for this issuer and client. */
export async function secretOfClient(provider: SecretOf): Promise<string | undefined> {
  const row = await getItem<Item & { purpose: string; sealed: string }>('users', keyOfSecret(provider))
  const purpose = sealedFor(provider)
  return row?.purpose === purpose ? openSecret(purpose, row.sealed) : undefined
}
