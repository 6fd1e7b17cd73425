import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** The settings of a client that say what carries its requests, and how these tell who sends them. */
type Carrier = Pick<DynamoDBClientConfig, 'requestHandler' | 'httpAuthSchemes'>

/** Where whoever runs the functions may put a {@link Transport}. */
export const transportSymbol = Symbol.for('anonymisation-service.transport')

/** What carries requests to an address instead of HTTP; undefined for addresses that it does not reach. */
export type Transport = (endpoint: string) => Carrier | undefined

/**
 * The settings of a client of AWS that say what carries its requests, where that is not HTTP: a laptop has functions and
 * emulators in one process.
 */
export function transport(service: 'DYNAMODB' | 'EVENTBRIDGE' | 'KMS' | 'SQS'): Carrier {
  const endpoint = process.env[`AWS_ENDPOINT_URL_${service}`]
  const found = (globalThis as { [transportSymbol]?: Transport })[transportSymbol]
  return (endpoint && found?.(endpoint)) || {}
}
