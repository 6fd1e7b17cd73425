import { randomBytes } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { startS3 } from 'aws-emulators'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { algorithms, combineCrc, startChecksum } from '../../local/emulators/s3/checksum.ts'
import { applyLifecycles } from '../../local/emulators/s3/lifecycle.ts'
import { openStore } from '../../local/emulators/s3/store.ts'
import { runs } from '../runs.ts'
import { Bucket, bucket } from './bucket.ts'
import { clientFor, temporaryDirectory } from './emulated.ts'

describe('checksums', () => {
  // The check values of the catalogue of parametrised CRC algorithms, and of FIPS 180, for the text 123456789.
  test.each([
    ['CRC32', 'cbf43926'],
    ['CRC32C', 'e3069283'],
    ['CRC64NVME', 'ae8b14860a799888'],
    ['SHA1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
    ['SHA256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
  ] as const)('%s', (algorithm, expected) => {
    const running = startChecksum(algorithm)
    for (const digit of '123456789') running.update(Buffer.from(digit))
    expect(running.digest().toString('hex')).toBe(expected)
  })

  test.each(['CRC32', 'CRC32C', 'CRC64NVME'] as const)('%s of two pieces is that of the whole', algorithm => {
    const of = (bytes: Uint8Array) => {
      const running = startChecksum(algorithm)
      running.update(bytes)
      return running.digest()
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
        expect(combineCrc(algorithm, of(a), of(b), b.length)).toEqual(of(Buffer.concat([a, b])))
      }),
    )
  })

  test.each(algorithms)('a part of an object, and the whole, with %s', async algorithm => {
    const { s3, get } = await bucket()
    const target = { Bucket, Key: 'parts' }
    const create = new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: algorithm })
    const { UploadId } = await s3.send(create)
    const part = new UploadPartCommand({
      ...target,
      UploadId,
      PartNumber: 1,
      Body: 'part',
      ChecksumAlgorithm: algorithm,
    })
    const { ETag } = await s3.send(part)
    await s3.send(
      new CompleteMultipartUploadCommand({
        ...target,
        UploadId,
        MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] },
      }),
    )
    const head = await s3.send(new HeadObjectCommand({ ...target, ChecksumMode: 'ENABLED' }))
    expect(head[`Checksum${algorithm}`]).toBeDefined()
    expect(head.ChecksumType).toBe(algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE')
    expect((await get('parts')).toString()).toBe('part')
  })
})

test('any range of an object made of parts is what was uploaded there', async () => {
  const { s3, get } = await bucket()
  const target = { Bucket, Key: 'large' }
  const pieces = [randomBytes(5 * 1024 * 1024), randomBytes(5 * 1024 * 1024 + 1), randomBytes(1000)]
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target))
  const Parts = await Promise.all(
    pieces.map(async (Body, i) => {
      const { ETag } = await s3.send(new UploadPartCommand({ ...target, UploadId, PartNumber: i + 1, Body }))
      return { ETag, PartNumber: i + 1 }
    }),
  )
  await s3.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
  const whole = Buffer.concat(pieces)
  expect((await get('large')).equals(whole)).toBe(true)
  const edges = [0, 1, pieces[0]!.length, pieces[0]!.length * 2, whole.length - 1]
  const place = fc.oneof(fc.nat(whole.length - 1), fc.constantFrom(...edges))
  await fc.assert(
    fc.asyncProperty(place, place, async (a, b) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)]
      const part = await get('large', { Range: `bytes=${start}-${end}` })
      expect(part.equals(whole.subarray(start, end + 1))).toBe(true)
    }),
    { numRuns: runs(20) },
  )
})

test('listing gives every key once, grouped and in the order of bytes, in pages of any size', async () => {
  const { s3, put } = await bucket()
  const keys = [
    'a',
    'a/',
    'a/b',
    'a/b/c',
    'a/c',
    'a//',
    'b/x',
    'b/y',
    'ä',
    'ä/1',
    '日',
    '😀/1',
    '\uffee/2',
    'z/../z',
    ' ',
    'a+b&c',
  ]
  for (const key of keys) await put(key, 'x')
  const sorted = keys
    .map(key => Buffer.from(key))
    .sort(Buffer.compare)
    .map(String)
  const prefixes = fc.constantFrom('', 'a', 'a/', 'a/b', 'ä', 'b/', 'none')
  await fc.assert(
    fc.asyncProperty(
      prefixes,
      fc.constantFrom('', '/', 'b'),
      fc.integer({ min: 1, max: 6 }),
      async (Prefix, Delimiter, MaxKeys) => {
        const found: string[] = []
        const groups: string[] = []
        let ContinuationToken: string | undefined
        do {
          const command = new ListObjectsV2Command({ Bucket, Prefix, Delimiter, MaxKeys, ContinuationToken })
          const page = await s3.send(command)
          const size = (page.Contents?.length ?? 0) + (page.CommonPrefixes?.length ?? 0)
          expect([size <= MaxKeys, page.KeyCount]).toEqual([true, size])
          found.push(...(page.Contents ?? []).map(entry => entry.Key!))
          groups.push(...(page.CommonPrefixes ?? []).map(entry => entry.Prefix!))
          ContinuationToken = page.NextContinuationToken
        } while (ContinuationToken)
        const inPrefix = sorted.filter(key => key.startsWith(Prefix))
        const end = (key: string) => (Delimiter ? key.indexOf(Delimiter, Prefix.length) : -1)
        expect(found).toEqual(inPrefix.filter(key => end(key) < 0))
        expect(groups).toEqual([
          ...new Set(inPrefix.filter(key => end(key) >= 0).map(key => key.slice(0, end(key) + 1))),
        ])
      },
    ),
    { numRuns: runs(60) },
  )
})

