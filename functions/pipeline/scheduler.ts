import type { Context, SQSEvent } from 'aws-lambda'
import { beginLines } from '../../shared/log.ts'
import { advanceRuns } from '../../shared/schedules/advance.ts'
import { noteArrivals } from '../../shared/schedules/arrivals.ts'
import { startDue } from '../../shared/schedules/start.ts'

/**
 * Starts the schedules whose time has come and takes their runs further: every minute, and when the queue `arrivals` tells what
 * has come into buckets.
 */
export const handler = async ({ Records = [] }: Partial<SQSEvent>, context: Context): Promise<void> => {
  beginLines(context, { requestId: context.awsRequestId })
  await noteArrivals(Records.map(({ body }) => JSON.parse(body)))
  await startDue()
  await advanceRuns()
}
