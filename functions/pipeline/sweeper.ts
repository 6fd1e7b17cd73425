import type { Context } from 'aws-lambda'
import { describeFailure } from '../../shared/failure.ts'
import { sweep } from '../../shared/jobs/lifecycle/sweep.ts'
import { beginLines, log } from '../../shared/log.ts'
import { cosignLog } from '../../shared/transparency/cosign.ts'
import { extendLog } from '../../shared/transparency/extend.ts'
import { sweepWebhooks } from '../../shared/webhooks/sweep-webhooks.ts'

/** What is looked after, each part whatever becomes of those before. The log that others sign is whole without them, so they come last. */
const parts = [sweep, sweepWebhooks, extendLog, cosignLog]

/** Looks after jobs under way and webhooks that are to be told, and takes what is new into the log, every five minutes. */
export const handler = async (_event: unknown, context: Context): Promise<void> => {
  beginLines(context, { requestId: context.awsRequestId })
  let failure: unknown
  for (const part of parts) {
    try {
      await part()
    } catch (error) {
      log.error('part of the sweep failed', { part: part.name, failure: describeFailure(error) })
      failure ??= error
    }
  }
  if (failure) throw failure
}
