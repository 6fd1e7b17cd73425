/**
 * What a reading call asks the stores (DynamoDB, S3, SQS, KMS), by `resource-operation`: requests, and round trips, one after
 * the other. Its caller, the record that its path begins with and the count of its calls are two requests at once; most
 * calls ask for one thing more at the most.
 */
export const usualReads: readonly [requests: number, roundTrips: number] = [3, 2]

/** The calls that read more than one record, sign, or are recorded in the audit trail. */
export const otherReads: Readonly<Record<string, readonly [requests: number, roundTrips: number]>> = {
  'assets-url': [5, 3],
  'assets-page': [4, 2],
  'assets-columns': [4, 2],
  'identity-callback': [4, 3],
  'jobs-findings': [4, 2],
  'jobs-certificate': [6, 3],
  'jobs-proposals': [7, 3],
  'jobs-page': [7, 3],
  'jobs-decisions': [4, 3],
}

/**
 * What the calls ask the stores by which a text is anonymised, from its rule to the execution of its job, and those that clear up. All
 * of them are recorded in the audit trail, by the transaction that makes the change.
 */
export const changes: Readonly<Record<string, readonly [requests: number, roundTrips: number]>> = {
  'rules-create': [4, 3],
  'rules-update': [4, 3],
  'rules-delete': [5, 3],
  'workflows-create': [5, 4],
  'workflows-delete': [5, 3],
  'jobs-upload': [5, 3],
  'jobs-update': [6, 3],
  'jobs-execute': [10, 6],
}
