import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.create)(async ({ body, user, note }) => {
  const request = await createRequest(body, user)
  note({ subject: request.fingerprint })
  return request
})
