import * as dynamodb from '@aws-sdk/client-dynamodb'
import * as kms from '@aws-sdk/client-kms'
import * as s3 from '@aws-sdk/client-s3'
import * as sqs from '@aws-sdk/client-sqs'
import type { Access } from 'aws-emulators'
import { startDynamoDB, startKMS, startS3, startSQS } from 'aws-emulators'
import { describe, expect, test } from 'vitest'
import { clientFor, emulated } from './emulated.ts'

type Commands = Record<string, new (input: never) => never>
type Calls = [operation: string, input: object, permissions: string[]][]

const S = (text: string) => ({ S: text })
const table = 'arn:aws:dynamodb:eu-central-1:000000000000:table/t-1'
const keySchema = { AttributeName: 'pk', KeyType: 'HASH' as const }
const tableDefinition = {
  TableName: 't-1',
  KeySchema: [keySchema],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' as const },
    { AttributeName: 'o', AttributeType: 'S' as const },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byO',
      KeySchema: [{ AttributeName: 'o', KeyType: 'HASH' as const }],
      Projection: { ProjectionType: 'ALL' as const },
    },
  ],
  BillingMode: 'PAY_PER_REQUEST' as const,
}
const one = { TableName: 't-1', Key: { pk: S('a') } }
const query = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('a') } }
const onTable = (action: string) => [`${action} ${table}`]

/** What each operation needs, as IAM has it: the action and the resource. */
const dynamodbCalls: Calls = [
  ['DescribeTable', { TableName: 't-1' }, onTable('DescribeTable')],
  [
    'CreateTable',
    { ...tableDefinition, TableName: 't-2' },
    ['CreateTable arn:aws:dynamodb:eu-central-1:000000000000:table/t-2'],
  ],
  ['ListTables', {}, ['ListTables *']],
  ['UpdateTable', { TableName: 't-1', DeletionProtectionEnabled: true }, onTable('UpdateTable')],
  [
    'UpdateTimeToLive',
    { TableName: 't-1', TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } },
    onTable('UpdateTimeToLive'),
  ],
  ['DescribeTimeToLive', { TableName: 't-1' }, onTable('DescribeTimeToLive')],
  [
    'UpdateContinuousBackups',
    { TableName: 't-1', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    onTable('UpdateContinuousBackups'),
  ],
  ['DescribeContinuousBackups', { TableName: 't-1' }, onTable('DescribeContinuousBackups')],
  ['TagResource', { ResourceArn: table, Tags: [{ Key: 'a', Value: 'b' }] }, onTable('TagResource')],
  ['UntagResource', { ResourceArn: table, TagKeys: ['a'] }, onTable('UntagResource')],
  ['ListTagsOfResource', { ResourceArn: table }, onTable('ListTagsOfResource')],
  ['PutItem', { TableName: 't-1', Item: { pk: S('a') } }, onTable('PutItem')],
  ['GetItem', one, onTable('GetItem')],
  ['UpdateItem', { ...one, UpdateExpression: 'SET a = pk' }, onTable('UpdateItem')],
  ['DeleteItem', one, onTable('DeleteItem')],
  ['Query', { TableName: 't-1', ...query }, onTable('Query')],
  [
    'Query',
    { TableName: 't-1', IndexName: 'byO', ...query, KeyConditionExpression: 'o = :p' },
    [`Query ${table}/index/byO`],
  ],
  ['Scan', { TableName: 't-1' }, onTable('Scan')],
  ['BatchGetItem', { RequestItems: { 't-1': { Keys: [{ pk: S('a') }] } } }, onTable('BatchGetItem')],
  [
    'BatchWriteItem',
    { RequestItems: { 't-1': [{ PutRequest: { Item: { pk: S('a') } } }] } },
    onTable('BatchWriteItem'),
  ],
  ['TransactGetItems', { TransactItems: [{ Get: one }] }, onTable('GetItem')],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 't-1', Item: { pk: S('1') } } },
        { Update: { TableName: 't-1', Key: { pk: S('2') }, UpdateExpression: 'SET a = pk' } },
        { Delete: { TableName: 't-1', Key: { pk: S('3') } } },
        { ConditionCheck: { TableName: 't-1', Key: { pk: S('4') }, ConditionExpression: 'attribute_not_exists(pk)' } },
      ],
    },
    ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(action => `${action} ${table}`),
  ],
  ['DeleteTable', { TableName: 't-1' }, onTable('DeleteTable')],
]

