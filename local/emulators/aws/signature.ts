import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller, Service } from './hooks.ts'

/** Why a request isn't authentic; each service spells it in its own error names. */
export type SignatureProblem = 'missing' | 'malformed' | 'unknown_key' | 'mismatch' | 'expired' | 'unsigned_header'

/** A request that isn't authentic. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
  readonly problem: SignatureProblem

  constructor(problem: SignatureProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** Who signed a request, and what is needed to check the signatures of its chunks. */
export interface Signer {
  accessKeyId: string
  region: string
  /** `YYYYMMDDTHHMMSSZ` */
  date: string
  scope: string
  key: KeyObject
  signature: string
  /** The hash that was signed in place of the body, or one of the `UNSIGNED-` and `STREAMING-` words. */
  payload: string
  presigned: boolean
}

/** What of a request is signed. `url` is the raw request target, `payload` the hex SHA-256 of the body if it is known. */
export interface Signable {
  method: string
  url: string
  headers: IncomingHttpHeaders
  payload?: string
}

/** Whose signatures count: the service of the scope, the keys and the clock (milliseconds). */
export interface Verifier {
  service: Service
  credentials: (accessKeyId: string) => string | undefined
  now: () => number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const FIFTEEN_MINUTES = 15 * 60_000
const hmac = (key: string | Buffer | KeyObject, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => hash('sha256', text)

/** Percent-encoding as AWS signs it: everything but unreserved characters, upper-case hexadecimal. */
export const encodeUri = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Percent-decoding that refuses broken sequences. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SignatureError('malformed', 'The request target is not well encoded')
  }
}

/** The decoded name and value pairs of a raw query string, in order. */
export function parseQuery(raw: string): [string, string][] {
  if (raw === '') return []
  return raw.split('&').map(part => {
    const at = part.indexOf('=')
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    return [decodeUri(name.replaceAll('+', '%20')), decodeUri(value.replaceAll('+', '%20'))]
  })
}

/** Splits a raw request target into path and query. */
export function splitTarget(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/** Milliseconds of a signature date (`YYYYMMDDTHHMMSSZ`), NaN if it isn't one. */
export const signatureTime = (date: string) =>
  /^\d{8}T\d{6}Z$/.test(date)
    ? Date.parse(
        `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 11)}:${date.slice(11, 13)}:${date.slice(13, 15)}Z`,
      )
    : Number.NaN

/** Whether two hexadecimal signatures are equal, in a time that doesn't tell where they differ. */
export const sameSignature = (a: string, b: string) => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** Keys of the scopes that were asked for of late. */
const signingKeys = new Map<string, KeyObject>()
const MOST_KEYS = 100

/** The key that signs within a scope of one day, region and service. */
function signingKey(secret: string, day: string, region: string, service: string): KeyObject {
  const scope = JSON.stringify([secret, day, region, service])
  const known = signingKeys.get(scope)
  if (known) return known
  const derived = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), 'aws4_request')
  // Told a key as bytes, Node.js 24 makes an error inside to find out that they are none of its own: 12 µs a call instead of 2.
  const key = createSecretKey(derived)
  if (signingKeys.size >= MOST_KEYS) signingKeys.clear()
  signingKeys.set(scope, key)
  return key
}

/** Hexadecimal signature of a text under a signing key. */
export const sign = (key: KeyObject, text: string) => hmac(key, text).toString('hex')

interface Claim {
  accessKeyId: string
  day: string
  region: string
  signedHeaders: string[]
  signature: string
}

/** The parts of a credential `KEY/DAY/REGION/SERVICE/aws4_request`, checked against service and keys. */
export function openCredential(credential: string, date: string, { service, credentials }: Verifier) {
  const parts = credential.split('/')
  const [day, region, scopeService, end] = parts.slice(-4)
  const accessKeyId = parts.slice(0, -4).join('/')
  if (!accessKeyId || !day || !region || scopeService !== service || end !== 'aws4_request' || !date.startsWith(day))
    throw new SignatureError('malformed', 'The credential scope does not fit the request')
  const secret = credentials(accessKeyId)
  if (secret === undefined) throw new SignatureError('unknown_key', 'The access key does not exist')
  return {
    accessKeyId,
    region,
    scope: `${day}/${region}/${service}/aws4_request`,
    key: signingKey(secret, day, region, service),
  }
}

