import { mcp } from '../../shared/api/mcp.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'

export const handler = handle(mcp.listen)(async () => {
  throw new ProblemError({ type: 'method_not_allowed' }, { Allow: 'POST' })
})
