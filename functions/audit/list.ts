import { audit } from '../../shared/api/audit.ts'
import { listAudit } from '../../shared/audit/list.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
export const handler = handle(audit.list)(async call => listed(call, await listAudit(call.body, call.page)))
