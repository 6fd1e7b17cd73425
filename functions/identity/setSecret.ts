import { identity } from '../../shared/api/identity.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findProvider } from '../../shared/identity/providers.ts'
import { keepSecret } from '../../shared/store/identities.ts'

export const handler = handle(identity.setSecret)(async ({ params, body: { secret }, write }) => {
  await keepSecret(findProvider(params.provider), secret, write)
  return { ok: true as const }
})
