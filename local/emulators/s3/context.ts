import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws/errors.ts'
import type { Fault } from '../aws/hooks.ts'
import { decodeUri, parseQuery, type Signer, splitTarget } from '../aws/signature.ts'
import type { Store } from './store.ts'

/** What an address means: no bucket is the service itself, no key the bucket itself. */
export interface Target {
  bucket: string
  key: string
  query: Map<string, string>
}

/** An answer: XML or other text, or bytes that come piece by piece. */
export interface Reply {
  status: number
  headers?: Record<string, string | undefined>
  body?: string | AsyncIterable<Buffer>
}

/** A request that is authentic, on its way to an operation. */
export interface Context extends Target {
  request: IncomingMessage
  /** Absent for a form upload, whose policy was verified instead. */
  signer?: Signer
  fault: Fault
  store: Store
  header(name: string): string | undefined
  /** Throws `AccessDenied` unless the caller may do this; `resource` is `bucket` or `bucket/key`. */
  authorize(action: string, resource: string): void
  /** Whether the caller may do this. */
  allowed(action: string, resource: string): boolean
}

/** An operation on the service, a bucket or an object. */
export type S3Operation = (context: Context) => Reply | Promise<Reply>

const bucketName = /^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Whether a bucket can be called that. */
export const isBucketName = (name: string) => bucketName.test(name) && !name.includes('..')

/**
 * Reads the address of a request, in path style (`/bucket/key`) or with the bucket in a host name below `localhost`.
 * A key is any text of up to 1,024 bytes; it never becomes part of a path on the disk.
 */
export function readTarget(url: string, host: string | undefined): Target {
  const { path, query } = splitTarget(url)
  if (!path.startsWith('/')) throw new AwsError('InvalidURI', "Couldn't parse the specified URI.")
  const [, virtual] = /^(.+)\.localhost(?::\d+)?$/.exec(host ?? '') ?? []
  const [bucket = '', ...rest] =
    virtual === undefined ? path.slice(1).split('/') : [virtual, ...path.slice(1).split('/')]
  const key = decodeUri(rest.join('/'))
  if (Buffer.byteLength(key) > 1024) throw new AwsError('KeyTooLongError', 'Your key is too long')
  if (key.includes('\0')) throw new AwsError('InvalidArgument', 'A key cannot contain a null character')
  return { bucket: decodeUri(bucket), key, query: new Map(parseQuery(query)) }
}

/** The key's part of a resource. */
export const resourceOf = ({ bucket, key }: Target) => `${bucket}/${key}`

/** A whole number in the query within bounds, or a default. */
export function numberIn(
  query: Map<string, string>,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = query.get(name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^\d{1,10}$/.test(text) || value < least) throw new AwsError('InvalidArgument', `Invalid value of ${name}`)
  return Math.min(value, most)
}

/** An HTTP date of a time in milliseconds. */
export const httpDate = (time: number) => new Date(time).toUTCString()

/** An ISO date of a time in milliseconds. */
export const isoDate = (time: number) => new Date(time).toISOString()