const object = { Bucket: 'bucket-1', Key: 'a/b' }
const onObject = (action: string) => [`${action} arn:aws:s3:::bucket-1/a/b`]
const onBucket = (action: string) => [`${action} arn:aws:s3:::bucket-1`]
const upload = { ...object, UploadId: 'x' }
const s3Calls: Calls = [
  ['ListBuckets', {}, ['ListAllMyBuckets *']],
  ['CreateBucket', { Bucket: 'bucket-2' }, ['CreateBucket arn:aws:s3:::bucket-2']],
  ['HeadBucket', { Bucket: 'bucket-1' }, onBucket('ListBucket')],
  ['ListObjectsV2', { Bucket: 'bucket-1' }, onBucket('ListBucket')],
  ['PutObject', { ...object, Body: 'x' }, onObject('PutObject')],
  ['PutObject', { ...object, Body: 'x', Tagging: 'a=b' }, [...onObject('PutObject'), ...onObject('PutObjectTagging')]],
  ['GetObject', object, onObject('GetObject')],
  ['HeadObject', object, onObject('GetObject')],
  [
    'GetObject',
    { Bucket: 'bucket-1', Key: 'none' },
    ['GetObject arn:aws:s3:::bucket-1/none', ...onBucket('ListBucket')],
  ],
  [
    'GetObjectAttributes',
    { ...object, ObjectAttributes: ['ETag'] },
    [...onObject('GetObject'), ...onObject('GetObjectAttributes')],
  ],
  [
    'CopyObject',
    { ...object, Key: 'c', CopySource: 'bucket-1/a/b' },
    ['PutObject arn:aws:s3:::bucket-1/c', ...onObject('GetObject')],
  ],
  ['PutObjectTagging', { ...object, Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } }, onObject('PutObjectTagging')],
  ['GetObjectTagging', object, onObject('GetObjectTagging')],
  ['DeleteObjectTagging', object, onObject('DeleteObjectTagging')],
  ['CreateMultipartUpload', object, onObject('PutObject')],
  ['UploadPart', { ...upload, PartNumber: 1, Body: 'x' }, onObject('PutObject')],
  ['UploadPartCopy', { ...upload, PartNumber: 1, CopySource: 'bucket-1/a/b' }, onObject('PutObject')],
  [
    'CompleteMultipartUpload',
    { ...upload, MultipartUpload: { Parts: [{ PartNumber: 1, ETag: 'x' }] } },
    onObject('PutObject'),
  ],
  ['AbortMultipartUpload', upload, onObject('AbortMultipartUpload')],
  ['ListParts', upload, onObject('ListMultipartUploadParts')],
  ['ListMultipartUploads', { Bucket: 'bucket-1' }, onBucket('ListBucketMultipartUploads')],
  ['GetBucketLocation', { Bucket: 'bucket-1' }, onBucket('GetBucketLocation')],
  ['PutBucketPolicy', { Bucket: 'bucket-1', Policy: '{}' }, onBucket('PutBucketPolicy')],
  ['GetBucketPolicy', { Bucket: 'bucket-1' }, onBucket('GetBucketPolicy')],
  ['DeleteBucketPolicy', { Bucket: 'bucket-1' }, onBucket('DeleteBucketPolicy')],
  ['GetBucketLifecycleConfiguration', { Bucket: 'bucket-1' }, onBucket('GetLifecycleConfiguration')],
  ['DeleteBucketCors', { Bucket: 'bucket-1' }, onBucket('PutBucketCORS')],
  ['DeleteObject', object, onObject('DeleteObject')],
  ['DeleteBucket', { Bucket: 'bucket-1' }, onBucket('DeleteBucket')],
]

