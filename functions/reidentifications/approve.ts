import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { approveRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.approve)(
  async ({ params, body, user, note }) => {
    const request = await approveRequest(params.reidentification_id, body.labels, user)
    note({ subject: request.fingerprint })
    return request
  },
  { tellsSubject: true },
)
