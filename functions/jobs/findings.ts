import { jobs } from '../../shared/api/jobs.ts'
import { ProblemError } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { findingsAhead, listFindings } from '../../shared/jobs/findings/list-findings.ts'
import { findingsCsv, findingsSarif } from '../../shared/jobs/findings/write-findings.ts'
import { findJob } from '../../shared/jobs/lifecycle/find-job.ts'

export const handler = handle(jobs.findings)(
  async ({ params, query, page, user, request, header }) => {
    const { id, status, finishedAt } = await findJob(params.job_id, user)
    if (!finishedAt || status === 'CANCELLED')
      throw new ProblemError({ type: 'job_not_finished', msg: `The job is ${status}` })
    const found = await listFindings(id, query, page)
    const { cursor } = found
    if (cursor) {
      const given = Object.entries({ ...query, cursor }).map(([name, value]): [string, string] => [name, String(value)])
      const next = new URLSearchParams(given)
      header('Link', `<${request.url}?${next}>; rel="next"`)
    }
    return found
  },
  {
    ahead: ({ params, query, page }) => findingsAhead(params.job_id, query, page),
    writers: { csv: findingsCsv, sarif: findingsSarif },
  },
)