const queue = 'arn:aws:sqs:eu-central-1:000000000000:q-1'
const QueueUrl = 'http://127.0.0.1/000000000000/q-1'
const onQueue = (action: string) => [`${action} ${queue}`]
const entry = { Id: 'a', ReceiptHandle: 'x' }
const sqsCalls: Calls = [
  ['CreateQueue', { QueueName: 'q-2' }, ['CreateQueue arn:aws:sqs:eu-central-1:000000000000:q-2']],
  ['GetQueueUrl', { QueueName: 'q-1' }, onQueue('GetQueueUrl')],
  ['ListQueues', {}, ['ListQueues *']],
  ['GetQueueAttributes', { QueueUrl }, onQueue('GetQueueAttributes')],
  ['SetQueueAttributes', { QueueUrl, Attributes: {} }, onQueue('SetQueueAttributes')],
  ['TagQueue', { QueueUrl, Tags: { a: 'b' } }, onQueue('TagQueue')],
  ['UntagQueue', { QueueUrl, TagKeys: ['a'] }, onQueue('UntagQueue')],
  ['ListQueueTags', { QueueUrl }, onQueue('ListQueueTags')],
  ['ListDeadLetterSourceQueues', { QueueUrl }, onQueue('ListDeadLetterSourceQueues')],
  ['SendMessage', { QueueUrl, MessageBody: 'x' }, onQueue('SendMessage')],
  ['SendMessageBatch', { QueueUrl, Entries: [{ Id: 'a', MessageBody: 'x' }] }, onQueue('SendMessage')],
  ['ReceiveMessage', { QueueUrl }, onQueue('ReceiveMessage')],
  ['DeleteMessage', { QueueUrl, ReceiptHandle: 'x' }, onQueue('DeleteMessage')],
  ['DeleteMessageBatch', { QueueUrl, Entries: [entry] }, onQueue('DeleteMessage')],
  [
    'ChangeMessageVisibility',
    { QueueUrl, ReceiptHandle: 'x', VisibilityTimeout: 1 },
    onQueue('ChangeMessageVisibility'),
  ],
  [
    'ChangeMessageVisibilityBatch',
    { QueueUrl, Entries: [{ ...entry, VisibilityTimeout: 1 }] },
    onQueue('ChangeMessageVisibility'),
  ],
  ['StartMessageMoveTask', { SourceArn: queue }, onQueue('StartMessageMoveTask')],
  ['ListMessageMoveTasks', { SourceArn: queue }, onQueue('ListMessageMoveTasks')],
  ['PurgeQueue', { QueueUrl }, onQueue('PurgeQueue')],
  ['DeleteQueue', { QueueUrl }, onQueue('DeleteQueue')],
]

const KeyId = 'KEY'
const onKey = (action: string) => [`${action} KEY`]
const bytes = new Uint8Array([1])
const kmsCalls: Calls = [
  ['CreateKey', {}, ['CreateKey *']],
  ['ListKeys', {}, ['ListKeys *']],
  ['ListAliases', {}, ['ListAliases *']],
  ['GenerateRandom', { NumberOfBytes: 1 }, ['GenerateRandom *']],
  ...[
    'DescribeKey',
    'EnableKey',
    'DisableKey',
    'CancelKeyDeletion',
    'EnableKeyRotation',
    'DisableKeyRotation',
    'GetKeyRotationStatus',
    'GetKeyPolicy',
    'ListResourceTags',
    'GetPublicKey',
    'ScheduleKeyDeletion',
  ].map((name): Calls[number] => [name, { KeyId }, onKey(name)]),
  ['PutKeyPolicy', { KeyId, Policy: '{}' }, onKey('PutKeyPolicy')],
  ['TagResource', { KeyId, Tags: [{ TagKey: 'a', TagValue: 'b' }] }, onKey('TagResource')],
  ['CreateAlias', { AliasName: 'alias/a', TargetKeyId: KeyId }, onKey('CreateAlias')],
  ['UpdateAlias', { AliasName: 'alias/made', TargetKeyId: KeyId }, onKey('UpdateAlias')],
  ['DeleteAlias', { AliasName: 'alias/made' }, onKey('DeleteAlias')],
  ['Encrypt', { KeyId, Plaintext: bytes, EncryptionContext: { source: '1' } }, onKey('Encrypt')],
  ['GenerateDataKey', { KeyId, KeySpec: 'AES_256' }, onKey('GenerateDataKey')],
  ['GenerateDataKeyWithoutPlaintext', { KeyId, KeySpec: 'AES_256' }, onKey('GenerateDataKeyWithoutPlaintext')],
  ['Sign', { KeyId, Message: bytes, SigningAlgorithm: 'ECDSA_SHA_256' }, onKey('Sign')],
  ['Verify', { KeyId, Message: bytes, Signature: bytes, SigningAlgorithm: 'ECDSA_SHA_256' }, onKey('Verify')],
  ['GenerateMac', { KeyId, Message: bytes, MacAlgorithm: 'HMAC_SHA_256' }, onKey('GenerateMac')],
  ['VerifyMac', { KeyId, Message: bytes, Mac: bytes, MacAlgorithm: 'HMAC_SHA_256' }, onKey('VerifyMac')],
]

