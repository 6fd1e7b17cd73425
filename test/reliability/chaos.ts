import type { Fault, Faults } from '../../local/aws/hooks.ts'

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

/** How often each thing goes wrong, as shares of the requests that it can happen to. */
export type Odds = Partial<
  Record<
    'throttle' | 'slow' | 'loseReply' | 'serverError' | 'duplicate' | 'lose' | 'reorder' | 'staleIndex' | 'unprocessed',
    number
  >
>

/** Faults by chance; `counts` says how many of each have happened. Nothing goes wrong while `on` is false. */
export function chaos(seed: number, odds: Odds): { faults: Faults; on: boolean; counts: Record<string, number> } {
  const next = random(seed)
  const state = { on: false, counts: {} as Record<string, number>, faults: (() => undefined) as Faults }
  const hit = (kind: keyof Odds) => {
    if (next() >= (odds[kind] ?? 0)) return false
    state.counts[kind] = (state.counts[kind] ?? 0) + 1
    return true
  }
  state.faults = (service, action) => {
    if (!state.on) return undefined
    const fault: Fault = {}
    if (hit('slow')) fault.delayMs = Math.ceil(next() * 50)
    if (service === 'dynamodb') {
      if (hit('throttle')) return { error: { name: 'ThrottlingException', status: 400 } }
      if (hit('loseReply')) fault.loseReply = true
      if (hit('staleIndex')) fault.indexDelayMs = 500
      if (action === 'BatchGetItem' && hit('unprocessed')) fault.unprocessed = true
    }
    if (service === 's3' && hit('serverError')) return { error: { name: 'InternalError', status: 500 } }
    if (service === 'sqs' && hit('throttle')) return { error: { name: 'ThrottlingException', status: 400 } }
    if (service === 'sqs' && action.startsWith('SendMessage')) {
      if (hit('duplicate')) fault.duplicate = true
      if (hit('lose')) fault.lose = true
    }
    if (service === 'sqs' && action === 'ReceiveMessage' && hit('reorder')) fault.reorder = true
    return fault
  }
  return state
}
