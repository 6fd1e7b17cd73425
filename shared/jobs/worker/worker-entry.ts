import { createSecretKey } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { type MessagePort, parentPort } from 'node:worker_threads'
import {
  type AnonymiseResult,
  anonymise,
  EngineError,
  fileInput,
  fileOutput,
  findValues,
  type Input,
  inspect,
  type KnownPictures,
  type LoadList,
  missingColumns,
  OcrPending,
  type OcrResult,
  ocrPages,
  type Secrets,
} from 'anonymisation-engine'
import type { LoadModel } from 'anonymisation-engine/models'
import { describeFailure } from '../../failure.ts'
import { current, decodeEntries } from '../../store/list-file.ts'
import type { SecretBytes } from './secrets.ts'
import type { Ended, FromThread, InThread, ThreadData, ToThread } from './worker-host.ts'

/**
 * Runs one anonymisation in a thread of its own, which can be ended from outside whatever it does. It is started before there
 * is one, and ends with it, or stays for the next asset of the same owner.
 */

let data: InThread
const send = (message: FromThread) => parentPort!.postMessage(message)
const waiting = new Map<number, (answer: ToThread['answer']) => void>()
let asked = 0

parentPort!.on('message', (message: InThread | ToThread) => {
  if ('answer' in message) {
    waiting.get(message.id)?.(message.answer)
    waiting.delete(message.id)
  } else {
    data = message
    reportedAt = 0
    void run()
  }
})

/**
 * What a thread may hold after an asset to be given another one, bytes: less than any decoder in WebAssembly has, whose memory a
 * hostile file may have spoilt, and less than would be missed beside the next asset.
 */
const LEFT = { external: 8 * 2 ** 20, heap: 256 * 2 ** 20 }

/** Whether the asset had something read in a thread of that thread, as pictures are. */
let hasThread = false
process.once('worker', () => {
  hasThread = true
})

/** What the thread holds after an asset, bytes, if it may be given another one. */
function held(): number | undefined {
  const { external_memory, used_heap_size } = getHeapStatistics()
  const isClean = !hasThread && waiting.size === 0 && external_memory < LEFT.external && used_heap_size < LEFT.heap
  return isClean ? used_heap_size + external_memory : undefined
}

/** Numbers and bytes are given by stores, which the thread can't reach: the main thread asks for it. */
const ask = <T extends ToThread['answer']>(message: (id: number) => FromThread): Promise<T> =>
  new Promise(resolve => {
    const id = ++asked
    waiting.set(id, answer => resolve(answer as T))
    send(message(id))
  })

const number = (keys: string[]) => ask<number[]>(id => ({ type: 'number', id, keys }))

/** Bytes of a table that are asked for at once by whoever reads it in order: few at first, as that may be all. */
const asking = { first: 256 * 1024, most: 8 * 1024 * 1024 }

/** A table that is not on disk. */
const askedInput = (size: number): Input => {
  const read = async (start: number, end: number) =>
    start < Math.min(end, size)
      ? ask<Uint8Array>(id => ({ type: 'bytes', id, start, end: Math.min(end, size) }))
      : new Uint8Array()
  return {
    name: data.name,
    size,
    read,
    async *stream(start = 0, end = size) {
      let piece = asking.first
      for (let at = start; at < Math.min(end, size); piece = Math.min(piece * 2, asking.most)) {
        yield await read(at, Math.min(at + piece, end))
        at += piece
      }
    },
  }
}

/** Models are reached by code of their own, which assets without model rules do without. */
function modelsOf(port: MessagePort | undefined): LoadModel {
  let loader: LoadModel | undefined
  return async detection => {
    loader ??= (await import('./models.ts')).modelsOver(port!)
    return loader(detection)
  }
}

/** Values that have expired by now count no more. */
const readList: LoadList = async list =>
  current(decodeEntries(await readFile(data.lists![list]!)), new Date().toISOString())

let files = 0
const create = async () => {
  const path = join(data.directory, `output-${++files}`)
  const output = fileOutput(path)
  const input = async () => {
    await output.close()
    return { ...(await fileInput(path, data.name)), path }
  }
  return { output, input }
}

