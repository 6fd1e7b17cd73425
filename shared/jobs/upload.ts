import { createHash, randomUUID } from 'node:crypto'
import type { Asset } from '../api/assets.ts'
import { describe } from '../engine/formats/index.ts'
import { type AssetRecord, objectOf } from '../store/assets.ts'
import {
  completeMultipart,
  createMultipart,
  objectSize,
  partUrl,
  putObject,
  readHead,
  uploadUrl,
} from '../store/objects.ts'

/** Largest file that S3 takes in one PUT, bytes. */
const SINGLE_PUT_BYTES = 5 * 1024 ** 3
/** Smallest part of a multipart upload here, and most parts, so that the answer with their URLs stays small. */
const PART_BYTES = 512 * 1024 ** 2
const MOST_PARTS = 2000

type File = { name: string; contentType?: string }

/** An asset that is on its way; what it is shows when its content is there. */
export function newAsset(jobId: string, file: File, fields: Partial<AssetRecord> = {}): AssetRecord {
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    jobId,
    name: file.name,
    type: 'DOCUMENT',
    contentType: file.contentType || 'application/octet-stream',
    size: null,
    sha256: null,
    status: 'UPLOADING',
    createdAt: now,
    updatedAt: now,
    ...fields,
  }
}

/** Stores a file that came with the request and answers its asset. */
export async function storeFile(jobId: string, file: File & { bytes: Buffer }): Promise<AssetRecord> {
  const { type, mediaType } = describe(file.bytes.subarray(0, 65_536), file.name)
  const asset = newAsset(jobId, file, {
    type,
    contentType: mediaType,
    size: file.bytes.length,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    status: 'READY',
  })
  await putObject(objectOf(asset), file.bytes, mediaType)
  return asset
}

/** An asset for a file that the client will send to the store itself, with where and how. */
export async function announceFile(
  jobId: string,
  { filename, size, contentType }: { filename: string; size: number; contentType?: string },
): Promise<{ asset: AssetRecord; upload: NonNullable<Asset['upload']> }> {
  const asset = newAsset(jobId, { name: filename, contentType }, { size })
  const object = objectOf(asset)
  if (size <= SINGLE_PUT_BYTES) {
    const { url, expiresAt } = await uploadUrl(object, asset.contentType)
    return { asset, upload: { method: 'PUT', url, headers: { 'Content-Type': asset.contentType }, expiresAt } }
  }
  const partSize = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))
  const count = Math.ceil(size / partSize)
  const uploadId = await createMultipart(object, asset.contentType)
  const signed = await Promise.all(Array.from({ length: count }, (_, n) => partUrl(object, uploadId, n + 1)))
  const parts = signed.map(({ url }, n) => ({ n: n + 1, url }))
  const upload = { method: 'MULTIPART' as const, partSize, parts, expiresAt: signed[0]!.expiresAt }
  return { asset: { ...asset, uploadId, parts: count }, upload }
}

/**
 * What an announced file turned out to be, once it has arrived with the announced size; undefined while it has not.
 * Its digest is known after it has been processed.
 */
export async function arrived(asset: AssetRecord): Promise<Partial<AssetRecord> | undefined> {
  const object = objectOf(asset)
  if (asset.uploadId && !(await completeMultipart(object, asset.uploadId, asset.parts ?? 0))) return undefined
  const size = await objectSize(object)
  if (size === undefined || size !== asset.size) return undefined
  const { type, mediaType } = describe(await readHead(object, size), asset.name)
  return { type, contentType: mediaType, status: 'READY' }
}
