import * as z from 'zod'
import { Id, listQuery } from './common.ts'
import type { Resource } from './endpoint.ts'
import { PresetId } from './preset-id.ts'
import { Replacement } from './replacements.ts'
import { NewRule } from './rules.ts'

const Labels = z.array(z.string())

const summary = {
  id: PresetId,
  version: z
    .string()
    .describe('Changes with what it finds or writes: the first number where less is replaced, else the second'),
  name: z.string(),
  description: z.string(),
  labels: z
    .object({
      direct: Labels.describe('Labels that identify somebody by themselves'),
      quasi: Labels.describe('Labels that identify somebody only together with other facts'),
    })
    .describe('Labels of models, and names of patterns that the preset brings along'),
}

export const PresetSummary = z.object(summary).meta({ id: 'PresetSummary' })
export type PresetSummary = z.infer<typeof PresetSummary>

export const Preset = z
  .object({
    ...summary,
    config: z
      .object({ rules: z.array(z.object({ ruleId: Id, rule: NewRule, replacement: Replacement })) })
      .describe('As in a workflow, with the rules themselves, as `POST /rules/` takes them'),
    items: z
      .array(
        z.object({
          item: z.string(),
          title: z.string(),
          by: Labels.describe('Labels and names that cover it; none if nothing in a text can'),
          note: z.string().optional().describe('What is stricter than the item asks for, or left to people'),
        }),
      )
      .describe('The items of the rule book that it follows, if it follows one'),
    sources: z.array(z.string()).describe('Where what it follows is written'),
  })
  .meta({ id: 'Preset' })
/** A preset as it is handed to the wrapper, which fills in the defaults of its replacements. */
export type Preset = z.input<typeof Preset>

export const presets = {
  list: {
    route: 'GET /presets',
    access: 'workflows:read',
    extension: true,
    summary: 'List presets',
    description:
      'Workflows that ship with the service. A job’s `presetId` replaces its `workflowId`, for documents and ' +
      'tables alike.',
    query: listQuery([], ['id', 'name']),
    reply: z.array(PresetSummary),
  },
  get: {
    route: 'GET /presets/{preset_id}',
    access: 'workflows:read',
    extension: true,
    summary: 'Show a preset with its rules',
    description: 'To change something about it, create its rules and your own workflow.',
    path: { preset_id: PresetId },
    reply: Preset,
  },
} as const satisfies Resource
