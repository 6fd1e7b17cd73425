import type { Context } from 'aws-lambda'
import { sweep } from '../../shared/jobs/lifecycle/sweep.ts'
import { beginLines } from '../../shared/log.ts'
import { cosignLog } from '../../shared/transparency/cosign.ts'
import { extendLog } from '../../shared/transparency/extend.ts'
import { sweepWebhooks } from '../../shared/webhooks/sweep-webhooks.ts'

/** Looks after jobs under way and webhooks that are to be told, and takes what is new into the log, every five minutes. */
export const handler = async (_event: unknown, context: Context): Promise<void> => {
  beginLines(context, { requestId: context.awsRequestId })
  // Jobs first: a log that cannot grow holds none of them up.
  await sweep()
  await sweepWebhooks()
  await extendLog()
  // Others last: the log is whole without them.
  await cosignLog()
}
