import { MAX_ASSETS, MAX_FILE_BYTES, MAX_FILES } from '../../shared/api/job.ts'
import { service } from '../../shared/api/service.ts'
import { version } from '../../shared/api/version.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { settings } from '../../shared/settings.ts'

export const handler = handle(service.root)(async ({ request }) => ({
  name: 'Anonymisation service',
  version,
  docs: `${request.baseUrl}/docs`,
  reidentificationApprovals: settings().REIDENTIFICATION_APPROVALS,
  limits: {
    uploadBytes: settings().MAX_UPLOAD_BYTES,
    uploadFiles: MAX_FILES,
    fileBytes: MAX_FILE_BYTES,
    assetsPerJob: MAX_ASSETS,
    listLimit: 1000,
    requestsPerMinute: settings().RATE_LIMIT_PER_USER,
  },
}))
