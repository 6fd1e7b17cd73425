import { rules } from '../../shared/api/rules.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'

export const handler = handle(rules.get)(({ params, user }) =>
  findOwned<RuleRecord>(RULE, params.rule_id, user, 'rules'),
)
