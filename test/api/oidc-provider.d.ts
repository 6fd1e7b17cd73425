declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** A certified provider; of its many settings and methods, those that tests use. */
  class Provider {
    constructor(issuer: string, settings: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    on(event: string, listen: (...values: unknown[]) => void): this
  }

  // biome-ignore lint/style/noDefaultExport: that is what the package has
  export { Provider as default }
}
