import { audit } from '../../shared/api/audit.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { auditHeads } from '../../shared/store/audit.ts'

export const handler = handle(audit.heads)(() => auditHeads())
