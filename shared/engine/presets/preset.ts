import { createHash } from 'node:crypto'
import { usualModels } from '../models/catalogue.ts'
import type { LabelGroup } from '../models/label-groups.ts'
import type { Replacement } from '../operators/index.ts'
import type { PlannedRule, RegexDetection } from '../plan.ts'

/** A pattern that a preset brings along, for what no shipped model looks for. */
export type PresetPattern = Omit<RegexDetection, 'type'> & {
  name: string
  group: LabelGroup
  replacement?: Replacement
}

/** One item of the rule book that a preset follows, and what finds it. */
export type PresetItem = {
  item: string
  title: string
  /** Labels and names of patterns that stand for it; none where nothing in a text can. */
  by: readonly string[]
  /** What is stricter than the item asks for, or left to people. */
  note?: string
}

/** A shipped workflow: what it looks for, by label, and what stands in place of it. */
export type Preset = {
  id: string
  /** Changes with every change of what it finds or writes: the first number where less is replaced, else the second. */
  version: string
  title: string
  description: string
  labels: Readonly<Record<LabelGroup, readonly string[]>>
  /** What stands in place of a label or a pattern; `[LABEL]` for all others. */
  replacements?: Readonly<Record<string, Replacement>>
  patterns?: readonly PresetPattern[]
  items?: readonly PresetItem[]
  /** Where what it follows is written. */
  sources?: readonly string[]
}

const labelled: Replacement = { text: '[{{label}}]' }

/** What proves what it finds goes before the model that guesses: where both find the same, the first names it. */
const models = usualModels.toSorted((a, b) => a.languages.length - b.languages.length)

/** The name-based UUID of a rule: the same in every deployment, as long as the preset and the rule have their names. */
function idOf(preset: string, rule: string): string {
  const digest = createHash('sha256').update(`preset\n${preset}\n${rule}`).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** Labels of one model by what stands in their place; those that have something of their own go before all others. */
function byReplacement(preset: Preset, labels: readonly string[]): [Replacement, string[]][] {
  const groups = new Map<string, [Replacement, string[]]>()
  for (const label of labels) {
    const replacement = preset.replacements?.[label] ?? labelled
    const key = JSON.stringify(replacement)
    const group = groups.get(key) ?? [replacement, []]
    group[1].push(label)
    groups.set(key, group)
  }
  return [...groups.values()].sort(([a], [b]) => Number(a === labelled) - Number(b === labelled))
}

/** The rules of a preset as a plan runs them, in the order that breaks ties: its patterns first, models that guess last. */
export function presetRules(preset: Preset): PlannedRule[] {
  const rule = (name: string, detection: PlannedRule['detection'], replacement: Replacement): PlannedRule => ({
    ruleId: idOf(preset.id, name),
    name,
    detection,
    replacement,
  })
  const own = (preset.patterns ?? []).map(({ name, group: _, replacement = labelled, ...pattern }) =>
    rule(name, { type: 'REGEX', ...pattern }, replacement),
  )
  const wanted = new Set([...preset.labels.direct, ...preset.labels.quasi])
  const shipped = models.flatMap(({ modelId, modelVersion, labels }) => {
    const groups = byReplacement(
      preset,
      labels.filter(label => wanted.has(label)),
    )
    return groups.map(([replacement, entities]) => {
      const name = replacement === labelled ? modelId : `${modelId} ${entities.join(' ')}`
      return rule(name, { type: 'AIMODEL', modelId, modelVersion, confidenceThreshold: 0.5, entities }, replacement)
    })
  })
  return [...own, ...shipped]
}
