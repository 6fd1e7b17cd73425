import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { ACCESS_SECONDS } from '../api/bounds.ts'
import { ProblemError } from '../api/problems.ts'
import { publicKeyOf, signWith } from '../store/keys.ts'

const ISSUER = 'anonymisation-service'

/** What an access token says: whose it is and to which session it belongs. Everything else is read from records. */
export type Claims = { userId: string; sessionId: string }

/** An access token: JWT signed with ES256 by a key that never leaves KMS. */
export async function createAccessToken({ userId, sessionId }: Claims): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'ES256', typ: 'JWT', kid: keyId(await publicKeyOf('tokens')) }
  const claims = {
    iss: ISSUER,
    sub: userId,
    sid: sessionId,
    jti: randomBytes(16).toString('hex'),
    iat: now,
    exp: now + ACCESS_SECONDS,
  }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${Buffer.from(rawSignature(await signWith('tokens', Buffer.from(signed)))).toString('base64url')}`
}

/** The claims of a good token; refuses a bad or expired one (401). */
export async function readAccessToken(token: string): Promise<Claims> {
  try {
    const key = await publicKeyOf('tokens')
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      issuer: ISSUER,
      typ: 'JWT',
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      maxTokenAge: ACCESS_SECONDS,
    })
    if (protectedHeader.kid !== keyId(key) || typeof payload.sid !== 'string') throw new errors.JWTInvalid('kid or sid')
    return { userId: payload.sub!, sessionId: payload.sid }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthenticated('token_expired')
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw unauthenticated('invalid_token')
    throw error
  }
}

/** A 401 with the header that it must carry. */
export const unauthenticated = (type: 'not_authenticated' | 'invalid_token' | 'token_expired'): ProblemError =>
  new ProblemError({ type, loc: ['header', 'Authorization'] }, { 'WWW-Authenticate': 'Bearer' })

/** RFC 7638 would need the JWK; the digest of the SPKI form names the key as well. */
const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 16)

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
