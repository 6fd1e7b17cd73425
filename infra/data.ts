import { type CfnElement, Duration, RemovalPolicy } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import * as kms from 'aws-cdk-lib/aws-kms'
import * as s3 from 'aws-cdk-lib/aws-s3'
import type * as sqs from 'aws-cdk-lib/aws-sqs'
import type { Construct, IConstruct } from 'constructs'
import {
  type BucketName,
  buckets,
  type KeyName,
  listFields,
  listIndexes,
  type QueueName,
  type TableName,
  tables,
} from '../shared/settings.ts'
import type { Config } from './config.ts'

/** What the service keeps its data in. */
export type Data = {
  keys: Record<KeyName, kms.Key>
  tables: Record<TableName, dynamodb.Table>
  buckets: Record<BucketName, s3.Bucket>
}

/** `uploads` becomes `Uploads`, `dead-letters` becomes `DeadLetters`. */
export const pascal = (name: string) =>
  name.replace(/(^|[^a-z0-9])([a-z0-9])/gi, (_, __, letter) => letter.toUpperCase())

/** Fixes the logical id of something that holds data, so that no refactoring ever replaces it. */
export function pin<T extends IConstruct>(construct: T): T {
  const resource = construct.node.defaultChild as CfnElement
  resource.overrideLogicalId(construct.node.id)
  return construct
}

/** The keys, tables and buckets of the service. */
export function createData(scope: Construct, config: Config): Data {
  const removalPolicy = config.removalPolicy === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN
  const keys = createKeys(scope, config, removalPolicy)
  const entries = Object.keys(tables).map(name => {
    return [name, createTable(scope, name as TableName, keys.data, removalPolicy)] as const
  })
  return {
    keys,
    tables: Object.fromEntries(entries) as Data['tables'],
    buckets: Object.fromEntries(
      buckets.map(name => [name, createBucket(scope, name, keys.data, config, removalPolicy)]),
    ) as Data['buckets'],
  }
}

/** For how long a table of wrapped data keys can be had back as it was, days. */
const KEY_RECOVERY_DAYS = 7

/** The key that certificates are signed with: a new one beside the old with each number that the operator counts up. */
function createCertificateKey(scope: Construct, { certificateKey }: Config, removalPolicy: RemovalPolicy): kms.Key {
  return new kms.Key(scope, `KeyCertificates${certificateKey === 1 ? '' : certificateKey}`, {
    description: 'Signs the certificates of jobs of the anonymisation service',
    keySpec: kms.KeySpec.ECC_NIST_P256,
    keyUsage: kms.KeyUsage.SIGN_VERIFY,
    removalPolicy,
  })
}

function createKeys(scope: Construct, config: Config, removalPolicy: RemovalPolicy): Record<KeyName, kms.Key> {
  const data = new kms.Key(scope, 'KeyData', {
    description: 'Encrypts the data of the anonymisation service at rest, and the secrets of sources',
    enableKeyRotation: true,
    removalPolicy,
  })
  const tokens = new kms.Key(scope, 'KeyTokens', {
    description: 'Signs the access tokens of the anonymisation service',
    keySpec: kms.KeySpec.ECC_NIST_P256,
    keyUsage: kms.KeyUsage.SIGN_VERIFY,
    removalPolicy,
  })
  const hash = new kms.Key(scope, 'KeyHash', {
    description: 'Derives the secrets behind hashes and pseudonyms of the anonymisation service',
    keySpec: kms.KeySpec.HMAC_256,
    keyUsage: kms.KeyUsage.GENERATE_VERIFY_MAC,
    removalPolicy,
  })
  const audit = new kms.Key(scope, 'KeyAudit', {
    description: 'Signs the audit trail of the anonymisation service',
    keySpec: kms.KeySpec.ECC_NIST_P256,
    keyUsage: kms.KeyUsage.SIGN_VERIFY,
    removalPolicy,
  })
  const wrapping = new kms.Key(scope, 'KeyWrapping', {
    description: 'Wraps the data keys of reversible replacements of the anonymisation service',
    enableKeyRotation: true,
    removalPolicy,
  })
  const certificates = createCertificateKey(scope, config, removalPolicy)
  const transparency = new kms.Key(scope, 'KeyTransparency', {
    description: 'Signs the log of certificates and of the audit trail of the anonymisation service',
    keySpec: kms.KeySpec.ECC_NIST_EDWARDS25519,
    keyUsage: kms.KeyUsage.SIGN_VERIFY,
    removalPolicy,
  })
  const own = { tokens: pin(tokens), hash: pin(hash), audit: pin(audit), wrapping: pin(wrapping) }
  return { data: pin(data), ...own, certificates: pin(certificates), transparency: pin(transparency) }
}

function createTable(scope: Construct, name: TableName, key: kms.Key, removalPolicy: RemovalPolicy) {
  const text = (attribute: string) => ({ name: attribute, type: dynamodb.AttributeType.STRING })
  // Not TableV2: with a key of one's own it can't be synthesised without a fixed region.
  const table = new dynamodb.Table(scope, `Table${pascal(name)}`, {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    timeToLiveAttribute: 'ttl',
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
    encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: true,
      // A data key that was destroyed must not be had back from a backup for longer than this.
      ...(name === 'keys' && { recoveryPeriodInDays: KEY_RECOVERY_DAYS }),
    },
    deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
    removalPolicy,
  })
  if (tables[name].list) {
    for (const [indexName, index] of Object.entries(listIndexes)) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: dynamodb.ProjectionType.INCLUDE,
        nonKeyAttributes: [...listFields],
      })
    }
  }
  return pin(table)
}

/** For how long nobody may change or remove what is written to the log. S3 locks versions, so all are kept. */
function lockOf({ transparencyLock, transparencyLockDays }: Config): Partial<s3.BucketProps> {
  if (transparencyLock === 'none') return {}
  const days = Duration.days(transparencyLockDays)
  const retention =
    transparencyLock === 'compliance'
      ? s3.ObjectLockRetention.compliance(days)
      : s3.ObjectLockRetention.governance(days)
  return { versioned: true, objectLockEnabled: true, objectLockDefaultRetention: retention }
}

function createBucket(
  scope: Construct,
  name: BucketName,
  encryptionKey: kms.Key,
  config: Config,
  removalPolicy: RemovalPolicy,
) {
  const { RETENTION_DAYS } = config.settings
  const passing = name === 'uploads' || name === 'results'
  const bucket = new s3.Bucket(scope, `Bucket${pascal(name)}`, {
    encryption: s3.BucketEncryption.KMS,
    encryptionKey,
    bucketKeyEnabled: true,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy,
    ...(name === 'transparency' && lockOf(config)),
    lifecycleRules: [
      { id: 'abandoned', abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ...(passing ? [{ id: 'retention', expiration: Duration.days(RETENTION_DAYS) }] : []),
    ],
    // The console's page is one of them, and its address is known only when the API stands. What lets anybody in is a
    // pre-signed URL, which names one object and one method, and no cookie.
    cors: passing
      ? [
          {
            allowedMethods: [s3.HttpMethods.GET, s3.HttpMethods.PUT, s3.HttpMethods.HEAD],
            allowedOrigins: ['*'],
            allowedHeaders: ['*'],
            exposedHeaders: ['ETag'],
            maxAge: 3600,
          },
        ]
      : [],
  })
  return pin(bucket)
}

/**
 * The queues of the service, the one that takes what failed too often, and, where the operator has drop buckets, the one of the
 * objects that arrive there.
 */
export type Queues = Record<QueueName | 'dead', sqs.Queue> & { arrivals?: sqs.Queue }
