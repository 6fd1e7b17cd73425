import { notFound } from '../../shared/api/problems.ts'
import { rules } from '../../shared/api/rules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { checkRule, fitting } from '../../shared/rules/check.ts'
import { changeRecord } from '../../shared/store/records.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'

export const handler = handle(rules.update)(async ({ params, body, user }) => {
  const stored = await findOwned<RuleRecord>(RULE, params.rule_id, user, 'rules')
  const { type, config } = fitting({ type: body.type ?? stored.type, config: body.config ?? stored.config })
  if (body.config) await checkRule({ type, config } as RuleRecord)
  const changes = { name: body.name, description: body.description, type, config } as Partial<RuleRecord>
  const changed = await changeRecord<RuleRecord>(RULE, stored.id, changes)
  if (!changed) throw notFound('rule')
  return changed
})
