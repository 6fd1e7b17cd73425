import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  NoSuchKey,
  NoSuchUpload,
  NotFound,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { DOWNLOAD_SECONDS, PART_UPLOAD_SECONDS, UPLOAD_SECONDS } from '../api/bounds.ts'
import { type BucketName, required, variable } from '../settings.ts'
import { lean } from './lean-client.ts'

let client: S3Client | undefined
const s3 = (): S3Client => {
  // Checksums that S3 does not need would be signed into the URLs and refused from clients that send none.
  client ??= lean(new S3Client({ maxAttempts: 5, requestChecksumCalculation: 'WHEN_REQUIRED' }))
  return client
}

const Bucket = (bucket: BucketName): string => required(variable.bucket(bucket))

/** Where an object is; with an ETag, only the content that it stands for is read. */
export type ObjectKey = { bucket: BucketName; key: string; etag?: string }

/** Writes an object whole. */
export async function putObject({ bucket, key }: ObjectKey, bytes: Uint8Array, contentType: string): Promise<void> {
  await s3().send(new PutObjectCommand({ Bucket: Bucket(bucket), Key: key, Body: bytes, ContentType: contentType }))
}

/** Writes an object whole if there is none, or, with an ETag, if it is still there; false if not. Locks need the checksum. */
export async function putObjectIf({ bucket, key, etag }: ObjectKey, Body: Uint8Array, ContentType: string) {
  const condition = etag === undefined ? { IfNoneMatch: '*' } : { IfMatch: etag }
  const object = { Bucket: Bucket(bucket), Key: key, Body, ContentType, ChecksumAlgorithm: 'SHA256' as const }
  try {
    await s3().send(new PutObjectCommand({ ...object, ...condition }))
    return true
  } catch (error) {
    if (isChanged(error)) return false
    throw error
  }
}

/** Part of an object that is written from a file, bytes. */
const PART_BYTES = 64 * 1024 ** 2

/** Writes a file from disk; a large one in parts, so that it never is in memory whole. */
export async function putFile(object: ObjectKey, file: FileHandle, size: number, contentType: string): Promise<void> {
  const piece = async (start: number) => {
    const buffer = Buffer.alloc(Math.min(PART_BYTES, size - start))
    await file.read(buffer, 0, buffer.length, start)
    return buffer
  }
  if (size <= PART_BYTES) return putObject(object, await piece(0), contentType)
  const uploadId = await createMultipart(object, contentType)
  const parts = Math.ceil(size / PART_BYTES)
  try {
    for (let n = 0; n < parts; n++) await putPart(object, uploadId, n + 1, await piece(n * PART_BYTES))
    if (!(await completeMultipart(object, uploadId, parts))) throw new Error('Parts of the object are missing')
  } catch (error) {
    await abortMultipart(object, uploadId)
    throw error
  }
}

/**
 * Writes an object from a stream that was not there before, in parts, so that it never is in memory whole. Answers its
 * SHA-256 (hexadecimal); undefined when somebody else has written it meanwhile.
 */
