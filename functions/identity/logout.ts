import { identity } from '../../shared/api/identity.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { readLogoutToken } from '../../shared/identity/logout-token.ts'
import { findProvider } from '../../shared/identity/providers.ts'
import { endSessionsOf, findIdentity } from '../../shared/store/identities.ts'

export const handler = handle(identity.logout)(async ({ params, body, note, write }) => {
  const loggedOut = await readLogoutToken(findProvider(params.provider), body.logout_token)
  const userId = await findIdentity(loggedOut.identity)
  if (userId !== undefined) {
    note({ userId })
    await endSessionsOf(userId, loggedOut, write)
  }
  return { ok: true as const }
})
