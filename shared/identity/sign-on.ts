import * as client from 'openid-client'
import type { IdentityProvider } from '../api/identity.ts'
import { ProblemError } from '../api/problems.ts'
import { SourceError } from '../sources/errors.ts'
import { secretOfClient } from '../store/identities.ts'
import { beginSignOn, type SignOn, takeSignOn } from '../store/sign-ons.ts'
import { isComplete, type Person, readPerson, type TokenClaims } from './person.ts'
import { CLOCK_TOLERANCE, clientOf, noteRefusal } from './providers.ts'

/** Age from which an ID token is no longer taken, seconds. */
const LONGEST_AGE = 300

/** Where a provider sends browsers back to. */
const returnAddress = (baseUrl: string, { name }: IdentityProvider) => `${baseUrl}/identity/providers/${name}/callback`

/** Begins a log-in: the secret that only this browser may have, and where it must go. */
export async function beginAt(
  provider: IdentityProvider,
  { baseUrl, fresh }: { baseUrl: string; fresh: boolean },
): Promise<{ secret: string; url: string }> {
  const config = await clientOf(provider)
  const [secret, state, nonce] = [client.randomState(), client.randomState(), client.randomNonce()]
  const verifier = client.randomPKCECodeVerifier()
  await beginSignOn(secret, { provider: provider.name, state, nonce, verifier, fresh })
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: returnAddress(baseUrl, provider),
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh && { max_age: '0' }),
  })
  return { secret, url: url.href }
}

/**
 * Who has logged in, by what the browser brings back: the answer to the log-in that this browser began at this provider,
 * once. Refuses everything else (400 `sign_on_expired`, 401 `sign_on_refused`).
 */
export async function endAt(
  provider: IdentityProvider,
  { baseUrl, secret, answer }: { baseUrl: string; secret?: string; answer: Record<string, string | undefined> },
): Promise<Person> {
  const begun = secret === undefined ? undefined : await takeSignOn(secret)
  if (begun?.provider !== provider.name) throw new ProblemError({ type: 'sign_on_expired' })
  const url = new URL(returnAddress(baseUrl, provider))
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  const config = await clientOf(provider, await secretOfClient(provider))
  try {
    const { token, more } = await exchange(provider, { config, url, begun })
    return readPerson(provider, token, more)
  } catch (error) {
    noteRefusal(provider, reasonOf(error))
    throw new ProblemError({ type: isUnreachable(error) ? 'provider_unavailable' : 'sign_on_refused' })
  }
}

/** Exchanges the code; the claims of the checked ID token, and those about the user where it does not say enough. */
async function exchange(
  provider: IdentityProvider,
  { config, url, begun }: { config: client.Configuration; url: URL; begun: SignOn },
) {
  const tokens = await client.authorizationCodeGrant(config, url, {
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    pkceCodeVerifier: begun.verifier,
    idTokenExpected: true,
    ...(begun.fresh && { maxAge: 0 }),
  })
  const token = tokens.claims() as TokenClaims
  // What is meant for others too, or was given to another client, is not for this service alone.
  const isForUs = [token.aud].flat().length === 1 && [provider.clientId, undefined].includes(token.azp as string)
  if (!isForUs) throw new Error('The ID token is for others')
  if (token.sub === '') throw new Error('The ID token names nobody')
  const age = Date.now() / 1000 - Number(token.iat)
  if (!(age < LONGEST_AGE && age > -CLOCK_TOLERANCE)) throw new Error('The ID token was not made just now')
  const asked = !isComplete(provider, token) && config.serverMetadata().userinfo_endpoint !== undefined
  return { token, more: asked ? await client.fetchUserInfo(config, tokens.access_token, token.sub) : {} }
}

/** Whether a failure comes from the network rather than from what was said. */
function isUnreachable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof SourceError) return true
  return false
}

/** Why a log-in failed, in words of the libraries and names that the protocol fixes. */
function reasonOf(error: unknown): string {
  const { message, error: named } = error as Error & { error?: unknown }
  return typeof named === 'string' && /^[a-z_]{1,40}$/.test(named) ? `${message} (${named})` : message
}
