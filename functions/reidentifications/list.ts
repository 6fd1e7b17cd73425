import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { asOf, REIDENTIFICATION, type ReidentificationRecord } from '../../shared/store/reidentifications.ts'
import { seesAll } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.list)(async call => {
  const scope = seesAll(call.user) ? ('all' as const) : { ownerId: call.user.id }
  const page = await listRecords<ReidentificationRecord>(REIDENTIFICATION, scope, call.page)
  return listed(call, { ...page, records: page.records.map(record => asOf(record)) })
})
