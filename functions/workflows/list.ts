import { workflows } from '../../shared/api/workflows.ts'
import { scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.list)(async call =>
  listed(call, await listRecords<WorkflowRecord>(WORKFLOW, scopeOf(call.user, 'workflows'), call.page)),
)
