import type { Context } from 'aws-lambda'
import { beginLines } from '../../shared/log.ts'
import { advanceRuns } from '../../shared/schedules/advance.ts'
import { startDue } from '../../shared/schedules/start.ts'

/** Starts the schedules whose time has come and takes their runs further, every minute. */
export const handler = async (_event: unknown, context: Context): Promise<void> => {
  beginLines(context, { requestId: context.awsRequestId })
  await startDue()
  await advanceRuns()
}
