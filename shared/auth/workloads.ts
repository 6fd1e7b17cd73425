import { createHash } from 'node:crypto'
import type { Workload } from '../api/service-accounts.ts'

/** What a token says after its signature, its issuer and its times have been checked. */
export type ProvenToken = { alg: string; claims: Record<string, unknown>; ageSeconds: number }

/** Names a workload by all that is trusted of it: what was exchanged for another trust than the one of now is worth nothing. */
export function nameOfWorkload({
  issuer,
  audience,
  subject,
  claims = {},
  algorithms,
  maxAgeSeconds,
  singleUse,
}: Workload): string {
  const named = Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))
  const all = [issuer, audience, subject ?? null, named, [...algorithms].sort(), maxAgeSeconds, singleUse]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 32)
}

/** Whether a token is one of a workload: its only audience, and subject and claims with exactly the values that are trusted. */
export function isOf(
  { audience, subject, claims = {}, algorithms, maxAgeSeconds }: Workload,
  token: ProvenToken,
): boolean {
  const { aud, sub } = token.claims
  const audiences = [aud].flat()
  const isMeant = audiences.length === 1 && audiences[0] === audience
  const isSame = subject === undefined || sub === subject
  const hasAll = Object.entries(claims).every(
    ([name, value]) => Object.hasOwn(token.claims, name) && token.claims[name] === value,
  )
  const isSigned = (algorithms as readonly string[]).includes(token.alg)
  return isMeant && isSame && hasAll && isSigned && token.ageSeconds <= maxAgeSeconds
}
