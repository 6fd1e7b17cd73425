import { getSchemaSerdePlugin } from '@smithy/core/schema'

/** What all clients of the SDK have. */
type SdkClient = {
  config: Parameters<typeof getSchemaSerdePlugin>[0]
  middlewareStack: { remove(name: string): boolean; use(plugin: { applyToStack(stack: never): void }): void }
}

/** What each request passes in vain: one copies it and its answer for a logger that is not there, the other names the SDK's version. */
const needless = ['loggerMiddleware', 'getUserAgentMiddleware']

/**
 * Has a client of AWS take about two thirds of the time for a request. The SDK copies its settings two or three times for
 * each: V8 does so at once with an object that was made as a whole, and property by property with one that grew, as the SDK's does.
 */
export function lean<C>(client: C): C {
  const changed = client as SdkClient
  for (const name of needless) changed.middlewareStack.remove(name)
  changed.config = { ...changed.config }
  changed.middlewareStack.use(getSchemaSerdePlugin(changed.config))
  return client
}
