import { workflows } from '../../shared/api/workflows.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.get)(({ params, user }) =>
  findOwned<WorkflowRecord>(WORKFLOW, params.workflow_id, user, 'workflows'),
)
