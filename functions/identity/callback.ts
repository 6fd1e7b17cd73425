import { SIGN_ON_SESSION_SECONDS } from '../../shared/api/bounds.ts'
import { identity } from '../../shared/api/identity.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { refreshCookie } from '../../shared/http/refresh-cookie.ts'
import { admit } from '../../shared/identity/admit.ts'
import { consoleAt, toConsole } from '../../shared/identity/console.ts'
import { findProvider } from '../../shared/identity/providers.ts'
import { endAt } from '../../shared/identity/sign-on.ts'
import { createSession } from '../../shared/store/sessions.ts'

export const handler = handle(identity.callback)(async ({ params, query, request, header, status, note, write }) => {
  const provider = findProvider(params.provider)
  const { code, state, iss, error } = query
  const { baseUrl, signOnSecret: secret } = request
  const { user, proof } = await toConsole(request, async () => {
    const person = await endAt(provider, { baseUrl, secret, answer: { code, state, iss, error } })
    return { user: await admit(provider, person, { note, write }), proof: person.proof }
  })
  const { refreshToken } = await createSession(user, { proof, write })
  header('Set-Cookie', refreshCookie(request, refreshToken, SIGN_ON_SESSION_SECONDS))
  header('Referrer-Policy', 'no-referrer')
  header('Location', consoleAt(request, 'signed-on'))
  status(302)
  return undefined
})
