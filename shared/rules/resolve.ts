import type { Replacement } from 'anonymisation-engine'
import { checkReplacement } from 'anonymisation-engine/rules'
import { Refusal } from '../api/problems.ts'
import type { NewWorkflow, RuleEntry } from '../api/workflows.ts'
import { type Caller, may } from '../http/caller.ts'
import { getItems, type Item } from '../store/dynamo.ts'
import { keyOf } from '../store/records.ts'
import { RULE, type RuleRecord } from '../store/rules.ts'

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
  const anyRule = may(viewer as Caller, 'rules:any')
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
  if (missing.length > 0) throw new Refusal(missing)
  return entries.map(({ ruleId }) => visible.get(ruleId)!)
}

/** Whether a replacement is complete: a hierarchy that is named by its asset is read and checked when the job is executed. */
const isComplete = (replacement: RuleEntry['replacement']): replacement is RuleEntry['replacement'] & Replacement =>
  !('generalise' in replacement && 'hierarchy' in replacement.generalise) || 'rows' in replacement.generalise.hierarchy

/** Refuses what the type of asset can't have, columns and a measure of risk, and replacements that can't be applied (422). */
export function checkConfig(
  type: NewWorkflow['supportedAssetType'],
  { rules, risk }: Pick<NewWorkflow['config'], 'rules' | 'risk'>,
): void {
  const wrong: { msg: string; loc: string[] }[] = []
  const refuse = (msg: string, ...loc: string[]) => void wrong.push({ msg, loc: ['body', 'config', ...loc] })
  for (const [n, { columns, replace, replacement }] of rules.entries()) {
    if (columns && type !== 'TABLE') refuse('Only tables have columns', 'rules', String(n), 'columns')
    if (replace && type !== 'TABLE') refuse('Only tables have cells', 'rules', String(n), 'replace')
    if (!isComplete(replacement)) continue
    for (const { msg, loc } of checkReplacement(replacement)) refuse(msg, 'rules', String(n), 'replacement', ...loc)
  }
  if (risk && type !== 'TABLE') refuse('Only tables have records whose risk can be measured', 'risk')
  if (wrong.length > 0) throw new Refusal(wrong.map(one => ({ type: 'config_mismatch' as const, ...one })))
}
