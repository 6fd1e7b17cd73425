import type { Fault, Faults, Service } from 'aws-emulators'

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Everything that can go wrong with a request. */
export const kinds = [
  ...(['throttle', 'slow', 'slowS3', 'loseReply', 'serverError', 'duplicate'] as const),
  ...(['lose', 'reorder', 'staleIndex', 'unprocessed', 'crash', 'timeOut', 'clockSkew'] as const),
]
type Kind = (typeof kinds)[number]

/**
 * How often each thing goes wrong, as shares of the requests, or sandboxes, that it can happen to. `first` is the share
 * for ending a function at a step where it was not ended before, so that every step gets its turn.
 */
export type Odds = Partial<Record<Kind | 'first', number>>

/** Faults by chance, and what has come of them so far. */
export type Chaos = {
  faults: Faults
  clockSkew: () => number
  /** Nothing goes wrong while this is false. */
  on: boolean
  /** How many of each kind have happened. */
  counts: Partial<Record<Kind, number>>
  /** Every step of the pipeline that was seen, and what its function has suffered there. */
  steps: Map<string, Set<'crash' | 'timeOut'>>
}

/**
 * Five attempts are all that a message has: a function that was ended is left alone for so long, milliseconds, and
 * what it does for one job is ended so often at most.
 */
const RESPITE = 4000
const MAX_ENDS = 2
/** How late a request acts whose function has been ended by its time-out, and a clock that is out, milliseconds. */
const LATE = 1200
const MAX_SKEW = 2000

/** Whether a request is what Lambda does for a function, not the function: taking and removing messages. */
export const ofLambda = (service: Service, action: string): boolean => service === 'sqs' && !action.startsWith('Send')

/** `end` ends whatever runs of a function, as a crash or its time-out would. */
export function chaos(seed: number, odds: Odds, end: (functionName: string, timedOut: boolean) => void): Chaos {
  const next = random(seed)
  const lastEnd = new Map<string, number>()
  const ends = new Map<string, number>()
  const hit = (kind: Kind, share = odds[kind] ?? 0) => {
    if (next() >= share) return false
    state.counts[kind] = (state.counts[kind] ?? 0) + 1
    return true
  }

  /** Ends the caller in the middle of a step: at once, or while the step hangs, which then acts after all. */
  function ended(caller: string, step: string, job: string): Fault | undefined {
    const suffered = state.steps.get(step) ?? new Set()
    state.steps.set(step, suffered)
    if (Date.now() - (lastEnd.get(caller) ?? 0) < RESPITE || (ends.get(job) ?? 0) >= MAX_ENDS) return undefined
    for (const kind of ['crash', 'timeOut'] as const) {
      if (!odds[kind] || !hit(kind, suffered.has(kind) ? odds[kind] : (odds.first ?? odds[kind]))) continue
      suffered.add(kind)
      lastEnd.set(caller, Date.now())
      ends.set(job, (ends.get(job) ?? 0) + 1)
      end(caller, kind === 'timeOut')
      return kind === 'timeOut' ? { delayMs: LATE } : {}
    }
    return undefined
  }

  const state: Chaos = {
    on: false,
    counts: {},
    steps: new Map(),
    clockSkew: () => (hit('clockSkew') ? Math.round((2 * next() - 1) * MAX_SKEW) : 0),
    faults(service, action, request, caller) {
      if (!state.on) return undefined
      if (caller.startsWith('pipeline-') && !ofLambda(service, action)) {
        const [job = ''] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(JSON.stringify(request)) ?? []
        const fault = ended(caller, `${caller} ${stepOf(service, action, request)}`, job)
        if (fault) return fault
      }
      const fault: Fault = {}
      if (hit('slow')) fault.delayMs = Math.ceil(next() * 50)
      if (service === 'dynamodb') {
        if (hit('throttle')) return { error: { name: 'ThrottlingException', status: 400 } }
        if (hit('loseReply')) fault.loseReply = true
        if (hit('staleIndex')) fault.indexDelayMs = 500
        if (action === 'BatchGetItem' && hit('unprocessed')) fault.unprocessed = true
      }
      if (service === 's3') {
        if (hit('serverError')) return { error: { name: 'InternalError', status: 500 } }
        if (hit('slowS3')) fault.delayMs = Math.ceil(next() * 1500)
      }
      if (service === 'sqs' && hit('throttle')) return { error: { name: 'ThrottlingException', status: 400 } }
      if (service === 'sqs' && action.startsWith('SendMessage')) {
        if (hit('duplicate')) fault.duplicate = true
        if (hit('lose')) fault.lose = true
      }
      if (service === 'sqs' && action === 'ReceiveMessage' && hit('reorder')) fault.reorder = true
      return fault
    },
  }
  return state
}

/** Whether a request changes nothing: a function that is killed there leaves what it leaves after the step before. */
export const onlyReads = (action: string): boolean =>
  /^(?:(?:Batch)?Get|Query|Scan|Head|List|Describe|Generate)/.test(action)

/** The kind of step that a request is: what it does to which kind of thing. */
export const stepOf = (service: Service, action: string, request: Readonly<Record<string, unknown>>): string =>
  `${service} ${action} ${subjectOf(request)}`

/** What a request is about, without ids: the kinds of rows, or the kind of object, that tell one step from another. */
function subjectOf(request: Readonly<Record<string, unknown>>): string {
  if (typeof request.bucket === 'string') {
    const name = String(request.key ?? '')
      .split('/')
      .at(-1)!
    return `${request.bucket} ${/^[a-z]+(?=-)/.exec(name)?.[0] ?? 'file'}`
  }
  const rows = [...JSON.stringify(request).matchAll(/"sk":\{"S":"([A-Z]+)/g)].map(match => match[1]!)
  const queue = /[^/]+$/.exec(String(request.QueueUrl ?? ''))?.[0]
  return queue ?? [...new Set(rows)].sort().join('+')
}
