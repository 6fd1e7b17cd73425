import { Worker } from 'node:worker_threads'
import type { Failure, Report, Task } from './sandbox.ts'

export type Outcome = { payload: string } | { failure: Failure }

type Sandbox = {
  worker: Worker
  /** Bundles that it has loaded. */
  loaded: Set<string>
  busy: boolean
  /** Ends the task that it runs, if any. */
  settle?: (outcome: Outcome) => void
  log?: (text: string) => void
}

/** Bundles in one sandbox; beyond, it is replaced, so that memory stays bounded. */
const mostLoaded = 24

/** As many bundles as a sandbox takes before another one is started. */
const fewLoaded = 8

/** Most room for new objects in a sandbox, MiB: by itself each takes up to three times as much over time, and keeps it. */
const youngGeneration = 32

/** Sandboxes that run tasks, one at a time each. */
export type Pool = {
  /** Runs a task as soon as a sandbox is free, and ends it at its time-out, milliseconds. */
  run(task: Omit<Task, 'deadline'>, timeout: number, log: (text: string) => void): Promise<Outcome>
  /** Ends the sandboxes that run tasks of a function, as a crash or its time-out would; those tasks fail. */
  crash(functionName: string, timedOut?: boolean): void
  close(): Promise<void>
}

export type PoolOptions = {
  size: number
  /** Largest heap of a sandbox, MiB. */
  memory: number
  /** How far the clock of a sandbox is out, milliseconds. */
  clockSkew?: () => number
}

/** Starts no sandbox before there is something to run. */
export function createPool({ size, memory, clockSkew }: PoolOptions): Pool {
  const sandboxes = new Set<Sandbox>()
  const waiting: { file: string; resolve: (sandbox: Sandbox) => void; reject: (error: Error) => void }[] = []
  const running = new Map<Sandbox, string>()
  let closed = false

  function start(): Sandbox {
    const worker = new Worker(new URL('./sandbox.ts', import.meta.url), {
      env: {},
      workerData: { skew: clockSkew?.() ?? 0 },
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngGeneration },
    })
    const sandbox: Sandbox = { worker, loaded: new Set(), busy: false }
    worker.on('message', (report: Report) => {
      if ('log' in report) sandbox.log?.(report.log)
      else sandbox.settle?.(report)
    })
    worker.on('error', error => {
      end(sandbox, { errorType: 'Runtime.ExitError', errorMessage: `The sandbox ended: ${error.name}`, trace: [] })
    })
    worker.on('exit', () => {
      end(sandbox, { errorType: 'Runtime.ExitError', errorMessage: 'The sandbox ended', trace: [] })
    })
    worker.unref()
    sandboxes.add(sandbox)
    return sandbox
  }

  function end(sandbox: Sandbox, failure: Failure) {
    sandboxes.delete(sandbox)
    sandbox.settle?.({ failure })
    void sandbox.worker.terminate()
  }

  /** The idle sandbox that fits best: one that has the code, one with room, a new one, any. */
  function choose(file: string): Sandbox | undefined {
    const idle = [...sandboxes].filter(({ busy }) => !busy).sort((a, b) => a.loaded.size - b.loaded.size)
    const warm = idle.find(({ loaded }) => loaded.has(file))
    if (warm) return warm
    const [emptiest] = idle
    if (sandboxes.size < size && (!emptiest || emptiest.loaded.size >= fewLoaded)) return start()
    if (emptiest && emptiest.loaded.size >= mostLoaded) {
      end(emptiest, { errorType: 'Runtime.Replaced', errorMessage: 'Replaced', trace: [] })
      return start()
    }
    return emptiest
  }

  function take(file: string): Sandbox | undefined {
    const sandbox = choose(file)
    if (sandbox) sandbox.busy = true
    return sandbox
  }

  /** A sandbox that is busy from now on; whoever asked first gets the next free one. */
  function acquire(file: string): Promise<Sandbox> | Sandbox {
    if (closed) throw new Error('The local cloud is closing')
    const sandbox = waiting.length === 0 ? take(file) : undefined
    return sandbox ?? new Promise((resolve, reject) => waiting.push({ file, resolve, reject }))
  }

  function release() {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const sandbox = take(first.file)
      if (!sandbox) return
      waiting.shift()
      first.resolve(sandbox)
    }
  }

  return {
    async run(task, timeout, log) {
      const sandbox = await acquire(task.file)
      sandbox.loaded.add(task.file)
      sandbox.log = log
      running.set(sandbox, task.context.functionName)
      let timer: NodeJS.Timeout | undefined
      try {
        return await new Promise<Outcome>(resolve => {
          sandbox.settle = resolve
          timer = setTimeout(() => end(sandbox, timeoutAfter(timeout)), timeout)
          sandbox.worker.postMessage({ ...task, deadline: Date.now() + timeout } satisfies Task)
        })
      } finally {
        clearTimeout(timer)
        sandbox.settle = undefined
        sandbox.busy = false
        running.delete(sandbox)
        release()
      }
    },
    crash(functionName, timedOut = false) {
      const crashed = { errorType: 'Runtime.ExitError', errorMessage: 'Crashed on purpose', trace: [] }
      for (const [sandbox, name] of running)
        if (name === functionName) end(sandbox, timedOut ? timeoutAfter(0) : crashed)
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('The local cloud is closing'))
      await Promise.all([...sandboxes].map(({ worker }) => worker.terminate()))
    },
  }
}

const timeoutAfter = (milliseconds: number): Failure => ({
  errorType: 'Sandbox.Timedout',
  errorMessage: `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`,
  trace: [],
})
