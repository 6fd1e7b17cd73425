import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { ProblemError } from '../api/problems.ts'
import { required, settings, variable } from '../settings.ts'
import { egressPolicy } from './addresses.ts'
import { defaultLimits, type SourceContext } from './connector.ts'
import { guardedDial } from './egress.ts'
import { SourceError } from './errors.ts'
import { bucketStore } from './objects/bucket.ts'
import { folderStore } from './objects/folder.ts'
import type { ObjectStore } from './objects/object-store.ts'

/** Time that a request may spend on a source, milliseconds: the gateway waits 29 seconds. */
export const REQUEST_MS = 20_000

/** What the operator lets a user's sources reach, for so long. */
export async function contextFor(ownerId: string, signal: AbortSignal): Promise<SourceContext> {
  const dial = guardedDial(egressPolicy(settings().EGRESS_ALLOW))
  return { dial, signal, limits: defaultLimits, localFiles: await localFilesOf(ownerId) }
}

let client: S3Client | undefined

/** The local files of a user: a folder on this machine where the operator names one, else a prefix of the bucket. */
async function localFilesOf(ownerId: string): Promise<ObjectStore> {
  const root = settings().LOCAL_ASSET_ROOT
  if (root) {
    const folder = join(root, ownerId)
    await mkdir(folder, { recursive: true })
    return folderStore(folder)
  }
  client ??= new S3Client({ maxAttempts: 4, responseChecksumValidation: 'WHEN_REQUIRED' })
  return bucketStore(client, required(variable.bucket('files')), `${ownerId}/`)
}

/** Runs a request's call of a source; a failure of the source is refused with its own type (400). */
export async function withEgressErrors<T>(
  ownerId: string,
  call: (context: SourceContext) => Promise<T>,
  loc: string[] = [],
): Promise<T> {
  const signal = AbortSignal.timeout(REQUEST_MS)
  try {
    return await call(await contextFor(ownerId, signal))
  } catch (error) {
    // Drivers tell of the end of the time in words of their own.
    const failure = signal.aborted ? new SourceError('source_timeout') : error
    if (failure instanceof SourceError) throw new ProblemError({ type: failure.type, msg: failure.message, loc })
    throw failure
  }
}
