import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { AwsError } from '../aws/errors.ts'
import { openCredential, SignatureError, sameSignature, sign, signatureTime, type Verifier } from '../aws/signature.ts'
import { type Context, type Reply, resourceOf } from './context.ts'
import { encryptionOf, readHeaders } from './metadata.ts'
import { commit } from './objects.ts'
import { toXml } from './xml.ts'

/** A form as far as its file: the fields before it, and the file's bytes, which must be read. */
export interface Form {
  fields: Map<string, string>
  filename: string
  file: AsyncIterable<Buffer>
}

const denied = (message: string) => new AwsError('AccessDenied', `Invalid according to Policy: ${message}`, 403)

/** Reads a form up to its file; S3 ignores what comes behind it. */
export function readForm(request: IncomingMessage): Promise<Form> {
  return new Promise((resolve, reject) => {
    const malformed = () =>
      reject(
        new AwsError('MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.'),
      )
    const contentType = request.headers['content-type']
    if (!contentType) return malformed()
    const fields = new Map<string, string>()
    let parser: BusboyInstance
    try {
      parser = new Busboy({
        headers: { ...request.headers, 'content-type': contentType },
        limits: { fieldSize: 20 * 1024, fields: 100, files: 1, headerPairs: 100 },
      })
    } catch {
      return malformed()
    }
    parser.on('field', (name, value) => fields.set(name.toLowerCase(), value))
    parser.on('file', (name, file, filename) => {
      // A client that goes away must not leave us waiting for the rest.
      request.once('close', () => request.complete || file.destroy(new Error('The client went away')))
      if (name === 'file') resolve({ fields, filename: filename ?? '', file: file as AsyncIterable<Buffer> })
      else file.resume()
    })
    parser.on('error', malformed)
    parser.on('finish', malformed)
    request.on('error', malformed)
    request.pipe(parser)
  })
}

interface Policy {
  expiration?: unknown
  conditions?: unknown
}

type Condition = { name: string; value: string; prefix: boolean }

function readPolicy(encoded: string): { expires: number; conditions: Condition[]; least: number; most: number } {
  let policy: Policy
  try {
    policy = JSON.parse(Buffer.from(encoded, 'base64').toString()) as Policy
  } catch {
    throw new AwsError(
      'InvalidPolicyDocument',
      'The content of the form does not meet the conditions specified in the policy document.',
    )
  }
  const conditions: Condition[] = []
  let [least, most] = [0, 5 * 1024 ** 3]
  for (const entry of Array.isArray(policy.conditions) ? policy.conditions : [])
    if (Array.isArray(entry) && entry[0] === 'content-length-range')
      [least, most] = [Number(entry[1]), Number(entry[2])]
    else if (Array.isArray(entry) && (entry[0] === 'eq' || entry[0] === 'starts-with'))
      conditions.push({
        name: String(entry[1]).replace(/^\$/, '').toLowerCase(),
        value: String(entry[2]),
        prefix: entry[0] === 'starts-with',
      })
    else if (typeof entry === 'object' && entry !== null && !Array.isArray(entry))
      for (const [name, value] of Object.entries(entry))
        conditions.push({ name: name.toLowerCase(), value: String(value), prefix: false })
    else throw new AwsError('InvalidPolicyDocument', 'A condition of the policy is not valid')
  return { expires: Date.parse(String(policy.expiration)), conditions, least, most }
}

const needNoCondition = new Set(['x-amz-signature', 'policy', 'file'])

/** Checks the signature of a form's policy and every field against it; returns who signed and how large the file may be. */
export function checkForm(bucket: string, { fields }: Form, verifier: Verifier) {
  const encoded = fields.get('policy')
  const [credential, date, signature] = ['x-amz-credential', 'x-amz-date', 'x-amz-signature'].map(
    name => fields.get(name) ?? '',
  )
  if (!encoded || !signature) throw new AwsError('AccessDenied', 'Access Denied', 403)
  if (fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256' || Number.isNaN(signatureTime(date!)))
    throw new SignatureError('malformed', 'The form is not signed with AWS4-HMAC-SHA256')
  const { accessKeyId, region, key } = openCredential(credential!, date!, verifier)
  if (!sameSignature(sign(key, encoded), signature))
    throw new SignatureError('mismatch', 'The form signature does not match')
  const { expires, conditions, least, most } = readPolicy(encoded)
  if (!(verifier.now() < expires)) throw denied('Policy expired.')
  const actual = new Map([...fields, ['bucket', bucket]])
  for (const { name, value, prefix } of conditions) {
    const given = actual.get(name) ?? ''
    if (prefix ? !given.startsWith(value) : given !== value) throw denied(`Policy Condition failed: ${name}`)
  }
  const covered = new Set(conditions.map(({ name }) => name))
  const extra = [...fields.keys()].find(
    name => !covered.has(name) && !needNoCondition.has(name) && !name.startsWith('x-ignore-'),
  )
  if (extra) throw denied(`Extra input fields: ${extra}`)
  return { accessKeyId, region, least, most }
}

/** Stores the file of a form whose policy was checked. */
export async function postObject(context: Context, form: Form, least: number, most: number): Promise<Reply> {
  const { store } = context
  context.authorize('PutObject', resourceOf(context))
  const bucket = store.bucket(context.bucket)
  const headers = readHeaders(bucket, name => form.fields.get(name), [...form.fields.keys()])
  const md5 = createHash('md5')
  async function* limited() {
    let size = 0
    for await (const chunk of form.file) {
      size += chunk.length
      if (size > most) throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')
      md5.update(chunk)
      yield chunk
    }
    // The form may end before the request does.
    await finished(context.request, { writable: false }).catch(() => undefined)
    if (!context.request.complete) throw new AwsError('IncompleteBody', 'The request body terminated unexpectedly')
    if (size < least)
      throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  }
  const segment = await store.blobs.write(limited())
  const etag = md5.digest('hex')
  commit(
    context,
    { segments: [segment], size: segment.size, etag, modified: store.now(), headers, tags: {} },
    () => undefined,
  )
  const answer = { etag: `"${etag}"`, ...encryptionOf(headers) }
  const redirect = form.fields.get('success_action_redirect')
  if (redirect && URL.canParse(redirect)) return { status: 303, headers: { ...answer, location: redirect } }
  const status = form.fields.get('success_action_status')
  if (status === '200') return { status: 200, headers: answer }
  if (status !== '201') return { status: 204, headers: answer }
  const body = toXml('PostResponse', { Bucket: bucket.name, Key: context.key, ETag: `"${etag}"` })
  return { status: 201, headers: answer, body }
}
