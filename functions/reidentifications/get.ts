import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.get)(({ params, user }) =>
  findRequest(params.reidentification_id, user),
)
