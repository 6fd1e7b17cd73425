import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { createRequest } from '../../shared/tokens/requests.ts'

export const handler = handle(reidentifications.create)(({ body, user, ...recording }) =>
  createRequest(body, user, recording),
)
