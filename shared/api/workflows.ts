import * as z from 'zod'
import { Deleted, Description, Id, keptNumber, ListQuery, listBody, Name, Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'
import { Replacement } from './replacements.ts'
import { NewReview } from './reviews.ts'

export const RuleEntry = z
  .strictObject({
    ruleId: Id,
    replacement: Replacement,
    columns: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(1000)
      .optional()
      .describe('TABLE only: names or `*` patterns of the columns that the rule looks at; nested ones by their path'),
    replace: z
      .literal('cell')
      .optional()
      .describe('TABLE only: a cell in which the rule matches is replaced as a whole; others stay'),
  })
  .meta({ id: 'RuleEntry' })
export type RuleEntry = z.infer<typeof RuleEntry>

const ColumnNames = z.array(z.string().min(1).max(500)).max(50)

/** What the privacy of a table is measured by, and what it must keep. */
const Risk = z
  .strictObject({
    quasiIdentifiers: ColumnNames.min(1).describe('Columns that could identify somebody'),
    sensitive: ColumnNames.default([]).describe('Columns that must not be learned of anybody'),
    threshold: keptNumber().gt(0).lte(1).default(0.2).describe('Records whose risk is higher are at risk'),
    require: z
      .strictObject({
        k: z.int().min(1).optional(),
        distinctL: z.int().min(1).optional(),
        entropyL: keptNumber().min(1).optional(),
        t: keptNumber().min(0).max(1).optional().describe('t-closeness with equal distances'),
        suppressAtMost: keptNumber().min(0).max(1).default(0).describe('Share of the records; more fail the asset'),
      })
      .optional()
      .describe('Records in classes that break one of these bounds are suppressed'),
  })
  .meta({ id: 'Risk' })

const Project = z.string().trim().normalize().min(1).max(100)

const WorkflowConfig = z
  .strictObject({
    rules: z.array(RuleEntry).min(1).max(200),
    project: Project.optional().describe('Replacements of the scope `project` are shared by all workflows of it'),
    exclusions: z
      .strictObject({
        lists: z.array(Id).min(1).max(20),
        force: z.boolean().default(false).describe('Whether even what a checksum proves is left'),
      })
      .optional()
      .describe('What is never replaced: values of these lists, and what lies inside of them; an addition'),
    risk: Risk.optional().describe('TABLE only: measure the privacy of every table, before and after'),
    review: NewReview.optional().describe(
      'Every job with this workflow waits for a review before its release; an addition',
    ),
  })
  .meta({ id: 'WorkflowConfig' })
const SupportedAssetType = z.enum(['TABLE', 'DOCUMENT'])

export const NewWorkflow = z
  .strictObject({
    name: Name,
    description: Description.default(''),
    supportedAssetType: SupportedAssetType,
    config: WorkflowConfig,
  })
  .meta({
    id: 'NewWorkflow',
    examples: [
      {
        name: 'Letters',
        description: '',
        supportedAssetType: 'DOCUMENT',
        config: {
          rules: [{ ruleId: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10', replacement: { text: '[{{label}} {{n}}]' } }],
        },
      },
    ],
  })
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
    problems: ['rule_not_found', 'list_not_found', 'config_mismatch'],
  },
  get: { route: 'GET /workflows/{workflow_id}', access: 'workflows:read', summary: 'Show a workflow', reply: Workflow },
  update: {
    route: 'PUT /workflows/{workflow_id}',
    access: 'workflows:write',
    summary: 'Change a workflow',
    description: 'Takes any subset of the fields. Jobs that run already keep the workflow they were executed with.',
    body: WorkflowChanges,
    reply: Workflow,
    problems: ['rule_not_found', 'list_not_found', 'config_mismatch'],
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
