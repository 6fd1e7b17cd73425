import { randomUUID } from 'node:crypto'
import { notFound, ProblemError } from '../api/problems.ts'
import { EMERGENCY_MINUTES, type NewReidentification, type Reidentification } from '../api/reidentifications.ts'
import { isVisible } from '../http/authorise.ts'
import { type Caller, hasPermission } from '../http/caller.ts'
import type { Recording } from '../http/request.ts'
import { settings } from '../settings.ts'
import { getAsset } from '../store/assets.ts'
import type { Item } from '../store/dynamo.ts'
import type { JobRecord } from '../store/job-record.ts'
import { JOB } from '../store/jobs.ts'
import { keyedDigest } from '../store/keys.ts'
import { announce, telling } from '../store/notifications.ts'
import { creating, findRecord } from '../store/records.ts'
import { asOf, changingRequest, REIDENTIFICATION, type ReidentificationRecord } from '../store/reidentifications.ts'
import { ruleThatEncrypts } from './open-encrypted.ts'

/** Whether a caller sees the requests of everybody. */
export const seesAll = (user: Caller): boolean =>
  hasPermission(user, 'tokens:approve') || hasPermission(user, 'tokens:any')

/** A request that the caller may see, as it is now; another's answers as if it were not there (404). */
export async function findRequest(id: string, user: Caller): Promise<ReidentificationRecord & Item> {
  const record = await findRecord<ReidentificationRecord>(REIDENTIFICATION, id)
  if (!record || (record.ownerId !== user.id && !seesAll(user))) throw notFound('reidentification')
  return asOf(record)
}

/** The job whose tokens a request is about, if it names one, and the asset that was the input of its output. */
async function subjectOf({ jobId, assetId }: NewReidentification, user: Caller) {
  if (assetId) {
    const { asset, job } = await getAsset(assetId)
    if (!isVisible(user, 'assets', job.ownerId)) throw notFound('asset')
    return { job, asset }
  }
  if (!jobId) return {}
  const job = await findRecord<JobRecord>(JOB, jobId)
  if (!job || !isVisible(user, 'jobs', job.ownerId)) throw notFound('job')
  return { job }
}

/** Keyed digests: of each token or encrypted value, and of all that a request is about. */
async function fingerprintsOf({ tokens, encrypted, jobId, assetId }: NewReidentification) {
  const digest = async (text: string) => (await keyedDigest('token', text)).slice(0, 32)
  const asked = tokens ?? encrypted?.values
  const fingerprints = await Promise.all((asked ?? []).map(digest))
  const place = [jobId ?? '', assetId ?? '', ...(encrypted ? [encrypted.ruleId] : [])]
  const fingerprint = await digest([...place, ...fingerprints.toSorted()].join('\n'))
  return { fingerprint, ...(asked && { fingerprints }) }
}

/** Puts a request on record. With no approval needed it is approved at once. */
export async function createRequest(
  body: NewReidentification,
  user: Caller,
  { note, write }: Recording,
): Promise<ReidentificationRecord> {
  const { emergency, expiresIn, tokens, encrypted, jobId, assetId, labels } = body
  if (emergency && !hasPermission(user, 'tokens:emergency'))
    throw new ProblemError({ type: 'permission_denied', msg: 'An emergency needs the permission tokens:emergency' })
  const { job, asset } = await subjectOf(body, user)
  if (encrypted) await ruleThatEncrypts(job, encrypted)
  else if (!tokens && (!job?.tokenKeys || (asset && !asset.derivedFrom)))
    throw new ProblemError({ type: 'nothing_reversible', loc: ['body', asset ? 'assetId' : 'jobId'] })
  const now = Date.now()
  const at = new Date(now).toISOString()
  const approvalsNeeded = emergency ? 1 : settings().REIDENTIFICATION_APPROVALS
  const record: ReidentificationRecord = {
    id: randomUUID(),
    ownerId: user.id,
    dataOwnerId: job?.ownerId ?? user.id,
    status: 'PENDING',
    purpose: body.purpose,
    reason: body.reason,
    legalBasis: body.legalBasis ?? null,
    ticket: body.ticket ?? null,
    tokenCount: (tokens ?? encrypted?.values)?.length ?? null,
    jobId: jobId ?? null,
    assetId: assetId ?? null,
    labels: labels ?? null,
    emergency,
    ...(await fingerprintsOf(body)),
    approvals: [],
    approvalsNeeded,
    rejectedBy: null,
    expiresAt: new Date(now + expiresIn * 1000).toISOString(),
    openedAt: null,
    restoredJobId: null,
    createdAt: at,
    updatedAt: at,
    revision: 0,
    ...(tokens && { tokens }),
    ...(encrypted && { encrypted }),
    ...(approvalsNeeded === 0 && { status: 'APPROVED' as const, expiresAt: windowFrom(now, emergency) }),
  }
  note({ newId: record.id, subject: record.fingerprint })
  await write(creating(REIDENTIFICATION, record))
  return record
}

