import { createHash, hash, type KeyObject, randomBytes } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { ACCESS_SECONDS } from '../api/bounds.ts'
import { ProblemError } from '../api/problems.ts'
import { publicKeyOf, signWith } from '../store/keys.ts'

const ISSUER = 'anonymisation-service'

/**
 * What a user's access token says: whose it is and to which session it belongs. Everything else is read from records. The role
 * that the user had when it was made only tells what is worth reading early; older tokens have none.
 */
export type Claims = { userId: string; sessionId: string; role?: string }

/** What an access token of a service account says: for which trusted workload it was made, and what alone it may be used for. */
export type WorkloadClaims = { accountId: string; workload: string; scope?: readonly string[]; issuedAt: number }

/** Types of access tokens, so that none is taken for another. */
const TYPES = { session: 'JWT', workload: 'workload+jwt' } as const

/** A user's access token. */
export const createAccessToken = ({ userId, sessionId, role }: Required<Claims>): Promise<string> =>
  sign(TYPES.session, { sub: userId, sid: sessionId, role })

/** An access token of a service account, for one of its workloads. */
export const createWorkloadToken = ({
  accountId,
  workload,
  scope,
}: Omit<WorkloadClaims, 'issuedAt'>): Promise<string> =>
  sign(TYPES.workload, { sub: accountId, workload, ...(scope && { scope: scope.join(' ') }) })

/** A JWT signed with ES256 by a key that never leaves KMS. */
async function sign(typ: string, said: Record<string, string>): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'ES256', typ, kid: keyId(await publicKeyOf('tokens')) }
  const claims = {
    iss: ISSUER,
    ...said,
    jti: randomBytes(16).toString('hex'),
    iat: now,
    exp: now + ACCESS_SECONDS,
  }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${Buffer.from(rawSignature(await signWith('tokens', Buffer.from(signed)))).toString('base64url')}`
}

/** The claims of a good token of a session; refuses every other one (401). */
export async function readAccessToken(token: string): Promise<Claims> {
  const claims = await readToken(token)
  if ('userId' in claims) return claims
  throw unauthenticated('invalid_token')
}

type AnyClaims = Claims | WorkloadClaims

/** Good tokens of late by their SHA-256, each with what it says and when it ends, milliseconds since 1970. */
const verified = new Map<string, { claims: AnyClaims; ends: number }>()
const MOST_VERIFIED = 200

/**
 * The claims of a good access token, of a session or for a workload; refuses a bad or expired one (401). A signature is verified
 * once in a sandbox: it takes longer than all else that is asked of a token.
 */
export async function readToken(token: string): Promise<AnyClaims> {
  const name = hash('sha256', token)
  const known = verified.get(name)
  if (known && Date.now() < known.ends) return known.claims
  verified.delete(name)
  const { claims, ends } = await verify(token)
  if (verified.size >= MOST_VERIFIED) verified.clear()
  verified.set(name, { claims, ends })
  return claims
}

async function verify(token: string): Promise<{ claims: AnyClaims; ends: number }> {
  try {
    const key = await publicKeyOf('tokens')
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      issuer: ISSUER,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: ACCESS_SECONDS,
    })
    const claims = claimsOf(protectedHeader.typ, payload)
    if (protectedHeader.kid !== keyId(key) || !claims) throw new errors.JWTInvalid('kid, typ or claims')
    return { claims, ends: Math.min(payload.exp!, payload.iat! + ACCESS_SECONDS) * 1000 }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthenticated('token_expired')
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw unauthenticated('invalid_token')
    throw error
  }
}

function claimsOf(typ: string | undefined, payload: JWTPayload): AnyClaims | undefined {
  const { sub, sid, role, workload, scope, iat } = payload
  if (typ === TYPES.session && typeof sid === 'string')
    return { userId: sub!, sessionId: sid, ...(typeof role === 'string' && { role }) }
  if (typ !== TYPES.workload || typeof workload !== 'string') return undefined
  const named = typeof scope === 'string' ? { scope: scope.split(' ') } : {}
  return { accountId: sub!, workload, ...named, issuedAt: iat! * 1000 }
}

/** A 401 with the header that it must carry. */
export const unauthenticated = (type: 'not_authenticated' | 'invalid_token' | 'token_expired'): ProblemError =>
  new ProblemError({ type, loc: ['header', 'Authorization'] }, { 'WWW-Authenticate': 'Bearer' })

const keyIds = new WeakMap<KeyObject, string>()

/** RFC 7638 would need the JWK; the digest of the SPKI form names the key as well. */
function keyId(key: KeyObject): string {
  const known = keyIds.get(key)
  if (known) return known
  const digest = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
  const id = digest.digest('base64url').slice(0, 16)
  keyIds.set(key, id)
  return id
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** KMS gives an ECDSA signature as DER, a JWT wants r and s as 32 bytes each (RFC 7518, 3.4). */
export function rawSignature(der: Uint8Array): Uint8Array {
  const raw = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1]!
    const integer = der.subarray(at + 2, at + 2 + length)
    const value = integer[0] === 0 ? integer.subarray(1) : integer
    raw.set(value, end - value.length)
    at += 2 + length
  }
  return raw
}
