import { join } from 'node:path'
import { type Database, openDatabase } from '../aws/database.ts'
import { AwsError } from '../aws/errors.ts'
import { type Blobs, openBlobs, type Segment } from './blobs.ts'
import type { Algorithm, Checksum } from './checksum.ts'

// Keys are blobs: their order is that of their UTF-8 bytes, and no character in them means anything to the database.
const schema = `
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, definition TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL, key BLOB NOT NULL, object TEXT NOT NULL, modified INTEGER NOT NULL, PRIMARY KEY (bucket, key)
  );
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key BLOB NOT NULL, started INTEGER NOT NULL, upload TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, part TEXT NOT NULL, PRIMARY KEY (upload, number)
  );
`

/** A bucket; `settings` holds its configurations by name, as the documents that were sent. */
export interface Bucket {
  name: string
  region: string
  created: number
  settings: Record<string, string>
}

/** An object: `headers` are those that come back with it, `modified` is in milliseconds, `etag` without quotes. */
export interface StoredObject {
  segments: Segment[]
  size: number
  etag: string
  modified: number
  headers: Record<string, string>
  tags: Record<string, string>
  checksum?: Checksum
}

/** A multipart upload under way: what its object will have. */
export interface Upload {
  id: string
  bucket: string
  key: string
  started: number
  headers: Record<string, string>
  tags: Record<string, string>
  algorithm?: Algorithm
  checksumType: Checksum['type']
}

/** A part of a multipart upload. */
export interface Part {
  number: number
  segment: Segment
  etag: string
  modified: number
  checksum?: Checksum
}

/** Where buckets, objects and uploads are kept. */
export interface Store {
  database: Database
  blobs: Blobs
  now: () => number
  buckets(): Bucket[]
  /** Throws `NoSuchBucket`. */
  bucket(name: string): Bucket
  saveBucket(bucket: Bucket): void
  removeBucket(bucket: Bucket): void
  find(bucket: string, key: string): StoredObject | undefined
  /**
   * Puts an object in the place of what was there, and ends the upload that it comes from; `check` sees what was there,
   * at the very moment, and may throw.
   */
  put(
    bucket: string,
    key: string,
    object: StoredObject,
    check?: (before: StoredObject | undefined) => void,
    upload?: Upload,
  ): void
  /** Changes what is said of an object, not its content. */
  change(bucket: string, key: string, object: StoredObject): void
  remove(bucket: string, key: string): void
  upload(id: string, bucket: string, key: string): Upload
  uploads(bucket: string): Upload[]
  saveUpload(upload: Upload): void
  parts(upload: string): Part[]
  savePart(upload: Upload, part: Part): void
  abort(upload: Upload): void
}

interface ObjectRow {
  object: string
}

/** What the methods of a store share. */
type Inside = { database: Database; blobs: Blobs; buckets: Map<string, Bucket> }

/** Opens the store in a directory. */
export function openStore(directory: string, now: () => number): Store {
  const database = openDatabase(directory, 's3.sqlite', schema)
  const blobs = openBlobs(join(directory, 'blobs'))
  const rows = database.all<{ definition: string }>('SELECT definition FROM buckets')
  const buckets = new Map(rows.map(row => JSON.parse(row.definition) as Bucket).map(bucket => [bucket.name, bucket]))
  const inside: Inside = { database, blobs, buckets }
  return { database, blobs, now, ...bucketsOf(inside), ...objectsOf(inside), ...uploadsOf(inside) }
}

function bucketsOf(inside: Inside) {
  const { database, blobs, buckets } = inside
  return {
    buckets: () => [...buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    bucket: name => bucketOf(inside, name),
    saveBucket(bucket) {
      const sql = 'INSERT INTO buckets VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET definition = excluded.definition'
      database.run(sql, bucket.name, JSON.stringify(bucket))
      buckets.set(bucket.name, bucket)
    },
    removeBucket(bucket) {
      const dropped = database.transaction(() => {
        if (database.get('SELECT 1 FROM objects WHERE bucket = ? LIMIT 1', bucket.name))
          throw new AwsError('BucketNotEmpty', 'The bucket you tried to delete is not empty', 409)
        database.run('DELETE FROM buckets WHERE name = ?', bucket.name)
        return uploadsIn(database, bucket.name).flatMap(upload => endUpload(database, upload))
      })
      blobs.remove(dropped)
      buckets.delete(bucket.name)
    },
  } satisfies Partial<Store>
}

function bucketOf({ buckets }: Inside, name: string): Bucket {
  const bucket = buckets.get(name)
  if (!bucket) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404, { BucketName: name })
  return bucket
}

