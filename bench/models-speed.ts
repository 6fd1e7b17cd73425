import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { readTokenizer } from '../shared/engine/models/tokenizers/tokenizer.ts'

/**
 * Speed, loading and memory of pii-ner in a process of its own, one thread, by the processor's time; the process is given
 * the folder of the models. Pieces are those of the text: what overlapping windows read twice counts once.
 */
const root = process.argv[2]!
const reference = { modelId: 'pii-ner', modelVersion: '1.0.0' }
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

// The runtime is a part of the worker, not of the model.
await import('onnxruntime-node')
const load = await timed(() => folderSource(root, 1)(reference))
const model = load.result!
const tokenizer = join(root, reference.modelId, reference.modelVersion, 'tokenizer.json')
const pieces = readTokenizer(JSON.parse(readFileSync(tokenizer, 'utf8'))).encode(text).ids.length
await model.detect([text.slice(0, 5000)], { threshold: 0.5 })
const runs: number[] = []
for (let n = 0; n < 5; n++) runs.push((await timed(() => model.detect([text], { threshold: 0.5 }))).cpu)
const best = Math.min(...runs)
console.log(
  JSON.stringify({
    loadCpuMs: Math.round(load.cpu),
    loadWallMs: Math.round(load.wall),
    piecesPerSecond: Math.round((pieces / best) * 1000),
    megabytesPerSecond: Number((text.length / best / 1000).toFixed(4)),
    memoryMB: Math.round(process.memoryUsage.rss() / 1e6),
  }),
)
