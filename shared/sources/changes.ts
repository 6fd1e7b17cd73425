import * as z from 'zod'
import { ProblemError } from '../api/problems.ts'
import { sourceKinds, splitSecrets } from '../api/source-kinds.ts'
import { parseAll } from '../http/validate.ts'
import { keptSecrets, type SourceRecord } from '../store/sources.ts'

/**
 * What a changed config makes of a source: what may be shown, the secrets that were given, and those that are kept.
 * Refuses what does not fit the kind, and to keep secrets for another address (422).
 */
export function changedConfig(source: SourceRecord, value: Record<string, unknown>) {
  const schema = z.object({ config: sourceKinds[source.kind].changes })
  const [body] = parseAll([{ at: 'body', schema, value: { config: value } }]) as [{ config: Record<string, unknown> }]
  const { config, secrets } = splitSecrets(source.kind, body.config)
  const { kept, lost } = keptSecrets(source, config, secrets)
  if (lost.length > 0) {
    const type = 'secret_kept_for_other_host' as const
    throw new ProblemError(lost.map(field => ({ type, loc: ['body', 'config', field] })))
  }
  return { config, secrets, kept }
}
