import { createRequire } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { transportSymbol } from '../../shared/transport.ts'
import { type Ask, messageTransport, type Reply } from './exchanges.ts'

type Environment = Record<string, string>

/** What a sandbox is told to run; `payload` is JSON, as Lambda sends it. */
export type Task = {
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

/** What a sandbox says: what it asks of an emulator, and in the end its outcome. */
type Said = Ask | { payload: string } | { failure: Failure }

/** The same, with the lines that the function wrote before, or these alone. */
export type Report = (Said & { log?: string }) | { log: string }

/** How a function failed, in the words of Lambda. */
export type Failure = { errorType: string; errorMessage: string; trace: string[] }

// This file is the inside of a sandbox: one thread that runs one event at a time, like an execution environment of
// Lambda. Unlike one it may hold the code of several functions, each with module state of its own.
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

/**
 * Lines that go out with what is said next, or by themselves once nothing is: each message wakes another thread. Those written just before
 * a computation that only the time-out ends go with the thread.
 */
let lines = ''

function say(said: Said) {
  port.postMessage((lines ? { ...said, log: lines } : said) satisfies Report)
  lines = ''
}

function sayLines() {
  if (lines) port.postMessage({ log: lines } satisfies Report)
  lines = ''
}

process.once('exit', sayLines)
for (const stream of [process.stdout, process.stderr]) {
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    if (!lines) setImmediate(sayLines)
    lines += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }) as typeof stream.write
}

const { transport, take } = messageTransport(endpoints, say)
Object.assign(globalThis, { [transportSymbol]: transport })

port.on('message', async (task: ToSandbox) => {
  // Lambda tells an execution environment by this signal that it ends; whoever listens has something to end first.
  if (task === 'end') return void (process.emit('SIGTERM', 'SIGTERM') || process.exit())
  if ('reply' in task) return take(task)
  try {
    say({ payload: await run(task) })
  } catch (error) {
    say({ failure: failureOf(error) })
  }
})

/** Environments of the functions that it was told of, by their names, and the one that is set. */
const environments = new Map<string, Environment>()
let current: Environment = {}

/** Sets the environment of a function. Variables of a thread are slow to set, so only those that differ are. */
function setEnvironment(next: Environment) {
  if (next === current) return
  for (const name of Object.keys(process.env)) if (!(name in next)) delete process.env[name]
  for (const [name, value] of Object.entries(next)) if (current[name] !== value) process.env[name] = value
  current = next
}

async function run({ file, exported, environment, payload, context, deadline }: Task): Promise<string> {
  if (environment) environments.set(context.functionName, environment)
  setEnvironment(environments.get(context.functionName)!)
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
