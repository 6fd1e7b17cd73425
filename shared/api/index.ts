import { type Endpoint, type Method, parseRoute } from './endpoint.ts'
import { rules } from './rules.ts'

/** The whole contract, by resource and operation. */
export const api = { rules }

export type Api = typeof api

/** One row per endpoint: where it is declared, its method and path. */
export type DeclaredEndpoint = {
  resource: string
  operation: string
  method: Method
  /** Path below `{base_url}/api`, as the contract writes it. */
  path: string
  parameters: string[]
  endpoint: Endpoint
}

/** Every endpoint of the contract as a flat list. */
export const endpoints: readonly DeclaredEndpoint[] = Object.entries(api).flatMap(([resource, operations]) =>
  Object.entries(operations).map(([operation, endpoint]) => ({
    resource,
    operation,
    endpoint,
    ...parseRoute(endpoint.route),
  })),
)
