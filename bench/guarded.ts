import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What became of a file: a kind in words, the processor time it took, and the most memory the process held (2^20 bytes). */
export type Ended = { kind: string; seconds: number; mebibytes: number }

/** Most memory that a process ever held, megabytes (2^20 bytes), and the processor time that it took, seconds. */
const usedBy = (pid: number | undefined): { peak: number; cpu: number } => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    return { peak, cpu: (Number(fields[11]) + Number(fields[12])) / 100 }
  } catch {
    return { peak: Number.NaN, cpu: Number.NaN }
  }
}

/**
 * Hands one file after the other to a program in a process of its own, which the next file takes over unless it crashed or
 * had to be ended.
 * @param programme path of the program; it answers each message by another one
 * @param seconds processor time after which a file is given up
 */
export function guarded<Sent extends string | object, T extends Ended>(programme: string, seconds: number) {
  let child: ChildProcess | undefined
  const check = (sent: Sent): Promise<T | Ended> =>
    new Promise(done => {
      child ??= fork(programme)
      const own = child
      const before = usedBy(own.pid)
      const end = (outcome: T | Ended) => {
        clearInterval(timer)
        own.removeAllListeners()
        done(outcome)
      }
      const stop = (kind: string) => {
        child = undefined
        const { peak, cpu } = usedBy(own.pid)
        own.kill('SIGKILL')
        end({ kind, seconds: cpu - before.cpu, mebibytes: peak })
      }
      const timer = setInterval(() => {
        if (usedBy(own.pid).cpu - before.cpu > seconds) stop('took too long')
      }, 500)
      own.once('message', message => end(message as T))
      own.once('exit', () => stop('crashed'))
      own.send(sent)
    })
  return { check, close: () => child?.kill() }
}
