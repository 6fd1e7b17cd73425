import { auth } from '../../shared/api/auth.ts'
import { Refusal } from '../../shared/api/problems.ts'
import { readAccessToken } from '../../shared/auth/tokens.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { endSession } from '../../shared/store/sessions.ts'

export const handler = handle(auth.logout)(async ({ request: { bearer }, note }) => {
  if (bearer) {
    try {
      const { userId, sessionId } = await readAccessToken(bearer)
      note({ userId })
      await endSession(userId, sessionId)
    } catch (error) {
      // A dead token has no session to end, which is what log-out is for.
      if (!(error instanceof Refusal)) throw error
    }
  }
  return { ok: true as const }
})
