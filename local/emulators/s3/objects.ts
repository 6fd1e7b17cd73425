import { AwsError } from '../aws/errors.ts'
import { checksumHeader } from './checksum.ts'
import { type Context, httpDate, type Reply, resourceOf, type S3Operation } from './context.ts'
import { encryptionOf, readTagHeader, readTagSet, requestHeaders } from './metadata.ts'
import { openPayload, readText } from './payload.ts'
import { checkRead, checkWrite, readRange } from './preconditions.ts'
import type { StoredObject } from './store.ts'
import { childrenOf, childText, parseXml, toXml } from './xml.ts'

const MAX_PUT = 5 * 1024 ** 3

/** The checksum of an object as headers. */
export const checksumHeaders = ({ checksum }: Pick<StoredObject, 'checksum'>): Record<string, string> =>
  checksum ? { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type } : {}

/** The object of a request; one that isn't there is only admitted to those who may list the bucket. */
export function openObject(context: Context, bucket = context.bucket, key = context.key): StoredObject {
  const object = context.store.find(context.store.bucket(bucket).name, key)
  if (object) return object
  context.authorize('ListBucket', bucket)
  throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404, { Key: key })
}

const putObject: S3Operation = async context => {
  const { store, bucket, key, request } = context
  context.authorize('PutObject', resourceOf(context))
  const tagging = context.header('x-amz-tagging')
  if (tagging) context.authorize('PutObjectTagging', resourceOf(context))
  const headers = requestHeaders(context)
  const tags = readTagHeader(tagging)
  const check = checkWrite(context)
  check(store.find(bucket, key))
  if (context.header('content-length') === undefined && context.header('x-amz-decoded-content-length') === undefined)
    throw new AwsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411)
  if (Number(context.header('x-amz-decoded-content-length') ?? context.header('content-length')) > MAX_PUT)
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')
  const payload = openPayload(request, context.signer)
  const segment = await store.blobs.write(payload.chunks)
  const { md5, checksum } = payload.digests()
  const object = {
    segments: [segment],
    size: segment.size,
    etag: md5.toString('hex'),
    modified: store.now(),
    headers,
    tags,
    checksum,
  }
  commit(context, object, check)
  return { status: 200, headers: { etag: `"${object.etag}"`, ...checksumHeaders(object), ...encryptionOf(headers) } }
}

/** Makes written files an object, or removes them again if its conditions don't hold any more. */
export function commit(context: Context, object: StoredObject, check: ReturnType<typeof checkWrite>): void {
  try {
    context.store.put(context.bucket, context.key, object, check)
  } catch (error) {
    context.store.blobs.remove(object.segments)
    throw error
  }
}

const overrides = [
  'content-type',
  'content-language',
  'expires',
  'cache-control',
  'content-disposition',
  'content-encoding',
]

const getObject: S3Operation = context => {
  const { store, query } = context
  context.authorize('GetObject', resourceOf(context))
  if (query.has('partNumber') || query.has('versionId'))
    throw new AwsError('NotImplemented', 'Reading a part or a version is not supported here', 501)
  const object = openObject(context)
  const headers: Record<string, string | undefined> = {
    ...object.headers,
    etag: `"${object.etag}"`,
    'last-modified': httpDate(object.modified),
    'accept-ranges': 'bytes',
    'x-amz-tagging-count': Object.keys(object.tags).length ? String(Object.keys(object.tags).length) : undefined,
  }
  if (checkRead(context, object))
    return { status: 304, headers: { etag: headers.etag, 'last-modified': headers['last-modified'] } }
  for (const name of overrides) headers[name] = query.get(`response-${name}`) ?? headers[name]
  const range = readRange(context.header('range'), object.size)
  const { start, length } = range ?? { start: 0, length: object.size }
  if (range) headers['content-range'] = `bytes ${start}-${start + length - 1}/${object.size}`
  else if (context.header('x-amz-checksum-mode') === 'ENABLED') Object.assign(headers, checksumHeaders(object))
  headers['content-length'] = String(length)
  const body = context.request.method === 'HEAD' ? undefined : store.blobs.read(object.segments, start, length)
  return { status: range ? 206 : 200, headers, body }
}

const deleteObject: S3Operation = context => {
  context.authorize('DeleteObject', resourceOf(context))
  context.store.bucket(context.bucket)
  context.store.remove(context.bucket, context.key)
  return { status: 204 }
}

const deleteObjects: S3Operation = async context => {
  const { store, bucket } = context
  store.bucket(bucket)
  const document = parseXml(await readText(openPayload(context.request, context.signer)), 'Delete')
  const keys = childrenOf(document, 'Object').map(entry => childText(entry, 'Key') ?? '')
  if (keys.length === 0 || keys.length > 1000 || keys.includes(''))
    throw new AwsError('MalformedXML', 'Between 1 and 1000 keys are needed')
  const denied = keys.filter(key => !context.allowed('DeleteObject', `${bucket}/${key}`))
  const deleted = keys.filter(key => !denied.includes(key))
  for (const key of deleted) store.remove(bucket, key)
  const quiet = childText(document, 'Quiet') === 'true'
  const body = toXml('DeleteResult', {
    Deleted: quiet ? [] : deleted.map(Key => ({ Key })),
    Error: denied.map(Key => ({ Key, Code: 'AccessDenied', Message: 'Access Denied' })),
  })
  return { status: 200, body }
}

const getTagging: S3Operation = context => {
  context.authorize('GetObjectTagging', resourceOf(context))
  const { tags } = openObject(context)
  const Tag = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
  return { status: 200, body: toXml('Tagging', { TagSet: { Tag } }) }
}

const putTagging: S3Operation = async context => {
  context.authorize('PutObjectTagging', resourceOf(context))
  const tags = readTagSet(parseXml(await readText(openPayload(context.request, context.signer)), 'Tagging'))
  context.store.change(context.bucket, context.key, { ...openObject(context), tags })
  return { status: 200 }
}

const deleteTagging: S3Operation = context => {
  context.authorize('DeleteObjectTagging', resourceOf(context))
  context.store.change(context.bucket, context.key, { ...openObject(context), tags: {} })
  return { status: 204 }
}

const getAttributes: S3Operation = context => {
  context.authorize('GetObject', resourceOf(context))
  context.authorize('GetObjectAttributes', resourceOf(context))
  const object = openObject(context)
  const wanted = (context.header('x-amz-object-attributes') ?? '').split(',').map(name => name.trim())
  const { checksum } = object
  const body = toXml('GetObjectAttributesResponse', {
    ETag: wanted.includes('ETag') ? object.etag : undefined,
    ObjectSize: wanted.includes('ObjectSize') ? object.size : undefined,
    StorageClass: wanted.includes('StorageClass') ? 'STANDARD' : undefined,
    Checksum:
      wanted.includes('Checksum') && checksum
        ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
        : undefined,
  })
  return { status: 200, headers: { 'last-modified': httpDate(object.modified) }, body } satisfies Reply
}

/** Operations on objects, but for copies and multipart uploads. */
export const objectOperations = {
  PutObject: putObject,
  GetObject: getObject,
  HeadObject: getObject,
  DeleteObject: deleteObject,
  DeleteObjects: deleteObjects,
  GetObjectTagging: getTagging,
  PutObjectTagging: putTagging,
  DeleteObjectTagging: deleteTagging,
  GetObjectAttributes: getAttributes,
} satisfies Record<string, S3Operation>
