import { MAX_ANNOUNCED, MAX_FILES } from '../../shared/api/bounds.ts'
import { MAX_ASSETS, MAX_FILE_BYTES } from '../../shared/api/job.ts'
import { service } from '../../shared/api/service.ts'
import { version } from '../../shared/api/version.ts'
import { callerOf } from '../../shared/http/authenticate.ts'
import { handle } from '../../shared/http/endpoint.ts'
import type { RequestInfo } from '../../shared/http/request.ts'
import { settings } from '../../shared/settings.ts'
import { usedToday } from '../../shared/store/quotas.ts'

export const handler = handle(service.root)(async ({ request }) => ({
  name: 'Anonymisation service',
  version,
  docs: `${request.baseUrl}/docs`,
  reidentificationApprovals: settings().REIDENTIFICATION_APPROVALS,
  limits: {
    uploadBytes: settings().MAX_UPLOAD_BYTES,
    uploadFiles: MAX_FILES,
    announcedFiles: MAX_ANNOUNCED,
    fileBytes: MAX_FILE_BYTES,
    assetsPerJob: MAX_ASSETS,
    listLimit: 1000,
    requestsPerMinute: settings().RATE_LIMIT_PER_USER,
  },
  quota: await quotaOf(request),
}))

/** The quota of the caller, if there is one with a good token and a quota. */
async function quotaOf({ bearer, address }: RequestInfo) {
  const caller = bearer === undefined ? undefined : await callerOf(bearer, address)
  if (!caller?.quota) return undefined
  const { resetsAt, ...used } = await usedToday(caller.id)
  return { ...caller.quota, used, resetsAt }
}
