import { splitSecrets } from '../../shared/api/source-kinds.ts'
import { sources } from '../../shared/api/sources.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { changedConfig } from '../../shared/sources/changes.ts'
import { withEgressErrors } from '../../shared/sources/context.ts'
import { findNamedSource } from '../../shared/sources/find.ts'
import { checkSource } from '../../shared/sources/sources.ts'
import { openSource, pinHostKeys } from '../../shared/store/sources.ts'

export const handler = handle(sources.test)(async ({ body, user, write }) => {
  if ('kind' in body) {
    const source = { kind: body.kind, ...splitSecrets(body.kind, body.config) }
    return withEgressErrors(user.id, context => checkSource(source, context))
  }
  const stored = await findNamedSource(body.sourceId, user)
  const { config, secrets, kept } = changedConfig(stored, body.config ?? stored.config)
  const source = await openSource({ ...stored, config, sealed: kept })
  Object.assign(source.secrets, secrets)
  const report = await withEgressErrors(stored.ownerId, context => checkSource(source, context))
  // Trust on first use: only for the source as it is stored, and only while it has no key.
  if (report.pin && body.config === undefined && stored.config.host_key_fingerprints === undefined)
    await pinHostKeys(stored, report.pin.host_key_fingerprints, write)
  return report
})
