import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for one request at most: longer than any window of the rate limits. */
const MAX_WAITS = 20
/** How long to wait when the service doesn't say, milliseconds. */
const UNSAID_MS = 1000

/**
 * A `fetch` that sends a request again when the service has asked for patience (429, 503, after `Retry-After`), and one
 * that only reads when the connection broke.
 */
export const patientFetch: typeof fetch = async (input, init) => {
  for (let waits = 0; ; waits++) {
    const reply = await attempt(input, init, waits)
    if (reply && reply.status !== 429 && reply.status !== 503) return reply
    if (reply && waits === MAX_WAITS) return reply
    const asked = Number(reply?.headers.get('Retry-After') ?? Number.NaN) * 1000
    await reply?.body?.cancel()
    await sleep(asked > 0 ? asked : UNSAID_MS, undefined, { signal: init?.signal ?? undefined })
  }
}

/** The reply, or undefined where a lost connection is worth another attempt. */
async function attempt(...[input, init, waits]: [...Parameters<typeof fetch>, number]): Promise<Response | undefined> {
  try {
    return await fetch(input, init)
  } catch (error) {
    const reads = (init?.method ?? 'GET') === 'GET'
    if (!reads || init?.signal?.aborted || waits >= 3) throw error
    return undefined
  }
}
