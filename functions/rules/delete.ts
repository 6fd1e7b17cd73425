import { ProblemError } from '../../shared/api/problems.ts'
import { rules } from '../../shared/api/rules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listsOf } from '../../shared/rules/check.ts'
import { findRecord } from '../../shared/store/records.ts'
import { removeUnreferenced } from '../../shared/store/references.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { LIST } from '../../shared/store/value-lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(rules.delete)(async ({ params, user, write }) => {
  const rule = await findOwned<RuleRecord>(RULE, params.rule_id, user, 'rules')
  const uses = async (workflowId: string) => {
    const workflow = await findRecord<WorkflowRecord>(WORKFLOW, workflowId)
    return workflow?.config.rules.some(({ ruleId }) => ruleId === rule.id) ?? false
  }
  const used = [{ kind: LIST, ids: listsOf(rule) }]
  const usedBy = await removeUnreferenced(RULE, rule, uses, { used, write })
  if (usedBy.length > 0) throw new ProblemError({ type: 'in_use', msg: `Used by the workflows ${usedBy.join(', ')}` })
  return { id: rule.id, deleted: true as const }
})
