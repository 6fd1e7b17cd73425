import { AwsError } from '../aws/errors.ts'
import { type Context, isBucketName, isoDate, type S3Operation } from './context.ts'
import { openPayload, readText } from './payload.ts'
import { childText, parseXml, toXml } from './xml.ts'

/** A bucket's configuration that is kept as it was sent: its root element, IAM actions, and the error if there is none. */
interface Setting {
  root?: string
  action: string
  missing?: string
  deletable?: boolean
}

/** The configurations of a bucket by their name in the query. */
export const settings: Record<string, Setting> = {
  lifecycle: {
    root: 'LifecycleConfiguration',
    action: 'LifecycleConfiguration',
    missing: 'NoSuchLifecycleConfiguration',
    deletable: true,
  },
  cors: { root: 'CORSConfiguration', action: 'BucketCORS', missing: 'NoSuchCORSConfiguration', deletable: true },
  encryption: {
    root: 'ServerSideEncryptionConfiguration',
    action: 'EncryptionConfiguration',
    missing: 'ServerSideEncryptionConfigurationNotFoundError',
    deletable: true,
  },
  publicAccessBlock: {
    root: 'PublicAccessBlockConfiguration',
    action: 'BucketPublicAccessBlock',
    missing: 'NoSuchPublicAccessBlockConfiguration',
    deletable: true,
  },
  ownershipControls: {
    root: 'OwnershipControls',
    action: 'BucketOwnershipControls',
    missing: 'OwnershipControlsNotFoundError',
    deletable: true,
  },
  notification: { root: 'NotificationConfiguration', action: 'BucketNotification' },
  tagging: { root: 'Tagging', action: 'BucketTagging', missing: 'NoSuchTagSet', deletable: true },
  policy: { action: 'BucketPolicy', missing: 'NoSuchBucketPolicy', deletable: true },
  versioning: { root: 'VersioningConfiguration', action: 'BucketVersioning' },
}

const createBucket: S3Operation = async context => {
  const { store, bucket: name } = context
  context.authorize('CreateBucket', name)
  if (!isBucketName(name)) throw new AwsError('InvalidBucketName', 'The specified bucket is not valid.')
  const document = await readText(openPayload(context.request, context.signer))
  const region =
    (document && childText(parseXml(document, 'CreateBucketConfiguration'), 'LocationConstraint')) ||
    context.signer!.region
  if (store.buckets().some(bucket => bucket.name === name))
    throw new AwsError(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      409,
    )
  store.saveBucket({ name, region, created: store.now(), settings: {} })
  return { status: 200, headers: { location: `/${name}` } }
}

const headBucket: S3Operation = context => {
  context.authorize('ListBucket', context.bucket)
  return { status: 200, headers: { 'x-amz-bucket-region': context.store.bucket(context.bucket).region } }
}

const deleteBucket: S3Operation = context => {
  context.authorize('DeleteBucket', context.bucket)
  context.store.removeBucket(context.store.bucket(context.bucket))
  return { status: 204 }
}

const listBuckets: S3Operation = context => {
  context.authorize('ListAllMyBuckets', '*')
  const Bucket = context.store.buckets().map(({ name, created }) => ({ Name: name, CreationDate: isoDate(created) }))
  return {
    status: 200,
    body: toXml('ListAllMyBucketsResult', { Owner: { ID: 'local', DisplayName: 'local' }, Buckets: { Bucket } }),
  }
}

const getLocation: S3Operation = context => {
  context.authorize('GetBucketLocation', context.bucket)
  const { region } = context.store.bucket(context.bucket)
  return { status: 200, body: toXml('LocationConstraint', region === 'us-east-1' ? '' : region) }
}

function settingOf({ query }: Context): [name: string, setting: Setting] {
  const found = Object.entries(settings).find(([name]) => query.has(name))
  if (!found) throw new AwsError('NotImplemented', 'This configuration is not supported here', 501)
  return found
}

const getSetting: S3Operation = context => {
  const [name, { root, action, missing }] = settingOf(context)
  context.authorize(`Get${action}`, context.bucket)
  const document = context.store.bucket(context.bucket).settings[name]
  if (document === undefined && missing) throw new AwsError(missing, 'The configuration does not exist', 404)
  return {
    status: 200,
    headers: root ? {} : { 'content-type': 'application/json' },
    body: document ?? toXml(root!, ''),
  }
}

const putSetting: S3Operation = async context => {
  const { store, bucket: name } = context
  const [setting, { root, action }] = settingOf(context)
  context.authorize(`Put${action}`, name)
  store.bucket(name)
  const document = await readText(openPayload(context.request, context.signer))
  if (root) {
    const status = childText(parseXml(document, root), 'Status')
    if (setting === 'versioning' && status === 'Enabled')
      throw new AwsError('NotImplemented', 'Versioning is not supported here', 501)
  } else
    try {
      JSON.parse(document)
    } catch {
      throw new AwsError('MalformedPolicy', 'Policies must be valid JSON')
    }
  const bucket = store.bucket(name)
  store.saveBucket({ ...bucket, settings: { ...bucket.settings, [setting]: document } })
  return { status: setting === 'policy' || setting === 'tagging' ? 204 : 200 }
}

const deleteSetting: S3Operation = context => {
  const [name, { action, deletable }] = settingOf(context)
  context.authorize(name === 'policy' ? 'DeleteBucketPolicy' : `Put${action}`, context.bucket)
  if (!deletable)
    throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405)
  const bucket = context.store.bucket(context.bucket)
  const { [name]: _, ...rest } = bucket.settings
  context.store.saveBucket({ ...bucket, settings: rest })
  return { status: 204 }
}

/** Operations on buckets and their configurations. */
export const bucketOperations = {
  CreateBucket: createBucket,
  HeadBucket: headBucket,
  DeleteBucket: deleteBucket,
  ListBuckets: listBuckets,
  GetBucketLocation: getLocation,
  GetBucketSetting: getSetting,
  PutBucketSetting: putSetting,
  DeleteBucketSetting: deleteSetting,
} satisfies Record<string, S3Operation>