function objectsOf(inside: Inside) {
  const { database, blobs } = inside
  const find = (bucket: string, key: string) => {
    const sql = 'SELECT object FROM objects WHERE bucket = ? AND key = ?'
    const row = database.get<ObjectRow>(sql, bucket, Buffer.from(key))
    return row && (JSON.parse(row.object) as StoredObject)
  }
  const change = (bucket: string, key: string, object: StoredObject) => {
    const sql = `INSERT INTO objects VALUES (?, ?, ?, ?)
      ON CONFLICT (bucket, key) DO UPDATE SET object = excluded.object, modified = excluded.modified`
    database.run(sql, bucket, Buffer.from(key), JSON.stringify(object), object.modified)
  }
  return {
    find,
    put(bucket, key, object, check, upload) {
      const dropped = database.transaction(() => {
        bucketOf(inside, bucket)
        const before = find(bucket, key)
        check?.(before)
        change(bucket, key, object)
        return [...(before?.segments ?? []), ...(upload ? endUpload(database, upload) : [])]
      })
      const kept = new Set(object.segments.map(({ blob }) => blob))
      blobs.remove(dropped.filter(({ blob }) => !kept.has(blob)))
    },
    change,
    remove(bucket, key) {
      const sql = 'DELETE FROM objects WHERE bucket = ? AND key = ? RETURNING object'
      const row = database.get<ObjectRow>(sql, bucket, Buffer.from(key))
      if (row) blobs.remove((JSON.parse(row.object) as StoredObject).segments)
    },
  } satisfies Partial<Store>
}

function uploadsOf({ database, blobs }: Inside) {
  return {
    upload: (id, bucket, key) => findUpload(database, id, bucket, key),
    uploads: bucket => uploadsIn(database, bucket),
    saveUpload(upload) {
      const { id, bucket, key, started } = upload
      const row = [id, bucket, Buffer.from(key), started, JSON.stringify(upload)]
      database.run('INSERT INTO uploads VALUES (?, ?, ?, ?, ?)', ...row)
    },
    parts: upload => partsOf(database, upload),
    savePart(upload, part) {
      const before = database.transaction(() => {
        findUpload(database, upload.id, upload.bucket, upload.key)
        const sql = 'DELETE FROM parts WHERE upload = ? AND number = ? RETURNING part'
        const old = database.get<{ part: string }>(sql, upload.id, part.number)
        database.run('INSERT INTO parts VALUES (?, ?, ?)', upload.id, part.number, JSON.stringify(part))
        return old
      })
      if (before) blobs.remove([(JSON.parse(before.part) as Part).segment])
    },
    abort: upload => blobs.remove(database.transaction(() => endUpload(database, upload))),
  } satisfies Partial<Store>
}

function findUpload(database: Database, id: string, bucket: string, key: string): Upload {
  const row = database.get<{ upload: string }>('SELECT upload FROM uploads WHERE id = ?', id)
  const upload = row && (JSON.parse(row.upload) as Upload)
  if (upload?.bucket !== bucket || upload.key !== key)
    throw new AwsError('NoSuchUpload', 'The specified multipart upload does not exist.', 404)
  return upload
}

const uploadsIn = (database: Database, bucket: string): Upload[] =>
  database
    .all<{ upload: string }>('SELECT upload FROM uploads WHERE bucket = ? ORDER BY key, started', bucket)
    .map(row => JSON.parse(row.upload) as Upload)

const partsOf = (database: Database, upload: string): Part[] =>
  database
    .all<{ part: string }>('SELECT part FROM parts WHERE upload = ? ORDER BY number', upload)
    .map(row => JSON.parse(row.part) as Part)

/** Forgets an upload and returns what its parts were made of. */
function endUpload(database: Database, { id, bucket, key }: Upload): Segment[] {
  findUpload(database, id, bucket, key)
  const segments = partsOf(database, id).map(part => part.segment)
  database.run('DELETE FROM parts WHERE upload = ?', id)
  database.run('DELETE FROM uploads WHERE id = ?', id)
  return segments
}

/** The names of all files that something refers to. */
export function usedBlobs(store: Store): Set<string> {
  const used = new Set<string>()
  for (const { object } of store.database.iterate<ObjectRow>('SELECT object FROM objects'))
    for (const { blob } of (JSON.parse(object) as StoredObject).segments) used.add(blob)
  for (const { part } of store.database.iterate<{ part: string }>('SELECT part FROM parts'))
    used.add((JSON.parse(part) as Part).segment.blob)
  return used
}
