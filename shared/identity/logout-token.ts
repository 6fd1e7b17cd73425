import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import type { IdentityProvider } from '../api/identity.ts'
import { ProblemError } from '../api/problems.ts'
import { identityOf, providerSessionOf } from '../store/identities.ts'
import { fetchFromProvider } from './http.ts'
import { ALGORITHMS, CLOCK_TOLERANCE, metadataOf, noteRefusal } from './providers.ts'

/** Who has logged out at a provider: somebody from one session or all, before a time (milliseconds since 1970). */
export type LoggedOut = { identity: string; providerSession?: string; before: number }

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Age from which a logout token is no longer taken, seconds. */
const LONGEST_AGE = 300

type Keys = ReturnType<typeof createRemoteJWKSet>
const keySets = new Map<string, Keys>()

/** The keys of a provider, asked for again where one is unknown, at most every half minute: anybody may send tokens. */
async function keysOf(provider: IdentityProvider): Promise<Keys> {
  const { jwks_uri = '' } = await metadataOf(provider)
  const known = keySets.get(jwks_uri)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: fetchFromProvider })
  keySets.set(jwks_uri, keys)
  return keys
}

/** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6); refuses what is none (400). */
export async function readLogoutToken(provider: IdentityProvider, token: string): Promise<LoggedOut> {
  const keys = await keysOf(provider)
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: provider.issuer,
      audience: provider.clientId,
      requiredClaims: ['iat', 'jti', 'sub'],
      maxTokenAge: LONGEST_AGE,
      clockTolerance: CLOCK_TOLERANCE,
    })
    const { sub, sid, iat, nonce, aud } = payload
    const events = payload.events as Record<string, unknown> | null | undefined
    const isTyped = ['logout+jwt', 'JWT', undefined].includes(protectedHeader.typ)
    const isLogout = typeof events === 'object' && typeof events?.[EVENT] === 'object'
    if (!isTyped || !isLogout || nonce !== undefined || [aud].flat().length !== 1 || typeof sub !== 'string')
      throw new errors.JWTInvalid('No logout token')
    return {
      identity: identityOf(provider.issuer, sub),
      ...(typeof sid === 'string' && { providerSession: providerSessionOf(provider.issuer, sid) }),
      // Sessions that began later than the clocks may differ go on, also when the token is sent again.
      before: (iat! + CLOCK_TOLERANCE) * 1000,
    }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    noteRefusal(provider, `logout token: ${(error as Error).message}`)
    const isTheirs = error instanceof errors.JOSEError && !['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(code)
    throw new ProblemError({ type: isTheirs ? 'invalid_logout_token' : 'provider_unavailable' })
  }
}
