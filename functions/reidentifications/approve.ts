import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { approveRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.approve)(
  ({ params, body, user, ...recording }) => approveRequest(params.reidentification_id, body.labels, user, recording),
  { tellsSubject: true },
)