export async function putStream(
  { bucket, key }: ObjectKey,
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<string | undefined> {
  const hash = createHash('sha256')
  const upload = new Upload({
    client: s3(),
    partSize: PART_BYTES,
    queueSize: 2,
    params: {
      Bucket: Bucket(bucket),
      Key: key,
      Body: Readable.from(digesting(body, hash), { objectMode: false }),
      ContentType: contentType,
      IfNoneMatch: '*',
    },
  })
  try {
    await upload.done()
    return hash.digest('hex')
  } catch (error) {
    if (isChanged(error)) return undefined
    throw error
  }
}

async function* digesting(body: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
}

/** Size in bytes and ETag; undefined when there is no such object. */
export async function objectFacts({ bucket, key }: ObjectKey): Promise<{ size: number; etag: string } | undefined> {
  try {
    const { ContentLength, ETag } = await s3().send(new HeadObjectCommand({ Bucket: Bucket(bucket), Key: key }))
    return { size: ContentLength!, etag: ETag! }
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** Size in bytes; undefined when there is no such object. */
export const objectSize = async (object: ObjectKey): Promise<number | undefined> => (await objectFacts(object))?.size

/** Whether an object, or what it is asked to be, is another one by now. */
export const isChanged = (error: unknown): boolean => error instanceof Error && error.name === 'PreconditionFailed'

/** Whether an object that was to be read is not there. */
export const isMissing = (error: unknown): boolean => error instanceof NoSuchKey

/** The bytes from `start` up to, not including, `end`, as a stream; the whole object when no range is given. */
export async function readObject({ bucket, key, etag }: ObjectKey, start?: number, end?: number): Promise<Readable> {
  const Range = start === undefined ? undefined : `bytes=${start}-${end === undefined ? '' : end - 1}`
  const { Body } = await s3().send(new GetObjectCommand({ Bucket: Bucket(bucket), Key: key, Range, IfMatch: etag }))
  return Body as Readable
}

/** The bytes of a range, or of the whole object, in memory. */
export async function readWhole(object: ObjectKey, start?: number, end?: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await readObject(object, start, end)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The bytes of an object that others may remove at any moment; undefined when it is not there. */
export async function readIfThere(object: ObjectKey): Promise<Buffer | undefined> {
  try {
    return await readWhole(object)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Some bytes of an object, and the size and ETag of the whole. */
export type Piece = { bytes: Buffer; size: number; etag: string }

/** Some bytes of an object from a place on, fewer where it ends; undefined where it ended before, or there is none. */
export async function readPiece({ bucket, key }: ObjectKey, start: number, most: number): Promise<Piece | undefined> {
  const Range = `bytes=${start}-${start + most - 1}`
  try {
    const { Body, ContentRange, ETag } = await s3().send(
      new GetObjectCommand({ Bucket: Bucket(bucket), Key: key, Range }),
    )
    const bytes = Buffer.from(await Body!.transformToByteArray())
    return { bytes, size: Number(ContentRange!.split('/')[1]), etag: ETag! }
  } catch (error) {
    if (isMissing(error) || (error as Error).name === 'InvalidRange') return undefined
    throw error
  }
}

/** The first bytes of an object; fewer when it is smaller. */
export const readHead = async (object: ObjectKey, size: number, bytes = 65_536): Promise<Buffer> =>
  size === 0 ? Buffer.alloc(0) : readWhole(object, 0, Math.min(size, bytes))

/** Keys and sizes of the objects whose key begins so, in order of their keys, at most so many. */
export async function* listObjects(
  bucket: BucketName,
  prefix: string,
  most: number,
): AsyncGenerator<{ key: string; size: number }> {
  let ContinuationToken: string | undefined
  for (let n = 0; n < most; ) {
    const input = { Bucket: Bucket(bucket), Prefix: prefix, ContinuationToken, MaxKeys: Math.min(1000, most - n) }
    const { Contents = [], NextContinuationToken } = await s3().send(new ListObjectsV2Command(input))
    for (const { Key, Size = 0 } of Contents) yield { key: Key!, size: Size }
    if (!NextContinuationToken) return
    n += Contents.length
    ContinuationToken = NextContinuationToken
  }
}

/** Deletes every object whose key begins so. */
export async function deleteObjects(bucket: BucketName, prefix: string): Promise<void> {
  for (;;) {
    const { Contents = [], IsTruncated } = await s3().send(
      new ListObjectsV2Command({ Bucket: Bucket(bucket), Prefix: prefix }),
    )
    const Objects = Contents.map(({ Key }) => ({ Key: Key! }))
    if (Objects.length > 0) {
      const { Errors } = await s3().send(
        new DeleteObjectsCommand({ Bucket: Bucket(bucket), Delete: { Objects, Quiet: true } }),
      )
      if (Errors?.length) throw new Error(`S3 could not delete ${Errors.length} objects: ${Errors[0]?.Code}`)
    }
    if (!IsTruncated) return
  }
}

/** A URL that downloads an object under a name for five minutes, and when it ends. */
export async function downloadUrl(
  { bucket, key }: ObjectKey,
  name: string,
  contentType: string,
): Promise<{ url: string; expiresAt: string }> {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const ResponseContentDisposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc5987(name)}`
  const command = new GetObjectCommand({
    Bucket: Bucket(bucket),
    Key: key,
    ResponseContentDisposition,
    ResponseContentType: contentType,
  })
  return sign(command, DOWNLOAD_SECONDS)
}

/**
 * A URL that takes an object of just this size by one PUT for fifteen minutes, as long as there is none, and the headers
 * that the PUT must carry.
 */
export async function uploadUrl({ bucket, key }: ObjectKey, contentType: string, size: number) {
  const object = { Bucket: Bucket(bucket), Key: key, ContentType: contentType }
  const signed = await sign(new PutObjectCommand({ ...object, ContentLength: size, IfNoneMatch: '*' }), UPLOAD_SECONDS)
  return { ...signed, headers: { 'Content-Type': contentType, 'If-None-Match': '*' } }
}

/** A URL that takes one part of a multipart upload, of just this size, for twelve hours. */
export const partUrl = (
  { bucket, key }: ObjectKey,
  { UploadId, PartNumber, ContentLength }: { UploadId: string; PartNumber: number; ContentLength: number },
): Promise<{ url: string; expiresAt: string }> =>
  sign(
    new UploadPartCommand({ Bucket: Bucket(bucket), Key: key, UploadId, PartNumber, ContentLength }),
    PART_UPLOAD_SECONDS,
  )

async function sign(command: GetObjectCommand | PutObjectCommand | UploadPartCommand, expiresIn: number) {
  const url = await getSignedUrl(s3(), command as GetObjectCommand, { expiresIn })
  return { url, expiresAt: new Date(Date.now() + expiresIn * 1000).toISOString() }
}

const encodeRfc5987 = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Begins a multipart upload and answers its id. */
export async function createMultipart({ bucket, key }: ObjectKey, contentType: string): Promise<string> {
  const { UploadId } = await s3().send(
    new CreateMultipartUploadCommand({ Bucket: Bucket(bucket), Key: key, ContentType: contentType }),
  )
  return UploadId!
}

/** Writes one part (1 to 10,000; at least 5 MiB but for the last); again is fine, the last one counts. */
export async function putPart(
  { bucket, key }: ObjectKey,
  UploadId: string,
  n: number,
  bytes: Uint8Array,
): Promise<void> {
  await s3().send(new UploadPartCommand({ Bucket: Bucket(bucket), Key: key, UploadId, PartNumber: n, Body: bytes }))
}

/**
 * Puts the parts together. True when the object is there, also when an earlier call did it; false when parts are
 * missing.
 */
export async function completeMultipart(object: ObjectKey, UploadId: string, parts: number): Promise<boolean> {
  const upload = { Bucket: Bucket(object.bucket), Key: object.key, UploadId }
  try {
    const Parts: { ETag?: string; PartNumber?: number }[] = []
    let PartNumberMarker: string | undefined
    do {
      const page = await s3().send(new ListPartsCommand({ ...upload, PartNumberMarker }))
      for (const { ETag, PartNumber } of page.Parts ?? []) Parts.push({ ETag, PartNumber })
      PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined
    } while (PartNumberMarker)
    if (Parts.length !== parts) return false
    await s3().send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
    return true
  } catch (error) {
    if (error instanceof NoSuchUpload) return (await objectSize(object)) !== undefined
    throw error
  }
}

/** Gives a multipart upload up; nothing happens when there is none. */
export async function abortMultipart({ bucket, key }: ObjectKey, UploadId: string): Promise<void> {
  try {
    await s3().send(new AbortMultipartUploadCommand({ Bucket: Bucket(bucket), Key: key, UploadId }))
  } catch (error) {
    if (!(error instanceof NoSuchUpload)) throw error
  }
}