const windowFrom = (now: number, emergency: boolean): string => {
  const minutes = emergency ? EMERGENCY_MINUTES : settings().REIDENTIFICATION_WINDOW_MINUTES
  return new Date(now + minutes * 60_000).toISOString()
}

/** A request that the caller may decide on: somebody else's, and not decided yet (400). */
function requireDecidable({ ownerId, status, emergency, approvals }: ReidentificationRecord, user: Caller): void {
  if (ownerId === user.id) throw new ProblemError({ type: 'own_request' })
  if (emergency && !hasPermission(user, 'tokens:emergency'))
    throw new ProblemError({ type: 'permission_denied', msg: 'An emergency needs the permission tokens:emergency' })
  const decided = status !== 'PENDING' || approvals.some(({ userId }) => userId === user.id)
  if (decided) throw new ProblemError({ type: 'already_decided' })
}

/** Those kinds that were asked for and are approved; none that was not asked for. */
function narrowed(asked: string[] | null, approved: string[] | undefined): string[] | null {
  if (!approved) return asked
  return asked ? asked.filter(kind => approved.includes(kind)) : approved
}

/** Approves a request; with the last approval that it needs, its window opens. */
export async function approveRequest(
  id: string,
  labels: string[] | undefined,
  user: Caller,
  recording: Recording,
): Promise<Reidentification> {
  const request = await findRequest(id, user)
  requireDecidable(request, user)
  const now = Date.now()
  const approvals = [...request.approvals, { userId: user.id, at: new Date(now).toISOString() }]
  const isLast = approvals.length >= request.approvalsNeeded
  const changes = {
    approvals,
    labels: narrowed(request.labels, labels),
    ...(isLast && { status: 'APPROVED' as const, expiresAt: windowFrom(now, request.emergency) }),
  }
  return decide(request, changes, isLast ? 'reidentification.approved' : undefined, recording)
}

/** Rejects a request. */
export async function rejectRequest(id: string, user: Caller, recording: Recording): Promise<Reidentification> {
  const request = await findRequest(id, user)
  requireDecidable(request, user)
  return decide(request, { status: 'REJECTED', rejectedBy: user.id }, 'reidentification.rejected', recording)
}

async function decide(
  request: ReidentificationRecord,
  changes: Partial<ReidentificationRecord>,
  kind: 'reidentification.approved' | 'reidentification.rejected' | undefined,
  { note, write }: Recording,
): Promise<Reidentification> {
  const event = kind && { kind, resource: { type: 'reidentification' as const, id: request.id } }
  const told = event ? telling(request.ownerId, event) : []
  note({ subject: request.fingerprint })
  // Whoever was faster has decided, or has approved as well: then this one looks again.
  if (!(await write([changingRequest(request, changes), ...told]))) throw new ProblemError({ type: 'already_decided' })
  if (event) await announce(request.ownerId, event)
  return { ...request, ...changes }
}
