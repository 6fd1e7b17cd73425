import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AnonymiseCall, memoryNumbering, type Plan, type PlannedRule, type Secrets } from 'anonymisation-engine'
import { folderSource, type LoadModel, modelLoader, shippedModels, versionsOf } from 'anonymisation-engine/models'
import { findPreset, presetRules, presets } from 'anonymisation-engine/presets'
import { patternSource } from 'anonymisation-engine/rules'
import { UserError } from '../lock.ts'
import type { RuleAndReplacement } from './choices.ts'

/** What is to be looked for, as the command line says it. */
export type Choices = {
  preset: string | undefined
  rules: RuleAndReplacement[]
  models: RuleAndReplacement[]
  workflow: RuleAndReplacement[] | undefined
  /** Where models of one's own lie. */
  folder: string | undefined
}

function planned({ rule, replacement }: RuleAndReplacement, n: number): PlannedRule {
  const named = { ruleId: `rule-${n + 1}`, name: rule.name, replacement }
  if (rule.type === 'REGEX') return { ...named, detection: { type: 'REGEX', ...rule.config.regexRuleConfig } }
  if (rule.type === 'LIST') throw new UserError(`${rule.name} looks for values of a list, which only a service keeps`)
  const { modelId, modelVersion, modelParameters } = rule.config.aiModelRuleConfig
  const { confidence_threshold: confidenceThreshold = 0.5, entities, language } = modelParameters
  return { ...named, detection: { type: 'AIMODEL', modelId, modelVersion, confidenceThreshold, entities, language } }
}

/** The rules to run: those of the command line go before those of a preset, which so leave to them what both find. */
export function planOf({ preset, rules, models, workflow = [] }: Choices): Plan {
  const own = [...rules, ...workflow, ...models].map(planned)
  const known = preset === undefined ? undefined : findPreset(preset)
  if (preset !== undefined && !known)
    throw new UserError(`There is no preset ${preset}: ${presets.map(({ id }) => id).join(', ')}`)
  return { rules: [...own, ...(known ? presetRules(known) : [])], assetType: 'DOCUMENT' }
}

const shipped = join(import.meta.dirname, '../../models')

/** The models of a run: those that ship, and those of a folder of one's own. */
export const modelsFor = ({ folder }: Choices): LoadModel =>
  modelLoader([patternSource, folderSource(shipped), ...(folder ? [folderSource(folder)] : [])])

/** Whether a rule asks what knows the forms of things and has no files. */
export const isRecognisers = (detection: PlannedRule['detection']): boolean =>
  detection.type === 'AIMODEL' && detection.modelId === 'pii-patterns'

/** Refuses models that are not there, before any file is looked at. */
export function checkModels({ rules }: Plan, { folder }: Choices): void {
  for (const { detection } of rules) {
    if (detection.type !== 'AIMODEL' || isRecognisers(detection)) continue
    const { modelId, modelVersion } = detection
    const lies = [shipped, ...(folder ? [folder] : [])].some(root =>
      versionsOf({ modelId, modelVersion }).some(version => existsSync(join(root, modelId, version))),
    )
    if (!lies)
      throw new UserError(
        `There is no model ${modelId} ${modelVersion}${folder ? ` in ${folder}` : '; --models names a folder of models'}`,
      )
  }
}

/** What all files of a run share: one numbering, and keys that nobody has again. */
export function sharedKeys(): { secrets: Secrets; numbering: AnonymiseCall['numbering'] } {
  const key = () => createSecretKey(randomBytes(32))
  const [hash, pseudonym, document, project, deployment] = [key(), key(), key(), key(), key()]
  return { secrets: { hash, pseudonym, document, project, deployment }, numbering: memoryNumbering() }
}

/** What the shipped models could find, and these rules don't look for; nothing where no shipped model is asked. */
export function notLookedFor({ rules }: Plan): string[] {
  const asked = rules.flatMap(({ detection }) => (detection.type === 'AIMODEL' ? [detection] : []))
  const looked = new Set(
    asked.flatMap(
      ({ modelId, entities }) => entities ?? shippedModels.find(model => model.modelId === modelId)?.labels ?? [],
    ),
  )
  const all = new Set(shippedModels.flatMap(({ labels }) => labels))
  return [...all].filter(label => !looked.has(label)).sort()
}
