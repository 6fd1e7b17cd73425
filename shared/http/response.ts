import type { APIGatewayProxyResult } from 'aws-lambda'
import { ProblemError } from '../api/problems.ts'
import { describeFailure } from '../failure.ts'
import { log } from '../log.ts'
import { settings } from '../settings.ts'
import type { Rate } from '../store/rate-limit.ts'

/** The answer to a failure: a refusal as it stands, anything else as a 500 that says nothing. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (isOverload(error)) return new ProblemError({ type: 'unavailable' }, { 'Retry-After': '1' })
  log.error('request failed', { failure: describeFailure(error) })
  return new ProblemError({ type: 'internal' })
}

/** Whether a store refused for being overloaded, after the SDK's own retries. */
const isOverload = (error: unknown): boolean =>
  error instanceof Error &&
  /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown|TransactionConflict/.test(error.name)

/** An answer of the gateway, with the headers that every answer carries. */
export function answer(
  status: number,
  body: string,
  {
    contentType,
    requestId,
    origin,
    rate,
    headers,
  }: {
    contentType: string
    requestId: string
    origin?: string
    rate?: Rate
    headers?: Record<string, string>
  },
): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Strict-Transport-Security': 'max-age=63072000',
      'X-Request-Id': requestId,
      ...crossOrigin(origin),
      ...(rate && {
        'X-RateLimit-Limit': String(rate.limit),
        'X-RateLimit-Remaining': String(rate.remaining),
        'X-RateLimit-Reset': String(rate.resetSeconds),
      }),
      ...headers,
    },
    body,
  }
}

/** Headers that let the pages of an allowed origin read the answer. */
function crossOrigin(origin: string | undefined): Record<string, string> {
  const allowed = settings()
    .CORS_ORIGINS.split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
  if (!origin || allowed.length === 0) return {}
  if (!allowed.includes('*') && !allowed.includes(origin)) return { Vary: 'Origin' }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'X-Request-Id, X-Total-Count, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
    Vary: 'Origin',
  }
}
