import { createHash } from 'node:crypto'
import { AwsError } from '../aws/errors.ts'
import { decodeUri } from '../aws/signature.ts'
import type { Segment } from './blobs.ts'
import { type Algorithm, algorithms, type Checksum, checksumHeader, startChecksum } from './checksum.ts'
import { type Context, isoDate, resourceOf, type S3Operation } from './context.ts'
import { encryptionOf, readTagHeader, requestHeaders } from './metadata.ts'
import { commit, openObject } from './objects.ts'
import { checkRead, checkWrite, readRange } from './preconditions.ts'
import type { StoredObject } from './store.ts'
import { toXml } from './xml.ts'

/** The object that a copy is made of, checked as a read of it. */
function openSource(context: Context): { object: StoredObject; bucket: string; key: string } {
  const [path = '', version] = (context.header('x-amz-copy-source') ?? '').split('?')
  if (version) throw new AwsError('NotImplemented', 'Copying a version is not supported here', 501)
  const [bucket = '', ...rest] = decodeUri(path).replace(/^\//, '').split('/')
  const key = rest.join('/')
  if (!bucket || !key) throw new AwsError('InvalidArgument', 'The copy source must name a bucket and a key')
  context.authorize('GetObject', `${bucket}/${key}`)
  const object = openObject(context, bucket, key)
  checkRead(context, object, 'x-amz-copy-source-')
  return { object, bucket, key }
}

/** Copies bytes into a file of their own, with their digests. */
export async function copyBytes(
  context: Context,
  source: StoredObject,
  range: { start: number; length: number },
  algorithm: Algorithm | undefined,
): Promise<{ segment: Segment; etag: string; checksum?: Checksum }> {
  const md5 = createHash('md5')
  const running = algorithm && startChecksum(algorithm)
  async function* through() {
    for await (const chunk of context.store.blobs.read(source.segments, range.start, range.length)) {
      md5.update(chunk)
      running?.update(chunk)
      yield chunk
    }
  }
  const segment = await context.store.blobs.write(through())
  const value = running?.digest().toString('base64')
  const checksum = algorithm && value ? { algorithm, value, type: 'FULL_OBJECT' as const } : undefined
  return { segment, etag: md5.digest('hex'), checksum }
}

/** The bytes of a copy's source that are asked for. */
export function openCopySource(context: Context) {
  const { object } = openSource(context)
  const header = context.header('x-amz-copy-source-range')
  const range = readRange(header, object.size)
  if (header !== undefined && !range) throw new AwsError('InvalidArgument', 'The copy source range is not valid')
  return { object, range: range ?? { start: 0, length: object.size } }
}

/** The result of a copy, as XML has it. */
export const copyResult = (etag: string, modified: number, checksum: Checksum | undefined) => ({
  ETag: `"${etag}"`,
  LastModified: isoDate(modified),
  ...(checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value } : {}),
})

/** CopyObject. */
export const copyObject: S3Operation = async context => {
  const { store } = context
  context.authorize('PutObject', resourceOf(context))
  const { object: source, bucket, key } = openSource(context)
  const replace = context.header('x-amz-metadata-directive') === 'REPLACE'
  const replaceTags = context.header('x-amz-tagging-directive') === 'REPLACE'
  const asked = requestHeaders(context)
  const described = Object.entries(source.headers).filter(([name]) => !name.startsWith('x-amz-server-side-encryption'))
  const headers = replace ? asked : { ...Object.fromEntries(described), ...encryptionOf(asked) }
  const same = bucket === context.bucket && key === context.key
  if (same && !replace && context.header('x-amz-server-side-encryption') === undefined)
    throw new AwsError(
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself without changing it.',
    )
  const name = context.header('x-amz-checksum-algorithm')
  const algorithm = algorithms.find(known => known === name) ?? source.checksum?.algorithm
  const check = checkWrite(context)
  const copied = await copyBytes(context, source, { start: 0, length: source.size }, algorithm)
  const tags = replaceTags ? readTagHeader(context.header('x-amz-tagging')) : source.tags
  const { segment, etag, checksum } = copied
  const modified = store.now()
  commit(context, { segments: [segment], size: segment.size, etag, modified, headers, tags, checksum }, check)
  const body = toXml('CopyObjectResult', copyResult(etag, modified, checksum))
  return { status: 200, headers: encryptionOf(headers), body }
}

/** Headers of a checksum of one part. */
export const partChecksum = (checksum: Checksum | undefined): Record<string, string> =>
  checksum ? { [checksumHeader(checksum.algorithm)]: checksum.value } : {}
