import { audit } from '../../shared/api/audit.ts'
import { auditHeads } from '../../shared/audit/records.ts'
import { handle } from '../../shared/http/endpoint.ts'

export const handler = handle(audit.heads)(() => auditHeads())
