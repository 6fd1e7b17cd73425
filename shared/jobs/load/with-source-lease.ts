import { randomInt } from 'node:crypto'
import { settings } from '../../settings.ts'
import { SourceError } from '../../sources/errors.ts'
import { type Lease, takeLease } from '../../store/leases.ts'
import { type Message, sendMessages } from '../../store/queue.ts'

/** How often a worker looks whether what it does is still wanted, and says that it lives, milliseconds. */
const LOOK_MS = 1000
const BEAT_MS = 30_000
/** Seconds before a source that failed is tried again, each time after the last failure; then it has failed for good. */
const AGAIN_SECONDS = [5, 20, 80, 320]
/** Longest delay of a message, seconds. */
const LONGEST_DELAY = 900
/** What is left of an invocation for settling the asset, milliseconds. */
const RESERVE_MS = 20_000

type Options = {
  sourceId: string
  ownerId: string
  /** What comes again later when the source has no connection to spare. */
  message: Extract<Message, { waited?: number }>
  remainingMs: number
  /** Name of work that only one worker may do at a time. */
  alone?: string
  stillWanted(): Promise<boolean>
  beat?(): Promise<unknown>
}

/**
 * Works with a source while it has a connection to spare: workers hold at most `SOURCE_CONNECTIONS` of one source at the
 * same time, and what has to wait goes back to the queue. So does, a few times, what failed at a source for a reason that
 * may pass. The signal aborts when the work is no longer wanted, which then ends in silence, and when time is up.
 */
export async function withSourceLease(options: Options, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { sourceId, alone, remainingMs, stillWanted, beat } = options
  const held: Lease[] = []
  const places = [
    ...(alone ? [[alone, 1] as const] : []),
    [`SOURCE#${sourceId}`, settings().SOURCE_CONNECTIONS] as const,
  ]
  const unwanted = new AbortController()
  let look: NodeJS.Timeout | undefined
  let heart: NodeJS.Timeout | undefined
  try {
    for (const [name, slots] of places) {
      const lease = await takeLease(name, slots)
      if (!lease) return await later(options)
      held.push(lease)
    }
    // Another may have done it while this one waited for its place.
    if (!(await stillWanted())) return
    look = setInterval(async () => {
      // A look that fails is no reason to stop: the next one may not.
      if (!(await stillWanted().catch(() => true))) unwanted.abort()
    }, LOOK_MS)
    heart = beat && setInterval(() => void beat().catch(() => {}), BEAT_MS)
    const time = AbortSignal.timeout(Math.max(1000, remainingMs - RESERVE_MS))
    await work(AbortSignal.any([unwanted.signal, time, ...held.map(({ signal }) => signal)]))
  } catch (error) {
    if (unwanted.signal.aborted) return
    if (!(error instanceof SourceError && mayPass(error, options.message))) throw error
    await again(options, error)
  } finally {
    clearInterval(look)
    clearInterval(heart)
    for (const lease of held) await lease.release()
  }
}

/** Whether what is wrong with a source may be over when it is tried again. */
export const mayPass = (error: SourceError, { tried = 0 }: { tried?: number }): boolean =>
  error.retryable && tried < AGAIN_SECONDS.length

/** Sends the message again: soon, or when the source says that it may be called. */
function again({ ownerId, message }: Options, { retryAfterMs = 0 }: SourceError): Promise<void> {
  const { tried = 0 } = message
  const seconds = Math.max(AGAIN_SECONDS[tried]!, Math.ceil(retryAfterMs / 1000))
  return sendMessages('transfers', ownerId, [{ ...message, tried: tried + 1 }], Math.min(seconds, LONGEST_DELAY))
}

/**
 * Sends the message again, for later, the more so the longer it waits: many may be waiting. Waiting is no failed attempt,
 * so it is a message of its own.
 */
function later({ ownerId, message }: Options): Promise<void> {
  const waited = Math.min((message.waited ?? 0) + 1, 6)
  return sendMessages('transfers', ownerId, [{ ...message, waited }], randomInt(2 ** (waited - 1), 2 ** waited))
}
