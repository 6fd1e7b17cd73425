import { rules } from '../../shared/api/rules.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list.ts'
import { scopeOf } from '../../shared/http/owned.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { RULE, type RuleRecord } from '../../shared/store/rules.ts'

export const handler = handle(rules.list)(async call =>
  listed(call, await listRecords<RuleRecord>(RULE, scopeOf(call.user, 'rules'), call.page)),
)