const services = {
  dynamodb: {
    ...{
      start: startDynamoDB,
      sdk: dynamodb,
      Client: dynamodb.DynamoDBClient,
      calls: dynamodbCalls,
      denied: 'AccessDeniedException',
    },
    prepare: [['CreateTable', tableDefinition]],
  },
  s3: {
    ...{ start: startS3, sdk: s3, Client: s3.S3Client, calls: s3Calls, denied: 'AccessDenied' },
    prepare: [
      ['CreateBucket', { Bucket: 'bucket-1' }],
      ['PutObject', { ...object, Body: 'kept' }],
    ],
  },
  sqs: {
    ...{ start: startSQS, sdk: sqs, Client: sqs.SQSClient, calls: sqsCalls, denied: 'AccessDenied' },
    prepare: [['CreateQueue', { QueueName: 'q-1' }]],
  },
  kms: {
    ...{ start: startKMS, sdk: kms, Client: kms.KMSClient, calls: kmsCalls, denied: 'AccessDeniedException' },
    prepare: [
      ['CreateKey', {}],
      ['CreateAlias', { AliasName: 'alias/made', TargetKeyId: KeyId }],
    ],
  },
} as const

const spelt = ({ action, resource }: Access) => `${action} ${resource}`

/** A copy of an input in which the word KEY stands for a key's ARN. */
function withKey(value: unknown, arn: string): unknown {
  if (value === KeyId) return arn
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(item => withKey(item, arn))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withKey(item, arn)]))
}

describe.each(Object.entries(services))('%s', (service, { start, sdk, Client, calls, denied, prepare }) => {
  test('asks for exactly what each operation needs, and denies it without any part of that', async () => {
    let asked: Access[] = []
    let allow: (permission: string) => boolean = () => true
    const emulator = await emulated(start, { authorize: access => asked.push(access) > 0 && allow(spelt(access)) })
    const client = new Client(clientFor(emulator)) as { send(command: never): Promise<Record<string, unknown>> }
    let arn = ''
    const send = (operation: string, input: object) =>
      client.send(new (sdk as unknown as Commands)[`${operation}Command`]!(withKey(input, arn) as never))
    for (const [operation, input] of prepare) {
      const made = (await send(operation, input)) as { KeyMetadata?: { Arn: string } }
      arn ||= made.KeyMetadata?.Arn ?? ''
    }
    for (const [operation, input, permissions] of calls) {
      const wanted = [...new Set(permissions.map(permission => permission.replace(/KEY$/, arn)))]
      for (const missing of wanted) {
        allow = permission => permission !== missing
        // The answer to a HEAD has no body, so the SDK knows the status only.
        const refusal = operation.startsWith('Head')
          ? { $metadata: expect.objectContaining({ httpStatusCode: 403 }) }
          : { name: denied }
        await expect(send(operation, input), `${operation} without ${missing}`).rejects.toThrow(
          expect.objectContaining(refusal),
        )
      }
      allow = () => true
      asked = []
      await send(operation, input).catch(() => undefined)
      expect([...new Set(asked.map(spelt))], operation).toEqual(wanted)
      expect(asked.every(access => access.service === service && access.accessKeyId === 'local')).toBe(true)
      if (operation === 'Encrypt') expect(asked[0]!.conditions).toEqual({ 'kms:EncryptionContext:source': '1' })
    }
  })
})
