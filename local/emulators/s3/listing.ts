import { AwsError } from '../aws/errors.ts'
import { encodeUri } from '../aws/signature.ts'
import { type Context, isoDate, numberIn, type S3Operation } from './context.ts'
import type { StoredObject } from './store.ts'
import { toXml } from './xml.ts'

interface Row {
  key: Uint8Array
  object: string
}

interface Listing {
  objects: { key: string; object: StoredObject }[]
  prefixes: string[]
  /** Where the next page begins, if there is one. */
  next?: Buffer
}

/** The first bytes after all those that begin with a prefix (UTF-8 never holds the byte 255). */
function afterPrefix(prefix: string): Buffer {
  const bytes = Buffer.from(prefix)
  if (bytes.length) bytes[bytes.length - 1]!++
  return bytes.length ? bytes : Buffer.from([255])
}

/** A page of the keys that begin with a prefix, from some bytes on, with everything up to a delimiter as one. */
function list({ store, bucket }: Context, prefix: string, delimiter: string, start: Buffer, most: number): Listing {
  const end = afterPrefix(prefix)
  const found: Listing = { objects: [], prefixes: [] }
  let from: Buffer = Buffer.from(prefix)
  if (Buffer.compare(start, from) > 0) from = start
  for (;;) {
    // From the start of the next group on: a group is left by one jump, however many keys it has.
    let jump: Buffer | undefined
    const sql = 'SELECT key, object FROM objects WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key'
    for (const row of store.database.iterate<Row>(sql, bucket, from, end)) {
      if (found.objects.length + found.prefixes.length === most) return { ...found, next: Buffer.from(row.key) }
      const key = Buffer.from(row.key).toString()
      const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
      if (at >= 0) {
        const group = key.slice(0, at + delimiter.length)
        found.prefixes.push(group)
        jump = afterPrefix(group)
        break
      }
      found.objects.push({ key, object: JSON.parse(row.object) as StoredObject })
    }
    if (!jump) return found
    from = jump
  }
}

/** ListObjectsV2. */
export const listObjects: S3Operation = context => {
  const { store, bucket, query } = context
  context.authorize('ListBucket', bucket)
  store.bucket(bucket)
  if (query.get('list-type') !== '2')
    throw new AwsError('NotImplemented', 'Only version 2 of listing is supported here', 501)
  const encoding = query.get('encoding-type')
  const shown = (text: string) => (encoding === 'url' ? encodeUri(text).replaceAll('%2F', '/') : text)
  const [prefix = '', delimiter = '', startAfter = ''] = ['prefix', 'delimiter', 'start-after'].map(name =>
    query.get(name),
  )
  const token = query.get('continuation-token')
  const behind = startAfter === '' ? Buffer.alloc(0) : Buffer.from(`${startAfter}\0`)
  const start = token === undefined ? behind : Buffer.from(token, 'base64url')
  const most = numberIn(query, 'max-keys', 1000, 0, 1000)
  const { objects, prefixes, next } =
    most === 0 ? { objects: [], prefixes: [], next: undefined } : list(context, prefix, delimiter, start, most)
  const owner = query.get('fetch-owner') === 'true' ? { ID: 'local', DisplayName: 'local' } : undefined
  const body = toXml('ListBucketResult', {
    ...{ Name: bucket, Prefix: shown(prefix), MaxKeys: most, KeyCount: objects.length + prefixes.length },
    Delimiter: delimiter === '' ? undefined : shown(delimiter),
    EncodingType: encoding,
    StartAfter: startAfter === '' ? undefined : shown(startAfter),
    ContinuationToken: token,
    NextContinuationToken: next?.toString('base64url'),
    IsTruncated: next !== undefined,
    Contents: objects.map(({ key, object }) => ({
      ...{ Key: shown(key), LastModified: isoDate(object.modified), ETag: `"${object.etag}"`, Size: object.size },
      ChecksumAlgorithm: object.checksum?.algorithm,
      ChecksumType: object.checksum?.type,
      StorageClass: object.headers['x-amz-storage-class'] ?? 'STANDARD',
      Owner: owner,
    })),
    CommonPrefixes: prefixes.map(common => ({ Prefix: shown(common) })),
  })
  return { status: 200, body }
}
