import { version } from '../api/version.ts'
import { ANSWER_SECONDS } from '../api/webhooks.ts'
import type { SourceContext } from '../sources/connector.ts'
import { SourceError, toSourceError } from '../sources/errors.ts'
import { guardedAgents, send } from '../sources/http.ts'
import type { WebhookEvent } from '../store/outbox.ts'
import { signature } from './keys.ts'

/** What came of one request: the status of the answer, or why there was none. */
export type Outcome = {
  responseStatus: number | null
  problem: string | null
  milliseconds: number
  /** How long the receiver asks to wait, seconds. */
  retryAfter?: number
}

/** Whether the receiver has taken the event. */
export const isAccepted = ({ responseStatus }: Pick<Outcome, 'responseStatus'>): boolean =>
  responseStatus !== null && responseStatus >= 200 && responseStatus < 300

/** Sends an event once, signed with every key, through the guard. No redirect is followed and no body is read. */
export async function post(
  url: string,
  event: WebhookEvent,
  keys: readonly string[],
  guard: Pick<SourceContext, 'dial' | 'trust'>,
): Promise<Outcome> {
  const { id, ...told } = event
  const body = JSON.stringify(told)
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `anonymisation-webhooks/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map(key => signature(key, { id, timestamp, body })).join(' '),
  }
  const signal = AbortSignal.timeout(ANSWER_SECONDS * 1000)
  const context = { ...guard, signal, limits: { bytes: 0, entries: 0, idleMs: ANSWER_SECONDS * 1000 } }
  const agents = guardedAgents(context)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const answer = await send(new URL(url), { method: 'POST', headers, body }, agents, context)
    answer.destroy()
    const status = answer.statusCode!
    const retryAfter = secondsIn(answer.headers['retry-after'])
    return {
      responseStatus: status,
      problem: null,
      milliseconds: took(),
      ...(retryAfter !== undefined && { retryAfter }),
    }
  } catch (error) {
    const failure = toSourceError(error)
    const problem = failure instanceof SourceError ? failure.type : 'source_failed'
    return { responseStatus: null, problem, milliseconds: took() }
  } finally {
    for (const agent of Object.values(agents)) agent.destroy()
  }
}

/** The seconds that a `Retry-After` asks for, as a number or until a date. */
function secondsIn(asked: string | undefined): number | undefined {
  if (asked === undefined) return undefined
  if (/^\d{1,9}$/.test(asked)) return Number(asked)
  const seconds = (Date.parse(asked) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
