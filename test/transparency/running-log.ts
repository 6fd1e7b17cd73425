import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateKeyCommand, type KeySpec, KMSClient } from '@aws-sdk/client-kms'
import {
  CreateBucketCommand,
  type CreateBucketCommandInput,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { startS3 } from 'aws-emulators'
import { appendAudit } from '../../shared/audit/records.ts'
import { variable } from '../../shared/settings.ts'
import { keepCertificate } from '../../shared/store/certificates.ts'
import { createJob, newJob } from '../../shared/store/jobs.ts'
import { certificateEntry } from '../../shared/transparency/entries.ts'
import { currentLog, newestCheckpoint } from '../../shared/transparency/log.ts'
import type { Checkpoint } from '../../shared/transparency/note.ts'
import { entriesOf, tileIn, tilePath, WIDTH } from '../../shared/transparency/tiles.ts'
import { startTables } from '../store/tables.ts'

export const Bucket = 'transparency'

/** Where the files of a log are kept in place of the emulator of S3. */
type Elsewhere = { endpoint: string; close(): Promise<void>; bucket?: Partial<CreateBucketCommandInput> }

/**
 * Starts what a log is kept in, on emulators whose requests can be refused, and tells this process where it is. Requests for
 * files that are kept `elsewhere` are not refused.
 */
export async function startLog(elsewhere?: Elsewhere) {
  let left = Number.POSITIVE_INFINITY
  const faults = () => (left-- > 0 ? undefined : { error: { name: 'AccessDenied', status: 403 } })
  const stopTables = await startTables(faults)
  const emulator = elsewhere ?? (await startS3({ directory: mkdtempSync(join(tmpdir(), 'log-')), faults }))
  process.env.AWS_ENDPOINT_URL_S3 = emulator.endpoint
  process.env[variable.bucket('transparency')] = Bucket
  const s3 = new S3Client({})
  await s3.send(new CreateBucketCommand({ Bucket, ...elsewhere?.bucket }))
  const kms = new KMSClient({})
  const createKey = async (KeySpec: KeySpec) =>
    (await kms.send(new CreateKeyCommand({ KeySpec, KeyUsage: 'SIGN_VERIFY' }))).KeyMetadata!.KeyId
  process.env[variable.key('transparency')] = await createKey('ECC_NIST_EDWARDS25519')
  process.env[variable.key('audit')] = await createKey('ECC_NIST_P256')
  kms.destroy()
  const { name } = await currentLog()
  const Key = (path: string) => `${name}/${path}`
  return {
    /** Refuses all requests to tables and objects after so many from now on; none when absent. */
    stopAfter: (requests = Number.POSITIVE_INFINITY) => {
      left = requests
    },
    /** Whether a request was refused since. */
    wasStopped: () => left < 0,
    paths: async () => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
      return Contents.map(one => one.Key!.slice(name.length + 1))
    },
    read: async (path: string) =>
      Buffer.from(await (await s3.send(new GetObjectCommand({ Bucket, Key: Key(path) }))).Body!.transformToByteArray()),
    write: (path: string, Body: Uint8Array) => s3.send(new PutObjectCommand({ Bucket, Key: Key(path), Body })),
    remove: (path: string) => s3.send(new DeleteObjectCommand({ Bucket, Key: Key(path) })),
    stop: async () => {
      s3.destroy()
      await Promise.all([stopTables(), emulator.close()])
    },
  }
}

export type RunningLog = Awaited<ReturnType<typeof startLog>>

/** A job with a certificate: its id, and the entry that the log should hold. */
export async function certifiedJob(): Promise<{ id: string; entry: string }> {
  const payload = Buffer.from(JSON.stringify({ made: randomUUID() }))
  const payloadType = 'application/vnd.in-toto+json' as const
  const envelope = { payloadType, payload: payload.toString('base64'), signatures: [] }
  const job = newJob({ id: randomUUID(), ownerId: randomUUID(), name: 'Letters', description: '' }, 0)
  await createJob(job, [])
  const entry = certificateEntry(job.id, payload)
  if (!(await keepCertificate(job.id, { envelope, salt: '00' }, entry))) throw new Error('The job has no certificate')
  return { id: job.id, entry }
}

/** A call that the audit trail records. */
export const recordCall = (): Promise<boolean> =>
  appendAudit({
    at: new Date().toISOString(),
    requestId: randomUUID(),
    userId: randomUUID(),
    operation: 'POST /rules/',
    recordId: null,
    address: '192.0.2.1',
    subject: null,
    outcome: 'done',
    status: 200,
    problem: null,
  })

/** The newest checkpoint and all entries, from their bundles. */
export async function readLog(log: RunningLog): Promise<{ checkpoint: Checkpoint; entries: string[] }> {
  const { checkpoint } = (await newestCheckpoint(await currentLog()))!
  const entries: string[] = []
  for (let index = 0; index * WIDTH < checkpoint.size; index++) {
    const bundle = tileIn(checkpoint.size, 'entries', index)!
    entries.push(...entriesOf(await log.read(tilePath(bundle)), bundle))
  }
  return { checkpoint, entries }
}
