import { reidentifications } from '../../shared/api/reidentifications.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { openRequest } from '../../shared/jobs/restore/open-request.ts'

export const handler = handle(reidentifications.open)(
  async ({ params, user, note }) => {
    const opened = await openRequest(params.reidentification_id, user)
    note({ subject: opened.request.fingerprint })
    return opened
  },
  { tellsSubject: true },
)