test('lifecycle rules delete what is old at midnight, by prefix and tag, and unfinished uploads', async () => {
  const directory = temporaryDirectory()
  const emulator = await startS3({ directory })
  const s3 = new S3Client(clientFor(emulator))
  await s3.send(new CreateBucketCommand({ Bucket }))
  const rules = [
    {
      ID: 'a',
      Filter: { Prefix: 'tmp/' },
      Expiration: { Days: 1 },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
    },
    { ID: 'b', Filter: { And: { Prefix: 'tagged/', Tags: [{ Key: 'keep', Value: 'no' }] } }, Expiration: { Days: 3 } },
  ]
  const Rules = rules.map(rule => ({ ...rule, Status: 'Enabled' as const }))
  await s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }))
  for (const [Key, Tagging] of [['tmp/a'], ['kept'], ['tagged/a', 'keep=no'], ['tagged/b', 'keep=yes']])
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', Tagging }))
  await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'tmp/upload' }))
  await emulator.close()
  const after = async (days: number) => {
    const store = openStore(directory, () => Date.now() + days * 86_400_000)
    applyLifecycles(store)
    store.database.close()
    const again = await startS3({ directory })
    const client = new S3Client(clientFor(again))
    const keys = ((await client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(entry => entry.Key)
    const uploads = (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []
    await again.close()
    return [...keys, ...uploads.map(upload => upload.Key)]
  }
  expect(await after(0.9)).toEqual(['kept', 'tagged/a', 'tagged/b', 'tmp/a', 'tmp/upload'])
  expect(await after(2)).toEqual(['kept', 'tagged/a', 'tagged/b', 'tmp/upload'])
  expect(await after(3)).toEqual(['kept', 'tagged/a', 'tagged/b'])
  expect(await after(4)).toEqual(['kept', 'tagged/b'])
})

test('pages of allowed origins see answers, others do not', async () => {
  const { s3, put } = await bucket()
  await put('a', 'x')
  const CORSRules = [{ AllowedMethods: ['GET'], AllowedOrigins: ['https://*.example'], ExposeHeaders: ['ETag'] }]
  await s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
  const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'a' }), { expiresIn: 60 })
  const seen = async (Origin: string) => {
    const { headers } = await fetch(url, { headers: { Origin } })
    return [headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]
  }
  expect(await seen('https://app.example')).toEqual(['https://app.example', 'ETag'])
  expect(await seen('https://app.example.org')).toEqual([null, null])
  const ask = (method: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': method },
    })
  expect([(await ask('GET')).status, (await ask('PUT')).status]).toEqual([200, 403])
})

test("objects get the bucket's encryption unless they ask for another", async () => {
  const { s3, put } = await bucket()
  const KMSMasterKeyID = 'arn:aws:kms:eu-central-1:000000000000:key/1'
  const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' as const, KMSMasterKeyID } }]
  await s3.send(new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } }))
  const byDefault = await put('a', 'x')
  expect([byDefault.ServerSideEncryption, byDefault.SSEKMSKeyId]).toEqual(['aws:kms', KMSMasterKeyID])
  expect((await put('b', 'x', { ServerSideEncryption: 'AES256' })).ServerSideEncryption).toBe('AES256')
})

describe('an early refusal', () => {
  test('of a large upload reaches the client, and the next request works', async () => {
    const { put, get } = await bucket()
    await put('a', 'first')
    const again = put('a', randomBytes(30_000_000), { IfNoneMatch: '*' })
    await expect(again).rejects.toThrow(expect.objectContaining({ name: 'PreconditionFailed' }))
    expect((await get('a')).toString()).toBe('first')
  })

  test('two conditional uploads at once: one wins, and what it wrote is whole', async () => {
    const { put, get } = await bucket()
    const contents = Array.from({ length: 10 }, (_, i) => String(i).repeat(200_000))
    const results = await Promise.allSettled(contents.map(content => put('a', content, { IfNoneMatch: '*' })))
    const winner = results.findIndex(result => result.status === 'fulfilled')
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1)
    expect((await get('a')).toString() === contents[winner]).toBe(true)
  })
})

test('an object that is being read stays whole when it is deleted or replaced', async () => {
  const { s3, put } = await bucket()
  const content = randomBytes(20_000_000)
  for (const change of [() => s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' })), () => put('a', 'new')]) {
    await put('a', content)
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'a' }))
    await change()
    expect(content.equals(await Body!.transformToByteArray())).toBe(true)
  }
})

describe('injected faults', () => {
  test.each([
    ['an error changes nothing', { error: { name: 'SlowDown', status: 503 } }, 'SlowDown', false],
    ['a lost answer does not undo what was done', { loseReply: true }, expect.stringMatching(/./), true],
  ] as const)('%s', async (_, fault, name, done) => {
    let on = false
    const seen: unknown[] = []
    const { s3, put, get } = await bucket({
      faults(service, action, request) {
        if (on) seen.push([service, action, request])
        return on ? fault : undefined
      },
    })
    await put('a', 'before')
    on = true
    await expect(put('a', 'after')).rejects.toThrow(expect.objectContaining({ name }))
    on = false
    expect(seen).toEqual([['s3', 'PutObject', { bucket: Bucket, key: 'a', query: { 'x-id': 'PutObject' } }]])
    expect((await get('a')).toString()).toBe(done ? 'after' : 'before')
    expect((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(1)
  })
})
