import { identity } from '../../shared/api/identity.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { signOnCookie } from '../../shared/http/sign-on-cookie.ts'
import { toConsole } from '../../shared/identity/console.ts'
import { findProvider } from '../../shared/identity/providers.ts'
import { beginAt } from '../../shared/identity/sign-on.ts'
import { SIGN_ON_SECONDS } from '../../shared/store/sign-ons.ts'

export const handler = handle(identity.start)(async ({ params, query, request, header, status }) => {
  const provider = findProvider(params.provider)
  const fresh = query.fresh === 'true'
  const { secret, url } = await toConsole(request, () => beginAt(provider, { baseUrl: request.baseUrl, fresh }))
  header('Set-Cookie', signOnCookie(request, secret, SIGN_ON_SECONDS))
  header('Location', url)
  status(302)
  return undefined
})
