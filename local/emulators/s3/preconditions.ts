import { AwsError } from '../aws/errors.ts'
import type { Context } from './context.ts'
import type { StoredObject } from './store.ts'

const matches = (header: string, etag: string) =>
  header.split(',').some(part => part.trim() === '*' || part.trim().replace(/^W\//, '').replaceAll('"', '') === etag)

const failed = (condition: string) =>
  new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412, {
    Condition: condition,
  })

const seconds = (time: number) => Math.floor(time / 1000)

/** Conditions of a write on what is there before it. */
export function checkWrite(context: Context): (before: StoredObject | undefined) => void {
  const [ifMatch, ifNoneMatch] = [context.header('if-match'), context.header('if-none-match')]
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*')
    throw new AwsError('NotImplemented', 'A write can only have the condition If-None-Match: *', 501)
  return before => {
    if (ifMatch !== undefined && !before) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404)
    if (ifMatch !== undefined && !matches(ifMatch, before!.etag)) throw failed('If-Match')
    if (ifNoneMatch !== undefined && before) throw failed('If-None-Match')
  }
}

/** Conditions of a read; `prefix` is that of the headers of a copy's source. Returns whether it is not modified. */
export function checkRead(context: Context, object: StoredObject, prefix = ''): boolean {
  const header = (name: string) => context.header(prefix + name)
  const ifMatch = header('if-match')
  const ifNoneMatch = header('if-none-match')
  const since = Date.parse(header('if-modified-since') ?? '')
  const unmodifiedSince = Date.parse(header('if-unmodified-since') ?? '')
  if (ifMatch !== undefined && !matches(ifMatch, object.etag)) throw failed('If-Match')
  if (ifMatch === undefined && seconds(object.modified) > seconds(unmodifiedSince)) throw failed('If-Unmodified-Since')
  const unchanged =
    ifNoneMatch === undefined ? seconds(object.modified) <= seconds(since) : matches(ifNoneMatch, object.etag)
  if (unchanged && prefix) throw failed('If-None-Match')
  return unchanged
}

/** A range of bytes: where it starts and how long it is. */
export interface ByteRange {
  start: number
  length: number
}

/** The range that a header asks for, undefined if it asks for none that is understood; throws `InvalidRange`. */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < start) return undefined
  if (start >= size || (from === '' && Number(to) === 0))
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416, { ActualObjectSize: size })
  return { start, length: end - start + 1 }
}
