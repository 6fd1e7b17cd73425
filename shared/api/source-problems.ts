/**
 * Every way in which a source can fail, with the HTTP status of the answer, what it means, and whether the same call
 * may well succeed a little later.
 */
export const sourceProblems = {
  source_config_invalid: [400, 'The settings of the source do not fit together', false],
  source_dns_failed: [400, 'The host name of the source cannot be resolved', true],
  source_egress_denied: [400, 'The address of the source is one that this service may not connect to', false],
  source_unreachable: [400, 'The source cannot be reached', true],
  source_timeout: [400, 'The source did not answer in time', true],
  source_tls_untrusted: [400, 'The source does not offer encryption, or its certificate cannot be trusted', false],
  source_host_key_unknown: [400, 'The host key of the source is not known yet: test the source first', false],
  source_host_key_mismatch: [400, 'The host key of the source is not the one that was confirmed', false],
  source_auth_failed: [400, 'The source refuses the credentials', false],
  source_permission_denied: [400, 'The source denies access', false],
  source_not_found: [400, 'The source has no such database, folder, file or table', false],
  source_conflict: [400, 'The target exists already, or has changed meanwhile', false],
  source_throttled: [400, 'The source asks to be called less often', true],
  source_limit_exceeded: [400, 'The source holds more than the limits of this service allow', false],
  source_unsupported: [400, 'The source cannot do this', false],
  source_connection_lost: [400, 'The connection to the source broke off', true],
  source_failed: [400, 'The source reported a failure', true],
} as const satisfies Record<string, readonly [status: number, meaning: string, retryable: boolean]>

/** A type of {@link sourceProblems}. */
export type SourceProblem = keyof typeof sourceProblems

/** Every type of {@link sourceProblems}. */
export const sourceFailures = Object.keys(sourceProblems) as readonly SourceProblem[]
