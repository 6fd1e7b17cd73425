import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Endpoint } from '../api/endpoint.ts'
import { ProblemError } from '../api/problems.ts'
import { networkOf } from '../auth/network.ts'
import { settings } from '../settings.ts'
import { forgetAhead, keepAhead } from '../store/ahead.ts'
import { getTogether } from '../store/dynamo.ts'
import { countRequest, type Rate } from '../store/rate-limit.ts'
import { authenticate, type Shown, shownBy, type Wanted } from './authenticate.ts'
import type { Caller } from './caller.ts'

/** Counts a request of a subject against a limit; refuses it beyond the limit (429). */
type Count = (subject: string, limit: number) => Promise<void>

/**
 * Who calls, counted against the limits: a known caller as such, anyone else by the address (429 beyond them).
 * @param note is told how the caller stands, also where the request is refused then.
 * @param wanted what the request will read besides, read together with a known caller.
 */
export async function identify(
  event: APIGatewayProxyEvent,
  endpoint: Endpoint,
  { note, wanted }: { note: (rate: Rate) => void; wanted: Wanted },
): Promise<Caller | undefined> {
  forgetAhead()
  const { RATE_LIMIT_PER_USER, RATE_LIMIT_PER_ADDRESS } = settings()
  const address = networkOf(event.requestContext.identity.sourceIp)
  const count: Count = async (subject, limit) => {
    const rate = await countRequest(subject, limit)
    note(rate)
    if (rate.exceeded) throw new ProblemError({ type: 'rate_limited' }, { 'Retry-After': String(rate.resetSeconds) })
  }
  if (endpoint.access === 'public') {
    const counting = endpoint.credentials
      ? count(`auth:${address}`, RATE_LIMIT_PER_ADDRESS)
      : count(`address:${address}`, RATE_LIMIT_PER_USER)
    // What is read ahead for a request that is refused must not come in the next one.
    const asked = await Promise.allSettled([counting, lookAhead(wanted)])
    for (const result of asked) if (result.status === 'rejected') throw result.reason
    return undefined
  }
  const { caller, counted } = await known(event, wanted, id => count(`user:${id}`, RATE_LIMIT_PER_USER))
  if (caller.status === 'rejected') {
    // What is beyond the limit may not have been looked up to the end.
    if (counted.status === 'rejected' && caller.reason === counted.reason) throw counted.reason
    if (caller.reason instanceof ProblemError) await count(`address:${address}`, RATE_LIMIT_PER_USER)
    throw caller.reason
  }
  if (counted.status === 'rejected') throw counted.reason
  return caller.value
}

/**
 * The caller and what counting came to. Whose access token it is its signature proves, so both are asked for at once; a
 * key proves nothing until its account is read, and is counted after that.
 */
async function known(event: APIGatewayProxyEvent, wanted: Wanted, count: (id: string) => Promise<void>) {
  let shown: Shown
  try {
    shown = await shownBy(event)
  } catch (reason) {
    return { caller: { status: 'rejected' as const, reason }, counted: done }
  }
  const id = 'key' in shown ? undefined : 'workload' in shown ? shown.accountId : shown.userId
  const early = id === undefined ? undefined : count(id)
  const asked = authenticate(shown, event.requestContext.identity.sourceIp, by => within(early, wanted(by)))
  // Who is not let in is not counted as the owner of the key.
  const counting =
    early ??
    asked.then(
      ({ id }) => count(id),
      () => {},
    )
  const [caller, counted] = await Promise.allSettled([asked, counting])
  return { caller, counted }
}

/** What is wanted; where that had to be looked up, of a request that is within the limits: one beyond them reads no more. */
const within = (counting: Promise<void> | undefined, wanted: ReturnType<Wanted>): ReturnType<Wanted> =>
  Array.isArray(wanted) ? wanted : Promise.all([wanted, counting]).then(([places]) => places)

const nobody = { userId: '', sessionId: '' }

/** Reads what nobody in particular wants for when it is asked for. */
async function lookAhead(wanted: Wanted): Promise<void> {
  const places = await wanted(nobody)
  keepAhead(places, await getTogether(places))
}

const done: PromiseSettledResult<void> = { status: 'fulfilled', value: undefined }
