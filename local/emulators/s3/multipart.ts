import { createHash, randomUUID } from 'node:crypto'
import { AwsError } from '../aws/errors.ts'
import { algorithms, type Checksum, combineParts } from './checksum.ts'
import { type Context, isoDate, numberIn, resourceOf, type S3Operation } from './context.ts'
import { copyBytes, copyResult, openCopySource, partChecksum } from './copy.ts'
import { encryptionOf, readTagHeader, requestHeaders } from './metadata.ts'
import { checksumHeaders } from './objects.ts'
import { openPayload, readText } from './payload.ts'
import { checkWrite } from './preconditions.ts'
import type { Part, StoredObject, Upload } from './store.ts'
import { childrenOf, childText, type Element, parseXml, toXml } from './xml.ts'

const MIN_PART = 5 * 1024 * 1024
const MAX_PART = 5 * 1024 ** 3

const openUpload = ({ store, bucket, key, query }: Context) => {
  store.bucket(bucket)
  return store.upload(query.get('uploadId') ?? '', bucket, key)
}

const create: S3Operation = context => {
  const { store, bucket, key } = context
  context.authorize('PutObject', resourceOf(context))
  const algorithm = algorithms.find(known => known === context.header('x-amz-checksum-algorithm'))
  const type = context.header('x-amz-checksum-type') ?? (algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE')
  if (
    (type !== 'FULL_OBJECT' && type !== 'COMPOSITE') ||
    (type === 'FULL_OBJECT' && algorithm?.startsWith('SHA')) ||
    (type === 'COMPOSITE' && algorithm === 'CRC64NVME')
  )
    throw new AwsError('InvalidRequest', 'The checksum type does not go with the checksum algorithm')
  const upload: Upload = {
    ...{ id: randomUUID(), bucket, key, started: store.now(), algorithm, checksumType: type },
    headers: requestHeaders(context),
    tags: readTagHeader(context.header('x-amz-tagging')),
  }
  store.saveUpload(upload)
  const headers = {
    ...encryptionOf(upload.headers),
    'x-amz-checksum-algorithm': algorithm,
    'x-amz-checksum-type': algorithm && type,
  }
  return {
    status: 200,
    headers,
    body: toXml('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: upload.id }),
  }
}

function partNumber({ query }: Context): number {
  const number = Number(query.get('partNumber'))
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw new AwsError('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive')
  return number
}

function savePart(context: Context, upload: Upload, part: Part): void {
  try {
    context.store.savePart(upload, part)
  } catch (error) {
    context.store.blobs.remove([part.segment])
    throw error
  }
}

const uploadPart: S3Operation = async context => {
  const { store } = context
  context.authorize('PutObject', resourceOf(context))
  const number = partNumber(context)
  const upload = openUpload(context)
  if (Number(context.header('x-amz-decoded-content-length') ?? context.header('content-length') ?? 0) > MAX_PART)
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')
  const payload = openPayload(context.request, context.signer, upload.algorithm)
  const segment = await store.blobs.write(payload.chunks)
  const { md5, checksum } = payload.digests()
  savePart(context, upload, { number, segment, etag: md5.toString('hex'), modified: store.now(), checksum })
  return {
    status: 200,
    headers: { etag: `"${md5.toString('hex')}"`, ...partChecksum(checksum), ...encryptionOf(upload.headers) },
  }
}

const uploadPartCopy: S3Operation = async context => {
  const { store } = context
  context.authorize('PutObject', resourceOf(context))
  const number = partNumber(context)
  const upload = openUpload(context)
  const { object, range } = openCopySource(context)
  const { segment, etag, checksum } = await copyBytes(context, object, range, upload.algorithm)
  const modified = store.now()
  savePart(context, upload, { number, segment, etag, modified, checksum })
  return { status: 200, body: toXml('CopyPartResult', copyResult(etag, modified, checksum)) }
}

/** The parts that a completion names, in their order, each as it was uploaded. */
function chooseParts(document: Element, stored: Part[]): Part[] {
  const named = childrenOf(document, 'Part')
  if (named.length === 0 || named.length > 10_000)
    throw new AwsError('MalformedXML', 'You must specify at least one part')
  const byNumber = new Map(stored.map(part => [part.number, part]))
  let last = 0
  const parts = named.map(entry => {
    const number = Number(childText(entry, 'PartNumber'))
    if (!(number > last)) throw new AwsError('InvalidPartOrder', 'The list of parts was not in ascending order.')
    last = number
    const part = byNumber.get(number)
    const promised = part?.checksum && childText(entry, `Checksum${part.checksum.algorithm}`)
    const sameChecksum = promised === undefined || promised === part?.checksum?.value
    if (part?.etag !== childText(entry, 'ETag')?.replaceAll('"', '') || !sameChecksum)
      throw new AwsError('InvalidPart', 'One or more of the specified parts could not be found.')
    return part as Part
  })
  if (parts.slice(0, -1).some(({ segment }) => segment.size < MIN_PART))
    throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  return parts
}

function wholeChecksum(context: Context, upload: Upload, parts: Part[]): Checksum | undefined {
  const { algorithm } = upload
  const values = parts.flatMap(({ checksum, segment }) =>
    checksum ? [{ value: checksum.value, size: segment.size }] : [],
  )
  if (!algorithm || values.length < parts.length) return undefined
  const checksum = combineParts(algorithm, upload.checksumType, values)
  const promised = context.header(`x-amz-checksum-${algorithm.toLowerCase()}`)
  if (promised !== undefined && promised.replace(/-\d+$/, '') !== checksum?.value.replace(/-\d+$/, ''))
    throw new AwsError('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
  return checksum
}

const complete: S3Operation = async context => {
  const { store, bucket, key } = context
  context.authorize('PutObject', resourceOf(context))
  const upload = openUpload(context)
  const document = parseXml(await readText(openPayload(context.request, context.signer)), 'CompleteMultipartUpload')
  const parts = chooseParts(document, store.parts(upload.id))
  const digest = createHash('md5')
  for (const part of parts) digest.update(Buffer.from(part.etag, 'hex'))
  const object: StoredObject = {
    segments: parts.map(part => part.segment),
    size: parts.reduce((size, { segment }) => size + segment.size, 0),
    etag: `${digest.digest('hex')}-${parts.length}`,
    modified: store.now(),
    headers: upload.headers,
    tags: upload.tags,
    checksum: wholeChecksum(context, upload, parts),
  }
  store.put(bucket, key, object, checkWrite(context), upload)
  const { checksum } = object
  const body = toXml('CompleteMultipartUploadResult', {
    Location: `http://${context.header('host')}/${bucket}/${key}`,
    ...{ Bucket: bucket, Key: key, ETag: `"${object.etag}"` },
    ...(checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type } : {}),
  })
  return { status: 200, headers: { ...encryptionOf(object.headers), ...checksumHeaders({ checksum }) }, body }
}

const abort: S3Operation = context => {
  context.authorize('AbortMultipartUpload', resourceOf(context))
  context.store.abort(openUpload(context))
  return { status: 204 }
}

const listParts: S3Operation = context => {
  context.authorize('ListMultipartUploadParts', resourceOf(context))
  const upload = openUpload(context)
  const most = numberIn(context.query, 'max-parts', 1000, 1, 1000)
  const after = numberIn(context.query, 'part-number-marker', 0, 0, 10_000)
  const rest = context.store.parts(upload.id).filter(part => part.number > after)
  const page = rest.slice(0, most)
  const truncated = rest.length > most
  const body = toXml('ListPartsResult', {
    ...{ Bucket: context.bucket, Key: context.key, UploadId: upload.id, MaxParts: most, PartNumberMarker: after },
    NextPartNumberMarker: truncated ? page.at(-1)!.number : undefined,
    IsTruncated: truncated,
    ChecksumAlgorithm: upload.algorithm,
    ChecksumType: upload.algorithm && upload.checksumType,
    Part: page.map(({ number, etag, modified, segment, checksum }) => ({
      ...{ PartNumber: number, ETag: `"${etag}"`, LastModified: isoDate(modified), Size: segment.size },
      ...(checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value } : {}),
    })),
    StorageClass: 'STANDARD',
  })
  return { status: 200, body }
}

const listUploads: S3Operation = context => {
  const { store, bucket, query } = context
  context.authorize('ListBucketMultipartUploads', bucket)
  store.bucket(bucket)
  const prefix = query.get('prefix') ?? ''
  const most = numberIn(query, 'max-uploads', 1000, 1, 1000)
  const [afterKey = '', afterId = ''] = [query.get('key-marker'), query.get('upload-id-marker')]
  const all = store.uploads(bucket).filter(upload => upload.key.startsWith(prefix))
  const seen = all.findIndex(upload => upload.key === afterKey && upload.id === afterId)
  const rest =
    seen >= 0
      ? all.slice(seen + 1)
      : all.filter(upload => afterKey === '' || Buffer.compare(Buffer.from(upload.key), Buffer.from(afterKey)) > 0)
  const page = rest.slice(0, most)
  const truncated = rest.length > most
  const body = toXml('ListMultipartUploadsResult', {
    ...{ Bucket: bucket, Prefix: prefix, KeyMarker: afterKey, UploadIdMarker: afterId, MaxUploads: most },
    NextKeyMarker: truncated ? page.at(-1)!.key : undefined,
    NextUploadIdMarker: truncated ? page.at(-1)!.id : undefined,
    IsTruncated: truncated,
    Upload: page.map(({ key, id, started }) => ({
      Key: key,
      UploadId: id,
      Initiated: isoDate(started),
      StorageClass: 'STANDARD',
    })),
  })
  return { status: 200, body }
}

/** Operations of multipart uploads. */
export const multipartOperations = {
  CreateMultipartUpload: create,
  UploadPart: uploadPart,
  UploadPartCopy: uploadPartCopy,
  CompleteMultipartUpload: complete,
  AbortMultipartUpload: abort,
  ListParts: listParts,
  ListMultipartUploads: listUploads,
} satisfies Record<string, S3Operation>
