import type { PlannedRule } from 'anonymisation-engine'
import { findPreset, type Preset as Known, presetRules, presets } from 'anonymisation-engine/presets'
import type { Preset, PresetSummary } from '../api/presets.ts'
import { ProblemError } from '../api/problems.ts'
import type { NewRule } from '../api/rules.ts'

function summarise({ id, version, title, description, labels, patterns = [] }: Known): PresetSummary {
  const labelsOf = (group: 'direct' | 'quasi') => [
    ...labels[group],
    ...patterns.filter(pattern => pattern.group === group).map(({ name }) => name),
  ]
  return { id, version, name: title, description, labels: { direct: labelsOf('direct'), quasi: labelsOf('quasi') } }
}

/** Every preset, without its rules. */
export const summariseAll = (): PresetSummary[] => presets.map(summarise)

/** A preset with its rules as they could be created, and what it follows. */
export function showPreset(id: string): Preset | undefined {
  const preset = findPreset(id)
  if (!preset) return undefined
  const rules = presetRules(preset).map(planned => ({
    ruleId: planned.ruleId,
    rule: newRuleOf(planned),
    replacement: planned.replacement,
  }))
  const items = (preset.items ?? []).map(item => ({ ...item, by: [...item.by] }))
  return { ...summarise(preset), config: { rules }, items, sources: [...(preset.sources ?? [])] }
}

/** The rule of a plan as `POST /rules/` takes it: what `detectionOf` makes of it is the same again. */
export function newRuleOf({ name, detection }: PlannedRule): NewRule {
  const described = { name, description: '' }
  if (detection.type === 'REGEX') {
    const { type, ...regexRuleConfig } = detection
    return { ...described, type, config: { regexRuleConfig } }
  }
  if (detection.type === 'LIST') throw new Error('A preset names no lists')
  const { type, modelId, modelVersion, confidenceThreshold: confidence_threshold, entities, language } = detection
  const modelParameters = { confidence_threshold, ...(entities && { entities }), ...(language && { language }) }
  return { ...described, type, config: { aiModelRuleConfig: { modelId, modelVersion, modelParameters } } }
}

/** Refuses the name of a preset that does not ship (400 `preset_not_found`). */
export function namedPreset(id: string): Known {
  const preset = findPreset(id)
  if (!preset) {
    const msg = `There is no preset ${id}; GET /presets lists them`
    throw new ProblemError({ type: 'preset_not_found', msg, loc: ['body', 'presetId'] })
  }
  return preset
}

/** The same for a name that may be given. */
export function checkPreset(id: string | null | undefined): void {
  if (id) namedPreset(id)
}
