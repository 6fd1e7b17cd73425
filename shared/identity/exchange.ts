import { createHash } from 'node:crypto'
import { decodeJwt, errors, jwtVerify } from 'jose'
import { ProblemError } from '../api/problems.ts'
import { WORKLOAD_AGE, WORKLOAD_ALGORITHMS, type Workload } from '../api/service-accounts.ts'
import { isOf, type ProvenToken } from '../auth/workloads.ts'
import { log } from '../log.ts'
import { IssuerUnavailable, keysOfIssuer } from './issuer-keys.ts'

/** Difference of clocks that is allowed for, seconds. */
const CLOCK_TOLERANCE = 60

/** A token that is good, whose it is, and by what it is known when it comes again. */
export type Exchangeable = { workload: Workload; hash: string; until: number }

/** Notes for the operator why a token was not taken; nothing of the token is among it. */
export function refuseExchange(accountId: string, reason: string): ProblemError {
  log.warn('token exchange refused', { accountId, reason })
  return new ProblemError({ type: 'exchange_refused' })
}

/**
 * The workload whose token it is, of those that an account trusts. Refuses every other token (400), and any while its issuer
 * cannot be reached (503).
 */
export async function findWorkload(
  { id, workloads = [] }: { id: string; workloads?: readonly Workload[] },
  token: string,
): Promise<Exchangeable> {
  const issuer = issuerOf(token)
  const trusted = workloads.filter(one => one.issuer === issuer)
  if (issuer === undefined || trusted.length === 0) throw refuseExchange(id, 'no token of a trusted issuer')
  const proven = await prove(id, issuer, token)
  const workload = trusted.find(one => isOf(one, proven))
  if (!workload) throw refuseExchange(id, 'no trusted workload')
  const lastSecond = Math.min(Math.ceil(Number(proven.claims.exp)), Math.ceil(Date.now() / 1000) + WORKLOAD_AGE.most)
  return { workload, hash: hashOf(token), until: lastSecond + 2 * CLOCK_TOLERANCE }
}

/** What a token says its issuer is, which nothing proves yet. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Checks the signature of a token, its issuer and its times. Where its keys are is nothing that a token may say. */
async function prove(id: string, issuer: string, token: string): Promise<ProvenToken> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, await keysOfIssuer(issuer), {
      algorithms: [...WORKLOAD_ALGORITHMS],
      issuer,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
      clockTolerance: CLOCK_TOLERANCE,
      maxTokenAge: WORKLOAD_AGE.most,
    })
    const { typ = 'JWT', alg } = protectedHeader
    if (typ.toUpperCase() !== 'JWT') throw new errors.JWTInvalid('another type of token')
    if (typeof payload.sub !== 'string' || payload.sub === '') throw new errors.JWTInvalid('it names nobody')
    return { alg, claims: payload, ageSeconds: Date.now() / 1000 - payload.iat! }
  } catch (error) {
    if (isTokens(error)) throw refuseExchange(id, error.message)
    log.warn('issuer unavailable', { accountId: id, reason: (error as Error).message })
    throw new ProblemError({ type: 'provider_unavailable' })
  }
}

/** Whether it is the token that is at fault, and not its issuer. */
const isTokens = (error: unknown): error is Error =>
  !(error instanceof IssuerUnavailable || error instanceof errors.JWKSInvalid || error instanceof errors.JWKSTimeout) &&
  (error instanceof TypeError || (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC'))

/** What is signed and nothing else: signatures can be written in several ways. */
const hashOf = (token: string): string =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('hex')
