import { createRemoteJWKSet, customFetch } from 'jose'
import * as z from 'zod'
import { fetchFromProvider } from './http.ts'

/** How long what an issuer says of itself is kept, its keys too, milliseconds. */
const KEPT = 5 * 60_000
/** How long an issuer that has failed is left alone, milliseconds: anybody may send tokens. */
const REST = 10_000

/** An issuer cannot be reached, or says nothing usable; the token may be good. */
export class IssuerUnavailable extends Error {}

type Keys = ReturnType<typeof createRemoteJWKSet>

const addresses = new Map<string, { address: string; until: number }>()
const keySets = new Map<string, Keys>()
const resting = new Map<string, number>()

/**
 * The keys of an issuer that an administrator trusts, found as OpenID Connect Discovery 1.0 says. They are asked for anew
 * after five minutes, and where one is unknown, at most every half minute.
 */
export async function keysOfIssuer(issuer: string): Promise<Keys> {
  const address = await addressOfKeys(issuer)
  const name = `${issuer}\n${address}`
  const known = keySets.get(name)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(address), { [customFetch]: url => ask(issuer, url), cacheMaxAge: KEPT })
  keySets.set(name, keys)
  return keys
}

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() })

async function addressOfKeys(issuer: string): Promise<string> {
  const known = addresses.get(issuer)
  if (known && known.until > Date.now()) return known.address
  const answer = await ask(issuer, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { data } = Metadata.safeParse(await answer.json().catch(() => undefined))
  // Only an issuer on the machine itself may do without encryption.
  const isSecure = data?.jwks_uri.startsWith('https:') || issuer.startsWith('http:')
  if (data?.issuer !== issuer || !isSecure) throw failed(issuer, 'no usable description')
  addresses.set(issuer, { address: data.jwks_uri, until: Date.now() + KEPT })
  return data.jwks_uri
}

async function ask(issuer: string, url: string | URL): Promise<Response> {
  if ((resting.get(issuer) ?? 0) > Date.now()) throw new IssuerUnavailable('it failed a moment ago')
  let answer: Response
  try {
    answer = await fetchFromProvider(url)
  } catch (error) {
    throw failed(issuer, (error as Error).message)
  }
  if (answer.status !== 200) throw failed(issuer, `status ${answer.status}`)
  return answer
}

function failed(issuer: string, reason: string): IssuerUnavailable {
  resting.set(issuer, Date.now() + REST)
  return new IssuerUnavailable(reason)
}
