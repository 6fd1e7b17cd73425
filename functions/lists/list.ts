import { lists } from '../../shared/api/lists.ts'
import { scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { LIST, type ListRecord } from '../../shared/store/value-lists.ts'

export const handler = handle(lists.list)(async call =>
  listed(call, await listRecords<ListRecord>(LIST, scopeOf(call.user, 'lists'), call.page)),
)
