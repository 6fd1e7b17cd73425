import { randomUUID } from 'node:crypto'
import { rules } from '../../shared/api/rules.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkRule } from '../../shared/rules/check.ts'
import { createRecord } from '../../shared/store/records.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'

export const handler = handle(rules.create)(async ({ body, user }) => {
  await checkRule(body)
  const now = new Date().toISOString()
  const rule: RuleRecord = { ...body, id: randomUUID(), ownerId: user.id, createdAt: now, updatedAt: now }
  await createRecord(RULE, rule)
  return rule
})
