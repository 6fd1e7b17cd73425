import { shippedModels } from 'anonymisation-engine/models'
import type { NewRule } from '../../shared/api/rules.ts'
import { Inconvenience } from '../lock.ts'

/** A rule and the text that stands in place of what it finds. */
export type RuleAndText = { rule: NewRule; text: string }

/** What the shipped models find and nobody is told by: prices and sums stay, or most tables would say nothing more. */
const KEPT_LABELS = new Set(['QUANTITY'])

/** The patterns, which prove what they find, and then the model that guesses: where both find the same, the first names it. */
const modelsInOrder = shippedModels.toSorted((a, b) => a.languages.length - b.languages.length)

/** What is looked for by default: all that the shipped models find but quantities, each replaced by its label. */
export const defaultRules: readonly RuleAndText[] = modelsInOrder.map(({ modelId, modelVersion, labels }) => {
  const entities = labels.filter(label => !KEPT_LABELS.has(label))
  const config = { aiModelRuleConfig: { modelId, modelVersion, modelParameters: { entities } } }
  return { rule: { name: modelId, description: '', type: 'AIMODEL', config }, text: '[{{label}}]' }
})

/** A rule as given on the command line, `NAME=PATTERN=TEXT`; the name ends at the first `=`, the text begins at the last. */
export function parseRule(argument: string): RuleAndText {
  const [first, last] = [argument.indexOf('='), argument.lastIndexOf('=')]
  if (first < 1 || last <= first + 1) throw new Inconvenience(`--rule must be NAME=PATTERN=TEXT, not ${argument}`)
  const [name, pattern] = [argument.slice(0, first), argument.slice(first + 1, last)]
  const rule: NewRule = { name, description: '', type: 'REGEX', config: { regexRuleConfig: { pattern } } }
  return { rule, text: argument.slice(last + 1) }
}
