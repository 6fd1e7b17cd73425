import { ProblemError } from '../api/problems.ts'
import { settings } from '../settings.ts'

/** Refuses an address without encryption, unless the operator allows it (422). */
export function requireEncrypted(url: string): void {
  if (new URL(url).protocol === 'http:' && !settings().WEBHOOK_HTTP)
    throw new ProblemError({ type: 'https_required', loc: ['body', 'url'] })
}
