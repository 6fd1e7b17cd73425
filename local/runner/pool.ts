import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Exchanges } from 'aws-emulators'
import { exchange } from './exchanges.ts'
import type { Failure, Report, SandboxData, Task, ToSandbox } from './sandbox.ts'

export type Outcome = { payload: string } | { failure: Failure }

/** A task on its way through the pool. */
type Call = {
  task: Omit<Task, 'call' | 'deadline'>
  timeout: number
  log: (text: string) => void
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
  /** Since it runs: what ends it at its time-out, and what makes it a long one. */
  timers: NodeJS.Timeout[]
  isLong: boolean
}

type Sandbox = {
  worker: Worker
  /** Bundles that it has loaded. */
  loaded: Set<string>
  /** Environments that it knows, by the names of their functions. */
  told: Map<string, Task['environment']>
  /** What it runs, by the numbers of the calls. */
  calls: Map<number, Call>
  /** Calls that were cut: what they still ask of emulators is not done. */
  cut: Set<number>
  /** What takes the lines of functions, by their names. */
  logs: Map<string, Call['log']>
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

/** How long the other calls of a sandbox may go on once one was cut, milliseconds: nearly all take a fraction of it. */
const OTHERS_MS = 5000

/** Sandboxes that run tasks. */
export type Pool = {
  /** Runs a task as soon as a sandbox is free, and ends it at its time-out, milliseconds. */
  run(task: Omit<Task, 'call' | 'deadline'>, timeout: number, log: (text: string) => void): Promise<Outcome>
  /** Cuts the tasks of a function, as a crash or its time-out would: they fail, and their sandboxes end. */
  crash(functionName: string, timedOut?: boolean): void
  close(): Promise<void>
}

export type PoolOptions = {
  size: number
  /** Tasks of different bundles that a sandbox runs at the same time; by default one. */
  atOnce?: number
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

/** What a pool holds. */
type Inside = PoolOptions & {
  sandboxes: Set<Sandbox>
  /** Those that end as soon as their calls have: they get no more of them. */
  retired: Set<Sandbox>
  waiting: Call[]
  /** Ends of sandboxes that are under way. */
  ending: Set<Promise<void>>
  /** Number of the last call. */
  last: number
  closed: boolean
}

/** Starts no sandbox before there is something to run. */
export function createPool(options: PoolOptions): Pool {
  const pool: Inside = {
    ...options,
    sandboxes: new Set(),
    retired: new Set(),
    waiting: [],
    ending: new Set(),
    last: 0,
    closed: false,
  }
  return {
    run: (task, timeout, log) => run(pool, task, timeout, log),
    crash(functionName, timedOut = false) {
      const failure = timedOut ? timeoutAfter(0) : endedBy('Crashed on purpose')
      for (const sandbox of [...pool.sandboxes, ...pool.retired])
        for (const [number, { task }] of sandbox.calls)
          if (task.context.functionName === functionName) {
            cut(pool, sandbox, number, failure)
            if (sandbox.calls.size === 0) void sandbox.worker.terminate()
          }
    },
    async close() {
      pool.closed = true
      for (const { reject } of pool.waiting.splice(0)) reject(new Error('The local cloud is closing'))
      for (const sandbox of [...pool.sandboxes, ...pool.retired]) end(pool, sandbox, 'The local cloud is closing')
      await Promise.all(pool.ending)
    },
  }
}

async function run(pool: Inside, task: Call['task'], timeout: number, log: Call['log']): Promise<Outcome> {
  if (pool.closed) throw new Error('The local cloud is closing')
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  pool.waiting.push({ task, timeout, log, resolve, reject, timers: [], isLong: false })
  release(pool)
  return await promise
}

/** Begins every call that a sandbox is free for; of those for the same bundle whoever asked first. */
function release(pool: Inside): void {
  const full = new Set<string>()
  for (const call of pool.waiting) {
    const { file } = call.task
    const sandbox = full.has(file) ? undefined : choose(pool, file)
    if (sandbox) begin(pool, sandbox, call)
    else full.add(file)
  }
  pool.waiting = pool.waiting.filter(({ timers }) => timers.length === 0)
}

function begin(pool: Inside, sandbox: Sandbox, call: Call): void {
  const { task, timeout, log } = call
  const { functionName } = task.context
  const environment = sandbox.told.get(functionName) === task.environment ? undefined : task.environment
  const number = ++pool.last
  sandbox.loaded.add(task.file)
  sandbox.told.set(functionName, task.environment)
  sandbox.calls.set(number, call)
  sandbox.logs.set(functionName, log)
  const becomeLong = () => {
    call.isLong = true
    release(pool)
  }
  call.timers = [
    setTimeout(() => cut(pool, sandbox, number, timeoutAfter(timeout)), timeout),
    setTimeout(becomeLong, LONG_MS),
  ]
  sandbox.worker.postMessage({ ...task, call: number, environment, deadline: Date.now() + timeout } satisfies Task)
}

/** A call has its outcome, if it still runs. */
function settle(pool: Inside, sandbox: Sandbox, number: number, outcome: Outcome): void {
  const call = sandbox.calls.get(number)
  if (!call) return
  sandbox.calls.delete(number)
  for (const timer of call.timers) clearTimeout(timer)
  call.resolve(outcome)
  if (sandbox.calls.size === 0 && pool.retired.has(sandbox)) end(pool, sandbox)
  if (pool.closed) return
  shrink(pool)
  release(pool)
}

/** Ends a call before it has an outcome, and its sandbox once the other calls there have theirs. */
function cut(pool: Inside, sandbox: Sandbox, number: number, failure: Outcome): void {
  sandbox.cut.add(number)
  retire(pool, sandbox)
  setTimeout(() => pool.retired.has(sandbox) && end(pool, sandbox), OTHERS_MS).unref()
  settle(pool, sandbox, number, failure)
}

function start(pool: Inside): Sandbox {
  const { exchanges = new Map() } = pool
  const worker = new Worker(new URL('./sandbox.ts', import.meta.url), {
    // Functions don't see it: they have their own variables.
    env: pool.compiled ? { NODE_COMPILE_CACHE: pool.compiled } : {},
    workerData: {
      skew: pool.clockSkew?.() ?? 0,
      endpoints: new Set(exchanges.keys()),
      givesWay: pool.givesWay ?? false,
    } satisfies SandboxData,
    resourceLimits: { maxOldGenerationSizeMb: pool.memory, maxYoungGenerationSizeMb: youngGeneration },
  })
  const sandbox: Sandbox = {
    worker,
    loaded: new Set(),
    told: new Map(),
    calls: new Map(),
    cut: new Set(),
    logs: new Map(),
  }
  worker.on('message', ({ call, written, ...said }: Report) => {
    if (written) logOf(sandbox, written.by)?.(written.lines)
    if ('payload' in said || 'failure' in said) settle(pool, sandbox, call, said)
    else if (said.ask !== undefined && !sandbox.cut.has(call))
      void exchange(exchanges, said).then(reply => worker.postMessage(reply satisfies ToSandbox))
  })
  worker.on('error', error => drop(pool, sandbox, `The sandbox ended: ${error.name}`))
  worker.on('exit', () => drop(pool, sandbox, 'The sandbox ended'))
  worker.unref()
  pool.sandboxes.add(sandbox)
  return sandbox
}

/** What takes the lines of a function; of what belongs to none, that of any. */
const logOf = ({ logs }: Sandbox, name: string) => logs.get(name) ?? logs.values().next().value

/** Takes a sandbox out of the pool, and fails its calls. */
function drop(pool: Inside, sandbox: Sandbox, reason: string): void {
  pool.sandboxes.delete(sandbox)
  pool.retired.delete(sandbox)
  for (const number of sandbox.calls.keys()) settle(pool, sandbox, number, endedBy(reason))
}

function end(pool: Inside, sandbox: Sandbox, reason = 'The sandbox ended'): void {
  drop(pool, sandbox, reason)
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

const isLong = ({ calls }: Sandbox) => calls.values().some(call => call.isLong)

/** How many sandboxes there may be now. */
const roomOf = ({ sandboxes, size, most = size }: Inside): number =>
  Math.min(most, size + [...sandboxes].filter(isLong).length)

/** Ends sandboxes for which there is no more room, since long tasks have ended, once their calls have. */
function shrink(pool: Inside): void {
  for (const sandbox of [...pool.sandboxes].sort(byLoaded)) {
    if (pool.sandboxes.size <= roomOf(pool)) return
    if (isLong(sandbox)) continue
    retire(pool, sandbox)
    if (sandbox.calls.size === 0) end(pool, sandbox)
  }
}

/** Lets a sandbox end as soon as its calls have. */
function retire({ sandboxes, retired }: Inside, sandbox: Sandbox): void {
  sandboxes.delete(sandbox)
  retired.add(sandbox)
}

const byLoaded = (a: Sandbox, b: Sandbox) => a.loaded.size - b.loaded.size

/**
 * The sandbox that fits a bundle best: of those that run the fewest calls one that has the code, or the one with most room; a new one
 * where all have something to do.
 */
function choose(pool: Inside, file: string): Sandbox | undefined {
  const { atOnce = 1, sandboxes } = pool
  const runs = ({ calls }: Sandbox) => calls.values().some(({ task }) => task.file === file)
  const free = [...sandboxes].filter(sandbox => sandbox.calls.size < atOnce && !runs(sandbox)).sort(byLoaded)
  const fewest = Math.min(...free.map(({ calls }) => calls.size))
  if (fewest > 0 && sandboxes.size < roomOf(pool)) return start(pool)
  const idlest = free.filter(({ calls }) => calls.size === fewest)
  const [emptiest] = idlest
  const warm = idlest.find(({ loaded }) => loaded.has(file))
  if (warm || !emptiest || emptiest.calls.size > 0 || emptiest.loaded.size < maxLoaded) return warm ?? emptiest
  end(pool, emptiest)
  return start(pool)
}

const endedBy = (errorMessage: string): Outcome => ({
  failure: { errorType: 'Runtime.ExitError', errorMessage, trace: [] },
})

const timeoutAfter = (milliseconds: number): Outcome => ({
  failure: {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`,
    trace: [],
  },
})
