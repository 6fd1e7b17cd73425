import { type Context, createContext, Script } from 'node:vm'

/** Runs work on this thread and stops it when it takes too long, in the middle of a regular expression too. */
export type Watchdog = {
  /**
   * True when the work ended within `ms` milliseconds of CPU time of this thread (twice as much at most); false when it
   * was stopped or ran out of stack. The work may be begun several times: it must start afresh each time.
   */
  run(ms: number, work: () => void): boolean
}

/** How much longer each further attempt may take, when the thread was given too little of a busy machine to judge. */
const patience = [1, 4, 16]

/** CPU time that this thread has used, milliseconds. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What is to be run under the interruption, and where: one context for all of a thread, because each takes a millisecond. */
const holder: { work: () => void } = { work: () => {} }
let context: Context | undefined
const script = new Script('run()')

/** Whether the work ended within a time by the clock. */
function attempt(ms: number): boolean {
  context ??= createContext({ run: () => holder.work() })
  try {
    script.runInContext(context, { timeout: Math.ceil(ms) })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}

/** V8's own interruption of a script, which reaches into its regular-expression engine (a few milliseconds late). */
export function createWatchdog(): Watchdog {
  return {
    run(ms, work) {
      const { work: before } = holder
      holder.work = work
      try {
        // The interruption goes by the clock, but a thread that didn't get to run is not to blame.
        for (const factor of patience) {
          const begun = threadTime()
          if (attempt(ms * factor)) return true
          if (threadTime() - begun >= ms / 2) return false
        }
        return false
      } catch (error) {
        // V8 answers a backtracking stack that grows without end by a RangeError.
        if (/call stack/.test((error as Error).message)) return false
        throw error
      } finally {
        holder.work = before
      }
    },
  }
}
