import type { MessagePort } from 'node:worker_threads'
import {
  type AnonymiseResult,
  type AssetFailure,
  type Comparison,
  type Decision,
  EngineError,
  type PendingIn,
  type Plan,
  type Rounds,
} from 'anonymisation-engine'
import { log } from '../../log.ts'
import type { ListFiles } from './lists.ts'
import { connectModels } from './model-host.ts'
import type { SecretBytes } from './secrets.ts'
import { leaveThread, renewThread, startThread, takeThread } from './threads.ts'

/** What a thread is given to work on. */
export type ThreadData = {
  /** The asset's file on disk, and its name. */
  path: string
  name: string
  plan: Plan
  secrets: SecretBytes
  /** Folder of the models that were fetched for it. */
  models: string
  /** The job it is of, whose chunks share what models found in their values. */
  job?: string
  /** The account that it belongs to, whose next asset may get the same thread. */
  owner?: string
  /** Files with the values of the lists that the plan names, by those names. */
  lists?: ListFiles
  /** Where outputs are written. */
  directory: string
  /** One chunk of a large table: its bytes, and how the table was found to be written. */
  chunk?: { range: { start: number; end: number }; options: Record<string, unknown> }
  /** How the file is to be read, for what isn't to be detected. */
  options?: Record<string, unknown>
  /** Whether the asset is only looked at; and, where it isn't, whether the places of what is found are kept. */
  inspects?: boolean
  keepsFindings?: boolean
  /** Whether it is only proposed what to replace; and, once that was reviewed, what was decided. */
  proposes?: boolean
  decisions?: Decision[]
  rounds?: Rounds
  /** Files with what pictures are known to show, and how many pages with others this run may read. */
  readings?: { paths: string[]; most: number }
  /** To read pictures only: pages from 0, and what file it is. */
  read?: { pages: number[]; where: PendingIn }
  /** To look for the values of a file only: how they are compared. */
  find?: { compared: readonly Comparison[] }
  /** File with the filter of the values of all files of the job. */
  filter?: string
  /** To look at the columns of a table only: its size; its bytes are asked for, as it is not on disk. */
  columns?: { size: number }
}

/** What a thread gets of it: a port to the models instead of their folder, if its plan needs any. */
export type InThread = Omit<ThreadData, 'models' | 'job' | 'owner'> & { modelPort?: MessagePort }

/** What was done, without the files that came of it. */
type Made = Omit<AnonymiseResult, 'output' | 'tally' | 'places'>

/** The files that came of it: the output, unless the asset was only looked at, the counts of risk, and where things were found. */
type Files = { path?: string; tally?: string; places?: { path: string; rows: number } }

/** What a thread says. */
export type FromThread =
  | { type: 'begun' }
  | (Ends & { holds?: number })
  | { type: 'number'; id: number; keys: string[] }
  | { type: 'bytes'; id: number; start: number; end: number }
  | { type: 'progress'; bytes: number }
  | { type: 'refused'; failure: AssetFailure; message: string; loc: string[] }
  | { type: 'crashed'; failure: Record<string, unknown> }

/** What it says of an end that is neither refused nor crashed; `holds`, the bytes it has left, if it may be given another asset of the same owner. */
type Ends =
  | ({ type: 'done'; result: Made } & Files)
  | { type: 'unread'; pages: number[]; where: PendingIn; path: string | undefined }
  | { type: 'read'; path: string }
  | { type: 'marked'; path: string }
  | { type: 'columns'; missing: { message: string; loc: string[] } | undefined }

/** What a thread is answered. */
export type ToThread = { id: number; answer: number[] | Uint8Array }

/** What came out: what was done, and where the files are. */
export type Isolated = Made & Files

/** How a thread ends that is neither refused nor crashed. */
export type Ended = Extract<FromThread, { type: 'done' | 'unread' | 'read' | 'marked' | 'columns' }>

