import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

type RequestHandler = NonNullable<DynamoDBClientConfig['requestHandler']>

/** Where whoever runs the functions may put a {@link Transport}. */
export const transportSymbol = Symbol.for('anonymisation-service.transport')

/** What carries requests to an address instead of HTTP; undefined for addresses that it does not reach. */
export type Transport = (endpoint: string) => RequestHandler | undefined

/**
 * The setting of a client of AWS that says what carries its requests, where that is not HTTP: a laptop has functions and
 * emulators in one process.
 */
export function transport(service: 'DYNAMODB' | 'KMS' | 'SQS'): { requestHandler?: RequestHandler } {
  const endpoint = process.env[`AWS_ENDPOINT_URL_${service}`]
  const found = (globalThis as { [transportSymbol]?: Transport })[transportSymbol]
  const requestHandler = endpoint && found?.(endpoint)
  return requestHandler ? { requestHandler } : {}
}
