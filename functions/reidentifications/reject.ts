import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { rejectRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.reject)(
  async ({ params, user, note }) => {
    const request = await rejectRequest(params.reidentification_id, user)
    note({ subject: request.fingerprint })
    return request
  },
  { tellsSubject: true },
)
