import type { PlannedRule } from 'anonymisation-engine'
import type { Rule } from '../api/rules.ts'

/** What a rule looks for, as the engine runs it. */
export function detectionOf(rule: Pick<Rule, 'type' | 'config'>): PlannedRule['detection'] {
  if ('regexRuleConfig' in rule.config) {
    const { confidence_threshold: confidenceThreshold, ...pattern } = rule.config.regexRuleConfig
    return { type: 'REGEX', ...pattern, ...(confidenceThreshold !== undefined && { confidenceThreshold }) }
  }
  if ('listRuleConfig' in rule.config) return { type: 'LIST', list: rule.config.listRuleConfig.listId }
  const { modelId, modelVersion, modelParameters } = rule.config.aiModelRuleConfig
  const { confidence_threshold: confidenceThreshold = 0.5, entities, language } = modelParameters
  return { type: 'AIMODEL', modelId, modelVersion, confidenceThreshold, entities, language }
}
