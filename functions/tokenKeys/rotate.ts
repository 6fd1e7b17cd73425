import { tokenKeys } from '../../shared/api/token-keys.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { rotateTokenKey, TOKEN_KEY, type TokenKeyRecord, untilUnchanged } from '../../shared/store/token-keys.ts'

export const handler = handle(tokenKeys.rotate)(({ params, user, write }) =>
  untilUnchanged(
    () => findOwned<TokenKeyRecord>(TOKEN_KEY, params.key_id, user, 'tokens'),
    key => rotateTokenKey(key, write),
  ),
)
