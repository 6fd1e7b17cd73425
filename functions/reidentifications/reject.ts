import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { rejectRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.reject)(
  ({ params, user, ...recording }) => rejectRequest(params.reidentification_id, user, recording),
  { tellsSubject: true },
)
