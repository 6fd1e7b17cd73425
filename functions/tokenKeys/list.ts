import { tokenKeys } from '../../shared/api/token-keys.ts'
import { ownedAhead, scopeOf } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { listed } from '../../shared/http/list-response.ts'
import { listRecords } from '../../shared/store/lists.ts'
import { TOKEN_KEY, type TokenKeyRecord } from '../../shared/store/token-keys.ts'

export const handler = handle(tokenKeys.list)(
  async call => listed(call, await listRecords<TokenKeyRecord>(TOKEN_KEY, scopeOf(call.user, 'tokens'), call.page)),
  { ahead: asked => ownedAhead(TOKEN_KEY, 'tokens', asked) },
)
