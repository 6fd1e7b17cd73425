/**
 * US dollars per million, and per million GB-seconds of a function on arm64; list prices of us-east-1, from memory (2026). A test
 * holds docs/costs.md against them.
 */
export const price = {
  gateway: 3.5,
  invocation: 0.2,
  gbSecond: 13.3334,
  read: 0.125,
  write: 0.625,
  sqs: 0.4,
  s3Put: 5,
  s3Get: 0.4,
  kms: 3,
  signature: 15,
}
