import type { Provider } from './refusal.ts'

/** A path of a provider's API that holds text only, and is passed on. */
export type Route = { method: 'GET' | 'POST'; path: RegExp; provider: Provider }

/** All that is passed on. Everything else is refused. */
const routes: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/chat\/completions$/, provider: 'openai' },
  { method: 'POST', path: /^\/v1\/responses$/, provider: 'openai' },
  { method: 'POST', path: /^\/v1\/embeddings$/, provider: 'openai' },
  { method: 'POST', path: /^\/v1\/messages(?:\/count_tokens)?$/, provider: 'anthropic' },
  { method: 'GET', path: /^\/v1\/models(?:\/[\w.:-]{1,128})?$/, provider: 'openai' },
]

/** The route of a request, if there is one. */
export const routeOf = (method: string, path: string): Route | undefined =>
  routes.find(route => route.method === method && route.path.test(path))

/** In whose form errors are told where no route says it. */
export const providerOf = (path: string): Provider => (path.startsWith('/v1/messages') ? 'anthropic' : 'openai')

/** Headers of requests that providers need. No others go out. */
export const sent = [
  ...['authorization', 'x-api-key', 'api-key', 'openai-organization', 'openai-project', 'openai-beta'],
  ...['anthropic-version', 'anthropic-beta'],
]

/** Headers of answers that clients act on. */
export const received =
  /^(?:retry-after(?:-ms)?|(?:x-)?request-id|(?:x-|anthropic-)ratelimit-[\w-]+|openai-processing-ms)$/

/** Parameters of queries that hold no text. */
const parameters = new Set(['beta', 'limit', 'after', 'after_id', 'before_id', 'order'])

/** Whether a query holds nothing but what lists are asked for with. */
export const isPlainQuery = (query: URLSearchParams): boolean =>
  [...query].every(([key, value]) => parameters.has(key) && /^[\w-]{0,128}$/.test(value))
