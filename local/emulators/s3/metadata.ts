import { AwsError } from '../aws/errors.ts'
import { parseQuery } from '../aws/signature.ts'
import type { Context } from './context.ts'
import type { Bucket } from './store.ts'
import { child, childrenOf, childText, type Element, parseXml } from './xml.ts'

const kept = [
  'content-type',
  'content-disposition',
  'content-language',
  'content-encoding',
  'cache-control',
  'expires',
  'x-amz-storage-class',
  'x-amz-website-redirect-location',
]
const encryption = 'x-amz-server-side-encryption'
const encryptionHeaders = [encryption, `${encryption}-aws-kms-key-id`, `${encryption}-bucket-key-enabled`]

/** The encryption that a bucket gives to objects that don't ask for another. */
function bucketEncryption(bucket: Bucket): Record<string, string> {
  const document = bucket.settings.encryption
  const rule =
    document === undefined ? undefined : child(parseXml(document, 'ServerSideEncryptionConfiguration'), 'Rule')
  const byDefault = child(rule, 'ApplyServerSideEncryptionByDefault')
  const key = childText(byDefault, 'KMSMasterKeyID')
  return {
    [encryption]: childText(byDefault, 'SSEAlgorithm') ?? 'AES256',
    ...(key ? { [`${encryption}-aws-kms-key-id`]: key } : {}),
  }
}

/** The headers of an object's encryption, for answers to writes. */
export const encryptionOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(encryption)))

/** What a write says of its object: the headers that come back with it. */
export function readHeaders(
  bucket: Bucket,
  header: (name: string) => string | undefined,
  names: string[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of [...kept, ...names.filter(name => name.startsWith('x-amz-meta-'))]) {
    const value = header(name)
    // The framing of the request is no property of the object.
    const own =
      name === 'content-encoding' ? value?.replace(/(^|,)\s*aws-chunked\s*(,|$)/, '$2').replace(/^,\s*/, '') : value
    if (own) headers[name] = own
  }
  headers['content-type'] ??= 'binary/octet-stream'
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'))
  if (metadata.reduce((size, [name, value]) => size + name.length - 11 + Buffer.byteLength(value), 0) > 2048)
    throw new AwsError('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size')
  const wanted = header(encryption)
  if (wanted !== undefined && wanted !== 'AES256' && wanted !== 'aws:kms' && wanted !== 'aws:kms:dsse')
    throw new AwsError('InvalidEncryptionAlgorithmError', 'The encryption method specified is not supported')
  if (header(`${encryption}-customer-algorithm`) !== undefined)
    throw new AwsError('NotImplemented', 'Encryption with keys of the customer is not supported here', 501)
  if (wanted === undefined) return { ...headers, ...bucketEncryption(bucket) }
  for (const name of encryptionHeaders) {
    const value = header(name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

/** What the request of a context says of its object. */
export const requestHeaders = (context: Context) =>
  readHeaders(context.store.bucket(context.bucket), context.header, Object.keys(context.request.headers))

function checkTags(tags: [string, string][]): Record<string, string> {
  if (tags.length > 10) throw new AwsError('BadRequest', 'Object tags cannot be greater than 10')
  if (
    new Set(tags.map(([name]) => name)).size < tags.length ||
    tags.some(([name, value]) => !name || name.length > 128 || value.length > 256)
  )
    throw new AwsError('InvalidTag', 'The tag provided was not a valid tag.')
  return Object.fromEntries(tags)
}

/** Tags in the header of a write, written like a query. */
export const readTagHeader = (header: string | undefined) => checkTags(header ? parseQuery(header) : [])

/** Tags in an XML document. */
export function readTagSet(tagging: Element): Record<string, string> {
  const tags = childrenOf(child(tagging, 'TagSet'), 'Tag')
  return checkTags(tags.map(tag => [childText(tag, 'Key') ?? '', childText(tag, 'Value') ?? '']))
}
