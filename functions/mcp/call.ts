import { mcp } from '../../shared/api/mcp.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { exchange } from '../../shared/texts/exchange.ts'
import { createTools } from '../../shared/texts/tools.ts'

export const handler = handle(mcp.call)(async ({ body, headers, user, status }) => {
  const exchanged = await exchange({ body, headers }, () => createTools(user))
  if (exchanged.status !== 200) status(exchanged.status as 202 | 400 | 404)
  return exchanged.reply as never
})
