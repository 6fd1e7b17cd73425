import type { Faults } from 'aws-emulators'
import { expect } from 'vitest'
import { exhaustive } from '../runs.ts'
import { ofLambda, onlyReads, stepOf } from './chaos.ts'

/** A function is killed at each so-manieth step, and at the first write of each kind; the long run tries every step. */
const STRIDE = exhaustive ? 1 : 12

/** So often it is killed in one run at most: a message that has failed five times is given up. The long run kills it once in each. */
const MOST_KILLS = exhaustive ? 1 : 3

/** Kills a function at one step after another. */
export type Kills = {
  /** Whether a request is a step at which the function is killed. */
  isDue: (...request: Parameters<Faults>) => boolean
  /** Runs something again and again, its victim killed at steps where it was not before, until it comes to none. */
  through(run: (n: number) => Promise<void>): Promise<void>
}

export function killsOf(victim: string): Kills {
  const kinds = new Set<string>()
  let [from, step] = [0, 0]
  let running = false
  let kills = 0
  return {
    isDue(service, action, request, caller) {
      if (!running || caller !== victim || ofLambda(service, action)) return false
      const at = step++
      const kind = stepOf(service, action, request)
      // Once it was killed, it comes to the same steps again, and their numbers say nothing.
      const isNext = kills === 0 && at >= from && at % STRIDE === 0
      if (kills === MOST_KILLS || (!isNext && (onlyReads(action) || kinds.has(kind)))) return false
      kinds.add(kind)
      if (isNext) from = at + 1
      kills++
      return true
    },
    async through(run) {
      let n = 0
      do {
        step = 0
        kills = 0
        running = true
        await run(n++)
        running = false
      } while (kills > 0)
      expect(kinds.size, 'kinds of steps').toBeGreaterThan(2)
    },
  }
}
