import { SourceError } from '../errors.ts'
import type { Http } from '../http.ts'

/**
 * Asks an OAuth 2.0 token endpoint (RFC 6749, section 5) for an access token. Throws `source_auth_failed` where the
 * client, its secret or its assertion is refused, `source_config_invalid` where the tenant does not exist.
 */
export async function accessToken(http: Http, endpoint: string, form: Record<string, string>): Promise<string> {
  const answer = (await http.json(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    accept: [400, 401],
  })) as { access_token?: unknown; error?: unknown; error_codes?: unknown }
  if (typeof answer.access_token === 'string') return answer.access_token
  const remoteCode = typeof answer.error === 'string' ? answer.error : undefined
  const unknownTenant = Array.isArray(answer.error_codes) && answer.error_codes.includes(90002)
  throw unknownTenant
    ? new SourceError('source_config_invalid', 'There is no such tenant', { remoteCode })
    : new SourceError('source_auth_failed', undefined, { remoteCode })
}
