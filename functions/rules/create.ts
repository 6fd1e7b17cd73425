import { randomUUID } from 'node:crypto'
import { ProblemError } from '../../shared/api/problems.ts'
import { rules } from '../../shared/api/rules.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkRule, listsOf } from '../../shared/rules/check.ts'
import { creating } from '../../shared/store/records.ts'
import { writeUsing } from '../../shared/store/references.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'
import { LIST } from '../../shared/store/value-lists.ts'

export const handler = handle(rules.create)(async ({ body, user, note, write }) => {
  await checkRule(body, user)
  const now = new Date().toISOString()
  const rule: RuleRecord = { ...body, id: randomUUID(), ownerId: user.id, createdAt: now, updatedAt: now }
  const lists = { kind: LIST, ids: listsOf(rule), otherwise: new ProblemError({ type: 'list_not_found' }) }
  note({ newId: rule.id })
  await writeUsing(rule.id, [lists], creating(RULE, rule), write)
  return rule
})
