import { request as send } from 'node:http'
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startS3 } from 'aws-emulators'
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../local/emulators/aws/signature.ts'
import { clientFor, temporaryDirectory } from './emulated.ts'

// The examples of AWS, "Authenticating requests (Signature Version 4)" for Amazon S3, with their published signatures.
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const now = Date.parse('2013-05-24T00:00:00Z')
const verifier = {
  service: 's3' as const,
  credentials: (id: string) => (id === accessKeyId ? secret : undefined),
  now: () => now,
}
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const scope = `${accessKeyId}/20130524/us-east-1/s3/aws4_request`
const signed = (headers: string, signature: string) =>
  `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${headers},Signature=${signature}`
const host = 'examplebucket.s3.amazonaws.com'
const amz = { host, 'x-amz-content-sha256': empty, 'x-amz-date': '20130524T000000Z' }

const examples = {
  'GET Object': {
    method: 'GET',
    url: '/test.txt',
    headers: {
      ...amz,
      range: 'bytes=0-9',
      authorization: signed(
        'host;range;x-amz-content-sha256;x-amz-date',
        'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      ),
    },
  },
  'GET Bucket Lifecycle': {
    method: 'GET',
    url: '/?lifecycle',
    headers: {
      ...amz,
      authorization: signed(
        'host;x-amz-content-sha256;x-amz-date',
        'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
      ),
    },
  },
  'List Objects': {
    method: 'GET',
    url: '/?max-keys=2&prefix=J',
    headers: {
      ...amz,
      authorization: signed(
        'host;x-amz-content-sha256;x-amz-date',
        '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
      ),
    },
  },
  'presigned GET': {
    method: 'GET',
    url: `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(scope)}&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
    headers: { host },
  },
}

describe("AWS's own examples", () => {
  test.each(Object.entries(examples))('%s', (_, example) => {
    expect(verifySignature(example, verifier)).toMatchObject({ accessKeyId, region: 'us-east-1' })
  })

  test.each(Object.entries(examples))('%s, changed in any part, is refused', (_, example) => {
    const changes = [
      { ...example, method: 'PUT' },
      { ...example, url: example.url.replace('t', 'u').replace('J', 'K').replace('lifecycle', 'policy') },
      { ...example, headers: { ...example.headers, host: 'another.s3.amazonaws.com' } },
      { ...example, headers: { ...example.headers, 'x-amz-acl': 'public-read' } },
    ]
    for (const change of changes) expect(() => verifySignature(change, verifier)).toThrow()
    expect(() => verifySignature(example, { ...verifier, credentials: () => 'another' })).toThrow(/does not match/)
    expect(() => verifySignature(example, { ...verifier, credentials: () => undefined })).toThrow(/does not exist/)
    expect(() => verifySignature(example, { ...verifier, now: () => now + 90_000_000 })).toThrow()
    expect(() => verifySignature(example, { ...verifier, now: () => now - 16 * 60_000 })).toThrow()
    expect(() => verifySignature(example, { ...verifier, service: 'kms' })).toThrow(/scope/)
  })
})

describe("AWS's example of an upload in signed chunks", () => {
  const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
  const headers = {
    host: 's3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'content-encoding': 'aws-chunked',
    'x-amz-decoded-content-length': '66560',
    'content-length': '66824',
    authorization: signed(
      'content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class',
      seed,
    ),
  }
  const chunk = (size: number, signature: string) =>
    `${size.toString(16)};chunk-signature=${signature}\r\n${'a'.repeat(size)}\r\n`
  const first = chunk(65_536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648')
  const second = chunk(1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497')
  const last = chunk(0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9')

  function put(endpoint: string, body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = send(`${endpoint}/examplebucket/chunkObject.txt`, { method: 'PUT', headers }, response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  test('is taken as it is, and refused with one byte or one signature changed', async () => {
    const directory = temporaryDirectory()
    const before = await startS3({ directory })
    await new S3Client(clientFor(before)).send(new CreateBucketCommand({ Bucket: 'examplebucket' }))
    await before.close()
    const hosts = [headers.host]
    const then = await startS3({ directory, hosts, credentials: verifier.credentials, now: verifier.now })
    expect(await put(then.endpoint, first.replace('aaa', 'aab') + second + last)).toBe(403)
    expect(await put(then.endpoint, first + second.replace('0055', '0056') + last)).toBe(403)
    expect(await put(then.endpoint, second + first + last)).toBe(403)
    expect(await put(then.endpoint, first + second + last)).toBe(200)
    await then.close()
    const after = await startS3({ directory })
    const object = await new S3Client(clientFor(after)).send(
      new GetObjectCommand({ Bucket: 'examplebucket', Key: 'chunkObject.txt' }),
    )
    expect(await object.Body?.transformToString()).toBe('a'.repeat(66_560))
    expect(object.ContentEncoding).toBeUndefined()
    await after.close()
  })
})
