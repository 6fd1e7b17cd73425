import type { Context } from 'aws-lambda'
import { sweep } from '../../shared/jobs/lifecycle/sweep.ts'
import { beginLines } from '../../shared/log.ts'

/** Looks after jobs under way, every five minutes. */
export const handler = (_event: unknown, context: Context): Promise<void> => {
  beginLines(context, { requestId: context.awsRequestId })
  return sweep()
}
