import type { Workflow } from '../api/workflows.ts'
import { type Kind, kinds } from './kinds.ts'

export const WORKFLOW: Kind = kinds.workflow_id

export type WorkflowRecord = Workflow & { ownerId: string }
