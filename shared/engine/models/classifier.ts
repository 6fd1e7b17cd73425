import { lstat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { loadLanguages, primary } from '../detect/language.ts'
import { EngineError } from '../errors.ts'
import { casingFeature } from './casing.ts'
import { versionsOf } from './catalogue.ts'
import { decode, type Part } from './decode.ts'
import { type ModelManifest, readFolder } from './folder.ts'
import { type Graph, inspectGraph } from './graph.ts'
import { calibrationOf, type LabelScheme, labelScheme } from './labels.ts'
import type { ModelSource } from './model.ts'
import { type DetectOptions, type Found, isModelReference, type LoadedModel, type ModelReference } from './model.ts'
import { isPlausible } from './plausible.ts'
import { type Batch, type Session, startSession } from './session.ts'
import { textWindows } from './text-windows.ts'
import { separated } from './tokenizers/separated.ts'
import { readTokenizer, type Tokenizer } from './tokenizers/tokenizer.ts'
import { authority, sentenceCut, type Window, windows } from './windows.ts'

/**
 * Models in the folders `{root}/{modelId}/{modelVersion}` of this machine, in the Hugging Face layout. A version that ships no more is
 * read by its successor.
 */
export function folderSource(root: string, threads = availableParallelism()): ModelSource {
  return async reference => {
    if (!isModelReference(reference)) return undefined
    for (const version of versionsOf(reference)) {
      const folder = join(root, reference.modelId, version)
      const found = await lstat(folder).catch(() => undefined)
      if (found?.isDirectory()) return openClassifier(folder, reference, threads)
    }
    return undefined
  }
}

/**
 * Characters whose predictions are held in memory at a time, and pieces that the model reads at once: what those take
 * still fits into the processor's own memory.
 */
const HELD = 65_536
const BATCH = 256

/** Longest window, in pieces, for which a session keeps its memory from one batch to the next. */
const REUSED = 512

/** Opens the token classifier in a folder. Throws `model_load_failed` with the file and the reason. */
async function openReader(folder: string, reference: ModelReference, threads: number): Promise<Reader> {
  const { labels, manifest, tokenizer: json, weights, positions } = await readFolder(folder, reference)
  const name = `${reference.modelId} ${reference.modelVersion}`
  let tokenizer: Tokenizer
  let graph: Graph
  try {
    tokenizer = readTokenizer(json)
    graph = inspectGraph(weights)
  } catch (error) {
    throw new EngineError('model_load_failed', `Model ${name}: ${(error as Error).message}`)
  }
  const { calibration } = manifest
  const scheme = labelScheme(labels, manifest.labels, calibration)
  const schemeOf = (language: string) => labelScheme(labels, manifest.labels, calibrationOf(calibration!, language))
  const languages = Object.keys(calibration?.languages ?? {})
  const schemes = new Map(languages.map(language => [language, schemeOf(language)]))
  const room = positions - tokenizer.before.length - tokenizer.after.length
  const size = Math.min(manifest.window?.size ?? 126, room)
  const stride = Math.min(manifest.window?.stride ?? Math.ceil(size * 0.75), size)
  if (size < 8) throw new EngineError('model_load_failed', `Model ${name}: config.json leaves no room for text`)
  const session = await startSession(name, weights, graph.inputs, labels.length, { threads, reuse: size <= REUSED })
  giveBack(weights)
  return {
    tokenizer,
    session,
    scheme,
    schemes,
    manifest,
    size,
    stride,
  }
}

/** Frees bytes that the runtime has copied: a collector would come only after the first texts were read. */
function giveBack({ buffer, byteLength }: Uint8Array) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** A classifier that is open, and opens itself again when it is asked after it was closed. */
async function openClassifier(folder: string, reference: ModelReference, threads: number): Promise<LoadedModel> {
  let reader: Reader | undefined = await openReader(folder, reference, threads)
  const { scheme, manifest } = reader

  // One call after the other: two at a time would double the memory and gain nothing on the same cores.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    ...reference,
    labels: scheme.types,
    languages: manifest.languages,
    detect: (texts, options) =>
      inTurn(async () => {
        reader ??= await openReader(folder, reference, threads)
        return detect(reader, texts, options)
      }),
    close: () =>
      inTurn(async () => {
        const closing = reader
        reader = undefined
        await closing?.session.close()
      }),
  }
}

type Reader = {
  tokenizer: Tokenizer
  session: Session
  scheme: LabelScheme
  /** Those of languages with a calibration of their own. */
  schemes: ReadonlyMap<string, LabelScheme>
  manifest: ModelManifest
  size: number
  stride: number
}

