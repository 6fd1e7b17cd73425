import { lists } from '../../shared/api/lists.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { sendMessages } from '../../shared/store/queue.ts'
import { findRecord } from '../../shared/store/records.ts'
import { removeUnreferenced } from '../../shared/store/references.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { eraseEntries, LIST, type ListRecord } from '../../shared/store/value-lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(lists.delete)(async ({ params, user, write }) => {
  const list = await findOwned<ListRecord>(LIST, params.list_id, user, 'lists')
  const uses = async (id: string) => {
    const rule = await findRecord<RuleRecord>(RULE, id)
    if (rule) return rule.type === 'LIST' && rule.config.listRuleConfig.listId === list.id
    const workflow = await findRecord<WorkflowRecord>(WORKFLOW, id)
    return workflow?.config.exclusions?.lists.includes(list.id) ?? false
  }
  // Sent first and late: should the rest fail half-way, the queue finishes it.
  await sendMessages('jobs', list.ownerId, [{ type: 'CLEAN_LIST', listId: list.id }], 60)
  const usedBy = await removeUnreferenced(LIST, list, uses, { write })
  if (usedBy.length > 0)
    throw new ProblemError({ type: 'in_use', msg: `Used by the rules or workflows ${usedBy.join(', ')}` })
  await eraseEntries(list.id)
  return { id: list.id, deleted: true as const }
})
