// npm run bench:workers [MB]: anonymises the chunks of one table with one process and with two, each a worker of its own
// as in the cloud, and compares the times by the clock.
import { fork } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { anonymise } from '../shared/engine/anonymise.ts'
import { fileInput, fileOutput } from '../shared/engine/input.ts'
import { splitAsset } from '../shared/engine/split.ts'
import { patterns, requireGenerator, scratch, workload } from './workload.ts'

/** A chunk to do, as a worker is told. */
type Task = { path: string; range: { start: number; end: number }; options: Record<string, unknown> }

const CHUNK_BYTES = 8 * 1024 ** 2

if (process.send) {
  const key = createSecretKey(Buffer.alloc(32, 1))
  const all = patterns()
  const rules = ['EMAIL', 'PHONE_US', 'CREDIT_CARD', 'DATE_ISO'].map(name => ({
    ruleId: name,
    name,
    detection: { type: 'REGEX' as const, pattern: all.get(name)! },
    replacement: { text: `[${name}]` },
  }))
  process.on('message', async ({ path, range, options }: Task) => {
    const { bytesOut } = await anonymise({
      input: await fileInput(path),
      plan: { rules, assetType: 'TABLE' },
      secrets: { hash: key, pseudonym: key },
      numbering: { number: async keys => keys.map((_, index) => index + 1) },
      signal: new AbortController().signal,
      range,
      options,
      workspace: {
        async create(name) {
          const place = scratch(`worker-${process.pid}-${name}`)
          const output = fileOutput(place)
          return { output, input: () => output.close().then(() => fileInput(place)) }
        },
      },
    })
    process.send!(bytesOut)
  })
  process.send('ready')
} else {
  requireGenerator()
  const megabytes = Number(process.argv[2] ?? 200)
  const path = workload(`table${megabytes}.csv`, 'csv', '--mb', String(megabytes))
  const { signal } = new AbortController()
  const { ranges, options } = (await splitAsset({ input: await fileInput(path), size: CHUNK_BYTES, signal }))!

  /** Seconds that so many workers need for all chunks, each taking the next one when it is done; starting not counted. */
  const run = async (workers: number): Promise<{ seconds: number; bytes: number }> => {
    const children = Array.from({ length: workers }, () => fork(import.meta.filename, { stdio: 'inherit' }))
    await Promise.all(children.map(child => new Promise(resolve => child.once('message', resolve))))
    const waiting = ranges.values()
    let bytes = 0
    const begun = performance.now()
    const work = async (child: (typeof children)[number]) => {
      for (const range of waiting) {
        const done = new Promise<number>(resolve => child.once('message', made => resolve(made as number)))
        child.send({ path, range, options } satisfies Task)
        bytes += await done
      }
    }
    await Promise.all(children.map(work))
    const seconds = (performance.now() - begun) / 1000
    for (const child of children) child.kill()
    return { seconds, bytes }
  }

  console.log(`${megabytes} MB in ${ranges.length} chunks, ${availableParallelism()} cores, by the clock`)
  await run(1)
  const times: Record<number, number[]> = { 1: [], 2: [] }
  for (let round = 0; round < 3; round++) {
    for (const workers of [1, 2]) times[workers]!.push((await run(workers)).seconds)
  }
  const best = (workers: number) => Math.min(...times[workers]!)
  for (const workers of [1, 2]) {
    console.log(`${workers} worker(s): ${best(workers).toFixed(2)} s, ${(megabytes / best(workers)).toFixed(1)} MB/s`)
  }
  console.log(`two / one: ${(best(1) / best(2)).toFixed(2)}`)
}
