import { sources } from '../../shared/api/sources.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { SOURCE, type SourceRecord, showSource } from '../../shared/store/sources.ts'

export const handler = handle(sources.get)(async ({ params, user }) =>
  showSource(await findOwned<SourceRecord>(SOURCE, params.source_id, user, 'sources')),
)
