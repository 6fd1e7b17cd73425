import type { Workflow } from '../api/workflows.ts'
import type { Kind } from './records.ts'

export const WORKFLOW: Kind = { table: 'workflows', name: 'WORKFLOW' }

export type WorkflowRecord = Workflow & { ownerId: string }
