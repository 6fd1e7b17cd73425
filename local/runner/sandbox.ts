import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { transportSymbol } from '../../shared/transport.ts'
import { type Ask, messageTransport, type Reply } from './exchanges.ts'

type Environment = Record<string, string>

/** What a sandbox is told to run; `payload` is JSON, as Lambda sends it. */
export type Task = {
  /** Number of the call among those of the sandbox. */
  call: number
  /** Path of the bundle, without its extension, and name of the function that it exports. */
  file: string
  exported: string
  /** That of the function; absent when this sandbox was told before. */
  environment?: Environment
  payload: string
  context: { functionName: string; memoryLimitInMB: string; awsRequestId: string; invokedFunctionArn: string }
  /** When the function is ended, milliseconds since 1970. */
  deadline: number
}

/** What a sandbox is told: to run a task, what an emulator answers, or to end as soon as no native code runs in it. */
export type ToSandbox = Task | Reply | 'end'

/** What a sandbox says of a call: what it asks of an emulator, and in the end its outcome. */
type Said = Ask | { payload: string } | { failure: Failure }

/** Lines that a function wrote, given by its name. */
type Written = { by: string; lines: string }

/** What is said, with the number of the call and the lines that it wrote before, or these alone. */
export type Report = { call: number; written?: Written } & (Said | { ask?: undefined })

/** How a function failed, in the words of Lambda. */
export type Failure = { errorType: string; errorMessage: string; trace: string[] }

// This file is the inside of a sandbox: one thread, like an execution environment of Lambda. Unlike one it may hold the code of
// several functions, each with module state of its own, and run one event of each of them at a time.
const port = parentPort!
const load = createRequire(import.meta.url)
const now = Date.now

/** How far its clock is out, milliseconds, the emulators that take messages, and whether it gives way to other threads. */
export type SandboxData = { skew: number; endpoints: ReadonlySet<string>; givesWay: boolean }

/** How much nicer a thread is that gives way, and those that it starts: each gets a third of the time of others where all compute. */
const NICE = 5

const { skew, endpoints, givesWay } = workerData as SandboxData
if (givesWay) giveWay()
if (skew !== 0) {
  Date.now = () => now() + skew
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length ? given : [target.now()], newTarget),
  })
}

function giveWay() {
  // Elsewhere a process has one priority, and not each thread its own.
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(19, getPriority() + NICE))
  } catch {
    // A container may not let it: then jobs take as much time as requests.
  }
}

/** A call that runs, and lines that go out with what it says next, or by themselves once nothing is. */
type Call = { id: number; functionName: string; environment: Environment; lines: string }

/** The call that whatever runs now belongs to. */
const calls = new AsyncLocalStorage<Call>()

/** Stands for the call of what belongs to none, such as what listens for the end of the thread. */
const noCall: Call = { id: 0, functionName: '', environment: {}, lines: '' }

const currentCall = () => calls.getStore() ?? noCall

/** Calls whose lines are to go out. Those written just before a computation that only the time-out ends go with the thread. */
const withLines = new Set<Call>()

/** Each message wakes another thread, so lines go along with what is said. */
function say(call: Call, said: Said) {
  port.postMessage({ call: call.id, ...said, ...takeLines(call) } satisfies Report)
}

function takeLines(call: Call): { written?: Written } {
  const { functionName, lines } = call
  if (!withLines.delete(call)) return {}
  call.lines = ''
  return { written: { by: functionName, lines } }
}

function sayLines() {
  for (const call of withLines) port.postMessage({ call: call.id, ...takeLines(call) } satisfies Report)
}

process.once('exit', sayLines)
for (const stream of [process.stdout, process.stderr]) {
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const call = currentCall()
    if (withLines.size === 0) setImmediate(sayLines)
    withLines.add(call)
    call.lines += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }) as typeof stream.write
}

const { transport, take } = messageTransport(endpoints, ask => say(currentCall(), ask))
Object.assign(globalThis, { [transportSymbol]: transport })

/** Environments of the functions that it was told of, by their names. */
const environments = new Map<string, Environment>()

/** The variables that native code reads: `os.tmpdir()` takes `TMPDIR` from there. */
const native = process.env

/** Variables of whatever runs now: those of its function and no others. */
const environment = () => currentCall().environment
process.env = new Proxy<Environment>(
  {},
  {
    get: (_, name) => environment()[name as string],
    has: (_, name) => name in environment(),
    set: (_, name, value) => Reflect.set(environment(), name, String(value)),
    deleteProperty: (_, name) => Reflect.deleteProperty(environment(), name),
    ownKeys: () => Reflect.ownKeys(environment()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(environment(), name),
  },
)

port.on('message', (task: ToSandbox) => {
  // Lambda tells an execution environment by this signal that it ends; whoever listens has something to end first.
  if (task === 'end') return void (process.emit('SIGTERM', 'SIGTERM') || process.exit())
  if ('reply' in task) return take(task)
  const { functionName } = task.context
  if (task.environment) learn(functionName, task.environment)
  const call = { id: task.call, functionName, environment: environments.get(functionName)!, lines: '' }
  return calls.run(call, answer, call, task)
})

function learn(functionName: string, told: Environment) {
  environments.set(functionName, told)
  if (told.TMPDIR) native.TMPDIR = told.TMPDIR
}

async function answer(call: Call, task: Task): Promise<void> {
  try {
    say(call, { payload: await run(task) })
  } catch (error) {
    say(call, { failure: failureOf(error) })
  }
}

async function run({ file, exported, payload, context, deadline }: Task): Promise<string> {
  const handler = load(file)[exported]
  const result = await handler(JSON.parse(payload), {
    ...context,
    functionVersion: '$LATEST',
    logGroupName: context.functionName,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - now()),
  })
  return JSON.stringify(result) ?? 'null'
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] }
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n').slice(1) ?? [] }
}
