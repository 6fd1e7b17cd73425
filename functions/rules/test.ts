import { rules } from '../../shared/api/rules.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { tryRules } from '../../shared/rules/dry-run.ts'

export const handler = handle(rules.test)(async ({ body, user }) => ({ findings: await tryRules(body, user) }))
