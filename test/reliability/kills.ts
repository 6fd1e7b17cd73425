import type { Faults } from 'aws-emulators'
import { expect } from 'vitest'
import { exhaustive } from '../runs.ts'
import { ofLambda, stepOf } from './chaos.ts'

/** A function is killed at each so-manieth step, and at the first step of each kind; the long run tries every one. */
const STRIDE = exhaustive ? 1 : 9

/** Kills a function at one step after another. */
export type Kills = {
  /** Whether a request is the step at which the function is killed. */
  isDue: (...request: Parameters<Faults>) => boolean
  /** Runs something again and again, its victim killed one due step later each time, until it comes to none. */
  through(run: (n: number) => Promise<void>): Promise<void>
}

export function killsOf(victim: string): Kills {
  const kinds = new Set<string>()
  let [from, step] = [0, 0]
  let running = false
  let killed = false
  return {
    isDue(service, action, request, caller) {
      if (!running || caller !== victim || ofLambda(service, action)) return false
      const at = step++
      const kind = stepOf(service, action, request)
      if (killed || at < from || (at % STRIDE > 0 && kinds.has(kind))) return false
      kinds.add(kind)
      from = at + 1
      killed = true
      return true
    },
    async through(run) {
      let n = 0
      do {
        step = 0
        killed = false
        running = true
        await run(n++)
        running = false
      } while (killed)
      expect(kinds.size, 'kinds of steps').toBeGreaterThan(2)
    },
  }
}
