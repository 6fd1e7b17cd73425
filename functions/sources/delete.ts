import { notFound } from '../../shared/api/problems.ts'
import { sources } from '../../shared/api/sources.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { removing } from '../../shared/store/records.ts'
import { SOURCE, type SourceRecord } from '../../shared/store/sources.ts'

export const handler = handle(sources.delete)(async ({ params, user, write }) => {
  const source = await findOwned<SourceRecord>(SOURCE, params.source_id, user, 'sources')
  if (!(await write(removing(SOURCE, source)))) throw notFound('source')
  return { id: source.id, deleted: true as const }
})
