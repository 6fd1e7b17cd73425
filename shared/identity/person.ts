import * as z from 'zod'
import { EmailAddress, Name } from '../api/common.ts'
import type { IdentityProvider } from '../api/identity.ts'
import { identityOf, providerSessionOf } from '../store/identities.ts'
import type { SessionProof } from '../store/sessions.ts'

/** Who somebody is, as a provider says: what is read of an ID token and of the information about the user. */
export type Person = {
  /** Digest of issuer and subject. */
  identity: string
  name: string
  /** A verified address in a domain that the provider speaks for; absent where there is none. */
  email?: string
  groups: string[]
  proof: SessionProof
}

/** The claims of an ID token, all of them checked before. */
export type TokenClaims = { sub: string } & Record<string, unknown>

const Groups = z.union([z.array(z.string()), z.string().transform(group => [group])])

/** Reads a person from the claims of a token, and further ones, which say nothing of how the person was asked. */
export function readPerson(provider: IdentityProvider, token: TokenClaims, more: Record<string, unknown>): Person {
  const { issuer, groupsClaim } = provider
  const claims: Record<string, unknown> = { ...more, ...token }
  const email = emailIn(provider, claims)
  const identity = identityOf(issuer, token.sub)
  const sid = typeof token.sid === 'string' ? token.sid : undefined
  return {
    identity,
    email,
    name: Name.safeParse(claims.name).data ?? email?.split('@')[0] ?? 'Unnamed',
    groups: Groups.safeParse(claims[groupsClaim]).data ?? [],
    proof: {
      amr: isMultiFactor(provider, token) ? 'mfa' : 'sso',
      authTime: typeof token.auth_time === 'number' ? Math.min(token.auth_time * 1000, Date.now()) : 0,
      identity,
      ...(sid && { providerSession: providerSessionOf(issuer, sid) }),
    },
  }
}

/** Whether a token alone tells everything that is asked of it. */
export const isComplete = ({ groupsClaim, roles }: IdentityProvider, token: TokenClaims): boolean =>
  token.email !== undefined && (roles.length === 0 || token[groupsClaim] !== undefined)

/** Some providers write the truth as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

function emailIn({ domains, verifiedClaim }: IdentityProvider, claims: Record<string, unknown>): string | undefined {
  const email = EmailAddress.safeParse(claims.email).data
  if (email === undefined || !isTrue(claims[verifiedClaim])) return undefined
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domains.includes(domain) ? email : undefined
}

const isMultiFactor = ({ multiFactor }: IdentityProvider, { amr, acr }: TokenClaims): boolean =>
  (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && multiFactor.includes(acr))
