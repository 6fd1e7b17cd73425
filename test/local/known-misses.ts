/** What a suite of the conformance checks is about. */
export type Suite = 'ddb' | 's3' | 'sqs'

/** Checks that others' engines pass at some times only, with what they do otherwise: nothing can be expected of them. */
export const uncertain: Record<string, Record<string, string>> = {
  elasticmq: {
    'client abort of long poll loses no message': 'May give a message to a receiver that has gone.',
  },
  ministack: {
    'visibility timeout: reappears with count 2': 'Hides a message for some tenths of a second too long.',
    'client abort of long poll loses no message': 'May give a message to a receiver that has gone.',
  },
}

/** How many checks each suite has. */
export const checks: Record<Suite, number> = { ddb: 84, s3: 56, sqs: 30 }

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
      'multi-attribute GSI key (Nov 2025 feature)': 'Takes a partition key and a sort key only.',
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
}
