import { isDeepStrictEqual } from 'node:util'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { type Endpoint, isAudited } from '../api/endpoint.ts'
import { ProblemError, type ProblemType } from '../api/problems.ts'
import { type AuditRecord, appendAudit, draftAudit, placeOfEnd } from '../audit/records.ts'
import type { Place } from '../store/ahead.ts'
import { type Transact, transact, type Write } from '../store/dynamo.ts'
import { notingRecorded, placeOfLook, wasRecorded } from '../store/recorded-reads.ts'
import type { Caller } from './caller.ts'

/** What a call is about, as far as it becomes known on the way, and whether its answer gives contents out. */
export type Trace = {
  userId?: string
  /** Whether the record that the call makes is the user who calls. */
  isSelf?: boolean
  recordId?: string
  /** Id of the record that the call makes, told before it is there. */
  newId?: string
  repeated?: boolean
  disclosed?: boolean
  /** Fingerprint of what was undone or destroyed, from which nothing of it can be learned. */
  subject?: string
}

/**
 * Runs a call; `begun` is called once it is known that the caller may make it and that it is well-formed, and again when more is
 * known, and `write` makes its change.
 */
export type Run<T> = (trace: Trace, begun: () => void, write: Transact) => Promise<T>

/** How long a session's looks at the same record count as one. */
const ONE_LOOK_SECONDS = 3600

/**
 * Runs a call and records in the audit trail what came of it, whether it succeeds or not. A call that cannot be recorded
 * fails, so nobody can take for done what the trail does not hold. Where all but its end is known, its entry is signed meanwhile as
 * that of a call that was done, and signed anew if something else came of it. It is written together with the change, by `write`, or
 * after the call; of several changes the first holds it.
 */
export async function recorded<T>(
  event: APIGatewayProxyEvent,
  operation: string,
  { user, chain }: { user: Caller | undefined; chain: number },
  run: Run<T>,
): Promise<T> {
  const trace: Trace = { userId: user?.id }
  let expected: Expected | undefined
  const begun = () => {
    if (user && !expected && isForeseen(operation, trace))
      expected = expecting(entryOf(event, operation, trace, done), chain)
  }
  const append = async (record: AuditRecord, also?: Write[]) => {
    const drafted = expected && isAs(expected.record, record) ? await expected.drafted : undefined
    return appendAudit(record, { chain, drafted, also })
  }
  let written: AuditRecord | undefined
  const write = async (writes: Write[]) => {
    const record = entryOf(event, operation, trace, done)
    if (written && isAs(written, record)) return transact(writes)
    if (!(await append(record, writes))) return false
    written = record
    expected = undefined
    return true
  }
  const [result] = await Promise.allSettled([run(trace, begun, write)])
  const record = entryOf(event, operation, trace, result)
  if (!written || !isAs(written, record)) await append(record)
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Whether it is known before the end what will be recorded of a call that is done. */
const isForeseen = (operation: string, { recordId, newId }: Trace): boolean =>
  (recordId ?? newId) !== undefined || operation.startsWith('GET ')

/** What will be recorded if all goes well. */
type Expected = { record: AuditRecord; drafted: ReturnType<typeof draftAudit> }

function expecting(record: AuditRecord, chain: number): Expected {
  const drafted = draftAudit(record, chain)
  // Whether it fails matters only if it is used.
  drafted.catch(() => {})
  return { record, drafted }
}

/** Whether two records say the same of a call. */
const isAs = ({ at: _, ...before }: AuditRecord, { at: __, ...after }: AuditRecord): boolean =>
  isDeepStrictEqual(before, after)

const done = { status: 'fulfilled' } as const

/**
 * Runs a call that may give contents out, and records it if it does, once an hour for a session and a record. What could
 * not be recorded is not given out; two at the same moment may be recorded both.
 */
export async function recordedOnce<T>(
  event: APIGatewayProxyEvent,
  operation: string,
  user: Caller,
  run: Run<T>,
): Promise<T> {
  const trace: Trace = { userId: user.id }
  const value = await run(trace, () => {}, transact)
  if (!trace.disclosed) return value
  const look = lookOf(user.sessionId, operation, trace.recordId)
  if (await wasRecorded(look)) return value
  await appendAudit(entryOf(event, operation, trace, done), { also: [notingRecorded(look, ONE_LOOK_SECONDS)] })
  return value
}

const lookOf = (sessionId: string, operation: string, recordId = ''): string =>
  [sessionId, operation, recordId].join('#')

/** Where recording a call in one of the chains reads, by the session that it is made in and the record that it is about. */
export function placesOfRecording(
  endpoint: Endpoint,
  { chain, sessionId, recordId }: { chain: number; sessionId: string; recordId: string | undefined },
): Place[] {
  if (!isAudited(endpoint)) return []
  if (endpoint.audited !== 'disclosures') return [placeOfEnd(chain)]
  return [placeOfLook(lookOf(sessionId, endpoint.route, recordId))]
}

const entryOf = (
  { requestContext: { requestId, identity } }: APIGatewayProxyEvent,
  operation: string,
  trace: Trace,
  result: typeof done | PromiseRejectedResult,
): AuditRecord => {
  const made = result.status === 'fulfilled' ? trace.newId : undefined
  return {
    at: new Date().toISOString(),
    requestId,
    userId: trace.userId ?? (trace.isSelf ? made : undefined) ?? null,
    operation,
    recordId: trace.recordId ?? made ?? null,
    address: identity.sourceIp,
    subject: trace.subject ?? null,
    ...(result.status === 'rejected' ? failure(result.reason) : success(trace)),
  }
}

const success = ({ repeated }: Trace) => ({
  outcome: repeated ? ('repeated' as const) : ('done' as const),
  status: 200,
  problem: null,
})

function failure(error: unknown): { outcome: 'refused' | 'failed'; status: number; problem: ProblemType } {
  if (!(error instanceof ProblemError)) return { outcome: 'failed', status: 500, problem: 'internal' }
  const { status, detail } = error
  return { outcome: status < 500 ? 'refused' : 'failed', status, problem: detail[0]!.type }
}
