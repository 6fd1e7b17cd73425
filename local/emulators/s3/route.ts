import { AwsError } from '../aws/errors.ts'
import { bucketOperations, settings } from './buckets.ts'
import type { S3Operation, Target } from './context.ts'
import { copyObject } from './copy.ts'
import { listObjects } from './listing.ts'
import { multipartOperations } from './multipart.ts'
import { objectOperations } from './objects.ts'

const operations = {
  ...bucketOperations,
  ...objectOperations,
  ...multipartOperations,
  CopyObject: copyObject,
  ListObjectsV2: listObjects,
}
type Name = keyof typeof operations

// What S3 tells operations apart by, besides the method: fields of the query that name a part of a bucket or an object.
const objectRoutes: Record<string, Name> = {
  'GET uploadId': 'ListParts',
  'PUT uploadId': 'UploadPart',
  'POST uploadId': 'CompleteMultipartUpload',
  'DELETE uploadId': 'AbortMultipartUpload',
  'POST uploads': 'CreateMultipartUpload',
  'GET tagging': 'GetObjectTagging',
  'PUT tagging': 'PutObjectTagging',
  'DELETE tagging': 'DeleteObjectTagging',
  'GET attributes': 'GetObjectAttributes',
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
}
const bucketRoutes: Record<string, Name> = {
  'GET uploads': 'ListMultipartUploads',
  'GET location': 'GetBucketLocation',
  'POST delete': 'DeleteObjects',
  ...Object.fromEntries(
    Object.keys(settings).flatMap((name): [string, Name][] => [
      [`GET ${name}`, 'GetBucketSetting'],
      [`PUT ${name}`, 'PutBucketSetting'],
      [`DELETE ${name}`, 'DeleteBucketSetting'],
    ]),
  ),
  GET: 'ListObjectsV2',
  HEAD: 'HeadBucket',
  PUT: 'CreateBucket',
  DELETE: 'DeleteBucket',
}

// Every field of a query that names a part; one that isn't known here must not be taken for the whole.
const parts = new Set([
  ...Object.keys(settings),
  ...[
    'uploadId',
    'uploads',
    'attributes',
    'location',
    'delete',
    'acl',
    'versions',
    'versionId',
    'torrent',
    'restore',
    'select',
  ],
  ...[
    'retention',
    'legal-hold',
    'object-lock',
    'replication',
    'website',
    'logging',
    'analytics',
    'inventory',
    'metrics',
  ],
  ...['accelerate', 'requestPayment', 'policyStatus', 'intelligent-tiering', 'renameObject', 'session', 'append'],
])

/** The operation that a request is for; throws `NotImplemented` for what S3 has and the emulator hasn't. */
export function route(
  method: string,
  { bucket, key, query }: Target,
  isCopy: boolean,
): { name: Name; run: S3Operation } {
  const part = [...query.keys()].find(name => parts.has(name))
  const routes = key === '' ? bucketRoutes : objectRoutes
  let name =
    bucket === ''
      ? method === 'GET' && part === undefined
        ? 'ListBuckets'
        : undefined
      : routes[part ? `${method} ${part}` : method]
  if (!name)
    throw new AwsError(
      'NotImplemented',
      'A header or query you provided implies functionality that is not implemented',
      501,
    )
  if (isCopy && name === 'PutObject') name = 'CopyObject'
  if (isCopy && name === 'UploadPart') name = 'UploadPartCopy'
  return { name, run: operations[name] }
}
