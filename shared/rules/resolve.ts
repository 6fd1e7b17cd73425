import { Refusal } from '../api/problems.ts'
import type { NewWorkflow } from '../api/workflows.ts'
import { type Caller, may } from '../http/caller.ts'
import { getItems, type Item } from '../store/dynamo.ts'
import { keyOf } from '../store/records.ts'
import { RULE, type RuleRecord } from '../store/rules.ts'

type Entry = NewWorkflow['config']['rules'][number]

/**
 * The rules that a workflow names, in its order. Every one must exist and be visible to the owner of the workflow;
 * those that are not are refused together (400 `rule_not_found`), each with its place.
 */
export async function resolveRules(
  entries: Entry[],
  viewer: Pick<Caller, 'id' | 'permissions'>,
): Promise<RuleRecord[]> {
  const distinct = [...new Set(entries.map(({ ruleId }) => ruleId))]
  const found = await getItems<RuleRecord & Item>(
    'rules',
    distinct.map(id => keyOf(RULE, id)),
  )
  const anyRule = may(viewer as Caller, 'rules:any')
  const visible = new Map(found.filter(rule => anyRule || rule.ownerId === viewer.id).map(rule => [rule.id, rule]))
  const missing = entries.flatMap(({ ruleId }, n) =>
    visible.has(ruleId)
      ? []
      : [
          {
            type: 'rule_not_found' as const,
            msg: `There is no rule ${ruleId}`,
            loc: ['body', 'config', 'rules', String(n), 'ruleId'],
          },
        ],
  )
  if (missing.length > 0) throw new Refusal(missing)
  return entries.map(({ ruleId }) => visible.get(ruleId)!)
}

/** Refuses entries that the type of asset can't have: only tables have columns (422 `config_mismatch`). */
export function checkEntries(type: NewWorkflow['supportedAssetType'], entries: Entry[]): void {
  if (type === 'TABLE') return
  const wrong = entries.flatMap(({ columns }, n) =>
    columns
      ? [
          {
            type: 'config_mismatch' as const,
            msg: 'Only tables have columns',
            loc: ['body', 'config', 'rules', String(n), 'columns'],
          },
        ]
      : [],
  )
  if (wrong.length > 0) throw new Refusal(wrong)
}
