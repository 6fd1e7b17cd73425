import { sources } from '../../shared/api/sources.ts'
import { scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { SOURCE, type SourceRecord, showSource } from '../../shared/store/sources.ts'

export const handler = handle(sources.list)(async call => {
  const page = await listRecords<SourceRecord>(SOURCE, scopeOf(call.user, 'sources'), call.page)
  return listed(call, page).map(showSource)
})
