import * as client from 'openid-client'
import type { IdentityProvider } from '../api/identity.ts'
import { notFound, ProblemError } from '../api/problems.ts'
import { log } from '../log.ts'
import { settings } from '../settings.ts'
import { fetchFromProvider } from './http.ts'

/** Algorithms of signatures that are taken, whatever a provider offers: no shared secrets, and never none. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519']

/** Difference of clocks that is allowed for, seconds. */
export const CLOCK_TOLERANCE = 60

/** How long what a provider says of itself is kept, milliseconds. */
const KEPT = 5 * 60_000

/** A configured provider; refuses an unknown one (404). */
export function findProvider(name: string): IdentityProvider {
  const provider = settings().IDENTITY_PROVIDERS.find(one => one.name === name)
  if (!provider) throw notFound('identity provider')
  return provider
}

/** Notes for the operator why somebody was not let in; what a provider or a token said is not among it. */
export function noteRefusal({ name }: IdentityProvider, reason: string): void {
  log.warn('sign-on refused', { provider: name, reason })
}

type Kept = { metadata: client.ServerMetadata; until: number }
const kept = new Map<string, Kept>()

/** What a provider says of itself, checked to be of this issuer; refuses one that says nothing usable (503). */
export async function metadataOf(provider: IdentityProvider): Promise<client.ServerMetadata> {
  const known = kept.get(provider.issuer)
  if (known && known.until > Date.now()) return known.metadata
  try {
    const found = await client.discovery(new URL(provider.issuer), provider.clientId, undefined, client.None(), {
      [client.customFetch]: fetchFromProvider,
      execute: insecure(provider),
    })
    const metadata = found.serverMetadata()
    if (metadata.issuer !== provider.issuer) throw new Error('It names another issuer')
    if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
      throw new Error('It does not name its endpoints')
    kept.set(provider.issuer, { metadata: { ...metadata }, until: Date.now() + KEPT })
    return metadata
  } catch (error) {
    noteRefusal(provider, `discovery: ${(error as Error).message}`)
    throw new ProblemError({ type: 'provider_unavailable' })
  }
}

/** Only an issuer on the machine itself may do without encryption, for development. */
const insecure = ({ issuer }: IdentityProvider) => (issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])

/**
 * The service as a client of a provider, which checks signatures of tokens too. Each one asks for the provider's keys anew,
 * so a key is good from the moment that the provider shows it, and no longer than that.
 */
export async function clientOf(provider: IdentityProvider, secret?: string): Promise<client.Configuration> {
  const metadata = await metadataOf(provider)
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256']
  const config = new client.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: offered.filter(name => ALGORITHMS.includes(name)) },
    provider.clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE },
    authentication(secret, metadata.token_endpoint_auth_methods_supported),
  )
  config[client.customFetch] = fetchFromProvider
  client.enableNonRepudiationChecks(config)
  for (const allow of insecure(provider)) allow(config)
  return config
}

/** How the client shows its secret: in a header, unless the provider only takes it in the body. */
function authentication(secret: string | undefined, methods: string[] = ['client_secret_basic']): client.ClientAuth {
  if (secret === undefined) return client.None()
  return methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
}
