import { Worker } from 'node:worker_threads'
import type { AnonymiseResult } from '../engine/anonymise.ts'
import { type AssetFailure, EngineError } from '../engine/errors.ts'
import type { Plan } from '../engine/plan.ts'
import { log } from '../log.ts'

/** What a thread is given to work on. */
export type ThreadData = {
  /** The asset's file on disk, and its name. */
  path: string
  name: string
  plan: Plan
  secrets: { hash: Uint8Array; pseudonym: Uint8Array }
  /** Folder of the models that were fetched for it. */
  models: string
  /** Where outputs are written. */
  directory: string
  /** One chunk of a large table: its bytes, and how the table was found to be written. */
  chunk?: { range: { start: number; end: number }; options: Record<string, unknown> }
}

/** What a thread says. */
export type FromThread =
  | { type: 'number'; id: number; keys: string[] }
  | { type: 'done'; result: Omit<AnonymiseResult, 'output'>; path: string }
  | { type: 'refused'; failure: AssetFailure; message: string; loc: string[] }
  | { type: 'crashed'; failure: Record<string, unknown> }

/** What a thread is answered. */
export type ToThread = { id: number; numbers: number[] }

/** What came out: where the file is, and what was done. */
export type Isolated = Omit<AnonymiseResult, 'output'> & { path: string }

/** Bounds of one asset, and what it may ask for. */
export type Bounds = {
  /** Milliseconds until the asset fails with `timeout`. */
  milliseconds: number
  /** Heap of the thread, MiB; beyond it the asset fails with `limit_exceeded`. */
  heapMiB: number
  /** Ends the thread at once; the promise then rejects with the signal's reason. */
  signal: AbortSignal
  number: (keys: string[]) => Promise<number[]>
}

/** The thread's own file lies beside this one, as source or bundled. */
const thread = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.mjs', import.meta.url)

/**
 * Anonymises one asset in a thread with hard limits of time and memory: a format that hangs, traps or runs out of
 * memory fails its asset and nothing else. Throws {@link EngineError} for what is wrong with the asset.
 */
export function anonymiseIsolated(
  data: ThreadData,
  { milliseconds, heapMiB, signal, number }: Bounds,
): Promise<Isolated> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const resourceLimits = { maxOldGenerationSizeMb: heapMiB }
    const worker = new Worker(thread, { workerData: data, resourceLimits, stdout: true, stderr: true })
    // Libraries print what they stumble over, and that may quote the document: it must not get into the log.
    for (const printed of [worker.stdout, worker.stderr]) printed.resume()
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      void worker.terminate()
      act()
    }
    const onAbort = () => settle(() => reject(signal.reason))
    signal.addEventListener('abort', onAbort)
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(new EngineError('timeout', `The asset took longer than ${Math.round(milliseconds / 1000)} s`)),
        ),
      milliseconds,
    )
    worker.on('message', (message: FromThread) => {
      if (message.type === 'number') {
        number(message.keys).then(
          numbers => worker.postMessage({ id: message.id, numbers } satisfies ToThread),
          error => settle(() => reject(error)),
        )
      } else if (message.type === 'done') settle(() => resolve({ ...message.result, path: message.path }))
      else if (message.type === 'refused') {
        settle(() => reject(new EngineError(message.failure, message.message, message.loc)))
      } else {
        log.error('asset crashed', { failure: message.failure })
        settle(() => reject(new EngineError('internal')))
      }
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const failure = memory
        ? new EngineError('limit_exceeded', 'The asset needs more memory than the worker has')
        : undefined
      if (!failure) log.error('thread failed', { code: error.code, error: error.name })
      settle(() => reject(failure ?? new EngineError('internal')))
    })
    worker.on('exit', () => settle(() => reject(new EngineError('internal'))))
  })
}
