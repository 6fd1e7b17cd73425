import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Exchanges } from 'aws-emulators'
import { exchange } from './exchanges.ts'
import type { Failure, Report, SandboxData, Task, ToSandbox } from './sandbox.ts'

export type Outcome = { payload: string } | { failure: Failure }

type Sandbox = {
  worker: Worker
  /** Bundles that it has loaded. */
  loaded: Set<string>
  /** Environments that it knows, by the names of their functions. */
  told: Map<string, Task['environment']>
  /** Whether it runs a task, and has for long. */
  state: 'idle' | 'busy' | 'long'
  /** Ends the task that it runs, if any. */
  settle?: (outcome: Outcome) => void
  log?: (text: string) => void
}

/**
 * Bundles in one sandbox; beyond, it is replaced, so that memory stays bounded. All that answer requests fit: they share their
 * packages, and loading one anew takes as long as several calls.
 */
const maxLoaded = 200

/** Most room for new objects in a sandbox, MiB: by itself each takes up to three times as much over time, and keeps it. */
const youngGeneration = 32

/**
 * A task that runs for longer than these milliseconds mostly waits for others, as one that asks another server does. Tasks of functions
 * that many users call for the first time at once take 2 to 4 seconds: more sandboxes would make all of them slower.
 */
const LONG_MS = 5000

/** How long a sandbox may take to end by itself, milliseconds: a batch of a model takes a fraction of it. */
const END_MS = 5000

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
  /** Sandboxes while some run long tasks, which don't count in `size`; by default there are never more than that. */
  most?: number
  /** Largest heap of a sandbox, MiB. */
  memory: number
  /** How functions reach emulators without HTTP. */
  exchanges?: Exchanges
  /** How far the clock of a sandbox is out, milliseconds. */
  clockSkew?: () => number
  /** Folder where Node.js keeps what it has compiled, so that sandboxes start faster. */
  compiled?: string
  /** Whether its tasks give way to everything else where both wait for a processor. */
  givesWay?: boolean
}

/** Whoever waits for a sandbox that may load a bundle. */
type Waiting = { file: string; resolve: (sandbox: Sandbox) => void; reject: (error: Error) => void }

/** What a pool holds. */
type Inside = PoolOptions & {
  sandboxes: Set<Sandbox>
  waiting: Waiting[]
  running: Map<Sandbox, string>
  /** Ends of sandboxes that are under way. */
  ending: Set<Promise<void>>
  closed: boolean
}

/** Starts no sandbox before there is something to run. */
export function createPool(options: PoolOptions): Pool {
  const pool: Inside = {
    ...options,
    sandboxes: new Set(),
    waiting: [],
    running: new Map(),
    ending: new Set(),
    closed: false,
  }
  return {
    run: (task, timeout, log) => run(pool, task, timeout, log),
    crash(functionName, timedOut = false) {
      for (const [sandbox, name] of pool.running) {
        if (name !== functionName) continue
        drop(pool, sandbox, timedOut ? timeoutAfter(0) : endedBy('Crashed on purpose'))
        void sandbox.worker.terminate()
      }
    },
    async close() {
      pool.closed = true
      for (const { reject } of pool.waiting.splice(0)) reject(new Error('The local cloud is closing'))
      for (const sandbox of pool.sandboxes) end(pool, sandbox, endedBy('The local cloud is closing'))
      await Promise.all(pool.ending)
    },
  }
}

async function run(pool: Inside, task: Omit<Task, 'deadline'>, timeout: number, log: (text: string) => void) {
  const sandbox = await acquire(pool, task.file)
  const { functionName } = task.context
  const environment = sandbox.told.get(functionName) === task.environment ? undefined : task.environment
  sandbox.loaded.add(task.file)
  sandbox.told.set(functionName, task.environment)
  sandbox.log = log
  pool.running.set(sandbox, functionName)
  let timer: NodeJS.Timeout | undefined
  const long = setTimeout(() => {
    sandbox.state = 'long'
    release(pool)
  }, LONG_MS)
  try {
    return await new Promise<Outcome>(resolve => {
      sandbox.settle = resolve
      timer = setTimeout(() => end(pool, sandbox, timeoutAfter(timeout)), timeout)
      sandbox.worker.postMessage({ ...task, environment, deadline: Date.now() + timeout } satisfies Task)
    })
  } finally {
    clearTimeout(timer)
    clearTimeout(long)
    sandbox.settle = undefined
    sandbox.state = 'idle'
    pool.running.delete(sandbox)
    shrink(pool)
    release(pool)
  }
}