/** Bounds of one asset, and what it may ask for. */
export type Bounds = {
  /** Milliseconds until the asset fails with `timeout`. */
  milliseconds: number
  /** Heap of the thread, MiB; beyond it the asset fails with `limit_exceeded`. */
  heapMiB: number
  /** Ends the thread at once; the promise then rejects with the signal's reason. */
  signal: AbortSignal
  number: (keys: string[]) => Promise<number[]>
  /** Told now and then how far it has come, in bytes of the file or chunk. */
  progress?: (bytes: number) => void
  /** Bytes of a table whose columns are looked at. */
  bytes?: (start: number, end: number) => Promise<Uint8Array>
}

/** Anonymises one asset in a thread, see {@link isolate}. */
export async function anonymiseIsolated(data: ThreadData, bounds: Bounds): Promise<Isolated> {
  const ended = await isolate(data, bounds)
  if (ended.type !== 'done') throw new EngineError('internal')
  return isolatedOf(ended)
}

/** What came out of a thread that is done. */
export const isolatedOf = ({ result, path, tally, places }: Extract<FromThread, { type: 'done' }>): Isolated => ({
  ...result,
  path,
  tally,
  places,
})

/** The thread ended before it had begun with the asset, which is not to blame: another thread may do it. */
class NotBegun extends Error {
  override readonly name = 'NotBegun'
}

/**
 * Works on one asset in a thread with hard limits of time and memory: a format that hangs, traps or runs out of memory
 * fails its asset and nothing else. Throws {@link EngineError} for what is wrong with the asset.
 */
export async function isolate(data: ThreadData, bounds: Bounds): Promise<Ended> {
  try {
    return await attempt(data, bounds, takeThread).catch(error => {
      if (!(error instanceof NotBegun)) throw error
      return attempt(data, bounds, startThread)
    })
  } catch (error) {
    throw error instanceof NotBegun ? error.cause : error
  } finally {
    // The next one starts while the result of this one is stored.
    renewThread()
  }
}

async function attempt({ models, job, owner, ...data }: ThreadData, bounds: Bounds, threadFor: typeof takeThread) {
  const asks = !data.read && !data.columns && data.plan.rules.some(({ detection }) => detection.type === 'AIMODEL')
  const modelPort = asks ? await connectModels(models, data.chunk && job) : undefined
  try {
    return await runThread({ ...data, modelPort }, bounds, owner, threadFor)
  } finally {
    // A thread that had ended never took it.
    modelPort?.close()
  }
}

const isEnd = (message: FromThread): message is Ended =>
  ['done', 'unread', 'read', 'marked', 'columns'].includes(message.type)

function runThread(
  data: InThread,
  bounds: Bounds,
  owner: string | undefined,
  threadFor: typeof takeThread,
): Promise<Ended> {
  const { milliseconds, heapMiB, signal, number, progress, bytes } = bounds
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = threadFor(heapMiB, owner)
    let begun = false
    let failure = new EngineError('internal')
    const settle = (act: () => void, holds?: number) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener)
      if (holds === undefined) void worker.terminate()
      else leaveThread(worker, owner, holds)
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
    const onMessage = (message: FromThread) => {
      if (message.type === 'number' || message.type === 'bytes') {
        const asked = message.type === 'number' ? number(message.keys) : bytes!(message.start, message.end)
        asked.then(
          answer => worker.postMessage({ id: message.id, answer } satisfies ToThread),
          error => settle(() => reject(error)),
        )
      } else if (message.type === 'begun') begun = true
      else if (message.type === 'progress') progress?.(message.bytes)
      else if (isEnd(message)) settle(() => resolve(message), message.holds)
      else if (message.type === 'refused') {
        settle(() => reject(new EngineError(message.failure, message.message, message.loc)))
      } else {
        log.error('asset crashed', { failure: message.failure })
        settle(() => reject(new EngineError('internal')))
      }
    }
    // It exits next, once all that it had said is heard.
    const onError = (error: NodeJS.ErrnoException) => {
      const message = 'The asset needs more memory than the worker has'
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') failure = new EngineError('limit_exceeded', message)
    }
    const onExit = () => settle(() => reject(begun ? failure : new NotBegun('', { cause: failure })))
    const listeners = { message: onMessage, error: onError, exit: onExit }
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener)
    worker.postMessage(data, data.modelPort ? [data.modelPort] : [])
  })
}
