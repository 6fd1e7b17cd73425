import { createHash } from 'node:crypto'
import { describe } from 'anonymisation-engine'
import type { Asset } from '../../api/assets.ts'
import { type AssetRecord, newAsset, objectOf } from '../../store/assets.ts'
import {
  completeMultipart,
  createMultipart,
  objectFacts,
  partUrl,
  putObject,
  readHead,
  uploadUrl,
} from '../../store/objects.ts'

/** Largest file that S3 takes in one PUT, bytes. */
const SINGLE_PUT_BYTES = 5 * 1024 ** 3
/** Smallest part of a multipart upload here, bytes. */
const PART_BYTES = 512 * 1024 ** 2
/** Most parts of the files of one announcement, so that the answer with their URLs stays small and comes in time. */
export const MAX_PARTS = 2000

type File = { name: string; contentType?: string }

/** An asset that is on its way; what it is shows when its content is there. */
export const newInput = (jobId: string, { name, contentType }: File, fields: Partial<AssetRecord> = {}): AssetRecord =>
  newAsset({
    jobId,
    name,
    type: 'DOCUMENT',
    contentType: contentType || 'application/octet-stream',
    status: 'UPLOADING',
    ...fields,
  })

/** Stores a file that came with the request and answers its asset. */
export async function storeFile(jobId: string, file: File & { bytes: Buffer }): Promise<AssetRecord> {
  const { type, mediaType } = describe(file.bytes.subarray(0, 65_536), file.name)
  const asset = newInput(jobId, file, {
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
  const asset = newInput(jobId, { name: filename, contentType }, { size })
  const object = objectOf(asset)
  if (size <= SINGLE_PUT_BYTES) {
    return { asset, upload: { method: 'PUT', ...(await uploadUrl(object, asset.contentType, size)) } }
  }
  const partSize = partSizeOf(size)
  const count = partsOf(size)
  const UploadId = await createMultipart(object, asset.contentType)
  const part = (n: number) => ({ UploadId, PartNumber: n + 1, ContentLength: Math.min(partSize, size - n * partSize) })
  const signed = await Promise.all(Array.from({ length: count }, (_, n) => partUrl(object, part(n))))
  const parts = signed.map(({ url }, n) => ({ n: n + 1, url }))
  const upload = { method: 'MULTIPART' as const, partSize, parts, expiresAt: signed[0]!.expiresAt }
  return { asset: { ...asset, uploadId: UploadId, parts: count }, upload }
}

const partSizeOf = (size: number): number => Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))

/** How many URLs a file of a size is uploaded by. */
export const partsOf = (size: number): number => (size <= SINGLE_PUT_BYTES ? 1 : Math.ceil(size / partSizeOf(size)))

/**
 * What an announced file turned out to be, once it has arrived with the announced size; undefined while it has not.
 * Its digest is known after it has been processed.
 */
export async function arrived(asset: AssetRecord): Promise<Partial<AssetRecord> | undefined> {
  const object = objectOf(asset)
  if (asset.uploadId && !(await completeMultipart(object, asset.uploadId, asset.parts ?? 0))) return undefined
  const facts = await objectFacts(object)
  if (facts?.size !== asset.size) return undefined
  const { size, etag } = facts
  const { type, mediaType } = describe(await readHead({ ...object, etag }, size), asset.name)
  return { type, contentType: mediaType, status: 'READY', etag }
}
