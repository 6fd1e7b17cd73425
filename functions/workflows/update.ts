import { notFound, Refusal } from '../../shared/api/problems.ts'
import { workflows } from '../../shared/api/workflows.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkConfig, resolveRules } from '../../shared/rules/resolve.ts'
import { changeRecord } from '../../shared/store/records.ts'
import { forgetUses, noteUses } from '../../shared/store/references.ts'
import { RULE } from '../../shared/store/rules.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.update)(async ({ params, body, user }) => {
  const stored = await findOwned<WorkflowRecord>(WORKFLOW, params.workflow_id, user, 'workflows')
  const entries = body.config?.rules ?? stored.config.rules
  checkConfig(body.supportedAssetType ?? stored.supportedAssetType, body.config ?? stored.config)
  const before = new Set(stored.config.rules.map(({ ruleId }) => ruleId))
  const after = new Set(entries.map(({ ruleId }) => ruleId))
  if (body.config) {
    await resolveRules(entries, user)
    if (!(await noteUses(RULE, [...after.difference(before)], stored.id))) throw new Refusal({ type: 'rule_not_found' })
  }
  const changed = await changeRecord<WorkflowRecord>(WORKFLOW, stored.id, body)
  if (!changed) throw notFound('workflow')
  if (body.config) await forgetUses(RULE, [...before.difference(after)], stored.id)
  return changed
})
