import type { Plan, PlannedRule, Replacement } from 'anonymisation-engine'
import { type Preset, presetRules } from 'anonymisation-engine/presets'
import type { Caller } from '../../http/caller.ts'
import { detectionOf } from '../../rules/detection.ts'
import { resolveRules } from '../../rules/resolve.ts'
import type { WorkflowRecord } from '../../store/workflows.ts'
import { resolveReplacement } from './hierarchies.ts'

/** The plan of a preset: it serves documents and tables alike. */
export const presetPlan = (preset: Preset): Plan => ({ rules: presetRules(preset), assetType: 'DOCUMENT' })

/** The snapshot of a workflow and its rules that a job runs with. */
export async function planOf({ config, supportedAssetType, ownerId }: WorkflowRecord, user: Caller): Promise<Plan> {
  const rules = await resolveRules(config.rules, { ...user, id: ownerId })
  const replacements: Replacement[] = []
  // The owner says which files a workflow reads, so whoever runs one of others has it read none but the owner's.
  const reader = user.id === ownerId ? user : { ...user, id: ownerId, permissions: new Set<string>() }
  for (const [n, entry] of config.rules.entries()) replacements.push(await resolveReplacement(entry, n, reader))
  const planned = config.rules.map(({ columns, replace }, n): PlannedRule => {
    const rule = rules[n]!
    return {
      ruleId: rule.id,
      name: rule.name,
      replacement: replacements[n]!,
      ...(columns && { columns }),
      ...(replace && { replace }),
      detection: detectionOf(rule),
    }
  })
  const project = config.project === undefined ? undefined : `${ownerId}:${config.project}`
  return {
    rules: planned,
    assetType: supportedAssetType,
    ...(project && { project }),
    ...(config.exclusions && { exclusions: config.exclusions }),
    ...(config.risk && { risk: config.risk }),
  }
}

/** The same for looking alone: what would be put in place of a finding, and what remains of it, is of no account. */
export const inspecting = ({ rules, risk: _, ...plan }: Plan): Plan => ({
  ...plan,
  rules: rules.map(rule => ({ ...rule, replacement: { remove: {} } })),
})
