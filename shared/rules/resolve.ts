import { type PlannedRule, type Replacement, type Subject, scopeOf, subjectOf } from 'anonymisation-engine'
import { comprehendModels, shippedModels } from 'anonymisation-engine/models'
import { checkLabels, checkReplacement } from 'anonymisation-engine/rules'
import { ProblemError } from '../api/problems.ts'
import type { NewWorkflow, RuleEntry } from '../api/workflows.ts'
import { type Caller, hasPermission } from '../http/caller.ts'
import { getItems, type Item } from '../store/dynamo.ts'
import { keyOf } from '../store/records.ts'
import { RULE, type RuleRecord } from '../store/rules.ts'
import { detectionOf } from './detection.ts'
import { checkLists } from './lists.ts'

/** A rule that is named, and where, if not at its place in a workflow. */
type Named = { ruleId: string; loc?: readonly string[] }

/**
 * The rules that a workflow names, in its order. Every one must exist and be visible to the owner of the workflow;
 * those that are not are refused together (400 `rule_not_found`), each with its place.
 */
export async function resolveRules(
  entries: readonly Named[],
  viewer: Pick<Caller, 'id' | 'permissions'>,
): Promise<RuleRecord[]> {
  const distinct = [...new Set(entries.map(({ ruleId }) => ruleId))]
  const found = await getItems<RuleRecord & Item>(
    'rules',
    distinct.map(id => keyOf(RULE, id)),
  )
  const anyRule = hasPermission(viewer as Caller, 'rules:any')
  const visible = new Map(found.filter(rule => anyRule || rule.ownerId === viewer.id).map(rule => [rule.id, rule]))
  const missing = entries.flatMap(({ ruleId, loc }, n) =>
    visible.has(ruleId)
      ? []
      : [
          {
            type: 'rule_not_found' as const,
            msg: `There is no rule ${ruleId}`,
            loc: [...(loc ?? ['body', 'config', 'rules', String(n)]), 'ruleId'],
          },
        ],
  )
  if (missing.length > 0) throw new ProblemError(missing)
  return entries.map(({ ruleId }) => visible.get(ruleId)!)
}

/** Whether a replacement is complete: a hierarchy that is named by its asset is read and checked when the job is executed. */
export const isComplete = (
  replacement: RuleEntry['replacement'],
): replacement is RuleEntry['replacement'] & Replacement =>
  !('generalise' in replacement && 'hierarchy' in replacement.generalise) || 'rows' in replacement.generalise.hierarchy

/** Why whose values are can't be told by what a replacement names; nothing where it can. */
function strayOf(by: Subject | undefined, type: string, rules: readonly RuleEntry[]): string | undefined {
  if (!by) return undefined
  if ('column' in by) return type === 'TABLE' ? undefined : 'Only tables have columns'
  return rules.some(({ ruleId }) => ruleId === by.rule) ? undefined : 'The workflow has no such rule'
}

/** What is wrong with a replacement by itself, and for a rule that finds these labels. */
export const mistakesOf = (replacement: Replacement, labels: readonly string[] | undefined) => {
  const wrong = checkReplacement(replacement)
  return wrong.length > 0 ? wrong : checkLabels(replacement, labels)
}

/** Refuses what the type of asset can't have, columns and a measure of risk, and replacements that can't be applied, for
 * want of a project too (422). */
export function checkConfig(
  type: NewWorkflow['supportedAssetType'],
  { rules, risk, project }: NewWorkflow['config'],
): void {
  const wrong: { msg: string; loc: string[] }[] = []
  const refuse = (msg: string, ...loc: string[]) => void wrong.push({ msg, loc: ['body', 'config', ...loc] })
  for (const [n, { columns, replace, replacement }] of rules.entries()) {
    if (columns && type !== 'TABLE') refuse('Only tables have columns', 'rules', String(n), 'columns')
    if (replace && type !== 'TABLE') refuse('Only tables have cells', 'rules', String(n), 'replace')
    if (!isComplete(replacement)) continue
    const at = ['rules', String(n), 'replacement']
    for (const { msg, loc } of checkReplacement(replacement)) refuse(msg, ...at, ...loc)
    const isNameless = project === undefined && scopeOf(replacement) === 'project'
    const astray = strayOf(subjectOf(replacement), type, rules)
    if (astray) refuse(astray, ...at, Object.keys(replacement)[0]!, 'by')
    if (isNameless) refuse('The workflow names no `project`', ...at, Object.keys(replacement)[0]!, 'scope')
  }
  if (risk && type !== 'TABLE') refuse('Only tables have records whose risk can be measured', 'risk')
  if (wrong.length > 0) throw new ProblemError(wrong.map(one => ({ type: 'config_mismatch' as const, ...one })))
}

/** The labels that a rule finds: none that say anything of a pattern; undefined where its model is not known here. */
export function labelsOf(detection: PlannedRule['detection']): readonly string[] | undefined {
  if (detection.type !== 'AIMODEL') return []
  const { modelId, modelVersion, entities } = detection
  const isNamed = (model: { modelId: string; modelVersion: string }) =>
    model.modelId === modelId && model.modelVersion === modelVersion
  return entities ?? [...shippedModels, ...comprehendModels].find(isNamed)?.labels
}

/** Refuses replacements that can't be made of what their rules find (422). */
export function checkFits(entries: readonly RuleEntry[], rules: readonly RuleRecord[]): void {
  const wrong = entries.flatMap(({ replacement }, n) =>
    isComplete(replacement)
      ? checkLabels(replacement, labelsOf(detectionOf(rules[n]!))).map(({ msg, loc }) => ({
          ...{ type: 'config_mismatch' as const, msg },
          loc: ['body', 'config', 'rules', String(n), 'replacement', ...loc],
        }))
      : [],
  )
  if (wrong.length > 0) throw new ProblemError(wrong)
}

/** The lists whose values a workflow never replaces. */
export const excludedBy = ({ exclusions }: Pick<NewWorkflow['config'], 'exclusions'>): string[] =>
  exclusions?.lists ?? []

/** Refuses lists of exclusions that are not there, or another's (400 `list_not_found`). */
export const checkExclusions = (config: Pick<NewWorkflow['config'], 'exclusions'>, user: Caller): Promise<void> =>
  checkLists(
    excludedBy(config).map((listId, n) => ({ listId, loc: ['body', 'config', 'exclusions', 'lists', String(n)] })),
    user,
  )
