import { RETRY_SECONDS } from '../api/webhooks.ts'

/** By how much a wait is varied, so that what failed together does not come back together. */
const JITTER = 0.2
/** Longest wait that a receiver may ask for, seconds. */
const LONGEST = 24 * 3600

/**
 * Seconds until the next attempt after so many have failed; undefined after the last. A receiver that asks for a longer
 * wait gets it. `chance`: from 0 to 1.
 */
export function waitAfter(failed: number, retryAfter = 0, chance = Math.random()): number | undefined {
  const usual = RETRY_SECONDS[failed - 1]
  if (usual === undefined) return undefined
  return Math.max(usual * (1 - JITTER + 2 * JITTER * chance), Math.min(retryAfter, LONGEST))
}
