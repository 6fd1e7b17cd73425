import type { ProblemError, ProblemType } from '../api/problems.ts'

/** What OAuth calls a refusal whose status does not say it already (RFC 6749, 5.2). */
const named: Partial<Record<ProblemType, string>> = {
  exchange_refused: 'invalid_grant',
  scope_not_allowed: 'invalid_scope',
}

/**
 * A refusal as OAuth's clients read it, besides our own words. Those who send a form speak OAuth and are told 400 where
 * other endpoints answer 422.
 */
export function oauthRefusal({ status, detail }: ProblemError, isForm: boolean) {
  const [first] = detail
  const description = detail.map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ')).join('; ')
  return {
    status: status === 422 && isForm ? 400 : status,
    body: {
      detail,
      error: named[first!.type] ?? errorOf(status, detail),
      // No other characters are allowed.
      error_description: description.replace(/[^\x20-\x7e]|["\\]/g, "'").slice(0, 1000),
    },
  }
}

function errorOf(status: number, detail: ProblemError['detail']): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  if (status >= 500) return 'server_error'
  const at = (name: string) => detail.length === 1 && detail[0]!.loc[1] === name && detail[0]!.type !== 'missing'
  if (at('grant_type') && detail[0]!.type === 'invalid_value') return 'unsupported_grant_type'
  return at('scope') ? 'invalid_scope' : 'invalid_request'
}
