import { sources } from '../../shared/api/sources.ts'
import { discover } from '../../shared/discovery/discover.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { withEgressErrors } from '../../shared/sources/context.ts'
import { openSource, SOURCE, type SourceRecord } from '../../shared/store/sources.ts'

export const handler = handle(sources.discover)(async ({ params, body: { name }, user }) => {
  const stored = await findOwned<SourceRecord>(SOURCE, params.source_id, user, 'sources')
  const source = await openSource(stored)
  return withEgressErrors(stored.ownerId, context => discover(source, context, name), ['body', 'name'])
})
