import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usualModels } from '../shared/engine/models/catalogue.ts'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { readFolder } from '../shared/engine/models/folder.ts'
import { inspectGraph } from '../shared/engine/models/graph.ts'
import { type Batch, type Session, startSession } from '../shared/engine/models/session.ts'
import { textWindows } from '../shared/engine/models/text-windows.ts'
import { readTokenizer } from '../shared/engine/models/tokenizers/tokenizer.ts'
import { sentenceCut, windows } from '../shared/engine/models/windows.ts'

/**
 * Speed, loading and memory of pii-ner in a process of its own, one thread, by the processor's time; the process is given
 * the folder of the models and, if another graph is to be timed in turn with it, that graph's file. Three speeds:
 *
 * - pieces of text a second, through everything that a rule goes through; what two windows read counts once,
 * - the same in pieces of windows, as many as the graph read,
 * - the bare graph on one window of 128 pieces at a time, and beside it the other one.
 *
 * Each works through the same text as often as the others and in turn with them, so that all see the same load.
 */
const [root, beside] = process.argv.slice(2) as [string, string?]
const reference = usualModels.find(({ modelId }) => modelId === 'pii-ner')!
const cases = join(import.meta.dirname, '../../shared/data/open/tab-dev-21.jsonl')
const sentence =
  'The hearing took place on 12 March 2004 before Judge Anna Petersson in the old town hall of Malmo, Sweden. '
const text = (
  existsSync(cases)
    ? readFileSync(cases, 'utf8')
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { text: string }).text)
        .join('\n')
    : sentence.repeat(1000)
).slice(0, 100_000)

/** Milliseconds of the processor, and of the clock, that some work takes. */
async function timed<T>(work: () => Promise<T>): Promise<{ result: T; cpu: number; wall: number }> {
  const [before, began] = [process.cpuUsage(), performance.now()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, cpu: (user + system) / 1000, wall: performance.now() - began }
}

/** Least time of the processor of each work. */
async function least(times: number, works: (() => Promise<unknown>)[]): Promise<number[]> {
  const best = works.map(() => Number.POSITIVE_INFINITY)
  for (let n = 0; n < times; n++) {
    for (const [i, work] of works.entries()) best[i] = Math.min(best[i]!, (await timed(work)).cpu)
  }
  return best
}

// The runtime is a part of the worker, not of the model.
await import('onnxruntime-node')
const load = await timed(() => folderSource(root, 1)(reference))
const model = load.result!
await model.detect([text.slice(0, 5000)], { threshold: 0.5 })
const memory = process.memoryUsage.rss()

const folder = await readFolder(join(root, reference.modelId, reference.modelVersion), reference)
const tokenizer = readTokenizer(folder.tokenizer)
const { size, stride, sentences } = { size: 126, stride: 95, sentences: false, ...folder.manifest.window }
let read = 0
for (const { start, end } of textWindows(text)) {
  const slice = text.slice(start, end)
  const encoding = tokenizer.encode(slice)
  const cut = sentences ? sentenceCut(slice, encoding) : undefined
  for (const one of windows(encoding.ids.length, size, stride, cut)) read += one.end - one.start + 2
}
const pieces = tokenizer.encode(text).ids

const columns = 128
const window: Batch = {
  rows: 1,
  columns,
  ids: BigInt64Array.from(pieces.subarray(0, columns), BigInt),
  mask: new BigInt64Array(columns).fill(1n),
  types: new BigInt64Array(columns).fill(1n),
}
const start = (weights: Uint8Array) =>
  startSession('timed', weights, inspectGraph(weights).inputs, folder.labels.length, { threads: 1, reuse: true })
const graphs: Session[] = [await start(folder.weights)]
if (beside) graphs.push(await start(readFileSync(beside)))
for (const graph of graphs) await graph.run(window)
const count = Math.ceil(pieces.length / columns)
const [all, bare, other] = await least(5, [
  () => model.detect([text], { threshold: 0.5 }),
  ...graphs.map(graph => async () => {
    for (let n = 0; n < count; n++) await graph.run(window)
  }),
])

const perSecond = (tokens: number, ms: number) => Math.round((tokens / ms) * 1000)
console.log(
  JSON.stringify({
    loadCpuMs: Math.round(load.cpu),
    loadWallMs: Math.round(load.wall),
    piecesPerSecond: perSecond(pieces.length, all!),
    windowPiecesPerSecond: perSecond(read, all!),
    barePiecesPerSecond: perSecond(count * columns, bare!),
    ...(beside && { besidePiecesPerSecond: perSecond(count * columns, other!) }),
    megabytesPerSecond: Number((text.length / all! / 1000).toFixed(4)),
    memoryMB: Math.round(memory / 1e6),
  }),
)
