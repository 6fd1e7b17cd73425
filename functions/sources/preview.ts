import { sources } from '../../shared/api/sources.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { withEgressErrors } from '../../shared/sources/context.ts'
import { previewEntry, previewSource } from '../../shared/sources/sources.ts'
import { openSource, SOURCE, type SourceRecord } from '../../shared/store/sources.ts'

export const handler = handle(sources.preview)(async ({ params, body: { name, rows, ...query }, user }) => {
  const stored = await findOwned<SourceRecord>(SOURCE, params.source_id, user, 'sources')
  const source = await openSource(stored)
  return withEgressErrors(
    stored.ownerId,
    async context =>
      name === undefined ? previewSource(source, context, query) : previewEntry(source, context, name, rows),
    ['body', name === undefined ? 'path' : 'name'],
  )
})
