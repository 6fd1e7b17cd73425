import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws/errors.ts'
import { type Signer, sameSignature, sign } from '../aws/signature.ts'
import { type Algorithm, algorithms, type Checksum, checksumHeader, type Running, startChecksum } from './checksum.ts'

const incomplete = () => new AwsError('IncompleteBody', 'The request body terminated unexpectedly')
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const MAX_LINE = 16 * 1024

/** What is known of a body after it was read to its end. */
interface Digests {
  md5: Buffer
  checksum?: Checksum
}

/** A request body, decoded: iterate over it, then ask for its digests. It throws in the end if it isn't what was promised. */
export interface Payload {
  chunks: AsyncIterable<Buffer>
  digests(): Digests
}

/** Takes the framing `aws-chunked` off a body and hands the trailers on. Source: AWS, "Signature calculations: chunked upload". */
async function* unframe(
  source: AsyncIterable<Buffer>,
  signer: Signer | undefined,
  onTrailers: (trailers: Map<string, string>) => void,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  const signed = signer?.payload.startsWith('STREAMING-AWS4-HMAC-SHA256') ?? false
  let previous = signer?.signature ?? ''
  let pending: Buffer = Buffer.alloc(0)

  const more = async () => {
    const { value, done } = await iterator.next()
    if (done) throw incomplete()
    pending = pending.length ? Buffer.concat([pending, value]) : value
  }
  const line = async (): Promise<string> => {
    for (;;) {
      const end = pending.indexOf('\r\n')
      if (end >= 0) {
        const text = pending.subarray(0, end).toString('latin1')
        pending = pending.subarray(end + 2)
        return text
      }
      if (pending.length > MAX_LINE) throw new AwsError('InvalidRequest', 'The chunked body is malformed')
      await more()
    }
  }
  const verify = (kind: 'PAYLOAD' | 'TRAILER', given: string | undefined, ...hashes: string[]) => {
    if (!signer || !signed) return
    const text = [`AWS4-HMAC-SHA256-${kind}`, signer.date, signer.scope, previous, ...hashes].join('\n')
    previous = sign(signer.key, text)
    if (!sameSignature(previous, given ?? ''))
      throw new AwsError('SignatureDoesNotMatch', 'The signature of a chunk does not match', 403)
  }

  for (;;) {
    const [, digits, signature] = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(await line()) ?? []
    if (digits === undefined) throw new AwsError('InvalidRequest', 'The chunked body is malformed')
    let left = Number.parseInt(digits, 16)
    const hash = signed ? createHash('sha256') : undefined
    const last = left === 0
    while (left > 0) {
      if (pending.length === 0) await more()
      const piece = pending.subarray(0, left)
      pending = pending.subarray(piece.length)
      left -= piece.length
      hash?.update(piece)
      yield piece
    }
    verify('PAYLOAD', signature, sha256(''), hash?.digest('hex') ?? '')
    if (last) break
    if ((await line()) !== '') throw new AwsError('InvalidRequest', 'The chunked body is malformed')
  }
  const trailers = new Map<string, string>()
  for (let text = await line(); text !== ''; text = await line()) {
    const at = text.indexOf(':')
    trailers.set(text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim())
    if (trailers.size > 20) throw new AwsError('InvalidRequest', 'The chunked body is malformed')
  }
  const signature = trailers.get('x-amz-trailer-signature')
  trailers.delete('x-amz-trailer-signature')
  if (signer?.payload.endsWith('-TRAILER'))
    verify('TRAILER', signature, sha256([...trailers].map(([name, value]) => `${name}:${value}\n`).join('')))
  onTrailers(trailers)
}

/** The checksum that a request announces: which, and its value unless that comes behind the body. */
function announced(request: IncomingMessage): { algorithm?: Algorithm; value?: string } {
  const header = (name: string) => request.headers[name]?.toString()
  const given = algorithms.filter(algorithm => header(checksumHeader(algorithm)) !== undefined)
  if (given.length > 1) throw new AwsError('InvalidRequest', 'Expecting a single x-amz-checksum- header')
  if (given[0]) return { algorithm: given[0], value: header(checksumHeader(given[0])) }
  const name = header('x-amz-trailer')?.replace(/^x-amz-checksum-/, '') ?? header('x-amz-sdk-checksum-algorithm')
  return { algorithm: algorithms.find(algorithm => algorithm === name?.toUpperCase()) }
}

/**
 * The body of a request. Whatever the request promises of it is checked: length, MD5, signed SHA-256, signatures of
 * chunks, checksums in headers and trailers. `fallback` is the checksum to compute if none is promised.
 */
export function openPayload(request: IncomingMessage, signer: Signer | undefined, fallback?: Algorithm): Payload {
  const framed = signer?.payload.startsWith('STREAMING-') ?? false
  const wanted = announced(request)
  const algorithm = wanted.algorithm ?? fallback
  const expected = { value: wanted.value }
  const length = request.headers[framed ? 'x-amz-decoded-content-length' : 'content-length']
  const md5 = createHash('md5')
  const running: Running | undefined = algorithm && startChecksum(algorithm)
  const sha: Hash | undefined = /^[0-9a-f]{64}$/.test(signer?.payload ?? '') ? createHash('sha256') : undefined
  let result: Digests | undefined

  function finish(size: number): void {
    if (length !== undefined && size !== Number(length)) throw incomplete()
    result = { md5: md5.digest() }
    const promised = request.headers['content-md5']
    if (promised !== undefined && Buffer.from(String(promised), 'base64').length !== 16)
      throw new AwsError('InvalidDigest', 'The Content-MD5 you specified is not valid.')
    if (promised !== undefined && promised !== result.md5.toString('base64'))
      throw new AwsError('BadDigest', 'The Content-MD5 you specified did not match what we received.')
    if (sha && sha.digest('hex') !== signer?.payload)
      throw new AwsError(
        'XAmzContentSHA256Mismatch',
        'The provided x-amz-content-sha256 header does not match what was computed.',
      )
    if (!algorithm || !running) return
    const value = running.digest().toString('base64')
    if (expected.value !== undefined && expected.value !== value)
      throw new AwsError('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
    result.checksum = { algorithm, value, type: 'FULL_OBJECT' }
  }

  async function* chunks(): AsyncGenerator<Buffer> {
    const raw = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    const source = framed
      ? unframe(raw, signer, trailers => {
          if (algorithm) expected.value ??= trailers.get(checksumHeader(algorithm))
        })
      : raw
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      md5.update(chunk)
      sha?.update(chunk)
      running?.update(chunk)
      yield chunk
    }
    finish(size)
  }

  return {
    chunks: chunks(),
    digests() {
      if (!result) throw new Error('The body was not read to its end')
      return result
    },
  }
}

/** A small body as text. */
export async function readText(payload: Payload, limit = 4 * 1024 * 1024): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload.chunks) {
    size += chunk.length
    if (size > limit) throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
