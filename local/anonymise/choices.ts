import { readFileSync } from 'node:fs'
import type { Replacement } from 'anonymisation-engine'
import { usualModels } from 'anonymisation-engine/models'
import { checkPattern, checkReplacement } from 'anonymisation-engine/rules'
import { Replacement as ReplacementForm } from '../../shared/api/replacements.ts'
import { NewRule } from '../../shared/api/rules.ts'
import { UserError } from '../lock.ts'

/** A rule, and what stands in place of what it finds. */
export type RuleAndReplacement = { rule: NewRule; replacement: Replacement }

const labelled: Replacement = { text: '[{{label}}]' }

/** A rule as given on the command line, `NAME=PATTERN=TEXT`; the name ends at the first `=`, the text begins at the last. */
export function parseRule(argument: string): RuleAndReplacement {
  const [first, last] = [argument.indexOf('='), argument.lastIndexOf('=')]
  if (first < 1 || last <= first + 1) throw new UserError(`--rule must be NAME=PATTERN=TEXT, not ${argument}`)
  const [name, pattern] = [argument.slice(0, first), argument.slice(first + 1, last)]
  const rule: NewRule = { name, description: '', type: 'REGEX', config: { regexRuleConfig: { pattern } } }
  return checked({ rule, replacement: { text: argument.slice(last + 1) } }, `--rule ${name}`)
}

/** A model as given on the command line, `ID[@VERSION][:LABEL,...]`. */
export function parseModel(argument: string): RuleAndReplacement {
  const parts =
    /^([a-z0-9][a-z0-9._-]{0,63})(?:@([a-z0-9][a-z0-9._-]{0,63}))?(?::([A-Z0-9_-]+(?:,[A-Z0-9_-]+)*))?$/.exec(argument)
  if (!parts) throw new UserError(`--model must be ID[@VERSION][:LABEL,...], such as pii-ner:PERSON, not ${argument}`)
  const [, modelId = '', version, labels] = parts
  const known = usualModels.find(model => model.modelId === modelId)
  const modelVersion = version ?? known?.modelVersion
  if (!modelVersion) {
    const names = usualModels.map(model => model.modelId).join(', ')
    throw new UserError(
      `There is no model ${modelId}: ${names} ship; of others the version is needed, and --models FOLDER`,
    )
  }
  const entities = labels?.split(',')
  const unknown =
    known?.modelVersion === modelVersion ? entities?.find(label => !known.labels.includes(label)) : undefined
  if (unknown) throw new UserError(`${modelId} finds no ${unknown}; it finds ${known!.labels.join(', ')}`)
  const modelParameters = entities ? { entities } : {}
  const rule: NewRule = {
    name: modelId,
    description: '',
    type: 'AIMODEL',
    config: { aiModelRuleConfig: { modelId, modelVersion, modelParameters } },
  }
  return { rule, replacement: labelled }
}

/** The rules of a file as `GET /presets/{preset_id}` shows them: `{"config": {"rules": [{"rule": {...}, "replacement": {...}}]}}`. */
export function readWorkflow(path: string): RuleAndReplacement[] {
  let content: { config?: { rules?: unknown }; rules?: unknown }
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is no JSON' : "there is none, or it can't be read"
    throw new UserError(`The workflow ${path} can't be used: ${why}`)
  }
  const rules = content?.config?.rules ?? content?.rules
  if (!Array.isArray(rules) || rules.length === 0)
    throw new UserError(
      `The workflow ${path} has no rules: {"config": {"rules": [{"rule": {...}, "replacement": {...}}]}}`,
    )
  return rules.map((entry, n) => {
    const at = `Rule ${n + 1} of ${path}`
    const rule = NewRule.safeParse(entry?.rule)
    if (!rule.success) throw new UserError(`${at} has no valid "rule": ${firstOf(rule.error)}`)
    const replacement = ReplacementForm.safeParse(entry?.replacement ?? labelled)
    if (!replacement.success) throw new UserError(`${at} has no valid "replacement": ${firstOf(replacement.error)}`)
    return checked({ rule: rule.data, replacement: replacement.data as Replacement }, at)
  })
}

const firstOf = ({ issues }: { issues: { path: PropertyKey[]; message: string }[] }): string => {
  const [issue] = issues
  return [issue!.path.join('.'), issue!.message].filter(Boolean).join(': ')
}

/** The same if it can be run. */
function checked(one: RuleAndReplacement, at: string): RuleAndReplacement {
  const { rule, replacement } = one
  if (rule.type === 'REGEX') {
    const verdict = checkPattern(rule.config.regexRuleConfig)
    if (!verdict.ok) throw new UserError(`${at}: ${verdict.problems.map(({ msg }) => msg).join('; ')}`)
  }
  const [wrong] = checkReplacement(replacement)
  if (wrong) throw new UserError(`${at}: the replacement can't be applied: ${wrong.msg}`)
  return one
}
