/**
 * What a reading call asks the stores (DynamoDB, S3, SQS, KMS), by `resource-operation`: requests, and round trips, one after
 * the other. Its caller, the count of its calls and one record are three requests in two round trips, the second of which
 * waits for the caller.
 */
export const usualReads: readonly [requests: number, roundTrips: number] = [3, 2]

/** The calls that read more than one record, sign, or are recorded in the audit trail. */
export const otherReads: Readonly<Record<string, readonly [requests: number, roundTrips: number]>> = {
  'assets-get': [4, 3],
  'assets-url': [7, 6],
  'assets-page': [9, 8],
  'assets-columns': [9, 8],
  'assets-report': [5, 4],
  'identity-callback': [5, 4],
  'jobs-get': [4, 3],
  'jobs-findings': [6, 5],
  'jobs-certificate': [9, 8],
  'jobs-review': [6, 5],
  'jobs-proposals': [11, 10],
  'jobs-page': [9, 8],
  'jobs-decisions': [6, 5],
  'reviews-list': [5, 4],
  'users-list': [5, 4],
  'roles-list': [4, 3],
  'permissions-list': [5, 4],
  'serviceAccounts-list': [4, 3],
  'tokenKeys-list': [4, 3],
  'webhooks-list': [4, 3],
  'webhooks-deliveries': [5, 4],
  'schedules-runs': [5, 4],
  'schedules-parked': [4, 3],
}
