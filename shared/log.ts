import { Logger } from '@aws-lambda-powertools/logger'
import type { Context } from 'aws-lambda'

/** The one logger. Lines hold ids, counts and codes only: never a text, a match, a credential or a token. */
export const log = new Logger()

let request: string | undefined

/** Begins the lines of a request, of a message or of a run by schedule: each carries the id of the request behind it. */
export function beginLines(context: Context, keys: { requestId: string } & Record<string, unknown>): void {
  log.resetKeys()
  log.addContext(context)
  log.appendKeys(keys)
  request = keys.requestId
}

/** The id of the request behind what this function does at the moment; one function does one thing at a time. */
export const currentRequest = (): string | undefined => request
