import { jobs } from '../../shared/api/jobs.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { showCertificate } from '../../shared/jobs/certificate/show-certificate.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'
import { placeOfCertificate } from '../../shared/store/certificates.ts'

export const handler = handle(jobs.certificate)(
  async ({ params, query, user }) => showCertificate(await findJob(params.job_id, user), user, query.assetId),
  { ahead: ({ params }) => [placeOfCertificate(params.job_id)] },
)