function start(pool: Inside): Sandbox {
  const { exchanges = new Map() } = pool
  const worker = new Worker(new URL('./sandbox.ts', import.meta.url), {
    // Gone before a function runs, like all that is not in its environment.
    env: pool.compiled ? { NODE_COMPILE_CACHE: pool.compiled } : {},
    workerData: {
      skew: pool.clockSkew?.() ?? 0,
      endpoints: new Set(exchanges.keys()),
      givesWay: pool.givesWay ?? false,
    } satisfies SandboxData,
    resourceLimits: { maxOldGenerationSizeMb: pool.memory, maxYoungGenerationSizeMb: youngGeneration },
  })
  const sandbox: Sandbox = { worker, loaded: new Set(), told: new Map(), state: 'idle' }
  worker.on('message', ({ log, ...said }: Report) => {
    if (log) sandbox.log?.(log)
    if ('ask' in said) void exchange(exchanges, said).then(reply => worker.postMessage(reply satisfies ToSandbox))
    else if ('payload' in said || 'failure' in said) sandbox.settle?.(said)
  })
  const ended = (errorMessage: string) => drop(pool, sandbox, endedBy(errorMessage))
  worker.on('error', error => ended(`The sandbox ended: ${error.name}`))
  worker.on('exit', () => ended('The sandbox ended'))
  worker.unref()
  pool.sandboxes.add(sandbox)
  return sandbox
}

/** Takes a sandbox out of the pool, and fails its task. */
function drop({ sandboxes }: Inside, sandbox: Sandbox, failure: Failure): void {
  sandboxes.delete(sandbox)
  sandbox.settle?.({ failure })
}

function end(pool: Inside, sandbox: Sandbox, failure: Failure): void {
  drop(pool, sandbox, failure)
  const ended = stop(sandbox.worker).finally(() => pool.ending.delete(ended))
  pool.ending.add(ended)
}

/**
 * Ends a thread. One that is terminated while the native code of a model runs takes the whole process with it, so it is asked to
 * end first; only one that does not even hear that is terminated.
 */
async function stop(worker: Worker): Promise<void> {
  const exit = new Promise(resolve => worker.once('exit', resolve))
  worker.ref()
  worker.postMessage('end' satisfies ToSandbox)
  await Promise.race([exit, delay(END_MS, undefined, { ref: false })])
  await worker.terminate()
}

/** Idle sandboxes, those that have loaded least first. */
const idleIn = ({ sandboxes }: Inside): Sandbox[] =>
  [...sandboxes].filter(({ state }) => state === 'idle').sort((a, b) => a.loaded.size - b.loaded.size)

/** How many sandboxes there may be now. */
const roomOf = ({ sandboxes, size, most = size }: Inside): number =>
  Math.min(most, size + [...sandboxes].filter(({ state }) => state === 'long').length)

/** Ends idle sandboxes for which there is no more room, since long tasks have ended. */
function shrink(pool: Inside): void {
  for (const sandbox of idleIn(pool)) {
    if (pool.sandboxes.size <= roomOf(pool)) return
    end(pool, sandbox, endedBy('The sandbox is one too many'))
  }
}

/** The idle sandbox that fits best: one that has the code, the one with most room, a new one. */
function choose(pool: Inside, file: string): Sandbox | undefined {
  const idle = idleIn(pool)
  const warm = idle.find(({ loaded }) => loaded.has(file))
  if (warm) return warm
  const [emptiest] = idle
  if (!emptiest && pool.sandboxes.size < roomOf(pool)) return start(pool)
  if (emptiest && emptiest.loaded.size >= maxLoaded) {
    end(pool, emptiest, { errorType: 'Runtime.Replaced', errorMessage: 'Replaced', trace: [] })
    return start(pool)
  }
  return emptiest
}

function take(pool: Inside, file: string): Sandbox | undefined {
  const sandbox = choose(pool, file)
  if (sandbox) sandbox.state = 'busy'
  return sandbox
}

/** A sandbox that is busy from now on; whoever asked first gets the next free one. */
function acquire(pool: Inside, file: string): Promise<Sandbox> | Sandbox {
  if (pool.closed) throw new Error('The local cloud is closing')
  const sandbox = pool.waiting.length === 0 ? take(pool, file) : undefined
  return sandbox ?? new Promise((resolve, reject) => pool.waiting.push({ file, resolve, reject }))
}

function release(pool: Inside): void {
  for (let first = pool.waiting[0]; first; first = pool.waiting[0]) {
    const sandbox = take(pool, first.file)
    if (!sandbox) return
    pool.waiting.shift()
    first.resolve(sandbox)
  }
}

const endedBy = (errorMessage: string): Failure => ({ errorType: 'Runtime.ExitError', errorMessage, trace: [] })

const timeoutAfter = (milliseconds: number): Failure => ({
  errorType: 'Sandbox.Timedout',
  errorMessage: `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`,
  trace: [],
})
