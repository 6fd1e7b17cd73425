import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import {
  type AnonymiseResult,
  type AssetFailure,
  EngineError,
  fileInput,
  isNumbered,
  mergeFindings,
  mergeNameEdits,
  mergeReports,
  type Plan,
  type PlannedRule,
  renamed,
  type Secrets,
  splitAsset,
} from 'anonymisation-engine'
import type { Engine, Watch } from './engine.ts'
import type { Task } from './find.ts'
import { isRecognisers } from './plan.ts'

/** From how many bytes on a table is worked on in parts, of how many bytes each, and by how many threads at most. */
type Measures = { table: number; part: number; threads: number }

/**
 * A thread takes seconds to start and to become quick, in which recognisers read one or two MB, and patterns alone as much as they
 * ever gain by it. It has the rules, and a part in its memory.
 */
const measuresFor = ({ rules }: Plan): Measures => ({
  table: rules.some(({ detection }) => detection.type === 'AIMODEL') ? 8_000_000 : Number.POSITIVE_INFINITY,
  part: 2_000_000,
  threads: Math.min(availableParallelism(), 4),
})

/** Whether a thread can follow a rule alone: numbers go by the order of all values, and classifiers use all processors as it is. */
const mayBeInThread = ({ detection, replacement }: PlannedRule) =>
  !isNumbered(replacement) && (detection.type === 'REGEX' || isRecognisers(detection))

/** Room of a thread for what was just made, MiB. Left to itself it grows to many times that, and is no quicker. */
const YOUNG_MIB = 24

/** What a thread knows of its table. */
export type PartData = {
  file: string
  name: string
  /** Where outputs are written. */
  folder: string
  options: Record<string, unknown>
  plan: Plan
  secrets: Secrets
}

/** A part that a thread is to work on. */
export type Part = { n: number; range: { start: number; end: number } }

/** What a thread says. */
export type FromPart =
  | { type: 'progress'; n: number; bytes: number }
  | { type: 'done'; n: number; written: string; made: Omit<AnonymiseResult, 'output'> }
  | { type: 'refused'; failure: AssetFailure; message: string; loc: string[] }
  | { type: 'crashed'; name: string; code: string | undefined }

type Done = Extract<FromPart, { type: 'done' }>

/** What is told of a table that was worked on in parts; its output lies in the folder under the name `written`. */
type MadeOfParts = Pick<AnonymiseResult, 'name' | 'findings' | 'report' | 'format' | 'bytesIn'> & { written: string }

/**
 * Anonymises a large table in parts, as many at a time as there are processors; the output is byte for byte that of one
 * pass. Nothing comes back for files that are worked on in one piece.
 */
export async function anonymiseInParts(
  engine: Engine,
  { file, name = basename(file) }: Task,
  folder: string,
  watch: Watch,
  { table, part, threads }: Measures = measuresFor(engine.plan),
): Promise<MadeOfParts | undefined> {
  const { plan, secrets, options, replacer, list } = engine
  // Lists go by places in the whole.
  if (replacer || list || !plan.rules.every(mayBeInThread)) return undefined
  const input = await fileInput(file, name)
  if (input.size < table || threads < 2) return undefined
  const split = await splitAsset({ input, plan, options, size: part, signal: watch.signal })
  const ranges = split?.ranges ?? []
  if (ranges.length < 2) return undefined
  const data: PartData = { file, name, folder, options: split!.options, plan, secrets }
  const done = await workOn(ranges, data, Math.min(threads, ranges.length), watch)
  const written = await joined(done, folder)
  const all = done.map(({ made }) => made)
  return {
    name: renamed(name, mergeNameEdits(all.map(({ nameEdits }) => nameEdits))),
    findings: mergeFindings(all.map(({ findings }) => findings)),
    report: mergeReports(all.map(({ report }) => report)),
    format: all[0]!.format,
    bytesIn: input.size,
    written,
  }
}

/** Works on all parts; what goes wrong with one ends the others. */
async function workOn(
  ranges: { start: number; end: number }[],
  data: PartData,
  threads: number,
  { signal, told }: Watch,
): Promise<Done[]> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const bytes = ranges.map(() => 0)
  const progress = (n: number, done: number) => {
    bytes[n] = done
    told(bytes.reduce((sum, one) => sum + one, 0))
  }
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  const waiting = ranges.entries()
  const workers = Array.from({ length: threads }, () => start(data))
  const parts: Done[] = []
  try {
    const run = async (worker: Worker) => {
      for (const [n, range] of waiting) {
        parts[n] = await workedOn(worker, { n, range }, progress)
        progress(n, range.end - range.start)
      }
    }
    await Promise.race([failed, Promise.all(workers.map(run))])
    return parts
  } finally {
    signal.removeEventListener('abort', onAbort)
    await Promise.all(workers.map(worker => worker.terminate()))
  }
}

function start(workerData: PartData): Worker {
  const worker = new Worker(new URL('./part-entry.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    stdout: true,
    stderr: true,
  })
  // Libraries print what they stumble over, and that may quote the table.
  for (const printed of [worker.stdout, worker.stderr]) printed.resume()
  return worker
}

/** Has a thread work on a part. */
function workedOn(worker: Worker, part: Part, progress: (n: number, bytes: number) => void): Promise<Done> {
  const { promise, resolve, reject } = Promise.withResolvers<Done>()
  const onMessage = (message: FromPart) => {
    if (message.type === 'done') resolve(message)
    else if (message.type === 'progress') progress(message.n, message.bytes)
    else if (message.type === 'refused') reject(new EngineError(message.failure, message.message, message.loc))
    else reject(Object.assign(new Error('A part of the table failed'), { name: message.name, code: message.code }))
  }
  const onError = (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new EngineError('limit_exceeded', 'The table needs more memory than there is')
        : error,
    )
  const onExit = () => reject(new Error('A thread ended'))
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  worker.postMessage(part)
  return promise.finally(() => worker.off('message', onMessage).off('error', onError).off('exit', onExit))
}

/** Puts outputs of parts together, each gone once it is in its place; answers the name of the whole. */
async function joined(parts: readonly Done[], folder: string): Promise<string> {
  const name = 'output'
  for (const { written } of parts) {
    await pipeline(createReadStream(written), createWriteStream(join(folder, name), { flags: 'a', mode: 0o600 }))
    rmSync(written)
  }
  return name
}