function claimOf(credential?: string, signedHeaders?: string, signature?: string): Omit<Claim, 'day' | 'region'> {
  if (!credential || !signedHeaders || !signature) throw new SignatureError('malformed', 'The signature is incomplete')
  return { accessKeyId: credential, signedHeaders: signedHeaders.split(';'), signature }
}

function canonicalRequest(
  request: Signable,
  query: [string, string][],
  signedHeaders: string[],
  payload: string,
): string {
  const { path } = splitTarget(request.url)
  const canonicalPath = path
    .split('/')
    .map(part => encodeUri(decodeUri(part)))
    .join('/')
  const canonicalQuery = query
    .map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('&')
  const headers = signedHeaders.map(name => {
    const value = request.headers[name]
    if (value === undefined) throw new SignatureError('mismatch', 'A signed header is missing')
    return `${name}:${String(value).trim().replace(/\s+/g, ' ')}\n`
  })
  return [request.method, canonicalPath, canonicalQuery, headers.join(''), signedHeaders.join(';'), payload].join('\n')
}

/** Checks the secret of a caller in this process, to whom a signature would tell nothing that the secret doesn't. */
export function verifyCaller({ accessKeyId, secretAccessKey, region }: Caller, { credentials }: Verifier) {
  const secret = credentials(accessKeyId)
  if (secret === undefined) throw new SignatureError('unknown_key', 'The access key does not exist')
  if (!sameSignature(secret, secretAccessKey)) throw new SignatureError('mismatch', 'The secret does not match')
  return { accessKeyId, region }
}

/**
 * Checks the Signature Version 4 of a request, in its `Authorization` header or, presigned, in its query, and returns
 * who signed it; throws a {@link SignatureError} otherwise.
 * Source: AWS, "Signature Version 4 for API requests".
 */
export function verifySignature(request: Signable, verifier: Verifier): Signer {
  const query = parseQuery(splitTarget(request.url).query)
  const fields = new Map(query)
  const presigned = fields.has('X-Amz-Signature')
  const header = request.headers.authorization
  if (presigned && header) throw new SignatureError('malformed', 'Only one way of signing is allowed')
  if (!presigned && !header?.startsWith(ALGORITHM)) throw new SignatureError('missing', 'The request is not signed')
  const words = new Map(
    (header ?? '')
      .slice(ALGORITHM.length)
      .split(',')
      .map(part => part.trim().split(/=(.*)/s, 2) as [string, string]),
  )
  const claim = presigned
    ? claimOf(fields.get('X-Amz-Credential'), fields.get('X-Amz-SignedHeaders'), fields.get('X-Amz-Signature'))
    : claimOf(words.get('Credential'), words.get('SignedHeaders'), words.get('Signature'))
  const date = String((presigned ? fields.get('X-Amz-Date') : request.headers['x-amz-date']) ?? '')
  const time = signatureTime(date)
  if (Number.isNaN(time)) throw new SignatureError('malformed', 'The request has no valid date')
  const age = verifier.now() - time
  if (presigned) {
    const lifetime = Number(fields.get('X-Amz-Expires'))
    if (!(lifetime >= 1 && lifetime <= 604_800) || fields.get('X-Amz-Algorithm') !== ALGORITHM)
      throw new SignatureError('malformed', 'The presigned request has no valid lifetime')
    if (age > lifetime * 1000) throw new SignatureError('expired', 'Request has expired')
  }
  if (age < -FIFTEEN_MINUTES || (!presigned && age > FIFTEEN_MINUTES))
    throw new SignatureError('expired', 'The difference between the request time and the current time is too large')
  const { accessKeyId, region, scope, key } = openCredential(claim.accessKeyId, date, verifier)
  if (!claim.signedHeaders.includes('host')) throw new SignatureError('unsigned_header', 'The host is not signed')
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-amz-') && !claim.signedHeaders.includes(name))
      throw new SignatureError('unsigned_header', 'There were headers present in the request which were not signed')
  const payload =
    request.payload ??
    String(
      (presigned ? fields.get('X-Amz-Content-Sha256') : request.headers['x-amz-content-sha256']) ?? 'UNSIGNED-PAYLOAD',
    )
  const signed = query.filter(([name]) => name !== 'X-Amz-Signature')
  const canonical = canonicalRequest(request, signed, claim.signedHeaders, payload)
  const expected = sign(key, [ALGORITHM, date, scope, sha256(canonical)].join('\n'))
  if (!sameSignature(expected, claim.signature))
    throw new SignatureError('mismatch', 'The request signature does not match')
  return { accessKeyId, region, date, scope, key, signature: expected, payload, presigned }
}
