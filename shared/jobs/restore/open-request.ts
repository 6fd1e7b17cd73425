import type * as z from 'zod'
import { ProblemError } from '../../api/problems.ts'
import { OPENINGS_PER_MINUTE, type Opened } from '../../api/reidentifications.ts'
import type { Caller } from '../../http/caller.ts'
import type { Recording } from '../../http/request.ts'
import { measure } from '../../metrics.ts'
import { getAsset } from '../../store/assets.ts'
import type { Transact, Write } from '../../store/dynamo.ts'
import { getJob } from '../../store/jobs.ts'
import { announce, telling } from '../../store/notifications.ts'
import { countRequest } from '../../store/rate-limit.ts'
import { changingRequest, type ReidentificationRecord } from '../../store/reidentifications.ts'
import { openEncrypted } from '../../tokens/open-encrypted.ts'
import { openTokens } from '../../tokens/open-tokens.ts'
import { findRequest } from '../../tokens/requests.ts'
import { eraseJob } from '../lifecycle/erase-job.ts'
import { planRestoration, prepareRestoration, startingRestoration } from './restore-files.ts'

/** Opens an approved request of the caller's own, once: what is answered is what nobody else gets of it. */
export async function openRequest(
  id: string,
  user: Caller,
  { note, write }: Recording,
): Promise<z.input<typeof Opened>> {
  const rate = await countRequest(`open:${user.id}`, OPENINGS_PER_MINUTE)
  if (rate.exceeded) throw new ProblemError({ type: 'rate_limited' }, { 'Retry-After': String(rate.resetSeconds) })
  const request = await findRequest(id, user)
  if (request.ownerId !== user.id)
    throw new ProblemError({ type: 'permission_denied', msg: 'A request is opened by who made it' })
  if (request.status !== 'APPROVED') throw new ProblemError({ type: 'not_approved' })
  const asked = request.tokens ?? request.encrypted?.values
  note({ subject: request.fingerprint })
  return asked ? openValues(request, asked, write) : openFiles(request, write)
}

/**
 * What is written when a request is opened, before anything is given out: that it was, a word to whose values they are, and what
 * begins with it.
 */
async function claim(
  request: ReidentificationRecord,
  changes: Partial<ReidentificationRecord>,
  write: Transact,
  beginning: Write[] = [],
) {
  const opened = { ...changes, status: 'OPENED' as const, openedAt: new Date().toISOString() }
  const { id, ownerId, dataOwnerId, emergency } = request
  const event = { kind: 'reidentification.opened', resource: { type: 'reidentification', id } } as const
  const told = dataOwnerId === ownerId ? [] : telling(dataOwnerId, event)
  if (!(await write([changingRequest(request, opened), ...told, ...beginning]))) return undefined
  if (told.length > 0) await announce(dataOwnerId, event)
  if (emergency) measure({ EmergencyOpenings: 1 })
  return { ...request, ...opened }
}

/** Values of tokens, or of what keeps its form, as they were. */
async function valuesOf(request: ReidentificationRecord, tokens: string[]) {
  const { encrypted, labels } = request
  const place = await placeOf(request)
  return encrypted
    ? openEncrypted(await getJob(place.jobId), encrypted, place, labels)
    : openTokens(tokens, place, labels)
}

async function openValues(request: ReidentificationRecord, tokens: string[], write: Transact) {
  const values = await valuesOf(request, tokens)
  // Only whoever gets the claim gives anything out.
  const claimed = await claim(request, {}, write)
  if (!claimed) throw new ProblemError({ type: 'not_approved' })
  measure({ Reidentified: values.filter(value => value !== null).length })
  return { request: claimed, values: tokens.map((token, n) => ({ token, value: values[n] ?? null })) }
}

async function openFiles(request: ReidentificationRecord, write: Transact) {
  const restoration = await prepareRestoration(request)
  const claimed = await claim(request, { restoredJobId: restoration.job.id }, write, startingRestoration(restoration))
  if (!claimed) {
    await eraseJob(restoration.job)
    throw new ProblemError({ type: 'not_approved' })
  }
  await planRestoration(restoration)
  measure({ Reidentified: restoration.tokens })
  return { request: claimed, values: [] }
}

/** Where tokens are of: of a job, of an asset (of its input, where it is an output), or anywhere of the owner's. */
async function placeOf({ dataOwnerId: ownerId, jobId, assetId }: ReidentificationRecord) {
  if (!assetId) return { ownerId, jobId: jobId ?? '', assetId: '' }
  const { asset, job } = await getAsset(assetId)
  return { ownerId, jobId: job.id, assetId: asset.derivedFrom ?? asset.id }
}
