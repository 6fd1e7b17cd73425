import { randomUUID } from 'node:crypto'
import { Refusal } from '../../shared/api/problems.ts'
import { workflows } from '../../shared/api/workflows.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkConfig, resolveRules } from '../../shared/rules/resolve.ts'
import { createRecord } from '../../shared/store/records.ts'
import { noteUses } from '../../shared/store/references.ts'
import { RULE } from '../../shared/store/rules.ts'
import { WORKFLOW, type WorkflowRecord } from '../../shared/store/workflows.ts'

export const handler = handle(workflows.create)(async ({ body, user }) => {
  checkConfig(body.supportedAssetType, body.config)
  const rules = await resolveRules(body.config.rules, user)
  const now = new Date().toISOString()
  const workflow: WorkflowRecord = { ...body, id: randomUUID(), ownerId: user.id, createdAt: now, updatedAt: now }
  if (
    !(await noteUses(
      RULE,
      rules.map(({ id }) => id),
      workflow.id,
    ))
  )
    throw new Refusal({ type: 'rule_not_found' })
  await createRecord(WORKFLOW, workflow)
  return workflow
})