/** Equal texts, as columns of tables are full of, are read once. */
async function detect(reader: Reader, texts: readonly string[], options: DetectOptions): Promise<Found[][]> {
  const results = new Map<string, Found[]>()
  let group: string[] = []
  let held = 0
  const flush = async () => {
    const found = await read(reader, group, options)
    group.forEach((text, i) => {
      results.set(text, found[i]!)
    })
    group = []
    held = 0
  }
  for (const text of new Set(texts)) {
    group.push(text)
    held += text.length
    if (held >= HELD) await flush()
  }
  await flush()
  return texts.map(text => results.get(text)!)
}

async function read(reader: Reader, texts: readonly string[], options: DetectOptions): Promise<Found[][]> {
  const found: Found[][] = texts.map(() => [])
  const tellLanguage = reader.schemes.size > 0 ? await loadLanguages() : undefined
  for (const batch of jobs(reader, texts)) {
    const rows: Row[] = batch.flatMap(job =>
      job.windows.map((window, i) => ({ job, window, own: authority(job.windows, i) })),
    )
    // Only rows of one length share a batch: what would fill up shorter ones changes the last bits of their sums.
    rows.sort((a, b) => length(a) - length(b))
    for (let from = 0; from < rows.length; ) {
      options.signal?.throwIfAborted()
      let to = from + 1
      const pieces = length(rows[from]!)
      while (to < rows.length && length(rows[to]!) === pieces && (to - from + 1) * pieces <= BATCH) to++
      await predict(reader, rows.slice(from, to), texts)
      from = to
    }
    for (const job of batch) {
      const text = texts[job.text]!
      const language = options.language ?? tellLanguage?.(text)
      const scheme = (language && reader.schemes.get(primary(language))) || reader.scheme
      for (const entity of decode({ ...reader, scheme }, job, text, { ...options, language })) {
        if (!isPlausible(entity.label, text.slice(entity.start, entity.end), text, language)) continue
        if (!found[job.text]!.some(known => known.start === entity.start && known.end === entity.end)) {
          found[job.text]!.push(entity)
        }
      }
    }
  }
  for (const list of found) list.sort((a, b) => a.start - b.start || b.end - a.end)
  return found
}

/** Parts of the texts, as many at a time as may be held. */
function* jobs({ tokenizer, scheme, size, stride, manifest }: Reader, texts: readonly string[]): Generator<Part[]> {
  let batch: Part[] = []
  let held = 0
  for (const [text, whole] of texts.entries()) {
    for (const part of textWindows(whole)) {
      const slice = whole.slice(part.start, part.end)
      const cutUp = tokenizer.encode(slice)
      const encoding = tokenizer.marksBlanks ? separated(slice, cutUp) : cutUp
      const cut = manifest.window?.sentences ? sentenceCut(slice, encoding) : undefined
      const all = windows(encoding.ids.length, size, stride, cut)
      const logits = new Float32Array(encoding.ids.length * scheme.type.length)
      batch.push({
        text,
        encoding,
        windows: all,
        logits,
        at: part.start,
        until: part.end,
        from: part.from,
        to: part.to,
      })
      held += part.end - part.start
      if (held >= HELD) {
        yield batch
        batch = []
        held = 0
      }
    }
  }
  yield batch
}

type Row = { job: Part; window: Window; own: Window }
const length = (row: Row) => row.window.end - row.window.start

async function predict({ tokenizer, session, scheme, manifest }: Reader, rows: Row[], texts: readonly string[]) {
  const { before, after } = tokenizer
  const columns = length(rows[0]!) + before.length + after.length
  const cells = rows.length * columns
  const batch: Batch = {
    rows: rows.length,
    columns,
    ids: new BigInt64Array(cells),
    mask: new BigInt64Array(cells).fill(1n),
    types: new BigInt64Array(cells),
  }
  rows.forEach(({ job, window }, row) => {
    const ids = [...before, ...job.encoding.ids.subarray(window.start, window.end), ...after]
    ids.forEach((id, i) => {
      batch.ids[row * columns + i] = BigInt(id)
    })
    if (manifest.casing) {
      const text = texts[job.text]!
      for (let i = window.start; i < window.end; i++) {
        batch.types[row * columns + before.length + i - window.start] = BigInt(casingAt(job, i, text))
      }
    }
  })
  const logits = await session.run(batch)
  const labels = scheme.type.length
  rows.forEach(({ job, window, own }, row) => {
    const from = (row * columns + before.length + own.start - window.start) * labels
    job.logits.set(logits.subarray(from, from + (own.end - own.start) * labels), own.start * labels)
  })
}

/** The casing feature of the word that a piece belongs to. */
function casingAt({ encoding, at }: Part, piece: number, text: string): number {
  const { words, starts, ends } = encoding
  let first = piece
  let last = piece
  while (first > 0 && words[first - 1] === words[piece]) first--
  while (last + 1 < words.length && words[last + 1] === words[piece]) last++
  const start = at + starts[first]!
  return casingFeature(text.slice(start, at + ends[last]!), start > 0 ? text[start - 1] : undefined)
}