/** What pictures are known to show, from the files that other workers have written. */
async function knownPictures(paths: readonly string[]): Promise<KnownPictures> {
  const known: KnownPictures = new Map()
  for (const path of paths)
    for (const [key, result] of JSON.parse(await readFile(path, 'utf8')) as [string, OcrResult][])
      known.set(key, result)
  return known
}

/** How often it is told how far the work has come, milliseconds. */
const TELL_MS = 500
let reportedAt = 0

const progress = (bytes: number) => {
  const now = performance.now()
  if (now - reportedAt < TELL_MS) return
  reportedAt = now
  send({ type: 'progress', bytes })
}

const { signal } = new AbortController()

async function readAlone({ pages, where }: NonNullable<ThreadData['read']>): Promise<Ended> {
  const input = await fileInput(data.path, data.name)
  const known = await knownPictures(data.readings?.paths ?? [])
  const path = join(data.directory, 'readings')
  await writeFile(
    path,
    JSON.stringify([...(await ocrPages({ input, pages, where, known, signal, options: data.options }))]),
  )
  return { type: 'read', path }
}

async function columnsAlone({ size }: NonNullable<ThreadData['columns']>): Promise<Ended> {
  const call = { input: askedInput(size), plan: data.plan, signal, options: data.options }
  const missing = await missingColumns(call)
  return { type: 'columns', missing: missing && { message: missing.message, loc: missing.loc } }
}

/** What looking for values takes, whatever becomes of them. */
const searchOf = async () => ({
  input: await fileInput(data.path, data.name),
  plan: data.plan,
  secrets: keysOf(data.secrets),
  workspace: { create },
  models: modelsOf(data.modelPort),
  lists: readList,
  signal,
  options: data.options,
  ...data.chunk,
})

async function searchAlone(): Promise<Ended> {
  const { readings, find, inspects, proposes, decisions, rounds, keepsFindings: keepFindings } = data
  try {
    const known = readings && { known: await knownPictures(readings.paths), most: readings.most }
    const quiet = { ...(await searchOf()), readings: known }
    if (find) return { type: 'marked', path: pathOf(await findValues({ ...quiet, decisions, ...find }))! }
    const search = { ...quiet, progress }
    if (inspects || proposes) {
      const { places, ...result } = await inspect({ ...search, proposes })
      const unchanged = { name: data.name, nameEdits: [], bytesOut: 0 }
      return { type: 'done', result: { ...result, ...unchanged }, places: placesOf(places) }
    }
    const filter = data.filter === undefined ? undefined : await readFile(data.filter)
    const call = { ...search, numbering: { number }, keepFindings, decisions, rounds, filter }
    const { output, tally, places, ...result } = await anonymise(call)
    return { type: 'done', result, path: pathOf(output)!, tally: pathOf(tally), places: placesOf(places) }
  } catch (error) {
    if (!(error instanceof OcrPending)) throw error
    return { type: 'unread', pages: error.pages, where: error.where, path: pathOf(error.output) }
  }
}

const placesOf = (places: AnonymiseResult['places']) => places && { path: pathOf(places.file)!, rows: places.rows }

const keysOf = (secrets: SecretBytes): Secrets => {
  const { hash, pseudonym, tokens = {}, ...others } = secrets
  const scoped = Object.entries(others).map(([scope, bytes]) => [scope, createSecretKey(bytes)])
  const reversible = Object.entries(tokens).map(([scope, { bytes, ...key }]) => [
    scope,
    { ...key, secret: createSecretKey(bytes) },
  ])
  return {
    hash: createSecretKey(hash),
    pseudonym: createSecretKey(pseudonym),
    ...Object.fromEntries(scoped),
    tokens: Object.fromEntries(reversible),
  }
}

const pathOf = (output: Input | undefined): string | undefined => (output as { path?: string } | undefined)?.path

function work(): Promise<Ended> {
  if (data.columns) return columnsAlone(data.columns)
  return data.read ? readAlone(data.read) : searchAlone()
}

async function run(): Promise<void> {
  send({ type: 'begun' })
  const { modelPort } = data
  try {
    const end = await work().finally(() => modelPort?.close())
    const holds = held()
    send({ ...end, holds })
    if (holds !== undefined) return
  } catch (error) {
    if (error instanceof EngineError)
      send({ type: 'refused', failure: error.type, message: error.message, loc: error.loc })
    else send({ type: 'crashed', failure: describeFailure(error) })
  }
  parentPort!.close()
}
