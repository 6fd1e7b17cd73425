import type { ServiceEvent } from '../events/start.ts'
import type { Target } from './context.ts'
import type { Bucket, StoredObject } from './store.ts'
import { child, parseXml } from './xml.ts'

/** What S3 calls the operations that bring an object, as a reason. */
const reasons: Record<string, string> = {
  PutObject: 'PutObject',
  PostObject: 'POST Object',
  CopyObject: 'CopyObject',
  CompleteMultipartUpload: 'CompleteMultipartUpload',
}

type Came = Pick<Target, 'key'> & { object: StoredObject; operation: string; requester: string; requestId: string }

/** What EventBridge is told of an object, where the notifications of its bucket go there and the operation has brought it. */
export function createdEvent(bucket: Bucket, { key, object, operation, ...request }: Came): ServiceEvent | undefined {
  const reason = reasons[operation]
  const { notification } = bucket.settings
  if (!reason || !notification) return undefined
  if (!child(parseXml(notification, 'NotificationConfiguration'), 'EventBridgeConfiguration')) return undefined
  const { size, etag, modified } = object
  return {
    source: 'aws.s3',
    'detail-type': 'Object Created',
    time: new Date(modified).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: bucket.region,
    resources: [`arn:aws:s3:::${bucket.name}`],
    detail: {
      version: '0',
      bucket: { name: bucket.name },
      object: { key, size, etag, sequencer: modified.toString(16).toUpperCase().padStart(16, '0') },
      'request-id': request.requestId,
      requester: request.requester,
      'source-ip-address': '127.0.0.1',
      reason,
    },
  }
}
