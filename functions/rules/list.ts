import { rules } from '../../shared/api/rules.ts'
import { scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'

export const handler = handle(rules.list)(async call =>
  listed(call, await listRecords<RuleRecord>(RULE, scopeOf(call.user, 'rules'), call.page)),
)
