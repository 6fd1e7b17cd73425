import { type SourceProblem, sourceProblems } from '../api/source-problems.ts'

/**
 * A failure of a source. The message is ours, so it may be shown and kept: servers quote data and credentials in theirs,
 * which is why only their code (`28P01`, `ER_BAD_DB_ERROR`, `550`) is carried on, in `remoteCode`.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly type: SourceProblem
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  readonly remoteCode: string | undefined
  /** How long the source asks to wait, milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    type: SourceProblem,
    message: string = sourceProblems[type][1],
    { remoteCode, retryAfterMs }: { remoteCode?: string | number; retryAfterMs?: number } = {},
  ) {
    super(message)
    this.type = type
    this.retryable = sourceProblems[type][2]
    this.remoteCode = remoteCode === undefined ? undefined : String(remoteCode).slice(0, 64)
    this.retryAfterMs = retryAfterMs
  }
}

const networkCodes: Record<string, SourceProblem> = {
  ENOTFOUND: 'source_dns_failed',
  EAI_AGAIN: 'source_dns_failed',
  EAI_NODATA: 'source_dns_failed',
  EAI_FAIL: 'source_dns_failed',
  ECONNREFUSED: 'source_unreachable',
  EHOSTUNREACH: 'source_unreachable',
  ENETUNREACH: 'source_unreachable',
  EADDRNOTAVAIL: 'source_unreachable',
  ETIMEDOUT: 'source_timeout',
  ECONNRESET: 'source_connection_lost',
  EPIPE: 'source_connection_lost',
  ERR_STREAM_PREMATURE_CLOSE: 'source_connection_lost',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'source_tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'source_tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'source_tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'source_tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'source_tls_untrusted',
  CERT_HAS_EXPIRED: 'source_tls_untrusted',
  CERT_NOT_YET_VALID: 'source_tls_untrusted',
  CERT_REVOKED: 'source_tls_untrusted',
  CERT_UNTRUSTED: 'source_tls_untrusted',
  INVALID_CA: 'source_tls_untrusted',
  INVALID_PURPOSE: 'source_tls_untrusted',
  HOSTNAME_MISMATCH: 'source_tls_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'source_tls_untrusted',
  EPROTO: 'source_tls_untrusted',
}

/** Code of anything thrown, where it has one. */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}

/** Whether a failure is a typed one already, a time limit of ours or an abort, rather than a driver's. */
export const isOurs = (error: unknown): boolean =>
  error instanceof SourceError || (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name))

/**
 * The failure as a {@link SourceError}: as it is when it is one, by the table of its driver, by what is wrong with the
 * network or the certificate, else `source_failed`. An abort is passed on as it is: the caller asked for it.
 */
export function toSourceError(error: unknown, table: Readonly<Record<string, SourceProblem>> = {}): Error {
  if (isOurs(error))
    return (error as Error).name === 'TimeoutError' ? new SourceError('source_timeout') : (error as Error)
  const remoteCode = codeOf(error)
  const cause = (error as { cause?: unknown } | null)?.cause
  const known = [table, networkCodes].find(codes => remoteCode !== undefined && Object.hasOwn(codes, remoteCode))
  if (remoteCode === undefined || !known) {
    if (cause instanceof Error) return toSourceError(cause, table)
    if (remoteCode?.startsWith('ERR_SSL_')) return new SourceError('source_tls_untrusted', undefined, { remoteCode })
    return new SourceError('source_failed', undefined, { remoteCode })
  }
  return new SourceError(known[remoteCode]!, undefined, { remoteCode })
}

/** What a writer fails with, to be tried again, when the next one of the same file has begun: it had lost its lease. */
export const overtaken = () => new SourceError('source_connection_lost', 'Another writer of the file came in between')
