import { Worker } from 'node:worker_threads'
import { log } from '../../log.ts'
import { keepWasmCode } from '../../wasm-code.ts'

keepWasmCode()

/** Heap of the thread that an asset is processed in, MiB. */
export const HEAP_MIB = 1536

/**
 * Room for what was just made, MiB. Left to itself V8 doubles it again and again while a thread works, up to 192 MiB, so that
 * the longer a table was the more memory it took; tables are as fast with this.
 */
const YOUNG_MIB = 48

/** The thread's own file lies beside this one, as source or bundled. */
const file = new URL(import.meta.url.endsWith('.ts') ? './worker-entry.ts' : './worker-entry.mjs', import.meta.url)

/** The thread of the next asset where one is kept ready: it has loaded the engine, and nobody's data. */
let ready: Worker | undefined
let kept = false

/** From now on a thread stands ready for the next asset. It keeps the process alive. */
export function keepThreadReady(): void {
  kept = true
  renewThread()
}

/** Starts the thread of the next asset if one is to stand ready and none does. */
export function renewThread(): void {
  if (!kept || ready) return
  const thread = startThread(HEAP_MIB)
  ready = thread
  const gone = () => {
    if (ready === thread) ready = undefined
  }
  thread.on('error', gone)
  thread.on('exit', gone)
}

/** How long a thread waits for the next asset of its owner, milliseconds. */
const WAITS_MS = 30_000

/**
 * How many threads wait at most, and what all of them may hold, MiB, and as a part of the worker's memory: after a short text each
 * holds 18 MB and takes 19.
 */
const MOST = { threads: 24, mib: 480, part: 1 / 7 }

/** What all threads that wait may hold, bytes. */
function mostHeld(): number {
  const memory = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? Number.POSITIVE_INFINITY)
  return Math.min(MOST.mib, memory * MOST.part) * 2 ** 20
}

/** Threads that assets were processed in, each for the next asset of the same owner. */
let used: { thread: Worker; owner: string; bytes: number; timer: NodeJS.Timeout }[] = []

/** Keeps a thread that holds so many bytes for the next asset of its owner, or ends it where there is no room. */
export function leaveThread(thread: Worker, owner: string | undefined, bytes: number): void {
  const held = used.reduce((sum, { bytes }) => sum + bytes, bytes)
  if (!kept || owner === undefined || used.length >= MOST.threads || held > mostHeld()) return void thread.terminate()
  const timer = setTimeout(() => endUsed(thread), WAITS_MS).unref()
  used.push({ thread, owner, bytes, timer })
}

/** Takes a thread from those that wait, if it does. */
function stopWaiting(thread: Worker): void {
  clearTimeout(used.find(one => one.thread === thread)?.timer)
  used = used.filter(one => one.thread !== thread)
}

function endUsed(thread: Worker): void {
  stopWaiting(thread)
  void thread.terminate()
}

/** A thread with a heap of so many MiB in which no asset was processed, or none but of the same owner. */
export function takeThread(heapMiB: number, owner?: string): Worker {
  if (heapMiB !== HEAP_MIB) return startThread(heapMiB)
  const waiting = used.findLast(one => one.owner === owner)
  if (waiting) {
    stopWaiting(waiting.thread)
    return waiting.thread
  }
  if (!ready) return startThread(heapMiB)
  const thread = ready
  ready = undefined
  return thread
}

/** A new thread with a heap of so many MiB. */
export function startThread(heapMiB: number): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: YOUNG_MIB }
  const thread = new Worker(file, { env: { ...process.env }, resourceLimits, stdout: true, stderr: true })
  thread.on('exit', () => stopWaiting(thread))
  // Libraries print what they stumble over, and that may quote the document: it must not get into the log.
  for (const printed of [thread.stdout, thread.stderr]) printed.resume()
  thread.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') {
      log.error('thread failed', { code: error.code, error: error.name })
    }
  })
  return thread
}
