import { auth } from '../../shared/api/auth.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { readAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { refreshCookie } from '../../shared/http/refresh-cookie.ts'
import { endSession } from '../../shared/store/sessions.ts'

export const handler = handle(auth.logout)(async ({ request, header, note, write }) => {
  const { bearer } = request
  if (request.console) header('Set-Cookie', refreshCookie(request, undefined, 0))
  if (bearer) {
    try {
      const { userId, sessionId } = await readAccessToken(bearer)
      note({ userId })
      await endSession(userId, sessionId, write)
    } catch (error) {
      // A dead token has no session to end, which is what log-out is for.
      if (!(error instanceof ProblemError)) throw error
    }
  }
  return { ok: true as const }
})
