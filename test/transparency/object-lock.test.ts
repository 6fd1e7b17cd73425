import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DeleteObjectCommand,
  GetObjectRetentionCommand,
  ListObjectVersionsCommand,
  PutObjectLockConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extendLog } from '../../shared/transparency/extend.ts'
import { receiptOf } from '../../shared/transparency/proofs.ts'
import { installLocalStack, startLocalStack } from '../emulators/localstack.ts'
import { Bucket, certifiedJob, type RunningLog, readLog, startLog } from './running-log.ts'

const missing = await installLocalStack()
if (missing) console.log(`Skipped: the log under S3 Object Lock, as LocalStack has it, since ${missing}`)

describe.skipIf(missing !== undefined)('in a bucket under Object Lock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'object-lock-'))
  let log: RunningLog
  let s3: S3Client
  beforeAll(async () => {
    const { endpoint, stop: close } = await startLocalStack(folder)
    const LocationConstraint = 'eu-central-1' as const
    const bucket = { ObjectLockEnabledForBucket: true, CreateBucketConfiguration: { LocationConstraint } }
    log = await startLog({ endpoint, close, bucket })
    s3 = new S3Client({})
    const Rule = { DefaultRetention: { Mode: 'COMPLIANCE', Days: 1 } } as const
    const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled', Rule } as const
    await s3.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }))
  }, 600_000)
  afterAll(async () => {
    s3?.destroy()
    await log?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the log grows, and no version of its files can be removed', { timeout: 300_000 }, async () => {
    const entries: string[] = []
    for (let round = 0; round < 3; round++) {
      for (let more = 0; more <= round; more++) entries.push((await certifiedJob()).entry)
      await extendLog()
      expect((await readLog(log)).entries.toSorted()).toEqual(entries.toSorted())
      for (const entry of entries) expect(await receiptOf(entry)).toContain(`\n${entries.length}\n`)
    }
    const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }))
    const checkpoints = Versions.filter(({ Key }) => Key!.endsWith('/checkpoint'))
    expect(checkpoints).toHaveLength(3)
    expect(Versions.length).toBeGreaterThan(10)
    for (const { Key, VersionId } of Versions) {
      const { Retention } = await s3.send(new GetObjectRetentionCommand({ Bucket, Key, VersionId }))
      expect([Key, Retention?.Mode]).toEqual([Key, 'COMPLIANCE'])
      const removed = s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))
      await expect(removed).rejects.toMatchObject({ name: 'AccessDenied' })
    }
  })
})
