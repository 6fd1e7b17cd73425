import type { APIGatewayProxyEvent } from 'aws-lambda'
import { type ProblemType, Refusal } from '../api/problems.ts'
import { appendAudit } from '../store/audit.ts'
import type { Caller } from './caller.ts'

/** What a call is about, as far as it becomes known on the way. */
export type Trace = { userId?: string; recordId?: string; repeated?: boolean }

/**
 * Runs a call and records in the audit trail what came of it, whether it succeeds or not. A call that cannot be recorded
 * fails, so nobody can take for done what the trail does not hold.
 */
export async function recorded<T>(
  event: APIGatewayProxyEvent,
  operation: string,
  user: Caller | undefined,
  run: (trace: Trace) => Promise<T>,
): Promise<T> {
  const trace: Trace = { userId: user?.id }
  const [result] = await Promise.allSettled([run(trace)])
  const { requestId, identity } = event.requestContext
  await appendAudit({
    at: new Date().toISOString(),
    requestId,
    userId: trace.userId ?? null,
    operation,
    recordId: trace.recordId ?? null,
    address: identity.sourceIp,
    ...(result.status === 'rejected' ? failure(result.reason) : success(trace)),
  })
  if (result.status === 'rejected') throw result.reason
  return result.value
}

const success = ({ repeated }: Trace) => ({
  outcome: repeated ? ('repeated' as const) : ('done' as const),
  status: 200,
  problem: null,
})

function failure(error: unknown): { outcome: 'refused' | 'failed'; status: number; problem: ProblemType } {
  if (!(error instanceof Refusal)) return { outcome: 'failed', status: 500, problem: 'internal' }
  const { status, detail } = error
  return { outcome: status < 500 ? 'refused' : 'failed', status, problem: detail[0]!.type }
}
