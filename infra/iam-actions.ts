const read = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem']

/** What a level of access to a table allows (actions of DynamoDB). */
export const tableActions = {
  read,
  append: ['GetItem', 'BatchGetItem', 'PutItem'],
  find: ['GetItem', 'BatchGetItem'],
  count: ['UpdateItem'],
  limit: ['UpdateItem', 'GetItem', 'BatchGetItem'],
  note: ['UpdateItem', 'GetItem', 'BatchGetItem', 'PutItem'],
  keep: ['GetItem', 'PutItem', 'DeleteItem'],
  write: [...read, 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
}

/** What may be done to the objects of a bucket (actions of S3). */
export const bucketActions = {
  read: ['GetObject'],
  write: ['PutObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'],
  delete: ['DeleteObject'],
  abort: ['AbortMultipartUpload'],
}

/** What may be done with a key (actions of KMS). */
export const keyActions = {
  encrypt: ['Encrypt'],
  decrypt: ['Decrypt'],
  sign: ['Sign'],
  verify: ['GetPublicKey'],
  mac: ['GenerateMac'],
  wrap: ['GenerateDataKeyWithoutPlaintext'],
}

export type TableLevel = keyof typeof tableActions

export type BucketVerb = keyof typeof bucketActions

export type KeyVerb = keyof typeof keyActions
