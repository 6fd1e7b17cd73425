import { createContext, Script } from 'node:vm'

/** Runs work on this thread and stops it when it takes too long, in the middle of a regular expression too. */
export type Watchdog = {
  /** True when the work ended within `ms` milliseconds; false when it was stopped or ran out of stack. */
  run(ms: number, work: () => void): boolean
}

/** V8's own interruption of a script, which reaches into its regular-expression engine (a few milliseconds late). */
export function createWatchdog(): Watchdog {
  const holder: { work: () => void } = { work: () => {} }
  const context = createContext({ run: () => holder.work() })
  const script = new Script('run()')
  return {
    run(ms, work) {
      holder.work = work
      try {
        script.runInContext(context, { timeout: ms })
        return true
      } catch (error) {
        const { code, name } = error as NodeJS.ErrnoException
        // V8 answers a backtracking stack that grows without end by a RangeError.
        if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || name === 'RangeError') return false
        throw error
      } finally {
        holder.work = () => {}
      }
    },
  }
}
