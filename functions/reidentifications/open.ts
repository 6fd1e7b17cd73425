import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { openRequest } from '../../shared/jobs/restore/open-request.ts'

export const handler = handle(reidentifications.open)(
  ({ params, user, ...recording }) => openRequest(params.reidentification_id, user, recording),
  { tellsSubject: true },
)
