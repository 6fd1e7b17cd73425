/** What a suite of the conformance checks is about. */
export type Suite = 'ddb' | 's3' | 'sqs'

/** The servers that are checked, by the name of their misses: for which services they speak, and what else runs on them. */
export const engines: Record<string, { name: string; suites: Suite[]; stack: string }> = {
  own: { name: 'local cloud', suites: ['ddb', 's3', 'sqs'], stack: 'every test that does not name another server' },
  dynoxide: { name: 'dynoxide', suites: ['ddb'], stack: '' },
  'dynamodb-local': { name: "AWS's DynamoDB Local", suites: ['ddb'], stack: '`test/store`' },
  elasticmq: { name: 'ElasticMQ', suites: ['sqs'], stack: '' },
  ministack: {
    name: 'MiniStack',
    suites: ['ddb', 's3', 'sqs'],
    stack: 'the deployed stack: `test/api`, chunked tables, upgrade, tear-down',
  },
  localstack: {
    name: 'LocalStack',
    suites: ['ddb', 's3', 'sqs'],
    stack: 'the deployed stack: `test/api`, chunked tables, upgrade, tear-down',
  },
}

const goneReceiver = 'May give a message to a receiver that has gone.'
const slowReceiver = 'Takes so long on a busy machine that a second of invisibility passes before the next request.'

/** Checks that others' engines pass at some times only, with what they do otherwise: nothing can be expected of them. */
export const uncertain: Record<string, Partial<Record<Suite, Record<string, string>>>> = {
  elasticmq: {
    sqs: {
      'client abort of long poll loses no message': goneReceiver,
      'long poll wakes on arrival': 'Wakes too late on a busy machine.',
    },
  },
  ministack: {
    sqs: {
      'visibility timeout: reappears with count 2': 'Hides a message for some tenths of a second too long.',
      'client abort of long poll loses no message': goneReceiver,
    },
  },
  localstack: {
    sqs: {
      'client abort of long poll loses no message': goneReceiver,
      'visibility timeout: reappears with count 2': slowReceiver,
      'ChangeMessageVisibility 0 / extend': slowReceiver,
    },
  },
}

/** How many checks each suite has. */
export const checks: Record<Suite, number> = { ddb: 84, s3: 56, sqs: 30 }

const twoKeys = 'Takes a partition key and a sort key only.'
const noSubdomains =
  'Needs a resolver that knows *.localhost; endpoints are handed out as 127.0.0.1, where the SDK uses paths.'

/**
 * The checks that an engine doesn't pass, each with its reason: of ours, why that may be; of others, what they do
 * otherwise than AWS. A check that passes unexpectedly fails the test as well.
 */
export const misses: Record<string, Partial<Record<Suite, Record<string, string>>>> = {
  own: {
    ddb: {
      'PartiQL ExecuteStatement': 'The service uses no PartiQL: expressions cover all that it asks for.',
      'multi-attribute GSI key (Nov 2025 feature)':
        'The stack declares no such index; it is refused rather than ignored.',
    },
    s3: {
      'S3 -> SQS event delivered': 'The stack subscribes to no bucket events, and each service has a port of its own.',
      versioning: 'The buckets of the stack keep one version; asking for more is refused (NotImplemented).',
      'virtual-hosted style (bucket.localhost)': noSubdomains,
    },
    sqs: {},
  },
  dynoxide: {
    ddb: { 'PITR UpdateContinuousBackups': 'Knows no continuous backups: answers UnknownOperationException.' },
  },
  'dynamodb-local': {
    ddb: {
      'PITR UpdateContinuousBackups': 'Knows no continuous backups: answers UnknownOperationException.',
      'Tag/ListTags': 'Has no tags, and says so: answers UnknownOperationException.',
      'multi-attribute GSI key (Nov 2025 feature)': twoKeys,
    },
  },
  elasticmq: {
    sqs: {
      'batch limits: 11 entries, duplicate ids, empty': 'Answers a batch without entries as if it were sent.',
      'invalid characters rejected': 'Calls the error InvalidAttributeValue, and InvalidMessageContents its text.',
      'long poll empty waits then returns none': 'Answers an empty list, where SQS leaves the list out.',
    },
  },
  ministack: {
    ddb: { 'filter on primary key attr -> ValidationException': 'Lets filters name attributes of the key.' },
    s3: {
      'SSE headers accepted (AES256, aws:kms)': "Asks for a key's id with aws:kms, where S3 takes its own key.",
      'InvalidPartOrder / InvalidPart / EntityTooSmall': 'Completes uploads whose parts are out of order.',
      'unsigned anonymous GET -> 403': 'Serves objects to anybody, unless it enforces IAM.',
      'virtual-hosted style (bucket.localhost)': noSubdomains,
    },
    sqs: {
      ListDeadLetterSourceQueues: 'Has no such action.',
      'StartMessageMoveTask (redrive back)': 'Has no such action.',
    },
  },
  localstack: {
    ddb: {
      'unknown index -> ValidationException': 'Answers ResourceNotFoundException.',
      'multi-attribute GSI key (Nov 2025 feature)': twoKeys,
    },
    s3: {
      'unsigned anonymous GET -> 403': 'Serves objects to anybody, for it enforces no permissions.',
      'virtual-hosted style (bucket.localhost)': noSubdomains,
    },
  },
}
