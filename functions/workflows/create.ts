import { randomUUID } from 'node:crypto'
import { ProblemError } from '../../shared/api/problems.ts'
import { workflows } from '../../shared/api/workflows.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkConfig, checkExclusions, checkFits, excludedBy, resolveRules } from '../../shared/rules/resolve.ts'
import { creating } from '../../shared/store/records.ts'
import { writeUsing } from '../../shared/store/references.ts'
import { RULE } from '../../shared/store/rules.ts'
import { LIST } from '../../shared/store/value-lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.create)(async ({ body, user, note, write }) => {
  checkConfig(body.supportedAssetType, body.config)
  await checkExclusions(body.config, user)
  const rules = await resolveRules(body.config.rules, user)
  checkFits(body.config.rules, rules)
  const now = new Date().toISOString()
  const workflow: WorkflowRecord = { ...body, id: randomUUID(), ownerId: user.id, createdAt: now, updatedAt: now }
  const used = [
    { kind: RULE, ids: rules.map(({ id }) => id), otherwise: new ProblemError({ type: 'rule_not_found' }) },
    { kind: LIST, ids: excludedBy(body.config), otherwise: new ProblemError({ type: 'list_not_found' }) },
  ]
  note({ newId: workflow.id })
  await writeUsing(workflow.id, used, creating(WORKFLOW, workflow), write)
  return workflow
})
