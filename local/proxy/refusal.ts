/** A request that is not passed on, and why. Quotes nothing of it but names of fields. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Whose protocol a route speaks. */
export type Provider = 'openai' | 'anthropic'

/** An error in the form that the provider's own have, so that its clients understand it. */
export function errorBody(provider: Provider, status: number, message: string): string {
  const type = status === 501 ? 'not_supported_error' : status >= 500 ? 'api_error' : 'invalid_request_error'
  if (provider === 'anthropic') return JSON.stringify({ type: 'error', error: { type, message } })
  return JSON.stringify({ error: { message, type, param: null, code: null } })
}
