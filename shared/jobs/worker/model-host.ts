import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { log } from '../../log.ts'

/** What the thread that runs models is told: that an asset will ask over a port, to show that it answers, or to end. */
export type ToModelThread =
  | { type: 'serve'; port: MessagePort; fetched: string; job?: string }
  | { type: 'ping'; n: number }
  | { type: 'end' }

/** How long the thread may take to answer while nothing is asked of it, milliseconds: some batches of what was given up. */
const PATIENCE_MS = 5000
/** How long it may take to end by itself, milliseconds. */
const END_MS = 5000
/** Its heap, MiB; weights are outside of it. */
const HEAP_MIB = 512

/** The thread's own file lies beside this one, as source or bundled. */
const file = new URL(import.meta.url.endsWith('.ts') ? './model-entry.ts' : './model-entry.mjs', import.meta.url)

let thread: Worker | undefined
let pings = 0

/**
 * A port to the thread that runs models, for one asset: started on first use, it stays for the next assets and the next
 * invocations, with the models that it has loaded. One that hangs is ended and replaced. `fetched` is the folder of the
 * models that were fetched from the bucket. Chunks of one job, which `job` names, share what was found in their values.
 */
export async function connectModels(fetched: string, job?: string, patience = PATIENCE_MS): Promise<MessagePort> {
  if (thread && !(await answers(thread, patience))) {
    log.error('the thread that runs models does not answer')
    await end(thread)
  }
  thread ??= start()
  const { port1, port2 } = new MessageChannel()
  thread.postMessage({ type: 'serve', port: port2, fetched, job } satisfies ToModelThread, [port2])
  return port1
}

function start(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB }
  const started = new Worker(file, { env: { ...process.env }, resourceLimits, stdout: true, stderr: true })
  for (const printed of [started.stdout, started.stderr]) printed.resume()
  started.on('error', (error: NodeJS.ErrnoException) => {
    log.error('the thread that runs models failed', { code: error.code, error: error.name })
  })
  started.on('message', (message: number | { failure: Record<string, unknown> }) => {
    if (typeof message === 'object') log.error('a model failed', message)
  })
  const shutDown = () => void end(started).then(exitAfterAll)
  process.on('SIGTERM', shutDown)
  // What waits for it learns of its end by its port; the next asset gets a new one.
  started.on('exit', () => {
    process.off('SIGTERM', shutDown)
    if (thread === started) thread = undefined
  })
  started.unref()
  return started
}

/**
 * Ends a thread. One that is terminated while the native code of a model runs takes the whole process with it, so it is asked to
 * end first; only one that does not even hear that is terminated.
 */
async function end(asked: Worker): Promise<void> {
  if (thread === asked) thread = undefined
  const ended = new Promise(resolve => asked.once('exit', resolve))
  asked.postMessage({ type: 'end' } satisfies ToModelThread)
  await Promise.race([ended, delay(END_MS)])
  await asked.terminate()
}

/** Ends the process once nobody listens any more to the signal that asked for it. */
function exitAfterAll(): void {
  if (process.listenerCount('SIGTERM') === 0) process.exit()
}

async function answers(asked: Worker, patience: number): Promise<boolean> {
  const n = ++pings
  const signal = AbortSignal.timeout(patience)
  asked.postMessage({ type: 'ping', n } satisfies ToModelThread)
  try {
    for (;;) if ((await once(asked, 'message', { signal }))[0] === n) return true
  } catch {
    return false
  }
}
