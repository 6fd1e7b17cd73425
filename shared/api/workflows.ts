import * as z from 'zod'
import { Deleted, Description, Id, ListQuery, listBody, Name, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'

const empty = z.strictObject({})

/** What stands in place of a match: exactly one form. */
export const Replacement = z
  .union([
    z.strictObject({
      text: z
        .string()
        .max(1000)
        .describe(
          'Literal text; `{{label}}`, `{{rule}}` and `{{n}}` (number of the distinct value in the job) are filled in',
        ),
    }),
    z.strictObject({
      mask: z.strictObject({
        char: z.string().min(1).max(2).regex(/^.$/u, 'must be one character').default('*'),
        keepFirst: z.int().min(0).max(100).default(0),
        keepLast: z.int().min(0).max(100).default(0),
      }),
    }),
    z.strictObject({ hash: empty.describe('HMAC-SHA-256 under a key of the deployment') }),
    z.strictObject({ pseudonym: empty.describe('The same value gets the same name throughout the job') }),
    z.strictObject({ remove: empty }),
  ])
  .meta({ id: 'Replacement' })

export const RuleEntry = z
  .strictObject({
    ruleId: Id,
    replacement: Replacement,
    columns: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(1000)
      .optional()
      .describe('TABLE only: names or `*` patterns of the columns that the rule looks at'),
  })
  .meta({ id: 'RuleEntry' })

const WorkflowConfig = z.strictObject({ rules: z.array(RuleEntry).min(1).max(200) }).meta({ id: 'WorkflowConfig' })
const SupportedAssetType = z.enum(['TABLE', 'DOCUMENT'])

export const NewWorkflow = z
  .strictObject({
    name: Name,
    description: Description.default(''),
    supportedAssetType: SupportedAssetType,
    config: WorkflowConfig,
  })
  .meta({ id: 'NewWorkflow' })
export type NewWorkflow = z.infer<typeof NewWorkflow>

export const WorkflowChanges = z
  .strictObject({
    name: Name.optional(),
    description: Description.optional(),
    supportedAssetType: SupportedAssetType.optional(),
    config: WorkflowConfig.optional(),
  })
  .meta({ id: 'WorkflowChanges' })
export type WorkflowChanges = z.infer<typeof WorkflowChanges>

export const Workflow = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    supportedAssetType: SupportedAssetType,
    config: WorkflowConfig,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Workflow' })
export type Workflow = z.infer<typeof Workflow>

export const workflows = {
  list: {
    route: 'POST /workflows/list',
    access: 'workflows:read',
    audited: false,
    summary: 'List workflows',
    query: ListQuery,
    body: listBody(['name', 'supportedAssetType'], ['name', 'supportedAssetType', 'createdAt', 'updatedAt']),
    reply: z.array(Workflow),
  },
  create: {
    route: 'POST /workflows/',
    access: 'workflows:write',
    summary: 'Create a workflow',
    body: NewWorkflow,
    reply: Workflow,
    problems: ['rule_not_found', 'config_mismatch'],
  },
  get: { route: 'GET /workflows/{workflow_id}', access: 'workflows:read', summary: 'Show a workflow', reply: Workflow },
  update: {
    route: 'PUT /workflows/{workflow_id}',
    access: 'workflows:write',
    summary: 'Change a workflow',
    description: 'Takes any subset of the fields. Jobs that run already keep the workflow they were executed with.',
    body: WorkflowChanges,
    reply: Workflow,
    problems: ['rule_not_found', 'config_mismatch'],
  },
  delete: {
    route: 'DELETE /workflows/{workflow_id}',
    access: 'workflows:write',
    summary: 'Delete a workflow',
    description: 'A workflow that an open job uses is kept: 400 `in_use` names the jobs.',
    reply: Deleted,
    problems: ['in_use'],
  },
} as const satisfies Resource
